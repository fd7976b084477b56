import { and, eq, sql } from 'drizzle-orm';
import { queries } from '../platform/db/database.ts';
import { pagesOf } from '../platform/db/page.ts';
import { staleUnless } from '../records/properties/store.ts';
import { type ExceptionRow, exceptions } from '../schema/reconciliationTables.ts';

/** Which exceptions a list shows. */
export interface ExceptionsOf {
  readonly property?: string | undefined;
  readonly status?: ExceptionRow['status'] | undefined;
}

/** Whether a list shows an exception. */
export function isListed({ property, status }: ExceptionsOf) {
  return and(
    property === undefined ? undefined : eq(exceptions.propertyId, property),
    status === undefined ? undefined : eq(exceptions.status, status),
  );
}

export const exceptionPages = pagesOf(exceptions, 'descending', ['id']);

export function selectException(id: string) {
  return queries.select().from(exceptions).where(eq(exceptions.id, id));
}

/** Refuses a batch that was decided on an exception of a property before that was closed. */
export function staleUnlessOpen({ id, propertyId }: ExceptionRow) {
  const isOpen = sql`EXISTS (SELECT 1 FROM exceptions WHERE id = ${id} AND status = 'open')`;
  return staleUnless(propertyId ?? '', isOpen);
}

/** Accepts an open exception, and returns it; nothing if it is closed. */
export function acceptRow(id: string, reason: string, nowMs: number) {
  return queries
    .update(exceptions)
    .set({
      status: 'closed',
      resolution: 'accepted',
      resolvedAtMs: nowMs,
      detail: sql`${exceptions.detail} || ${` Accepted: ${reason}`}`,
    })
    .where(and(eq(exceptions.id, id), eq(exceptions.status, 'open')))
    .returning();
}

export function selectAnyOpen() {
  return (
    queries
      .select({ one: sql<number>`1` })
      .from(exceptions)
      // A literal, so that SQLite uses the index of open exceptions.
      .where(sql`${exceptions.status} = 'open'`)
      .limit(1)
  );
}
