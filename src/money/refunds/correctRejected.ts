import type { PaymentRecord } from '../../gateways/gateway.ts';
import { selectRefunds } from '../../operation/shownStore.ts';
import { type BookingWork, onCurrentState } from '../../operation/work.ts';
import { refusedByGuard } from '../../platform/db/errors.ts';
import { aboutBooking, logError } from '../../platform/log.ts';
import { correctTransaction, readPayment } from '../payments/correct.ts';
import type { Subject } from '../payments/gatewayOperation.ts';
import { loadTransaction } from '../payments/loadTransaction.ts';
import { correctOneRefund } from './correct.ts';

/** How many corrections one look makes at most: a charge has few refunds. Reconciliation makes the rest. */
const MOST_CORRECTIONS = 50;

/**
 * Reads the acquirer's record of a charge whose refund it rejected, and brings ours into agreement: its desk may have
 * refunded the charge meanwhile. Returns whether anything was corrected. Never throws: reconciliation corrects later what
 * this cannot.
 */
export async function correctRejected(
  work: BookingWork,
  { charge, card }: { readonly charge: Subject['row']; readonly card: Subject['card'] },
): Promise<boolean> {
  if (charge.gatewayReference === null || card === null) return false;
  const report = await readPayment(work, charge.gatewayReference, card.gatewayToken);
  if (report.kind !== 'payment') return false;
  const { payment } = report;
  if (payment.about?.reference !== charge.reference) return false;
  let corrected = 0;
  try {
    while (corrected < MOST_CORRECTIONS) {
      const again = await onCurrentState(work, () => correctOnce(work, charge.id, payment));
      if (!again) break;
      corrected += 1;
    }
  } catch (error) {
    logError('refund_correction_failed', error, aboutBooking(work));
  }
  return corrected > 0;
}

/** Makes one correction, on the charge and its refunds as D1 has them now. */
async function correctOnce(
  work: BookingWork,
  id: number,
  payment: PaymentRecord,
): Promise<boolean> {
  const loaded = await loadTransaction(work, id);
  if (!loaded.ok) return false;
  try {
    const { corrected } = await correctTransaction(work, loaded.value, payment);
    if (corrected) return true;
    const { database, propertyId, reference } = work;
    const [all] = await database.batch('d1.refund.read', [
      selectRefunds(database.queries, propertyId, reference),
    ]);
    const known = all.filter(({ transactionId }) => transactionId === id);
    return await correctOneRefund(work, loaded.value, known, payment.refunds);
  } catch (error) {
    // More is given back here or there than the charge has room for: a difference that reconciliation reports.
    if (refusedByGuard(error, 'transactions_refund_reserved')) return false;
    throw error;
  }
}
