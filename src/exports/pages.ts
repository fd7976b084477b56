import { max, type SQL, sql } from 'drizzle-orm';
import { type Database, queries } from '../platform/db/database.ts';
import { applications, customerMoves, customers } from '../schema/applicationTables.ts';
import { properties } from '../schema/propertyTables.ts';
import {
  applicationColumns,
  bookingColumns,
  customerColumns,
  jsonMembers,
  jsonObject,
} from './columns.ts';
import { readEntries } from './ledgerPages.ts';
import type { Cursor, Page, PageRow, Source } from './rules/pages.ts';

/** The most rows of a page: about 20 MB with the longest possible texts. */
const MOST_ROWS = 500;

/** The most ids that a page covers, which keeps the query short for a small portfolio among many rows. */
const MOST_IDS = 20_000;

/** Reads the page after a cursor. One round trip. */
export async function readPage(database: Database, source: Source, after: Cursor): Promise<Page> {
  switch (source.variant) {
    case 'propertySystem':
      return readCustomers(database, source, after);
    case 'applicationConsole':
      return readApplications(database, source, after);
    case 'ledger':
      return readEntries(database, source, after);
  }
}

/** A row of applications, as the database builds it. */
interface ApplicationText extends Pick<PageRow, 'head' | 'text'> {
  readonly customerId: number;
  readonly applicationId: number;
}

/** Customers have ids above 0. */
function pageRow({ applicationId, customerId, head, text }: ApplicationText): PageRow {
  const cursor = [customerId, applicationId];
  return { cursor, customerId: customerId || null, lines: 1, head, text };
}

/** The ids of a position among applications. */
function idsOf([customerId = 0, applicationId = 0]: Cursor) {
  return { customerId: Number(customerId), applicationId: Number(applicationId) };
}

type Ids = ReturnType<typeof idsOf>;

/*
 * The aliases in the SQL below. `page`: the applications of a page, each with the customer of its line. `application`:
 * the row of one of them. `newest`: the customer's newest application when the run started. `move`: an application's
 * move to another customer.
 */

const bookingJson = jsonObject(bookingColumns('application'));

const applicationJson = jsonObject(applicationColumns('application'));

/** The start of a customer's line. */
const customerJson = `'{' || ${jsonMembers(customerColumns(latestKnown, 'customer.entry_id'))} || ',"bookings":'`;

/** A customer's value: that of the newest application with a value. */
function latestKnown(column: string): string {
  const lastBefore = `(SELECT ${column} FROM applications AS earlier
    WHERE earlier.customer_id = newest.customer_id AND earlier.id < newest.id AND earlier.${column} IS NOT NULL
    ORDER BY earlier.id DESC LIMIT 1)`;
  // Most lines start with the newest application. Then no earlier one exists, and the search is skipped.
  return `coalesce(newest.${column}, iif(application.id = newest.id, NULL, ${lastBefore}))`;
}

/** The start of a customer's line, only on the customer's first row of the page, because looking it up is slow. */
function headSql(lastApplicationId: number): string {
  // Null if all of the customer's applications have moved away since then: the row's own application replaces it.
  const newestId = `(SELECT max(id) FROM applications
    WHERE customer_id = page.customer_id AND id <= ${lastApplicationId})`;
  const rowNumber = 'row_number() OVER (PARTITION BY page.customer_id ORDER BY page.id)';
  return `CASE WHEN ${rowNumber} = 1 THEN
    (SELECT ${customerJson} FROM customers AS customer
      JOIN applications AS newest ON newest.id = coalesce(${newestId}, page.id)
      WHERE customer.id = page.customer_id) END`;
}

/** The columns of a {@link PageRow}, from SQL texts. */
function pageColumns(columns: { customerId: string; head: string; text: string }) {
  return {
    customerId: sql<number>`${sql.raw(columns.customerId)}`.as('customer_id'),
    applicationId: sql<number>`application.id`.as('application_id'),
    head: sql<string | null>`${sql.raw(columns.head)}`.as('head'),
    text: sql<string>`${sql.raw(columns.text)}`.as('text'),
  };
}

/** The plus keeps SQLite from reading all of a property's applications for each page. */
function inPortfolio(portfolio: string): SQL {
  return sql`+application.property_id IN (SELECT id FROM ${properties} WHERE portfolio = ${portfolio} AND id NOT IN (SELECT property_id FROM moving_properties WHERE state IN ('arriving', 'left')))`;
}

/**
 * Reads applications by customer, each with its customer at the start of the run. Customers have no upper limit: one
 * who is created during the run may get an application by a move from before the run.
 */
async function readCustomers(database: Database, source: Source, cursor: Cursor): Promise<Page> {
  const { lastApplicationId } = source;
  const after = idsOf(cursor);
  const untilId = after.customerId + MOST_IDS;
  const columns = {
    customerId: 'page.customer_id',
    head: headSql(lastApplicationId),
    text: bookingJson,
  };
  const [rows, [last]] = await database.batch('d1.export.page', [
    queries
      .select(pageColumns(columns))
      .from(
        sql`(${pageOfCustomers(source, after, untilId)}) AS page
          CROSS JOIN ${applications} AS application ON application.id = page.id`,
      )
      .orderBy(sql`page.customer_id, page.id`),
    queries.select({ id: max(customers.id) }).from(customers),
  ]);
  const lastCustomerId = last?.id ?? 0;
  const end = { customerId: untilId, applicationId: lastApplicationId };
  const next = rows.length === MOST_ROWS ? (rows.at(-1) ?? end) : end;
  const fractionRead = Math.min(1, next.customerId / Math.max(1, lastCustomerId));
  const isOver = next === end && untilId >= lastCustomerId;
  return { rows: rows.map(pageRow), next: isOver ? null : keyOf(next), fractionRead };
}

function pageOfCustomers(source: Source, after: Ids, untilId: number): SQL {
  return sql`SELECT * FROM (${notMoved(source, after, untilId)}) UNION ALL ${moved(source, after, untilId)}
    ORDER BY customer_id, id LIMIT ${MOST_ROWS}`;
}

/** A page of the applications that have not changed their customer since the run started. */
function notMoved(
  { portfolio, lastApplicationId, lastMoveId }: Source,
  after: Ids,
  untilId: number,
): SQL {
  return sql`SELECT application.customer_id, application.id
    FROM ${applications} AS application INDEXED BY applications_by_customer
    WHERE application.customer_id >= ${after.customerId} AND application.customer_id <= ${untilId}
      AND (application.customer_id > ${after.customerId} OR application.id > ${after.applicationId})
      AND application.id <= ${lastApplicationId} AND ${inPortfolio(portfolio)}
      AND NOT EXISTS (SELECT 1 FROM ${customerMoves} WHERE application_id = application.id AND id > ${lastMoveId})
    ORDER BY application.customer_id, application.id LIMIT ${MOST_ROWS}`;
}

/** The applications that moved since then, with their customer before the first of those moves. */
function moved(
  { portfolio, lastApplicationId, lastMoveId }: Source,
  after: Ids,
  untilId: number,
): SQL {
  return sql`SELECT move.from_customer_id, application.id FROM ${customerMoves} AS move
    CROSS JOIN ${applications} AS application ON application.id = move.application_id
    WHERE move.from_customer_id >= ${after.customerId} AND move.from_customer_id <= ${untilId}
      AND (move.from_customer_id > ${after.customerId} OR application.id > ${after.applicationId})
      AND application.id <= ${lastApplicationId} AND ${inPortfolio(portfolio)}
      AND move.id = (SELECT min(id) FROM ${customerMoves} WHERE application_id = application.id AND id > ${lastMoveId})`;
}

/** Reads the applications that were made through this service, oldest first. */
async function readApplications(database: Database, source: Source, cursor: Cursor): Promise<Page> {
  const { portfolio, lastApplicationId } = source;
  const after = idsOf(cursor);
  const untilId = Math.min(after.applicationId + MOST_IDS, lastApplicationId);
  const [rows] = await database.batch('d1.export.page', [
    queries
      .select(pageColumns({ customerId: '0', head: 'NULL', text: applicationJson }))
      .from(sql`${applications} AS application`)
      .where(
        sql`application.id > ${after.applicationId} AND application.id <= ${untilId}
          AND application.booking_type = 'Online' AND ${inPortfolio(portfolio)}`,
      )
      .orderBy(sql`application.id`)
      .limit(MOST_ROWS),
  ]);
  const end = { customerId: 0, applicationId: untilId };
  const next = rows.length === MOST_ROWS ? (rows.at(-1) ?? end) : end;
  const fractionRead = Math.min(1, next.applicationId / Math.max(1, lastApplicationId));
  const isOver = next === end && untilId >= lastApplicationId;
  return { rows: rows.map(pageRow), next: isOver ? null : keyOf(next), fractionRead };
}

function keyOf({ applicationId, customerId }: Ids): Cursor {
  return [customerId, applicationId];
}
