import { commit, commitIntent } from '../../operation/commit.ts';
import type { Write } from '../../operation/draft.ts';
import { planEvents } from '../../operation/plan.ts';
import { type BookingWork, bookingState } from '../../operation/work.ts';
import { type BookingState, cardInUse } from '../../records/bookings/rules.ts';
import { isOfFormerAccount } from '../../records/cards/rules.ts';
import { changedPlan, lookedAt } from '../../records/plans/rules/changes.ts';
import { endOf, lackingMinor, nextPart } from '../../records/plans/rules/follow.ts';
import { isForetold } from '../../records/plans/rules/foresight.ts';
import { termOf } from '../../records/plans/rules/parts.ts';
import { savePlan } from '../../records/plans/store.ts';
import { becomeCharge } from '../../records/recoveries/store.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import type { PlanPart, PlanRow } from '../../schema/planTables.ts';
import { SAFETY_NET_MS } from '../gateway/rules/statusChecks.ts';
import { execute } from '../payments/attempt.ts';
import { recoverDeclined } from '../payments/beginRecovery.ts';
import { intentWrites } from '../payments/entries.ts';
import { cardByToken, readTransaction } from '../payments/loadTransaction.ts';
import { endWithoutCard, type FiringEnd, LATE_MS } from '../payments/rules/firing.ts';
import { WAIT_FOR_OUTCOME_MS } from '../payments/superseded.ts';
import { foretell } from './foretell.ts';
import { amountOfPart, type DuePart, partReference, partRow, priceOfPart } from './partCharge.ts';

/**
 * Does what is due for a booking's plan (interface: A part is charged): charges its next part, ends one of which nothing
 * is due, or completes the plan. From the charge on, a part's charge is a schedule like any other.
 */
export async function processPlan(work: BookingWork, plan: PlanRow): Promise<void> {
  const state = await bookingState(work);
  if (!state) throw new Error('a plan has no booking');
  const part = nextPart(plan.parts);
  const isToCome = part === null || part.dueAtMs > work.now();
  const isForeseen = plan.parts.every((one) => isForetold(one, plan.cardEndsAtMs));
  if (isToCome && isForeseen) return lookAgain(work, plan);
  const card = await cardOfPlan(work, state, plan);
  if (isToCome) return foretell(work, state, plan, card);
  const due = { state, plan, part, card };
  const reference = await partReference(plan, part);
  if (card === null) return record(work, due, reference, endWithoutCard(work.now()));
  const isLate = work.now() - part.dueAtMs > LATE_MS;
  const isForgotten = (await work.retried.lastKeyNumber(reference)) > 0;
  // The acquirer is asked first, or the card has to be another: as for any schedule that waits.
  if (isLate || isForgotten || isOfFormerAccount(state.property, card)) {
    return record(work, due, reference);
  }
  return charge(work, { ...due, card }, reference);
}

/** The card that a plan charges now; null for none that may be charged. */
async function cardOfPlan(
  work: BookingWork,
  state: BookingState,
  { cardToken }: PlanRow,
): Promise<CardRow | null> {
  const card = cardToken === null ? cardInUse(state) : await cardByToken(work, state, cardToken);
  return card?.removedAtMs === null ? card : null;
}

/** Nothing is to be charged now: plans the next look, or completes the plan. */
async function lookAgain(work: BookingWork, plan: PlanRow): Promise<void> {
  const row = changedPlan(plan, lookedAt(plan, work.now()), work.now());
  if (row === plan) return postponePlan(work, plan, work.now() + WAIT_FOR_OUTCOME_MS);
  await commit(work, 'd1.plan.save', [{ plan: { row, events: planEvents(plan, row) } }]);
}

async function charge(
  work: BookingWork,
  due: DuePart & { readonly card: CardRow },
  reference: string,
): Promise<void> {
  const { card, part, plan, state } = due;
  const nowMs = work.now();
  const { purpose } = termOf(plan.spec, part.id);
  const amount = await amountOfPart(work, due, { ...LIMITED, purpose });
  switch (amount.kind) {
    case 'wait':
      return postponePlan(work, plan, nowMs + WAIT_FOR_OUTCOME_MS);
    case 'end':
      return record(work, due, reference, amount);
    case 'take': {
      const waiting = partRow(work, due, reference, priceOfPart(work, due, amount.requestedMinor));
      const row = underWayNow(waiting, nowMs);
      await work.wakeBy(nowMs + SAFETY_NET_MS);
      return void (await execute(work, {
        state,
        row,
        card,
        recorded: await commitIntent(
          work,
          'd1.transaction.intend',
          recordOf(work, due, row, 'charge'),
          async () => (await readTransaction(work, { id: row.id })) !== null,
        ),
      }));
    }
    default:
      // What covers the part pays it, or it is void.
      return commit(work, 'd1.plan.save', [{ plan: endedPart(work, plan, part) }]);
  }
}

/**
 * Records the charge of a part that is not sent now: as a schedule that is due, which the next turn fires; or as `ended`,
 * because the part has no card, or a virtual one that is not in its time or has nothing left.
 */
async function record(
  work: BookingWork,
  due: DuePart,
  reference: string,
  ended?: FiringEnd,
): Promise<void> {
  const waiting = partRow(work, due, reference, priceOfPart(work, due, lackingMinor(due.part)));
  const row = { ...waiting, ...ended?.change };
  await commit(work, 'd1.transaction.intend', recordOf(work, due, row, ended?.why));
}

/** What a part takes is what is due, at most. */
const LIMITED = { askedMinor: null, limitToDue: true, putOffUntilMs: null } as const;

/** The first attempt of a schedule, begun as it is recorded. */
function underWayNow(row: TransactionRow, nowMs: number): TransactionRow {
  return {
    ...row,
    status: 'Processing',
    pendingOperation: 'charge',
    attempts: 1,
    gatewayKey: `${row.reference}-1`,
    askedAtMs: nowMs,
    firstAttemptAtMs: nowMs,
    dueAtMs: nowMs + SAFETY_NET_MS,
  };
}

/** The writes of a part's charge. A recovery that foretold the end of its card is that of the charge from now on. */
function recordOf(
  work: BookingWork,
  { card, part, state }: DuePart,
  row: TransactionRow,
  why: string | undefined,
): Write[] {
  const recoveryId = part.foretold?.recoveryId;
  return [
    ...intentWrites(work, { after: row, atMs: work.now(), card, why }),
    ...(recoveryId === undefined ? [] : [becomeCharge(work.propertyId, recoveryId, row.id)]),
    ...recoverDeclined(work, state.property, row),
  ];
}

/** A plan one of whose parts ends without a charge, because nothing is due. */
export function endedPart(work: BookingWork, plan: PlanRow, part: PlanPart) {
  const nowMs = work.now();
  const parts = plan.parts.map((one) => (one.id === part.id ? endOf(one) : one));
  const row = changedPlan(plan, { parts, ...lookedAt({ ...plan, parts }, nowMs) }, nowMs);
  return { row, events: planEvents(plan, row), detail: `${part.id}: nothing due` };
}

/** Changes when a plan is looked at next, which nobody else sees, in a batch of its own. */
export async function postponePlan(
  work: BookingWork,
  plan: PlanRow,
  dueAtMs: number,
): Promise<void> {
  const later = { ...plan, dueAtMs, version: plan.version + 1 };
  await work.database.batch('d1.transaction.postpone', [savePlan(plan, later)]);
  work.memory.plan = later;
}
