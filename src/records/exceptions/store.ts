import { sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/database.ts';
import { type ExceptionRow, exceptions } from '../../schema/reconciliationTables.ts';

/**
 * Inserts an exception, or opens a corrected one again. Returns its id if it is news: not if the same difference is open
 * or accepted.
 */
export function insertException(queries: Queries, row: ExceptionRow) {
  const { bookingReference, detail, foundAtMs, ours, propertyId, theirs } = row;
  return queries
    .insert(exceptions)
    .values(row)
    .onConflictDoUpdate({
      target: [exceptions.gateway, exceptions.kind, exceptions.subject],
      set: {
        propertyId,
        bookingReference,
        ours,
        theirs,
        foundAtMs,
        detail,
        status: 'open',
        resolution: null,
        resolvedAtMs: null,
      },
      setWhere: sql`${exceptions.resolution} = 'corrected'`,
    })
    .returning({ id: exceptions.id });
}
