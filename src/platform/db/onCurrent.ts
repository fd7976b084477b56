import type { Failure } from '../../core/failure.ts';
import { err, type Result } from '../../core/result.ts';
import { retryWhenStale } from './retryWhenStale.ts';

/** The attempts to save a change while other changes come in between. */
const MOST_DECISIONS = 5;

/**
 * Runs `decide`, which reads, decides and writes. Repeats it when another write came in between; `busy` if that happens
 * each time. `what` names what is changed.
 */
export async function onCurrent<T>(
  what: string,
  isStale: (error: unknown) => boolean,
  decide: () => Promise<Result<T, Failure>>,
): Promise<Result<T, Failure>> {
  try {
    return await retryWhenStale({ attempts: MOST_DECISIONS, isStale }, decide);
  } catch (error) {
    if (!isStale(error)) throw error;
    return err(overtaken(what));
  }
}

/** The failure when other changes came in between on every attempt. */
export function overtaken(what: string): Failure {
  return {
    code: 'busy',
    detail: `Other requests changed this ${what} at the same time. Nothing was saved; try again.`,
    retryAfterSeconds: 1,
  };
}
