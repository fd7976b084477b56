import type { Failure } from '../../core/failure.ts';
import type { Result } from '../../core/result.ts';
import { refusedByGuard, violatesUnique } from '../../platform/db/errors.ts';
import { onCurrent } from '../../platform/db/retryWhenStale.ts';

/** Decides a change of a property and saves it. If another change came in between, decides again. */
export function onCurrentProperty<T>(
  decide: () => Promise<Result<T, Failure>>,
): Promise<Result<T, Failure>> {
  return onCurrent('property', wasOvertaken, decide);
}

function wasOvertaken(error: unknown): boolean {
  return (
    refusedByGuard(error, 'stale_state') ||
    violatesUnique(error, 'properties.id') ||
    violatesUnique(error, 'settings_changes.')
  );
}
