import { type Failure, failure } from '../core/failure.ts';
import { refusedByGuard, violatesUnique } from '../db/errors.ts';

/** Whether a card was refused because its request has one already, or was superseded. */
export function wasUsed(error: unknown): boolean {
  return refusedByGuard(error, 'illegal_transition') || violatesUnique(error, 'cards.request_id');
}

/** The link has done its work, or a newer one does. */
export function requestUsed(): Failure {
  return failure('invalid_state', 'This request for a card is not open any more.');
}
