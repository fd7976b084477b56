import { selectRefunds } from '../../operation/shownStore.ts';
import { type BookingWork, bookingState } from '../../operation/work.ts';
import { cardByToken } from '../payments/loadTransaction.ts';
import { selectTransaction } from '../payments/store.ts';
import type { RefundSubject } from './gatewayOperation.ts';

/** Loads one of the booking's refunds with its charge and card, read afresh from D1; null if it does not exist. */
export async function loadRefund(
  work: BookingWork,
  by: { readonly id: number } | { readonly reference: string },
): Promise<RefundSubject | null> {
  const { database, propertyId, reference } = work;
  const [all] = await database.batch('d1.refund.read', [
    selectRefunds(database.queries, propertyId, reference),
  ]);
  const refund = all.find((row) =>
    'id' in by ? row.id === by.id : row.reference === by.reference,
  );
  if (!refund) return null;
  const [[charge]] = await database.batch('d1.transaction.read', [
    selectTransaction(database.queries, propertyId, reference, { id: refund.transactionId }),
  ]);
  const state = await bookingState(work);
  if (!charge || !state) throw new Error('a refund has no charge or no booking');
  const card = charge.cardToken ? await cardByToken(work, state, charge.cardToken) : null;
  return { state, refund, charge, card };
}
