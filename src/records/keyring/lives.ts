import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time.ts';

/** How long what a key signed or sealed, and what is stored nowhere, needs that key at most. In milliseconds. */
export const LIVES = {
  access_token: HOUR_MS,
  /** A cookie without use: each page makes it again, with the first key. */
  session: 30 * MINUTE_MS,
  /** A session of the console, whose cookie is made once. */
  shift: 12 * HOUR_MS,
  sign_in_link: 15 * MINUTE_MS,
  quote: 15 * MINUTE_MS,
  /** An answer that holds a secret. */
  secret_answer: DAY_MS,
  /** As long as the same key of a caller certainly gives the first answer. */
  idempotency_key: 30 * DAY_MS,
  guest_link: 2 * 366 * DAY_MS,
} as const;
