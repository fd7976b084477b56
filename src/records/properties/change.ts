import type { Failure } from '../../core/failure.ts';
import { err, type Result } from '../../core/result.ts';
import { refusedByGuard, violatesUnique } from '../../platform/db/errors.ts';
import { retryWhenStale } from '../../platform/db/retryWhenStale.ts';

/** The attempts to save a change while other changes come in between. */
const MOST_DECISIONS = 5;

/**
 * Decides a change of a property and saves it. If another change came in between, decides again; `busy` if that happens
 * each time.
 */
export async function onCurrentProperty<T>(
  decide: () => Promise<Result<T, Failure>>,
): Promise<Result<T, Failure>> {
  try {
    return await retryWhenStale({ attempts: MOST_DECISIONS, isStale: wasOvertaken }, decide);
  } catch (error) {
    if (wasOvertaken(error)) return err(overtaken());
    throw error;
  }
}

function wasOvertaken(error: unknown): boolean {
  return (
    refusedByGuard(error, 'stale_state') ||
    violatesUnique(error, 'properties.id') ||
    violatesUnique(error, 'settings_changes.')
  );
}

function overtaken(): Failure {
  return {
    code: 'busy',
    detail: 'Other requests changed this property at the same time. Nothing was saved; try again.',
    retryAfterSeconds: 1,
  };
}
