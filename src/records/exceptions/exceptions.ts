import { sql } from 'drizzle-orm';
import { v7 as timeOrderedUuid } from 'uuid';
import { pick } from '../../core/pick.ts';
import { queries } from '../../platform/db/database.ts';
import { type ExceptionRow, exceptions } from '../../schema/reconciliationTables.ts';

/** What an exception is about, before it is recorded. */
export type NewException = Omit<
  ExceptionRow,
  'id' | 'foundAtMs' | 'status' | 'resolution' | 'resolvedAtMs'
>;

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

/**
 * Inserts an exception, or opens a corrected one again. Returns its id unless the same difference is open or
 * accepted already.
 */
export function insertException(row: ExceptionRow) {
  return queries
    .insert(exceptions)
    .values(row)
    .onConflictDoUpdate({
      target: [exceptions.gateway, exceptions.kind, exceptions.subject],
      set: {
        ...pick(row, 'propertyId', 'bookingReference', 'ours', 'theirs', 'foundAtMs', 'detail'),
        status: 'open',
        resolution: null,
        resolvedAtMs: null,
      },
      setWhere: sql`${exceptions.resolution} = 'corrected'`,
    })
    .returning({ id: exceptions.id });
}
