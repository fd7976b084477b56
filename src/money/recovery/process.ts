import { assertNever } from '../../core/result.ts';
import { HOUR_MS, MINUTE_MS } from '../../core/time.ts';
import { commit } from '../../operation/commit.ts';
import { type DraftedEvent, draftEntry, type Write } from '../../operation/draft.ts';
import type { BookingWork } from '../../operation/work.ts';
import { queueMail } from '../../records/mails/queue.ts';
import { expiryWarningMs } from '../../records/properties/rules.ts';
import { type RecoveryChange, updateRecovery } from '../../records/recoveries/store.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import type { RecoveryRow } from '../../schema/recoveryTables.ts';
import { planExpiryWarnings } from '../payments/beginRecovery.ts';
import { chargeEvent, partEvent } from '../payments/entries.ts';
import { cardToCharge } from '../payments/loadTransaction.ts';
import { refreshCard } from '../payments/renewCard.ts';
import { type CardDependents, isChargedAgain, moveToCard } from '../payments/takeCard.ts';
import { settledSince } from '../settlements/settle.ts';
import { chargeAgain } from './chargeAgain.ts';
import { foretoldPart, ownCharge } from './foretold.ts';
import { nextStep, type Step } from './rules.ts';
import { type Recovery, readFacts, recoveryOf, situationOf } from './situation.ts';

/** For how long an acquirer that does not answer is asked whether a card was renewed, and how often. */
const MOST_UNKNOWN_MS = 6 * HOUR_MS;
const ASK_AGAIN_MS = 30 * MINUTE_MS;

/**
 * Does the next step of a recovery that is due (interface: Recovery). Each step is recorded, and what it leaves to do is
 * due at once: so each is decided on what D1 has, and a crash repeats one step at most. All that is due to be asked of the
 * booking is asked in one mail: any other step that is due goes first, as it may leave something to ask, too. `returnBase`
 * is where the bank returns a guest who just gave a card on a page; null if nobody is there.
 */
export async function processRecovery(
  work: BookingWork,
  due: RecoveryRow,
  returnBase: string | null = null,
): Promise<void> {
  const facts = await readFacts(work.database, work);
  work.follow(facts.state.property);
  work.memory.state = facts.state;
  const row = facts.recoveries.find(({ transactionId }) => transactionId === due.transactionId);
  if (!row || row.dueAtMs === null) return;
  const nowMs = work.now();
  const others = facts.recoveries.filter(
    (one) => one !== row && one.dueAtMs !== null && one.dueAtMs <= nowMs,
  );
  const asked: ToRemind[] = [];
  for (const one of [row, ...others]) {
    const recovery = await recoveryOf(work, facts, one);
    const step = nextStep(situationOf(recovery, nowMs));
    if (step.kind === 'charge') return chargeAgain(work, recovery, step, returnBase);
    if (step.kind === 'end') {
      // Its charge may have been the last that a settlement waited for.
      const settled = settledSince(work, facts);
      return save(work, one, ended(step.as, nowMs), step.as, null, settled);
    }
    if (step.kind !== 'remind') return doStep(work, recovery, step);
    const isVirtual = recovery.card !== null && recovery.card.virtual !== null;
    asked.push({ row: one, deadlineAtMs: step.deadlineAtMs, isVirtual });
  }
  // The guest and the property get mails of their own: what is left is due again.
  const [first] = asked;
  await remind(
    work,
    asked.filter(({ isVirtual }) => isVirtual === first?.isVirtual),
  );
}

async function doStep(
  work: BookingWork,
  recovery: Recovery,
  step: Exclude<Step, { kind: 'charge' | 'end' | 'remind' }>,
): Promise<void> {
  const { row } = recovery;
  const nowMs = work.now();
  switch (step.kind) {
    case 'wait':
      return save(work, row, { dueAtMs: step.untilMs });
    case 'warnOfExpiry':
      return warnOfExpiry(work, recovery);
    case 'expires':
      return planWarning(work, recovery);
    case 'takeOver':
      return takeOver(work, recovery, step.cardToken);
    case 'forgetAnswer':
      return save(work, row, { answerCard: null, dueAtMs: nowMs }, 'not answered by this card');
    case 'setDeadline':
      return save(work, row, { deadlineAtMs: step.deadlineAtMs, dueAtMs: step.deadlineAtMs });
    case 'giveUp':
      return giveUp(work, recovery, step.flags);
    default:
      return assertNever(step);
  }
}

function ended(as: NonNullable<RecoveryRow['endedAs']>, nowMs: number): RecoveryChange {
  return { endedAs: as, endedAtMs: nowMs, dueAtMs: null };
}

/** A renewed card needs no reminder; of any other the property is warned once. */
async function warnOfExpiry(work: BookingWork, recovery: Recovery): Promise<void> {
  const { row, card, facts } = recovery;
  if (card === null) throw new Error('no card can expire');
  const refreshed = await refreshCard(work, facts.state, card);
  if (refreshed === 'renewed') return;
  const nowMs = work.now();
  const sinceMs = row.chargeAtMs - expiryWarningMs(facts.state.property.cardRecovery);
  if (refreshed === 'unknown' && nowMs < Math.max(sinceMs, row.createdAtMs) + MOST_UNKNOWN_MS) {
    return save(work, row, { dueAtMs: nowMs + ASK_AGAIN_MS });
  }
  const warned = { toldCard: card.token, cardToken: card.token, dueAtMs: nowMs };
  await save(work, row, warned, 'expiring', eventOf('card.expiring', recovery, card));
}

/** The event about what a recovery is of: a charge, or a part of a plan that is not charged yet; null for neither. */
function eventOf(
  type: 'card.expiring' | 'recovery.flagged',
  { facts, row }: Recovery,
  card: CardRow | null,
): DraftedEvent | null {
  const charge = ownCharge(facts, row);
  if (charge) return chargeEvent(type, charge, card);
  const { plan } = facts;
  const part = foretoldPart(plan, row);
  return plan && part && partEvent(type, plan, part, card);
}

/** Its account is the property's again, so that what is left to ask about is that the card expires. */
async function planWarning(work: BookingWork, { card, facts, row }: Recovery): Promise<void> {
  const charge = ownCharge(facts, row);
  if (card === null || charge === null) throw new Error('no card can expire');
  await commit(
    work,
    'd1.recovery.save',
    planExpiryWarnings(work, facts.state.property, [charge], card),
  );
}

/** Moves the charge to a new card whose own batch had no room for that. */
async function takeOver(work: BookingWork, recovery: Recovery, token: string): Promise<void> {
  const { row, facts } = recovery;
  const card = await cardToCharge(work, facts.state, token);
  const charge = ownCharge(facts, row);
  if (card === null || charge === null)
    return save(work, row, { answerCard: null, dueAtMs: work.now() });
  const moved = moveToCard(work, facts.state.property, row, charge, card);
  await commit(work, 'd1.recovery.save', moved.writes);
}

async function giveUp(work: BookingWork, recovery: Recovery, flags: boolean): Promise<void> {
  const { row } = recovery;
  const nowMs = work.now();
  const change = { ...ended('unanswered', nowMs), ...(flags && { flaggedAtMs: nowMs }) };
  const event = flags ? eventOf('recovery.flagged', recovery, null) : null;
  await save(work, row, change, flags ? 'flagged' : 'unanswered', event);
}

/** Records a step, with its entry in the history if people want to know of it, and with what follows from it. */
async function save(
  work: BookingWork,
  row: RecoveryRow,
  change: RecoveryChange,
  as?: string,
  event: DraftedEvent | null = null,
  further: readonly Write[] = [],
): Promise<void> {
  const atMs = work.now();
  const subject = { kind: 'recovery', id: String(row.transactionId) } as const;
  await commit(work, 'd1.recovery.save', [
    updateRecovery(row, { ...change, changedAtMs: atMs }),
    ...(as ? [draftEntry(work, atMs, subject, { to: as, event })] : []),
    ...further,
  ]);
}

/** How many charges a new card makes before its caller gets an answer. The alarm makes the rest. */
const MOST_AT_ONCE = 5;

/**
 * Charges a new card at once what was declined before. What is left to do is left to the alarm. `returnBase` is where the
 * bank returns a guest who is there; null if none is.
 */
export async function chargeNewCard(
  work: BookingWork,
  property: PropertyRow,
  before: CardDependents,
  returnBase: string | null,
): Promise<void> {
  const nowMs = work.now();
  const answered = before.recoveries.filter((row) => isChargedAgain(property, row, nowMs));
  for (const row of answered.slice(0, MOST_AT_ONCE)) {
    // The charge, then what follows from its outcome.
    await processRecovery(work, row, returnBase);
    await processRecovery(work, row);
  }
}

/** A recovery whose guest, or property, is to be asked, and until when an answer counts. */
interface ToRemind {
  readonly row: RecoveryRow;
  readonly deadlineAtMs: number;
  /** Whether it is about a virtual card, so that the property is asked. */
  readonly isVirtual: boolean;
}

/**
 * Asks a booking's guest, or its property, for all of `asked` in one mail: counts the reminders and queues it, in one batch. Its id names the
 * first of these reminders, so none is sent twice.
 */
async function remind(work: BookingWork, asked: readonly ToRemind[]): Promise<void> {
  const [first] = asked;
  if (first === undefined) return;
  const atMs = work.now();
  const { asked: askedBefore, transactionId } = first.row;
  const kind = first.isVirtual ? 'virtualCard' : 'cardRecovery';
  const reminderMail = `${transactionId}-${askedBefore + 1}-${kind}`;
  await commit(work, 'd1.recovery.save', [
    queueMail(work, {
      id: reminderMail,
      propertyId: work.propertyId,
      bookingReference: work.reference,
      kind,
      eventType: null,
      subjectKind: 'charge',
      subjectId: String(transactionId),
      atMs,
    }),
    ...asked.flatMap(({ row, deadlineAtMs }) => {
      const subject = { kind: 'recovery', id: String(row.transactionId) } as const;
      return [
        updateRecovery(row, {
          asked: row.asked + 1,
          askedForCause: row.askedForCause + 1,
          firstAskedAtMs: row.firstAskedAtMs ?? atMs,
          deadlineAtMs,
          reminderMail,
          dueAtMs: atMs,
          changedAtMs: atMs,
        }),
        draftEntry(work, atMs, subject, { to: 'asked' }),
      ];
    }),
  ]);
}
