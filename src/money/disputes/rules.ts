import { type Failure, failure } from '../../core/failure.ts';
import type { DisputeRow } from '../../platform/db/disputeTables.ts';

/** What decides whether a dispute keeps its charge from being refunded. */
type DisputeState = Pick<DisputeRow, 'transactionId' | 'status'>;

/**
 * Why a charge cannot be refunded because of its disputes; null if it can (interface: Refunds). An open dispute or
 * inquiry and a lost dispute forbid it, whether or not the funds are withdrawn: the money would go back twice. A dispute
 * that was won, or an inquiry that was closed, forbids nothing.
 */
export function disputeFailure(
  chargeId: number,
  disputes: readonly DisputeState[],
): Failure | null {
  const against = disputes.filter(
    ({ transactionId, status }) => transactionId === chargeId && status !== 'won',
  );
  if (against.length === 0) return null;
  return failure(
    'invalid_state',
    against.some(({ status }) => status === 'lost')
      ? 'The charge was lost to a dispute, so it cannot be refunded.'
      : 'The charge is disputed, so it cannot be refunded.',
  );
}
