import { and, desc, eq, gte, inArray, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { type ApplicationRow, applications } from '../../platform/db/applicationTables.ts';
import type { Queries } from '../../platform/db/database.ts';

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
  /** Only applications after this place in the list. */
  readonly after?: { readonly createdAtMs: number; readonly key: string } | undefined;
}

/** Selects a property's applications, newest first. */
export function selectListedApplications(
  queries: Queries,
  propertyId: string,
  filter: ApplicationFilter,
  limit: number,
) {
  const { id, createdAtMs } = applications;
  const { after } = filter;
  const narrowed = found(queries, propertyId, filter);
  return queries
    .select()
    .from(applications)
    .where(
      and(
        // The plus keeps SQLite from reading every application in the order of the list.
        narrowed
          ? sql`+${applications.propertyId} = ${propertyId}`
          : eq(applications.propertyId, propertyId),
        narrowed,
        after &&
          or(
            lt(createdAtMs, after.createdAtMs),
            and(eq(createdAtMs, after.createdAtMs), lt(id, Number(after.key))),
          ),
      ),
    )
    .orderBy(desc(createdAtMs), desc(id))
    .limit(limit);
}

/** The filters that find few applications of many, each by its index; undefined without a filter. */
function found(queries: Queries, propertyId: string, filter: ApplicationFilter): SQL | undefined {
  const { email, status, arrivalFrom, arrivalTo, changedSinceMs } = filter;
  const conditions = [
    email === undefined ? undefined : sql`lower(${applications.email}) = lower(${email})`,
    status === undefined ? undefined : eq(applications.currentStatus, status),
    arrivalFrom === undefined && arrivalTo === undefined
      ? undefined
      : and(
          arrivalFrom === undefined ? undefined : gte(applications.arrival, arrivalFrom),
          arrivalTo === undefined ? undefined : lte(applications.arrival, arrivalTo),
        ),
    changedSinceMs === undefined ? undefined : gte(applications.updatedAtMs, changedSinceMs),
  ].filter((condition) => condition !== undefined);
  return and(
    ...conditions.map((condition) =>
      inArray(
        applications.id,
        queries
          .select({ id: applications.id })
          .from(applications)
          .where(and(eq(applications.propertyId, propertyId), condition)),
      ),
    ),
  );
}
