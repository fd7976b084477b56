import { sql } from 'drizzle-orm';
import { type Balance, balanceOf } from '../money/balance/rules/balance.ts';
import { bookingTotals, type EntryMoney, withEntry } from '../records/history/rules/totals.ts';
import { NO_SUMS } from '../records/history/sums.ts';
import { bookings } from '../schema/bookingTables.ts';

/** The amounts in the history of a selected booking, entry by entry: its totals are the sums of them. */
export const ENTRIES = sql<
  readonly EntryMoney[]
>`(SELECT json_group_array(json_object('charge', json_object('id', charge.id, 'purpose', charge.purpose), 'moved', iif(history.movement IS NULL, NULL, json_object('kind', history.movement, 'amountMinor', history.amount_minor, 'feeMinor', history.fee_minor, 'waivedMinor', coalesce(history.waived_minor, 0))), 'open', json_object('scheduledMinor', history.scheduled_minor, 'uncertainMinor', history.uncertain_minor, 'heldMinor', history.held_minor))) FROM history LEFT JOIN transactions AS charge ON charge.id = history.charge_id WHERE history.property_id = ${bookings.propertyId} AND history.booking_reference = ${bookings.reference})`.mapWith(
  JSON.parse,
);

/** The balance of a selected booking. */
export function balanceOfEntries({
  entries,
  totalCostMinor,
}: {
  readonly entries: readonly EntryMoney[];
  readonly totalCostMinor: number;
}): Balance {
  return balanceOf(totalCostMinor, bookingTotals(entries.reduce(withEntry, NO_SUMS)));
}
