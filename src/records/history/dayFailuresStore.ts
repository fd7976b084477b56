import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { addDays, type IsoDate, localDate, startOfDayMs } from '../../core/time.ts';
import { queries, type Statement } from '../../platform/db/database.ts';
import { literally } from '../../platform/db/indexes.ts';
import { listed } from '../../platform/db/listed.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { history } from '../../schema/historyTables.ts';
import { transactions } from '../../schema/moneyTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { dayFailures } from '../../schema/sumTables.ts';
import { QUARTER_MS, summedUp } from './daySumsStore.ts';

const FAILED = sql.raw("('Declined', 'Failed')");

/** Why a bank declined a payment. A soft decline is kept on a payment that fails later; it is not why it failed. */
export const DECLINE_CODE = sql<
  string | null
>`CASE ${transactions.status} WHEN 'Declined' THEN ${transactions.declineCode} END`;

/**
 * Selects when the charges failed of which an event that is not summed up says that they failed, or have not failed after all:
 * the first instant of each quarter of an hour.
 */
export function selectFailedAt(propertyId: unknown, further: SQL = sql`true`) {
  const told = sql`SELECT charge_id AS told_charge, booking_reference AS told_booking FROM history WHERE property_id = ${propertyId} AND event_number > ${summedUp(propertyId)} AND (to_state IN ${FAILED} OR from_state IN ${FAILED}) AND charge_id IS NOT NULL AND ${further}`;
  return queries
    .select({ atMs: sql<number>`min(${history.atMs})`.as('failed_at_ms') })
    .from(sql`(${told}) AS told`)
    .crossJoin(history)
    .where(
      and(
        eq(history.propertyId, sql`${propertyId}`),
        eq(history.bookingReference, sql`told_booking`),
        eq(history.chargeId, sql`told_charge`),
        sql`${history.to} IN ${FAILED}`,
      ),
    )
    .groupBy(sql`${history.atMs} / ${sql.raw(String(QUARTER_MS))}`);
}

/** The same as it is now, for readers. */
export const selectLateFailures = prepared<{ readonly propertyId: string }>()(({ propertyId }) =>
  selectFailedAt(propertyId),
);

export function daysOfInstants(
  instants: readonly { readonly atMs: number }[],
  timeZone: string,
): IsoDate[] {
  return [...new Set(instants.map(({ atMs }) => localDate(atMs, timeZone)))];
}

/** The statements that count again what failed on the days of some instants. */
export function countAgain(
  { id, timeZone }: Pick<PropertyRow, 'id' | 'timeZone'>,
  instants: readonly { readonly atMs: number }[],
): Statement[] {
  const days = daysOfInstants(instants, timeZone);
  if (days.length === 0) return [];
  const { currency, learntAtMs, propertyId, status } = transactions;
  const bounds = days.map((day) => [
    day,
    startOfDayMs(day, timeZone),
    startOfDayMs(addDays(day, 1), timeZone),
  ]);
  const counted = sql`SELECT ${id}, day.value ->> 0, ${currency}, ${status}, coalesce(${DECLINE_CODE}, ''), count(*), sum(${transactions.amountMinor}) FROM json_each(${JSON.stringify(bounds)}) AS day CROSS JOIN ${transactions} WHERE ${propertyId} = ${id} AND ${literally(status, 'Declined', 'Failed')} AND ${learntAtMs} >= day.value ->> 1 AND ${learntAtMs} < day.value ->> 2 GROUP BY 1, 2, 3, 4, 5`;
  return [
    queries
      .delete(dayFailures)
      .where(and(eq(dayFailures.propertyId, id), inArray(dayFailures.day, listed(days)))),
    queries.insert(dayFailures).select(counted),
  ];
}
