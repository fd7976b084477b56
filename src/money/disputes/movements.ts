import type { DisputeMovement } from '../../gateways/gateway.ts';

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
