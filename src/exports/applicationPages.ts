import { type SQL, sql } from 'drizzle-orm';
import { type Database, queries } from '../platform/db/database.ts';
import { applications } from '../schema/applicationTables.ts';
import { applicationColumns, jsonObject } from './columns.ts';
import { isOfPortfolio } from './portfolio.ts';
import type { Cursor, Page, PageRow, Source } from './rules/pages.ts';
import { idsAfterFew, idsAfterFull, MOST_ROWS, type Window, windowAfter } from './rules/windows.ts';

const statuses = JSON.stringify(applications.currentStatus.enumValues);

const applicationJson = jsonObject(applicationColumns('application'));

/** Reads the applications that were made through this service, oldest first. */
export async function readApplications(
  database: Database,
  source: Source,
  cursor: Cursor,
): Promise<Page> {
  const window = windowAfter(cursor);
  const [found] = await database.batch('d1.export.page', [selectRows(source, window)]);
  const rows = found.flatMap(({ applicationId, text }): PageRow[] =>
    text === null
      ? []
      : [{ cursor: [0, applicationId], customerId: null, lines: 1, head: null, text }],
  );
  const last = found.length === MOST_ROWS ? found.at(-1) : undefined;
  const next = last
    ? [0, last.applicationId, idsAfterFull(last.applicationId - window.applicationId)]
    : await nextApplication(database, source, window);
  const [, at = source.lastApplicationId] = next ?? [];
  const fractionRead = Math.min(1, Number(at) / Math.max(1, source.lastApplicationId));
  return { rows, next, fractionRead };
}

/** Selects the applications of a window. Those that others made have no text. */
function selectRows({ lastApplicationId, portfolio }: Source, window: Window) {
  const untilId = Math.min(window.applicationId + window.ids, lastApplicationId);
  const ids = sql`SELECT application.id FROM ${ofPortfolio(portfolio)}
      AND application.id > ${window.applicationId} AND application.id <= ${untilId}
    ORDER BY application.id LIMIT ${MOST_ROWS}`;
  return queries
    .select({
      applicationId: sql<number>`application.id`.as('application_id'),
      text: sql<
        string | null
      >`iif(application.booking_type = 'Online', ${sql.raw(applicationJson)}, NULL)`.as('text'),
    })
    .from(
      sql`(${ids}) AS page CROSS JOIN ${applications} AS application ON application.id = page.id`,
    )
    .orderBy(sql`page.id`);
}

/** A portfolio's applications; each state of a property has them by their ids. */
function ofPortfolio(portfolio: string): SQL {
  return sql`properties AS property CROSS JOIN json_each(${statuses}) AS status
    CROSS JOIN ${applications} AS application INDEXED BY applications_by_status
      ON application.property_id = property.id AND application.current_status = status.value
    WHERE ${isOfPortfolio(portfolio)}`;
}

/** The position before the portfolio's next application after a window; null if there is none. */
async function nextApplication(
  database: Database,
  { lastApplicationId, portfolio }: Source,
  window: Window,
): Promise<Cursor | null> {
  const nextOfState = sql`(SELECT min(application.id) FROM ${applications} AS application INDEXED BY applications_by_status
    WHERE application.property_id = property.id AND application.current_status = status.value
      AND application.id > ${window.applicationId + window.ids} AND application.id <= ${lastApplicationId})`;
  const [[next]] = await database.batch('d1.export.page', [
    queries
      .select({ id: sql<number | null>`min(${nextOfState})`.as('next_id') })
      .from(sql`properties AS property CROSS JOIN json_each(${statuses}) AS status`)
      .where(isOfPortfolio(portfolio)),
  ]);
  return next?.id == null ? null : [0, next.id - 1, idsAfterFew(window)];
}
