import { describeError } from '../db/errors.ts';
import type { RefundRow, TransactionRow } from '../db/schema.ts';
import { putOff, serveTransaction } from '../payments/due.ts';
import { selectFirstDue } from '../payments/store.ts';
import { resolveRefund } from '../refunds/settle.ts';
import { selectFirstDueRefund } from '../refunds/store.ts';
import { type BookingWork, bookingState } from './work.ts';

/** What an alarm found: it did one thing that was due, or it read when the next one is (null: nothing waits). */
export type Served =
  | { readonly kind: 'served' }
  | { readonly kind: 'nothing-due'; readonly nextAtMs: number | null };

/** Does the one thing of this booking that is due first, whichever it is. */
export async function serveNext(work: BookingWork): Promise<Served> {
  const { database, propertyId, reference } = work;
  const { queries } = database;
  const [[payment], [refund]] = await database.batch('d1.due.read', [
    selectFirstDue(queries, propertyId, reference),
    selectFirstDueRefund(queries, propertyId, reference),
  ]);
  const times = [payment?.dueAtMs, refund?.dueAtMs].filter((time) => typeof time === 'number');
  const nextAtMs = times.length === 0 ? null : Math.min(...times);
  if (nextAtMs === null || nextAtMs > work.now()) return { kind: 'nothing-due', nextAtMs };
  if (refund && refund.dueAtMs === nextAtMs) await resolveRefund(work, refund);
  else if (payment) await servePayment(work, payment);
  return { kind: 'served' };
}

async function servePayment(work: BookingWork, row: TransactionRow): Promise<void> {
  try {
    // Read afresh: what is due rests on the booking and the property as they are now.
    work.memory.state = null;
    const state = await bookingState(work);
    if (!state) throw new Error('a transaction has no booking');
    await serveTransaction(work, state, row);
  } catch (error) {
    logTrouble(row, error);
    await putOff(work, row);
  }
}

function logTrouble(row: TransactionRow | RefundRow, error: unknown): void {
  console.error(JSON.stringify({ event: 'due_failed', id: row.id, error: describeError(error) }));
}
