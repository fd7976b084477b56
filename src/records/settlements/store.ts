import { and, desc, eq } from 'drizzle-orm';
import { queries } from '../../platform/db/database.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { type SettlementRow, settlements } from '../../schema/settlementTables.ts';
import { type BookingName, isOfBooking } from '../bookings/store.ts';

export function insertSettlement(row: SettlementRow) {
  return queries.insert(settlements).values(row);
}

/** Changes a settlement. The schema refuses the change if D1 has another version than `row`. */
export function updateSettlement(
  row: SettlementRow,
  change: Partial<Pick<SettlementRow, 'status' | 'dueAtMs' | 'endedAtMs'>>,
) {
  return queries
    .update(settlements)
    .set({ ...change, version: row.version + 1 })
    .where(eq(settlements.id, row.id));
}

export const selectLastSettlement = prepared<BookingName>()((name) =>
  queries
    .select()
    .from(settlements)
    .where(isOfBooking(settlements, name))
    .orderBy(desc(settlements.createdAtMs), desc(settlements.id))
    .limit(1),
);

export function selectSettlement(name: BookingName, id: string) {
  return queries
    .select()
    .from(settlements)
    .where(and(isOfBooking(settlements, name), eq(settlements.id, id)));
}
