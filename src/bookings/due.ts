import type { RefundRow, TransactionRow } from '../db/moneyTables.ts';
import { aboutBooking, logError } from '../io/log.ts';
import { putOff, serveTransaction } from '../payments/due.ts';
import { selectFirstDue } from '../payments/store.ts';
import { putOffRefund, resolveRefund } from '../refunds/settle.ts';
import { selectFirstDueRefund } from '../refunds/store.ts';
import { type BookingWork, bookingState } from './work.ts';

/**
 * What an alarm found: it did one thing that was due (`what` names it and its version); it found the thing that it did
 * last again and could not even put it off; or it read when the next one is (null: nothing waits).
 */
export type Served =
  | { readonly kind: 'served'; readonly what: string }
  | { readonly kind: 'stuck' }
  | { readonly kind: 'nothing-due'; readonly nextAtMs: number | null };

/** Does the one thing of this booking that is due first, whichever it is; `last` is what was done before it. */
export async function serveNext(work: BookingWork, last: string): Promise<Served> {
  const { database, propertyId, reference } = work;
  const { queries } = database;
  const [[payment], [refund]] = await database.batch('d1.due.read', [
    selectFirstDue(queries, propertyId, reference),
    selectFirstDueRefund(queries, propertyId, reference),
  ]);
  const times = [payment?.dueAtMs, refund?.dueAtMs].filter((time) => typeof time === 'number');
  const nextAtMs = times.length === 0 ? null : Math.min(...times);
  if (nextAtMs === null || nextAtMs > work.now()) return { kind: 'nothing-due', nextAtMs };
  // Read afresh: what is due rests on the booking and the property as they are now.
  work.memory.state = null;
  const row = refund?.dueAtMs === nextAtMs ? refund : payment;
  const what = `${row?.id} ${row?.version}`;
  if (what === last) return putOffStuck(work, payment, row === refund ? refund : undefined);
  if (refund && row === refund) {
    await attempt(
      work,
      refund.id,
      () => resolveRefund(work, refund),
      () => putOffRefund(work, refund),
    );
  } else if (payment) {
    const serve = async () => {
      const state = await bookingState(work);
      if (!state) throw new Error('a transaction has no booking');
      await serveTransaction(work, state, payment);
    };
    await attempt(work, payment.id, serve, () => putOff(work, payment));
  }
  return { kind: 'served', what };
}

/** Puts off what nothing came of, so that the rest of the booking goes on; `stuck` when D1 does not take even that. */
async function putOffStuck(
  work: BookingWork,
  payment: TransactionRow | undefined,
  refund: RefundRow | undefined,
): Promise<Served> {
  try {
    if (refund) await putOffRefund(work, refund);
    else if (payment) await putOff(work, payment);
    return { kind: 'served', what: '' };
  } catch (error) {
    logError('due_stuck', error, aboutBooking(work));
    return { kind: 'stuck' };
  }
}

/** Serves one row; one that cannot be served is put off, so that it does not stand in the way of the others. */
async function attempt(
  work: BookingWork,
  id: number,
  serve: () => Promise<void>,
  later: () => Promise<void>,
): Promise<void> {
  try {
    await serve();
  } catch (error) {
    logError('due_failed', error, { ...aboutBooking(work), operation: id });
    await later();
  }
}
