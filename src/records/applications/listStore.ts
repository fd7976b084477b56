import { eq, sql } from 'drizzle-orm';
import type { Database } from '../../platform/db/database.ts';
import { foundByEach, isBetween, pageFound, waysToFind } from '../../platform/db/narrow.ts';
import { type Page, type Part, pagesOf } from '../../platform/db/page.ts';
import { type ApplicationRow, applications } from '../../schema/applicationTables.ts';

/** Filters the applications of a property. What is undefined filters nothing. */
export interface ApplicationFilter {
  readonly status?: ApplicationRow['currentStatus'] | undefined;
  /** Days as `YYYY-MM-DD`, inclusive. */
  readonly arrivalFrom?: string | undefined;
  readonly arrivalTo?: string | undefined;
  /** Only what changed at this time or later. */
  readonly changedSinceMs?: number | undefined;
  /** Compared without regard to case. */
  readonly email?: string | undefined;
}

const pages = pagesOf(applications, 'descending', ['createdAtMs', 'id']);

/** Lists a property's applications, newest first (interface: List applications). One round trip. */
export async function listApplications(
  database: Database,
  propertyId: string,
  filter: ApplicationFilter,
  part: Part,
): Promise<Page<ApplicationRow>> {
  const ways = selectListedApplications(propertyId, filter, part);
  const found = await database.batch('d1.application.read', ways);
  return pageFound(found, part.limit, ({ createdAtMs, id }: ApplicationRow) => [createdAtMs, id]);
}

/** The statements that find a property's applications, newest first. */
export function selectListedApplications(
  propertyId: string,
  filter: ApplicationFilter,
  part: Part,
) {
  const { arrivalFrom, arrivalTo, changedSinceMs } = filter;
  const { arrival, createdAtMs, currentStatus, email, id, updatedAtMs } = applications;
  const list = {
    table: applications,
    columns: [createdAtMs, id],
    order: 'descending',
    own: eq(applications.propertyId, propertyId),
  } as const;
  const filters = foundByEach(list, [
    filter.email === undefined ? undefined : sql`lower(${email}) = lower(${filter.email})`,
    filter.status === undefined ? undefined : eq(currentStatus, filter.status),
    isBetween(arrival, arrivalFrom, arrivalTo),
    isBetween(updatedAtMs, changedSinceMs, undefined),
  ]);
  return waysToFind(list, filters, part, (way) => pages.along(way));
}
