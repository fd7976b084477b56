import { SECOND_MS } from '../core/time.ts';
import type { Outcome } from './gateway.ts';

/** How long an acquirer may take to answer. After that the outcome is unknown. */
export const GATEWAY_DEADLINE_MS = 20 * SECOND_MS;

/** Waits for a call until the deadline; a call that throws or is too late has an unknown outcome. */
export async function withinDeadline<T>(
  call: Promise<T>,
): Promise<T | (Outcome & { kind: 'unknown' })> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const late = new Promise<{ kind: 'unknown'; reason: string }>((resolve) => {
    timer = setTimeout(
      () => resolve({ kind: 'unknown', reason: 'no answer in time' }),
      GATEWAY_DEADLINE_MS,
    );
  });
  const answered = call.catch(() => ({
    kind: 'unknown' as const,
    reason: 'the call failed without an answer',
  }));
  try {
    return await Promise.race([answered, late]);
  } finally {
    clearTimeout(timer);
  }
}
