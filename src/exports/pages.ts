import { max, type SQL, sql } from 'drizzle-orm';
import { applications, customerMoves, customers } from '../db/applicationTables.ts';
import type { Database } from '../db/database.ts';
import { properties } from '../db/propertyTables.ts';
import {
  applicationColumns,
  bookingColumns,
  customerColumns,
  jsonMembers,
  jsonObject,
} from './columns.ts';
import type { Variant } from './variants.ts';

/** How many rows a page has at most: with the longest texts that rows can have, some 20 MB. */
const MOST_ROWS = 500;

/** How many ids a page looks at, so that a small portfolio among many rows costs no long query. */
const MOST_IDS = 20_000;

/** How far a file has come: everything up to this application of this customer is in it. */
export interface Cursor {
  /** 0 in the application-console file, which does not go by customers. */
  readonly customerId: number;
  readonly applicationId: number;
}

/** Before the first row. */
export const START: Cursor = { customerId: 0, applicationId: 0 };

/** What a file is made of. */
export interface Source {
  readonly variant: Variant;
  readonly portfolio: string;
  /** The last application that existed when the run began. */
  readonly lastApplicationId: number;
  /** The last move of an application to another customer before the run began. */
  readonly lastMoveId: number;
}

/** One application as it stands in a file, as JSON text made by the database. */
export interface PageRow extends Cursor {
  /** Of a customer's first row on the page: the beginning of the customer's line, up to `"bookings":`. */
  readonly head: string | null;
  readonly text: string;
}

/** A page of a file. */
export interface Page {
  readonly rows: readonly PageRow[];
  /** Where the next one begins; null after the last. */
  readonly next: Cursor | null;
  /** How much of the file this page ends, from 0 to 1, as far as ids tell. */
  readonly share: number;
}

/** Reads the page after a cursor, in one round trip. */
export async function readPage(database: Database, source: Source, after: Cursor): Promise<Page> {
  return source.variant === 'propertySystem'
    ? readCustomers(database, source, after)
    : readApplications(database, source, after);
}

/**
 * What is known of a customer: as its newest application has it, else the last one before that knows. A customer's line
 * begins with its first application: if that is the newest as well, there is no other to ask.
 */
function known(column: string): string {
  return `coalesce(n.${column}, iif(a.id = n.id, NULL, (SELECT ${column} FROM applications
    WHERE customer_id = n.customer_id AND id < n.id AND ${column} IS NOT NULL ORDER BY id DESC LIMIT 1)))`;
}

const customer = `'{' || ${jsonMembers(customerColumns(known, 'c.entry_id'))} || ',"bookings":'`;

/** Where a line may begin, and nowhere else: what is known of a customer with many bookings is asked for once a page. */
function headSql(lastApplicationId: number): string {
  return `CASE WHEN lag(p.customer_id) OVER (ORDER BY p.customer_id, p.id) IS NOT p.customer_id THEN
    (SELECT ${customer} FROM customers AS c JOIN applications AS n ON n.id = coalesce((SELECT max(id) FROM applications
      WHERE customer_id = p.customer_id AND id <= ${lastApplicationId}), p.id) WHERE c.id = p.customer_id) END`;
}

const booking = jsonObject(bookingColumns('a'));

const application = jsonObject(applicationColumns('a'));

/** The columns of a {@link PageRow}, of which SQL makes the texts. */
function pageColumns(columns: { customerId: string; head: string; text: string }) {
  return {
    customerId: sql<number>`${sql.raw(columns.customerId)}`.as('customer_id'),
    applicationId: sql<number>`a.id`.as('application_id'),
    head: sql<string | null>`${sql.raw(columns.head)}`.as('head'),
    text: sql<string>`${sql.raw(columns.text)}`.as('text'),
  };
}

function inPortfolio(portfolio: string): SQL {
  return sql`a.property_id IN (SELECT id FROM ${properties} WHERE portfolio = ${portfolio})`;
}

/**
 * Applications by customer. There is no last customer: one who is made while the run goes on may be given an
 * application by a move that was told before.
 */
async function readCustomers(database: Database, source: Source, after: Cursor): Promise<Page> {
  const { lastApplicationId } = source;
  const untilId = after.customerId + MOST_IDS;
  const { queries } = database;
  const columns = { customerId: 'p.customer_id', head: headSql(lastApplicationId), text: booking };
  const [rows, [last]] = await database.batch('d1.export.page', [
    queries
      .select(pageColumns(columns))
      .from(
        sql`(SELECT * FROM (${stayed(source, after, untilId)}) UNION ALL ${moved(source, after, untilId)}
          ORDER BY customer_id, id LIMIT ${MOST_ROWS}) AS p CROSS JOIN ${applications} AS a ON a.id = p.id`,
      )
      .orderBy(sql`p.customer_id, p.id`),
    queries.select({ id: max(customers.id) }).from(customers),
  ]);
  const lastCustomerId = last?.id ?? 0;
  const end = { customerId: untilId, applicationId: lastApplicationId };
  const next = rows.length === MOST_ROWS ? lastOf(rows) : end;
  const share = Math.min(1, next.customerId / Math.max(1, lastCustomerId));
  return { rows, next: next === end && untilId >= lastCustomerId ? null : next, share };
}

/** A page of the applications that are still with the customer of the run's beginning. */
function stayed(
  { portfolio, lastApplicationId, lastMoveId }: Source,
  after: Cursor,
  until: number,
) {
  return sql`SELECT a.customer_id, a.id FROM ${applications} AS a INDEXED BY applications_by_customer
    WHERE a.customer_id >= ${after.customerId} AND a.customer_id <= ${until}
      AND (a.customer_id > ${after.customerId} OR a.id > ${after.applicationId})
      AND a.id <= ${lastApplicationId} AND ${inPortfolio(portfolio)}
      AND NOT EXISTS (SELECT 1 FROM ${customerMoves} WHERE application_id = a.id AND id > ${lastMoveId})
    ORDER BY a.customer_id, a.id LIMIT ${MOST_ROWS}`;
}

/** Those that went to another since then, where they were: their first move tells. */
function moved({ portfolio, lastApplicationId, lastMoveId }: Source, after: Cursor, until: number) {
  return sql`SELECT m.from_customer_id, a.id FROM ${customerMoves} AS m
    CROSS JOIN ${applications} AS a ON a.id = m.application_id
    WHERE m.from_customer_id >= ${after.customerId} AND m.from_customer_id <= ${until}
      AND (m.from_customer_id > ${after.customerId} OR a.id > ${after.applicationId})
      AND a.id <= ${lastApplicationId} AND ${inPortfolio(portfolio)}
      AND m.id = (SELECT min(id) FROM ${customerMoves} WHERE application_id = a.id AND id > ${lastMoveId})`;
}

/** Applications made through this service, in the order of their making. */
async function readApplications(database: Database, source: Source, after: Cursor): Promise<Page> {
  const { portfolio, lastApplicationId } = source;
  const untilId = Math.min(after.applicationId + MOST_IDS, lastApplicationId);
  const [rows] = await database.batch('d1.export.page', [
    database.queries
      .select(pageColumns({ customerId: '0', head: 'NULL', text: application }))
      .from(sql`${applications} AS a`)
      .where(
        sql`a.id > ${after.applicationId} AND a.id <= ${untilId}
          AND a.booking_type = 'Online' AND ${inPortfolio(portfolio)}`,
      )
      .orderBy(sql`a.id`)
      .limit(MOST_ROWS),
  ]);
  const end = { customerId: 0, applicationId: untilId };
  const next = rows.length === MOST_ROWS ? lastOf(rows) : end;
  const share = Math.min(1, next.applicationId / Math.max(1, lastApplicationId));
  return { rows, next: next === end && untilId >= lastApplicationId ? null : next, share };
}

function lastOf(rows: readonly PageRow[]): Cursor {
  const last = rows.at(-1);
  return last ? { customerId: last.customerId, applicationId: last.applicationId } : START;
}
