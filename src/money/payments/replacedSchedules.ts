import { MINUTE_MS } from '../../core/time.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { Statement } from '../../platform/db/database.ts';
import type { TransactionRow } from '../../platform/db/moneyTables.ts';
import { auditReplaced, cancelReplaced, nameReplacement, selectInStates } from './store.ts';

/** How long a schedule waits at a time for the outcome of a payment that may make it too much. */
export const WAIT_FOR_OUTCOME_MS = 5 * MINUTE_MS;

/** Names the payment in the schedules that give way to it if it is accepted; for the batch that records it. */
export function giveWay(
  { database, propertyId, reference }: BookingWork,
  payment: Pick<TransactionRow, 'id' | 'replaces'>,
): Statement[] {
  if (payment.replaces.length === 0) return [];
  return [nameReplacement(database.queries, { propertyId, reference }, payment)];
}

/** Cancels the schedules that gave way to a payment, in the batch that accepts it. */
export function cancelReplacedSchedules(
  work: BookingWork,
  payment: Pick<TransactionRow, 'id' | 'replaces'>,
): Statement[] {
  const { replaces } = payment;
  if (replaces.length === 0) return [];
  const { queries } = work.database;
  const nowMs = work.now();
  // The entries get consecutive ids: the generator leaves these to them.
  const [firstId = 0] = replaces.map(() => work.ids.sequence(nowMs));
  const { propertyId, reference, actor } = work;
  const booking = { propertyId, reference };
  return [
    auditReplaced(queries, booking, payment, { actor, atMs: nowMs, firstId }),
    cancelReplaced(queries, booking, payment, nowMs),
  ];
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
  return underWay.some(({ replaces }) => replaces.includes(id));
}
