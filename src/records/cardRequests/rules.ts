import { failure } from '../../core/failure.ts';

/** How many card requests a guest gets in an hour: by e-mail address, and by booking. */
export const MOST_REQUESTS = 5;

/** The failure of a request that already has its card, or that a newer one superseded. */
export const REQUEST_USED = failure(
  'invalid_state',
  'This card request is already completed or was replaced by a newer one.',
);
