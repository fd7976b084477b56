import type { Failure } from '../../core/failure.ts';
import type { DisputeRecord, Outcome, PaymentDisputes } from '../../gateways/gateway.ts';
import { type BookingWork, onCurrentState } from '../../operation/work.ts';
import { aboutBooking, logError } from '../../platform/log.ts';
import { recordDispute } from '../disputes/record.ts';
import { chargeDisputed, disputeFailure } from '../disputes/rules.ts';
import type { Subject } from '../payments/gatewayOperation.ts';
import { loadTransaction } from '../payments/loadTransaction.ts';

/** A charge whose refund the acquirer rejected. */
interface Rejected {
  readonly charge: Subject['row'];
  readonly card: Subject['card'];
  readonly rejection: Outcome & { readonly kind: 'rejected' };
}

/**
 * Why a charge cannot be refunded after the acquirer rejected that; null if no dispute is the reason. Its disputes at the
 * acquirer are read and recorded: their news may be late. Never throws: reconciliation records what this cannot.
 */
export async function disputeOfRejected(
  work: BookingWork,
  { charge, card, rejection }: Rejected,
): Promise<Failure | null> {
  const disputes = card === null ? [] : await readDisputes(work, charge, card.gatewayToken);
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
  if (gatewayReference === null) return [];
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
