import { and, eq, inArray, sql } from 'drizzle-orm';
import { v7 as timeOrderedUuid } from 'uuid';
import { pick } from '../../core/pick.ts';
import { queries } from '../../platform/db/database.ts';
import { listed } from '../../platform/db/listed.ts';
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

/** Selects the differences about these subjects that somebody accepted. */
export function selectAccepted(gateway: ExceptionRow['gateway'], subjects: readonly string[]) {
  return queries
    .select(pick(exceptions, 'kind', 'subject'))
    .from(exceptions)
    .where(
      and(
        eq(exceptions.gateway, gateway),
        // Named, so that SQLite finds each subject by the unique index.
        inArray(exceptions.kind, exceptions.kind.enumValues),
        inArray(exceptions.subject, listed(subjects)),
        eq(exceptions.resolution, 'accepted'),
      ),
    );
}

/** Closes the open exceptions about these subjects: the records agree now. */
export function closeExceptions(
  gateway: ExceptionRow['gateway'],
  subjects: readonly string[],
  nowMs: number,
) {
  return queries
    .update(exceptions)
    .set({ status: 'closed', resolution: 'corrected', resolvedAtMs: nowMs })
    .where(
      and(
        eq(exceptions.status, 'open'),
        eq(exceptions.gateway, gateway),
        // Named, so that SQLite finds each subject by the unique index.
        inArray(exceptions.kind, exceptions.kind.enumValues),
        inArray(exceptions.subject, listed(subjects)),
      ),
    );
}
