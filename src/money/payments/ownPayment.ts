import type { PaymentReport } from '../../gateways/gateway.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { askFor } from '../gateway/operation.ts';
import { readPayment } from './correct.ts';
import { lookUpRequestOf } from './gatewayOperation.ts';

/** A transaction with the card that its payment was made with. */
export interface OnCard {
  readonly row: TransactionRow;
  readonly card: CardRow;
}

/**
 * Looks for the payment that the acquirer took for an accepted transaction, by this service's own reference: what an
 * administrator named by hand may be none, or another. Never throws.
 */
export async function findOwnPayment(
  work: BookingWork,
  { row, card }: OnCard,
): Promise<PaymentReport> {
  const attempt = {
    ...row,
    pendingOperation: 'charge' as const,
    gatewayKey: row.gatewayKey ?? row.reference,
    // A captured hold was made with the transaction.
    ...(row.kind === 'authorization' && { askedAtMs: row.createdAtMs }),
  };
  const request = { ...lookUpRequestOf(work, attempt, card), idempotencyKey: null };
  const found = await askFor(work, { ...request, gatewayReference: null });
  if (found.kind === 'approved' && found.gatewayReference !== null) {
    return readPayment(work, found.gatewayReference, card.gatewayToken);
  }
  return found.kind === 'absent'
    ? { kind: 'absent' }
    : { kind: 'unknown', reason: 'the gateway did not say' };
}

/** Whether the acquirer's record says that a payment certainly is not the one that it took for this transaction. */
export function isAnothers(report: PaymentReport, { reference }: TransactionRow): boolean {
  if (report.kind !== 'payment') return report.kind === 'absent';
  const { about, status } = report.payment;
  return status === 'failed' || (about !== null && about.reference !== reference);
}
