import type { Failure } from '../../core/failure.ts';
import { err, type Result } from '../../core/result.ts';

/** A write that changed nothing, because the state it relied on has changed. */
export class StaleState extends Error {}

/** How often to try, and which errors mean that the state has changed since the read. */
interface Retry {
  readonly attempts: number;
  readonly isStale: (error: unknown) => boolean;
}

/**
 * Reads, decides and writes; repeats all three while another write comes in between. Throws the last attempt's error,
 * and any other error at once.
 */
export async function retryWhenStale<T>(
  { attempts, isStale }: Retry,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let made = 1; ; made += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (made === attempts || !isStale(error)) throw error;
    }
  }
}

/** The attempts to save a change while other changes come in between. */
const MOST_DECISIONS = 5;

/**
 * Runs `decide`, which reads, decides and writes. Repeats it when another write came in between; `busy` if that happens
 * each time. `what` names what is changed.
 */
export async function onCurrent<T>(
  what: string,
  isStale: (error: unknown) => boolean,
  decide: () => Promise<Result<T>>,
): Promise<Result<T>> {
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
