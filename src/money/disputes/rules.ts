import { type Failure, failure } from '../../core/failure.ts';
import type { DisputeRow } from '../../schema/disputeTables.ts';

/** What decides whether a dispute keeps its charge from being refunded. */
type DisputeState = Pick<DisputeRow, 'transactionId' | 'status' | 'fundsWithdrawn'>;

/**
 * Why a charge cannot be refunded because of its disputes; null if it can (interface: Refunds). Funds that are withdrawn
 * for one, also in part, and a lost one forbid it: the money would go back twice. An inquiry forbids nothing: a refund
 * ends it.
 */
export function disputeFailure(
  chargeId: number,
  disputes: readonly DisputeState[],
): Failure | null {
  const against = disputes.filter(
    ({ fundsWithdrawn, status, transactionId }) =>
      transactionId === chargeId && (fundsWithdrawn || status === 'lost'),
  );
  if (against.length === 0) return null;
  return against.some(({ status }) => status === 'lost')
    ? failure('invalid_state', 'The charge was lost to a dispute, so it cannot be refunded.')
    : chargeDisputed();
}

/** The charge is disputed. */
export function chargeDisputed(): Failure {
  return failure('invalid_state', 'The charge is disputed, so it cannot be refunded.');
}
