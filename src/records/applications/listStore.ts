import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../platform/db/database.ts';
import { foundByEach, isBetween } from '../../platform/db/narrow.ts';
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
  const [rows] = await database.batch('d1.application.read', [
    selectListedApplications(propertyId, filter, part),
  ]);
  return pages.cut(rows, part);
}

/** Selects a property's applications, newest first. */
export function selectListedApplications(
  propertyId: string,
  filter: ApplicationFilter,
  part: Part,
) {
  const narrowed = found(propertyId, filter);
  // The plus keeps SQLite from reading every application in the order of the list.
  const ofProperty = narrowed
    ? sql`+${applications.propertyId} = ${propertyId}`
    : eq(applications.propertyId, propertyId);
  return pages.select(and(ofProperty, narrowed), part);
}

/** The filters that find few applications of many; undefined without a filter. */
function found(propertyId: string, filter: ApplicationFilter): SQL | undefined {
  const { email, status, arrivalFrom, arrivalTo, changedSinceMs } = filter;
  const { arrival, currentStatus, id, updatedAtMs } = applications;
  const own = eq(applications.propertyId, propertyId);
  return foundByEach({ table: applications, key: id, own }, [
    email === undefined ? undefined : sql`lower(${applications.email}) = lower(${email})`,
    status === undefined ? undefined : eq(currentStatus, status),
    isBetween(arrival, arrivalFrom, arrivalTo),
    isBetween(updatedAtMs, changedSinceMs, undefined),
  ]);
}
