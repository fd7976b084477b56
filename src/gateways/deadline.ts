import { SECOND_MS } from '../core/time.ts';
import { withTimeout } from '../core/timeout.ts';
import type { Outcome } from './gateway.ts';
import { unknown } from './rules/outcome.ts';

/** After this time without an answer, the outcome is unknown. */
export const GATEWAY_DEADLINE_MS = 20 * SECOND_MS;

/** Awaits a call to an acquirer; returns `unknown` if it throws or exceeds {@link GATEWAY_DEADLINE_MS}. */
export function withinDeadline<T>(call: Promise<T>): Promise<T | (Outcome & { kind: 'unknown' })> {
  const answered = call.catch(() => unknown('the call failed without an answer'));
  return withTimeout(answered, GATEWAY_DEADLINE_MS, () => unknown('no answer in time'));
}
