import { decimalText } from '../../core/money.ts';
import { MINUTE_MS } from '../../core/time.ts';
import type { Write } from '../../operation/draft.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { Statement } from '../../platform/db/database.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { changeWrites } from './entries.ts';
import { cancellation } from './rules/firing.ts';
import { nameReplacement, selectInStates } from './store.ts';

/** How long a schedule waits at a time for the outcome of a payment that may make it too much. */
export const WAIT_FOR_OUTCOME_MS = 5 * MINUTE_MS;

/** A payment that schedules give way to. */
type Replacement = Pick<TransactionRow, 'id' | 'replaces' | 'lowers' | 'currency'>;

/** The schedules that a payment cancels, and the one that it lowers. */
function changedBy({
  replaces,
  lowers,
}: Pick<Replacement, 'replaces' | 'lowers'>): readonly number[] {
  return lowers === null ? replaces : [...replaces, lowers.id];
}

/** Names the payment in the schedules that give way to it if it is accepted; for the batch that records it. */
export function giveWay(
  { database, propertyId, reference }: BookingWork,
  payment: Replacement,
): Statement[] {
  const replaces = changedBy(payment);
  if (replaces.length === 0) return [];
  return [nameReplacement(database.queries, { propertyId, reference }, { ...payment, replaces })];
}

/**
 * Cancels the schedules that gave way to a payment, and lowers the one that it pays in part, in the batch that accepts
 * it. Whatever became of them meanwhile stays: nothing is raised, and nothing that is under way is changed.
 *
 * @param pending The booking's schedules that are pending then.
 */
export function changeReplacedSchedules(
  work: BookingWork,
  { id, replaces, lowers, currency }: Replacement,
  pending: readonly TransactionRow[],
): Write[] {
  const { change, why } = cancellation(work.now(), `paid by charge ${id}`);
  const cancelled = pending
    .filter((schedule) => replaces.includes(schedule.id))
    .flatMap((schedule) => changeWrites(work, schedule, change, { why }));
  const lowered = pending.find(
    (one) => one.id === lowers?.id && one.requestedMinor > lowers.requestedMinor,
  );
  if (lowers === null || !lowered) return cancelled;
  const { id: _id, ...price } = lowers;
  const amount = decimalText(lowers.amountMinor, currency);
  const told = { why: `lowered to ${amount}: paid in part by charge ${id}` };
  return [...cancelled, ...changeWrites(work, lowered, { ...price, askedMinor: null }, told)];
}

/** Whether a schedule must wait, because a payment that it may give way to, the latest or not, has no outcome yet. */
export async function waitsForReplacement(
  work: BookingWork,
  { id, replacedBy }: Pick<TransactionRow, 'id' | 'replacedBy'>,
): Promise<boolean> {
  if (replacedBy === null) return false;
  const { database, propertyId, reference } = work;
  const [underWay] = await database.batch('d1.transaction.read', [
    selectInStates(database.queries, propertyId, reference, ['Processing']),
  ]);
  return underWay.some((payment) => changedBy(payment).includes(id));
}
