import { and, asc, lte, min, sql } from 'drizzle-orm';
import { queries } from '../../platform/db/database.ts';
import { cards } from '../../schema/cardTables.ts';
import { disputes } from '../../schema/disputeTables.ts';
import { refunds, transactions } from '../../schema/moneyTables.ts';
import { paymentPlans } from '../../schema/planTables.ts';
import { recoveries } from '../../schema/recoveryTables.ts';
import { settlements } from '../../schema/settlementTables.ts';

/** The tables of what a booking's alarm does at a time. Each has an index of what is due. */
export const DUE_TABLES = [
  transactions,
  refunds,
  disputes,
  paymentPlans,
  recoveries,
  settlements,
  cards,
] as const;

type DueTable = (typeof DUE_TABLES)[number];

/** The booking of what is due: a card of none is never due. */
function ofBooking(table: DueTable) {
  return sql<string>`${table.bookingReference}`.as('due_reference');
}

/** Selects the bookings, of any property, that have something due before `beforeMs`, the longest overdue first. */
export function selectOverdueBookings(table: DueTable, beforeMs: number, limit: number) {
  return (
    queries
      .select({ propertyId: table.propertyId, reference: ofBooking(table) })
      .from(table)
      .where(lte(table.dueAtMs, beforeMs))
      // The plus makes SQLite search by due time instead of scanning every booking's rows.
      .groupBy(sql`+${table.propertyId}`, sql`+${table.bookingReference}`)
      .orderBy(asc(min(table.dueAtMs)))
      .limit(limit)
  );
}

/** Selects a property's bookings that have something due by `untilMs`, by its clock, the first due first. */
export function selectDueBookings(
  table: DueTable,
  { propertyId, untilMs }: { readonly propertyId: string; readonly untilMs: number },
  limit: number,
) {
  const dueAtMs = min(table.dueAtMs);
  return queries
    .select({
      propertyId: table.propertyId,
      reference: ofBooking(table),
      dueAtMs: sql<number>`${dueAtMs}`.as('first_due_at_ms'),
    })
    .from(table)
    .where(and(sql`+${table.propertyId} = ${propertyId}`, lte(table.dueAtMs, untilMs)))
    .groupBy(sql`+${table.propertyId}`, sql`+${table.bookingReference}`)
    .orderBy(asc(dueAtMs), asc(table.bookingReference))
    .limit(limit);
}
