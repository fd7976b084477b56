import { MINUTE_MS } from '../../core/time.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { Statement } from '../../platform/db/database.ts';
import type { TransactionRow } from '../../platform/db/moneyTables.ts';
import {
  auditReplaced,
  cancelReplaced,
  selectInStates,
  selectTransactions,
  updateTransaction,
} from './store.ts';

/** How long a schedule waits at a time for the outcome of the payment that it may give way to. */
export const WAIT_FOR_REPLACEMENT_MS = 5 * MINUTE_MS;

/** Names the payment in the schedules that give way to it if it is accepted; for the batch that records it. */
export async function giveWay(
  work: BookingWork,
  payment: Pick<TransactionRow, 'id' | 'replaces'>,
): Promise<Statement[]> {
  if (payment.replaces.length === 0) return [];
  const { database, propertyId, reference } = work;
  const [all] = await database.batch('d1.transaction.read', [
    selectTransactions(database.queries, propertyId, reference),
  ]);
  return all
    .filter(({ id, status }) => status === 'Pending' && payment.replaces.includes(id))
    .map((row) => updateTransaction(database.queries, row, { replacedBy: payment.id }));
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
