import { type Failure, failure } from '../../core/failure.ts';
import type { DisputeMovement } from '../../gateways/gateway.ts';
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
    : CHARGE_DISPUTED;
}

export const CHARGE_DISPUTED = failure(
  'invalid_state',
  'The charge is disputed, so it cannot be refunded.',
);

/**
 * The movements of a dispute that the history does not have yet, in their order (parts: The history). What left and what
 * came back are compared each by itself, in the order of time, so that a record that was learnt late brings both; of a
 * movement that is known in part, the rest is new.
 *
 * @param theirs What the acquirer withdrew (negative) and gave back, oldest first.
 * @param ours What the history has of the dispute.
 */
export function newMovements(
  theirs: readonly DisputeMovement[],
  ours: readonly Pick<DisputeMovement, 'amountMinor'>[],
): DisputeMovement[] {
  const known = { left: 0, back: 0 };
  for (const { amountMinor } of ours) known[directionOf(amountMinor)] += Math.abs(amountMinor);
  return theirs.flatMap(({ amountMinor, atMs }) => {
    const direction = directionOf(amountMinor);
    const sizeMinor = Math.abs(amountMinor);
    const knownMinor = Math.min(known[direction], sizeMinor);
    known[direction] -= knownMinor;
    if (knownMinor === sizeMinor) return [];
    return [{ amountMinor: Math.sign(amountMinor) * (sizeMinor - knownMinor), atMs }];
  });
}

function directionOf(amountMinor: number): 'left' | 'back' {
  return amountMinor < 0 ? 'left' : 'back';
}
