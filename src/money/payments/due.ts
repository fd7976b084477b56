import { decimalText } from '../../core/money.ts';
import { assertNever } from '../../core/result.ts';
import { MINUTE_MS } from '../../core/time.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { CardRow } from '../../platform/db/cardTables.ts';
import type { TransactionRow } from '../../platform/db/moneyTables.ts';
import { type BookingState, endsWithBooking } from '../../records/bookings/rules.ts';
import { resolveUnknown } from '../gateway/resolve.ts';
import { amountToFire } from './amountDue.ts';
import { execute, start } from './attempt.ts';
import { changeStatements } from './change.ts';
import { findEarlierCharge } from './earlierCharge.ts';
import { cancellation, type Firing, fire, mayHaveBeenCharged } from './firing.ts';
import { transactionOperation } from './gatewayOperation.ts';
import { cardByToken } from './loadTransaction.ts';
import { WAIT_FOR_OUTCOME_MS, waitsForReplacement } from './replacedSchedules.ts';
import { limitedTo, repriced } from './repricing.ts';
import type { TransactionChange } from './states.ts';
import { updateTransaction } from './store.ts';

/** Does what is due for one transaction: charges a schedule, ends a hold, or finds out an unknown outcome. */
export async function processTransaction(
  work: BookingWork,
  state: BookingState,
  row: TransactionRow,
): Promise<void> {
  const card = row.cardToken === null ? null : await cardByToken(work, state, row.cardToken);
  switch (row.status) {
    case 'Pending':
      return fireSchedule(work, state, row, card);
    case 'Authorized':
      return endHold(work, state, row, card);
    case 'Processing':
      return resolve(work, state, row, card);
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
  state: BookingState,
  row: TransactionRow,
  named: CardRow | null,
): Promise<void> {
  const firing = fire(state, row, named, work.now());
  let known = row;
  if (mayHaveBeenCharged(row, work.now())) {
    const earlier = await findEarlierCharge(work, { state, row }, cardsOf(firing, named));
    if (earlier.kind === 'corrected') return;
    if (earlier.kind === 'unknown') return postpone(work, row, 5 * MINUTE_MS);
    known = { ...row, gatewayKey: earlier.lastKey };
  }
  if (firing.kind === 'end') return endSchedule(work, row, firing);
  if (await waitsForReplacement(work, row)) return postpone(work, row, WAIT_FOR_OUTCOME_MS);
  const { card } = firing;
  const moment = { atMs: work.now(), stepMinor: work.gateway.amountStepMinor(row.currency) };
  const requestedMinor = await amountToFire(work, state, row, moment.stepMinor);
  if (requestedMinor === null) return postpone(work, row, WAIT_FOR_OUTCOME_MS);
  if (requestedMinor === 0) {
    return endSchedule(work, row, cancellation(work.now(), 'nothing due'));
  }
  const limited = limitedTo(row, requestedMinor, moment.stepMinor);
  const change = {
    ...limited,
    ...repriced(state.property, card, { ...row, ...limited }, moment),
    firstAttemptAtMs: row.firstAttemptAtMs ?? work.now(),
  };
  const step = { state, row: known, card, pending: 'charge', change, caller: null } as const;
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

/** Ends a schedule without a charge. */
async function endSchedule(
  work: BookingWork,
  row: TransactionRow,
  { change, why }: Extract<Firing, { kind: 'end' }>,
): Promise<void> {
  await work.database.batch('d1.transaction.apply', changeStatements(work, row, change, why));
}

/** The cards that a schedule may have been charged on: the one that it names, and the one that it would be charged on now. */
function cardsOf(firing: Firing, named: CardRow | null): CardRow[] {
  const now = firing.kind === 'charge' ? firing.card : null;
  const other = now?.token === named?.token ? null : now;
  return [named, other].filter((card) => card !== null);
}

/** The acquirer did not answer: asks again later. */
async function postpone(work: BookingWork, row: TransactionRow, byMs: number): Promise<void> {
  const later = updateTransaction(work.database.queries, row, { dueAtMs: work.now() + byMs });
  await work.database.batch('d1.transaction.postpone', [later]);
}

async function endHold(
  work: BookingWork,
  state: BookingState,
  row: TransactionRow,
  card: CardRow | null,
): Promise<void> {
  if (card === null) throw new Error('a hold has no card');
  const expired = row.expiresAtMs !== null && work.now() >= row.expiresAtMs;
  if (!expired && !endsWithBooking(state, row)) {
    const later = updateTransaction(work.database.queries, row, { dueAtMs: row.expiresAtMs });
    await work.database.batch('d1.transaction.postpone', [later]);
    return;
  }
  const pending = expired ? 'expire' : 'release';
  await execute(work, await start(work, { state, row, card, pending, caller: null }));
}

async function resolve(
  work: BookingWork,
  state: BookingState,
  row: TransactionRow,
  card: CardRow | null,
): Promise<void> {
  if (card === null) throw new Error('a pending operation has no card');
  await resolveUnknown(work, transactionOperation(work, { state, row, card }));
}
