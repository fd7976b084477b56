import { max, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { applications, customers, properties } from '../db/schema.ts';
import {
  applicationColumns,
  bookingColumns,
  customerColumns,
  jsonMembers,
  jsonObject,
} from './columns.ts';
import type { Variant } from './variants.ts';

/** How many rows a page has at most: with the longest texts that rows can have, some 20 MB. */
const MOST_ROWS = 1_000;

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
}

/** One application as it stands in a file, as JSON text made by the database. */
export interface PageRow extends Cursor {
  /** Of the property-system file: the beginning of its customer's line, up to `"bookings":`. */
  readonly head: string;
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

const head = `'{' || ${jsonMembers(customerColumns(known, 'c.entry_id'))} || ',"bookings":'`;

const booking = jsonObject(bookingColumns('a'));

const application = jsonObject(applicationColumns('a'));

/** The columns of a {@link PageRow}, of which SQL makes the texts. */
function pageColumns(customerId: string, headSql: string, textSql: string) {
  return {
    customerId: sql.raw(customerId).mapWith(Number).as('customer_id'),
    applicationId: sql`a.id`.mapWith(Number).as('application_id'),
    head: sql.raw(headSql).mapWith(String).as('head'),
    text: sql.raw(textSql).mapWith(String).as('text'),
  };
}

function inPortfolio(portfolio: string): SQL {
  return sql`a.property_id IN (SELECT id FROM ${properties} WHERE portfolio = ${portfolio})`;
}

/**
 * Applications by customer. There is no last customer: one who is made while the run goes on may take over an
 * application that was there before it.
 */
async function readCustomers(database: Database, source: Source, after: Cursor): Promise<Page> {
  const { portfolio, lastApplicationId } = source;
  const untilId = after.customerId + MOST_IDS;
  const { queries } = database;
  const newest = sql`(SELECT max(id) FROM ${applications}
    WHERE customer_id = a.customer_id AND id <= ${lastApplicationId})`;
  const [rows, [last]] = await database.batch('d1.export.page', [
    queries
      .select(pageColumns('a.customer_id', head, booking))
      .from(
        sql`${applications} AS a INDEXED BY applications_by_customer
          CROSS JOIN ${customers} AS c ON c.id = a.customer_id
          CROSS JOIN ${applications} AS n ON n.id = ${newest}`,
      )
      .where(
        sql`a.customer_id >= ${after.customerId} AND a.customer_id <= ${untilId}
          AND (a.customer_id > ${after.customerId} OR a.id > ${after.applicationId})
          AND a.id <= ${lastApplicationId} AND ${inPortfolio(portfolio)}`,
      )
      .orderBy(sql`a.customer_id, a.id`)
      .limit(MOST_ROWS),
    queries.select({ id: max(customers.id) }).from(customers),
  ]);
  const lastCustomerId = last?.id ?? 0;
  const end = { customerId: untilId, applicationId: lastApplicationId };
  const next = rows.length === MOST_ROWS ? lastOf(rows) : end;
  const share = Math.min(1, next.customerId / Math.max(1, lastCustomerId));
  return { rows, next: next === end && untilId >= lastCustomerId ? null : next, share };
}

/** Applications made through this service, in the order of their making. */
async function readApplications(database: Database, source: Source, after: Cursor): Promise<Page> {
  const { portfolio, lastApplicationId } = source;
  const untilId = Math.min(after.applicationId + MOST_IDS, lastApplicationId);
  const [rows] = await database.batch('d1.export.page', [
    database.queries
      .select(pageColumns('0', "''", application))
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
