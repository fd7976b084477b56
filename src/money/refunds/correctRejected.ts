import type { Failure } from '../../core/failure.ts';
import type {
  DisputeRecord,
  Outcome,
  PaymentDisputes,
  PaymentRecord,
} from '../../gateways/gateway.ts';
import { type BookingWork, onCurrentState } from '../../operation/work.ts';
import { refusedByGuard } from '../../platform/db/errors.ts';
import { aboutBooking, logError } from '../../platform/log.ts';
import { recordDispute } from '../disputes/record.ts';
import { chargeDisputed, disputeFailure } from '../disputes/rules.ts';
import { correctTransaction, readPayment } from '../payments/correct.ts';
import { loadTransaction } from '../payments/loadTransaction.ts';
import { correctOneRefund } from './correct.ts';
import { type RefundSubject, readRefunds } from './gatewayOperation.ts';

/** How many corrections one look makes at most: a charge has few refunds. Reconciliation makes the rest. */
const MOST_CORRECTIONS = 50;

/**
 * Reads the acquirer's record of a charge whose refund it rejected, and brings ours into agreement: its desk may have
 * refunded the charge meanwhile. Returns whether anything was corrected. Never throws: reconciliation corrects later what
 * this cannot.
 */
export async function correctRejected(
  work: BookingWork,
  { charge, card }: Pick<RefundSubject, 'charge' | 'card'>,
): Promise<boolean> {
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
    const known = (await readRefunds(work)).filter(({ transactionId }) => transactionId === id);
    return await correctOneRefund(work, loaded.value, known, payment.refunds);
  } catch (error) {
    // More is given back here or there than the charge has room for: a difference that reconciliation reports.
    if (refusedByGuard(error, 'transactions_refund_reserved')) return false;
    throw error;
  }
}

interface Rejected extends Pick<RefundSubject, 'charge' | 'card'> {
  readonly rejection: Outcome & { readonly kind: 'rejected' };
}

/**
 * Why a charge cannot be refunded after the acquirer rejected that; null if no dispute is the reason. Its disputes at the
 * acquirer are read and recorded: their events may be late. Never throws: reconciliation records what this cannot.
 */
export async function disputeOfRejected(
  work: BookingWork,
  { charge, card, rejection }: Rejected,
): Promise<Failure | null> {
  const disputes = await readDisputes(work, charge, card.gatewayToken);
  for (const dispute of disputes) await record(work, charge.id, dispute);
  const states = disputes.map(({ movements, status }) => ({
    transactionId: charge.id,
    status,
    fundsWithdrawn: movements.reduce((sum, { amountMinor }) => sum + amountMinor, 0) < 0,
  }));
  return disputeFailure(charge.id, states) ?? (rejection.isDisputed ? chargeDisputed() : null);
}

async function readDisputes(
  work: BookingWork,
  { gatewayReference }: Rejected['charge'],
  gatewayToken: string,
): Promise<readonly DisputeRecord[]> {
  const account = work.gateway.accountOf(gatewayToken);
  const report = await work.trace
    .span('gateway.dispute', () => work.gateway.disputesOf(gatewayReference, account))
    .catch((): PaymentDisputes => ({ kind: 'unknown', reason: 'the call failed' }));
  return report.kind === 'disputes' ? report.disputes : [];
}

async function record(work: BookingWork, id: number, dispute: DisputeRecord): Promise<void> {
  try {
    await onCurrentState(work, async () => {
      const loaded = await loadTransaction(work, id);
      return loaded.ok && (await recordDispute(work, loaded.value, dispute));
    });
  } catch (error) {
    logError('dispute_not_recorded', error, aboutBooking(work));
  }
}
