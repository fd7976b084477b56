import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { queries } from '../platform/db/database.ts';
import { literally } from '../platform/db/indexes.ts';
import { waysToFind } from '../platform/db/narrow.ts';
import { type Part, pagesOf } from '../platform/db/page.ts';
import { preparedList } from '../platform/db/prepared.ts';
import { staleUnless } from '../records/properties/store.ts';
import { type ExceptionRow, exceptions } from '../schema/reconciliationTables.ts';

export interface ExceptionsOf {
  readonly property?: string | undefined;
  readonly status?: ExceptionRow['status'] | undefined;
}

const pages = pagesOf(exceptions, 'descending', ['id']);

/** The statements that find a page of exceptions, the newest first. */
export function selectListed({ property, status }: ExceptionsOf, part: Part) {
  return selectPage({ property, ...(status && { [status]: status }) }, part);
}

const selectPage = preparedList<{
  readonly property?: string | undefined;
  readonly open?: ExceptionRow['status'];
  readonly closed?: ExceptionRow['status'];
}>()(({ closed, open, property }, part) => {
  const { id, propertyId, status } = exceptions;
  const isOfProperty = property && eq(propertyId, property);
  const own = isOfProperty ?? isNotNull(id);
  const list = { table: exceptions, columns: [id], order: 'descending', own } as const;
  const isOpen = literally(status, 'open');
  const keys = sql`SELECT ${id} FROM ${exceptions} INDEXED BY exceptions_open WHERE ${and(isOpen, isOfProperty)}`;
  const filters = [
    ...(open ? [{ rows: isOpen, keys }] : []),
    ...(closed ? [{ rows: eq(status, closed) }] : []),
  ];
  return waysToFind(list, filters, part, (way) => pages.along(way));
});

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
