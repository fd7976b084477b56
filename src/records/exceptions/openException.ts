import { v7 as timeOrderedUuid } from 'uuid';
import type { ExceptionRow } from '../../schema/reconciliationTables.ts';

/** What an exception is about, before it is recorded. */
export type NewException = Omit<
  ExceptionRow,
  'id' | 'foundAtMs' | 'status' | 'resolution' | 'resolvedAtMs'
>;

/** The row of an exception that was found now. */
export function openException(found: NewException, nowMs: number): ExceptionRow {
  return {
    ...found,
    id: timeOrderedUuid({ msecs: nowMs }),
    foundAtMs: nowMs,
    status: 'open',
    resolution: null,
    resolvedAtMs: null,
  };
}
