import { max, type SQL, sql } from 'drizzle-orm';
import { type Database, queries } from '../platform/db/database.ts';
import { applications, customerMoves, customers } from '../schema/applicationTables.ts';
import { bookingColumns, customerColumns, jsonMembers, jsonObject } from './columns.ts';
import { isOfPortfolio } from './portfolio.ts';
import type { Cursor, Page, Source } from './rules/pages.ts';
import { idsAfterFew, idsAfterFull, MOST_ROWS, type Window, windowAfter } from './rules/windows.ts';

/*
 * The aliases in the SQL below. `property`: those of the portfolio. `page`: the applications of a page, each with the
 * customer of its line. `application`: the row of one of them. `newest`: the customer's newest application when the run
 * started. `move`: an application's move to another customer.
 */

const bookingJson = jsonObject(bookingColumns('application'));

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

/**
 * Reads applications by customer, each with its customer at the start of the run. Customers have no upper limit: one
 * who is created during the run may get an application by a move from before the run.
 */
export async function readCustomers(
  database: Database,
  source: Source,
  cursor: Cursor,
): Promise<Page> {
  const window = windowAfter(cursor);
  const [found, [newest]] = await database.batch('d1.export.page', [
    selectRows(source, window),
    queries.select({ id: max(customers.id) }).from(customers),
  ]);
  const rows = found.map(({ applicationId, customerId, head, text }) => {
    return { cursor: [customerId, applicationId], customerId, lines: 1, head, text };
  });
  const last = found.length === MOST_ROWS ? found.at(-1) : undefined;
  const next = last
    ? [last.customerId, last.applicationId, idsAfterFull(last.customerId - window.customerId)]
    : await nextCustomer(database, source, window);
  const [at] = next ?? [];
  const fractionRead =
    at === undefined ? 1 : Math.min(1, Number(at) / Math.max(1, newest?.id ?? 0));
  return { rows, next, fractionRead };
}

/** The last customer of a window. */
const endOf = ({ customerId, ids }: Window) => customerId + ids;

function selectRows(source: Source, window: Window) {
  return queries
    .select({
      customerId: sql<number>`page.customer_id`.as('customer_id'),
      applicationId: sql<number>`application.id`.as('application_id'),
      head: sql<string | null>`${sql.raw(headSql(source.lastApplicationId))}`.as('head'),
      text: sql<string>`${sql.raw(bookingJson)}`.as('text'),
    })
    .from(
      sql`(${notMoved(source, window)} UNION ALL ${moved(source, window)}
          ORDER BY customer_id, id LIMIT ${MOST_ROWS}) AS page
        CROSS JOIN ${applications} AS application ON application.id = page.id`,
    )
    .orderBy(sql`page.customer_id, page.id`);
}

/** The applications of a window that have not changed their customer since the run started. */
function notMoved({ portfolio, lastApplicationId, lastMoveId }: Source, window: Window): SQL {
  return sql`SELECT application.customer_id AS customer_id, application.id AS id
    FROM properties AS property
      CROSS JOIN ${customers} AS customer INDEXED BY customers_by_property ON customer.property_id = property.id
      CROSS JOIN ${applications} AS application INDEXED BY applications_by_customer ON application.customer_id = customer.id
    WHERE ${isOfPortfolio(portfolio)} AND customer.id >= ${window.customerId} AND customer.id <= ${endOf(window)}
      AND (customer.id > ${window.customerId} OR application.id > ${window.applicationId})
      AND application.id <= ${lastApplicationId}
      AND NOT EXISTS (SELECT 1 FROM ${customerMoves} WHERE application_id = application.id AND id > ${lastMoveId})`;
}

/** The applications that moved since then, with their customer before the first of those moves. */
function moved({ portfolio, lastApplicationId, lastMoveId }: Source, window: Window): SQL {
  return sql`SELECT move.from_customer_id, move.application_id FROM ${customerMoves} AS move
    CROSS JOIN properties AS property ON property.id = move.property_id
    WHERE move.from_customer_id >= ${window.customerId} AND move.from_customer_id <= ${endOf(window)}
      AND (move.from_customer_id > ${window.customerId} OR move.application_id > ${window.applicationId})
      AND move.application_id <= ${lastApplicationId} AND ${isOfPortfolio(portfolio)}
      AND move.id = (SELECT min(id) FROM ${customerMoves} WHERE application_id = move.application_id AND id > ${lastMoveId})`;
}

/** The position before the portfolio's next customer after a window; null if there is none. */
async function nextCustomer(
  database: Database,
  { portfolio }: Source,
  window: Window,
): Promise<Cursor | null> {
  const nextOfProperty = sql`(SELECT min(customer.id) FROM ${customers} AS customer INDEXED BY customers_by_property
    WHERE customer.property_id = property.id AND customer.id > ${endOf(window)})`;
  const [[next]] = await database.batch('d1.export.page', [
    queries
      .select({ id: sql<number | null>`min(${nextOfProperty})`.as('next_id') })
      .from(sql`properties AS property`)
      .where(isOfPortfolio(portfolio)),
  ]);
  return next?.id == null ? null : [next.id, 0, idsAfterFew(window)];
}
