import { decimalText } from '../../core/money.ts';
import { assertNever } from '../../core/result.ts';
import { DAY_MS, HOUR_MS } from '../../core/time.ts';
import { commit } from '../../operation/commit.ts';
import type { BookingWork } from '../../operation/work.ts';
import { type BookingState, cardInUse } from '../../records/bookings/rules.ts';
import { selectRecoveries } from '../../records/recoveries/store.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { readTotals } from '../balance/readBalance.ts';
import { resolveUnknown } from '../gateway/resolve.ts';
import type { PricingMoment } from '../pricing/fees.ts';
import { limitedTo, repriced } from '../pricing/repricing.ts';
import { execute, lastKeyNumber, start } from './attempt.ts';
import { recoverDeclined, recoverFormer } from './beginRecovery.ts';
import { awaitAnswer, findEarlierCharge } from './earlierCharge.ts';
import { changed, changeWrites, postpone } from './entries.ts';
import { transactionOperation } from './gatewayOperation.ts';
import { cardOf, type LoadedTransaction } from './loadTransaction.ts';
import { isCalledOff } from './rules/cases.ts';
import {
  cancellation,
  endOfFormerCard,
  type FiringEnd,
  fire,
  mayHaveBeenCharged,
} from './rules/firing.ts';
import { amountOnCard } from './rules/onVirtualCard.ts';
import { amountToFire, mayDependOnDue } from './rules/overcharge.ts';
import { hasOwnCard, otherCardOf } from './rules.ts';
import type { TransactionChange } from './states.ts';
import { supersededBy, WAIT_FOR_OUTCOME_MS } from './superseded.ts';

/** How long a schedule is put off if nothing is due and its property is to be warned. */
const PUT_OFF_MS = DAY_MS;

/** Charges the part of a plan whose charge waited. */
type ChargePart = (work: BookingWork, found: LoadedTransaction) => Promise<void>;

/**
 * Does what is due for one transaction: charges a schedule, ends a hold, or finds out an unknown outcome. What the charge
 * of a plan's part takes, `chargePart` knows.
 */
export async function processTransaction(
  work: BookingWork,
  state: BookingState,
  row: TransactionRow,
  chargePart: ChargePart,
): Promise<void> {
  const loaded = { state, row, card: await cardOf(work, state, row) };
  switch (row.status) {
    case 'Pending':
      return fireSchedule(work, loaded, chargePart);
    case 'Authorized':
      return endHold(work, loaded);
    case 'Processing':
      return resolveUnknown(work, transactionOperation(work, loaded));
    case 'Accepted':
    case 'Declined':
    case 'Failed':
    case 'Cancelled':
    case 'Released':
    case 'Expired':
      throw new Error('a transaction in a final state is due');
    default:
      return assertNever(row.status);
  }
}

async function fireSchedule(
  work: BookingWork,
  { state, row, card: named }: LoadedTransaction,
  chargePart: ChargePart,
): Promise<void> {
  const firing = fire(state, row, named, work.now());
  let known = row;
  const isForgotten = (await work.retried.lastKeyNumber(row.reference)) > lastKeyNumber(row);
  if (isForgotten || mayHaveBeenCharged(row, work.now())) {
    const earlier = await findEarlierCharge(work, { state, row }, cardsOf(state, row, named));
    if (earlier.kind === 'corrected') return;
    if (earlier.kind === 'unknown') return awaitAnswer(work, row, firing, earlier.retryAfterMs);
    known = { ...row, gatewayKey: earlier.lastKey };
  }
  if (firing.kind === 'end') return endSchedule(work, row, firing);
  const superseded = await supersededBy(work, row);
  if (superseded?.kind === 'end') return endSchedule(work, row, superseded);
  if (firing.kind === 'former') return awaitNewCard(work, state, row, firing.card);
  if (superseded) return postpone(work, row, { dueAtMs: work.now() + WAIT_FOR_OUTCOME_MS });
  const found = { state, row: known, card: firing.card };
  return row.planId === null ? chargeSchedule(work, found) : chargePart(work, found);
}

/** Charges a schedule what it takes now. */
async function chargeSchedule(
  work: BookingWork,
  { card, row, state }: LoadedTransaction,
): Promise<void> {
  const moment = { atMs: work.now(), stepMinor: work.gateway.amountStepMinor(row.currency) };
  const { property, booking } = state;
  const totals = mayDependOnDue(row) ? await readTotals(work) : null;
  const amount = amountToFire(property, booking, row, totals, moment.stepMinor);
  if (amount.kind === 'wait') {
    return postpone(work, row, { dueAtMs: work.now() + WAIT_FOR_OUTCOME_MS });
  }
  if (amount.kind === 'putOff') return putOff(work, row);
  if (amount.kind === 'nothingDue') {
    return endSchedule(work, row, cancellation(work.now(), 'nothing due'));
  }
  await chargeCard(work, { state, row, card }, amount.requestedMinor, moment);
}

/** Charges a schedule that fires on its card, as far as that takes it. */
async function chargeCard(
  work: BookingWork,
  { state, row, card }: LoadedTransaction,
  requestedMinor: number,
  moment: PricingMoment,
): Promise<void> {
  const { property } = state;
  const taken = amountOnCard(card, row, requestedMinor, property, moment);
  if (taken.kind === 'end') return endOnCard(work, property, row, card, taken);
  const limited = limitedTo(row, taken.requestedMinor, moment.stepMinor);
  const virtualCard = row.virtualCard || card.virtual !== null;
  const change = {
    ...limited,
    ...repriced(property, card, { ...row, ...limited, virtualCard }, moment),
    virtualCard,
    firstAttemptAtMs: row.firstAttemptAtMs ?? work.now(),
    otherCard: otherCardOf(row, card),
  };
  const step = { state, row, card, pending: 'charge', change, caller: null } as const;
  await execute(work, await start(work, { ...step, why: whyCharged(row, change) }));
}

/** The audit trail's reason of a charge: also its amount, if that is not the scheduled one. */
function whyCharged(row: TransactionRow, change: TransactionChange): string {
  const { amountMinor, currency } = row;
  if (change.amountMinor === undefined) return 'charge';
  const [now, before] = [change.amountMinor, amountMinor].map((it) => decimalText(it, currency));
  const isLimited =
    change.requestedMinor !== undefined && change.requestedMinor < row.requestedMinor;
  const reason = isLimited ? 'less is due' : 'the fee is lower by now';
  return `charge ${now} in place of ${before}: ${reason}`;
}

/**
 * A schedule whose card is kept at a former account: it waits for another card until its guest's time to answer is over,
 * then it ends. A property that asks nobody waits for nobody.
 */
async function awaitNewCard(
  work: BookingWork,
  { property }: BookingState,
  row: TransactionRow,
  card: CardRow,
): Promise<void> {
  const { database, propertyId, reference } = work;
  const [recoveries] = await database.batch('d1.recovery.read', [
    selectRecoveries({ propertyId, reference }),
  ]);
  const nowMs = work.now();
  const asked = recoveries.find(({ transactionId, cause }) => {
    return transactionId === row.id && cause === 'former';
  });
  const hasEnded = asked !== undefined && asked.endedAtMs !== null;
  const untilMs = hasEnded ? nowMs : (asked?.deadlineAtMs ?? Number.POSITIVE_INFINITY);
  if (property.cardRecovery === null || untilMs <= nowMs) {
    return endSchedule(work, row, endOfFormerCard(nowMs));
  }
  const dueAtMs = Math.min(untilMs, nowMs + HOUR_MS);
  await postpone(work, row, { dueAtMs }, ...(asked ? [] : [recoverFormer(work, row, card)]));
}

/** Ends a schedule without a charge. */
export async function endSchedule(
  work: BookingWork,
  row: TransactionRow,
  { change, why }: FiringEnd,
): Promise<void> {
  await commit(work, 'd1.transaction.apply', changeWrites(work, row, change, { why }));
}

/** Ends a schedule that its virtual card does not take. What it refuses, its property is asked about. */
export async function endOnCard(
  work: BookingWork,
  property: PropertyRow,
  row: TransactionRow,
  card: CardRow,
  { change, why }: FiringEnd,
): Promise<void> {
  const ended = { ...change, cardToken: card.token, virtualCard: true };
  await commit(work, 'd1.transaction.apply', [
    ...changeWrites(work, row, ended, { why, card }),
    ...recoverDeclined(work, property, changed(row, ended)),
  ]);
}

/** The cards that a schedule may have been charged on: its own, and the booking's of now, also where it is charged no more. */
function cardsOf(state: BookingState, row: TransactionRow, named: CardRow): CardRow[] {
  const used = hasOwnCard(row) ? null : cardInUse(state);
  return used === null || used.token === named.token ? [named] : [named, used];
}

/**
 * Puts a schedule off because nothing is due, and tells its property, which may cancel it. The key that the acquirer knows
 * is kept: a day later, in time, it is not asked.
 */
async function putOff(work: BookingWork, row: TransactionRow): Promise<void> {
  const putOffUntilMs = work.now() + PUT_OFF_MS;
  const { gatewayKey } = row;
  const change = { putOffUntilMs, dueAtMs: putOffUntilMs, gatewayKey };
  const told = { why: 'nothing due: put off by a day', type: 'schedule.retrying' } as const;
  await commit(work, 'd1.transaction.postpone', changeWrites(work, row, change, told));
}

async function endHold(work: BookingWork, hold: LoadedTransaction): Promise<void> {
  const { state, row } = hold;
  const expired = row.expiresAtMs !== null && work.now() >= row.expiresAtMs;
  if (!expired && !isCalledOff(state, row)) {
    return postpone(work, row, { dueAtMs: row.expiresAtMs });
  }
  const pending = expired ? 'expire' : 'release';
  await execute(work, await start(work, { ...hold, pending, caller: null }));
}
