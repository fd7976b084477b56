import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { MoneyMoved } from '../../records/history/rules/entry.ts';
import { bookingTotals, type EntryMoney, withEntry } from '../../records/history/rules/totals.ts';
import { NO_SUMS } from '../../records/history/sums.ts';
import { bookings } from '../../schema/bookingTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { type Balance, balanceOf } from './rules/balance.ts';

/** An entry of a booking's history that has amounts, as short as it can be: a list reads those of a hundred bookings. */
type ReadEntry = readonly [
  chargeId: number,
  purpose: TransactionRow['purpose'],
  movement: MoneyMoved['kind'] | null,
  amountMinor: number,
  feeMinor: number,
  waivedMinor: number | null,
  scheduledMinor: number | null,
  uncertainMinor: number | null,
  heldMinor: number | null,
  plannedMinor: number | null,
];

/** The {@link ReadEntry}s of a selected booking: its totals are the sums of them. */
const ENTRIES = sql`(SELECT json_group_array(json_array(charge.id, charge.purpose, history.movement, history.amount_minor, history.fee_minor, history.waived_minor, history.scheduled_minor, history.uncertain_minor, history.held_minor, history.planned_minor)) FROM history LEFT JOIN transactions AS charge ON charge.id = history.charge_id WHERE history.property_id = ${bookings.propertyId} AND history.booking_reference = ${bookings.reference} AND coalesce(history.movement, history.scheduled_minor, history.uncertain_minor, history.held_minor, history.planned_minor) IS NOT NULL)`;

function entryMoney([
  id,
  purpose,
  kind,
  amountMinor,
  feeMinor,
  waived,
  ...open
]: ReadEntry): EntryMoney {
  const [scheduledMinor, uncertainMinor, heldMinor, plannedMinor] = open;
  return {
    charge: { id, purpose },
    moved: kind && { kind, amountMinor, feeMinor, waivedMinor: waived ?? 0 },
    open: { scheduledMinor, uncertainMinor, heldMinor, plannedMinor },
  };
}

/** The balance of a selected booking whose total cost is this, in minor units. */
export function balanceAt(totalCostMinor: SQLWrapper): SQL<Balance> {
  const parts = sql<Balance>`json_object('totalCostMinor', ${totalCostMinor}, 'entries', json(${ENTRIES}))`;
  return parts.mapWith((text: string) => {
    const read: { totalCostMinor: number; entries: readonly ReadEntry[] } = JSON.parse(text);
    const sums = read.entries.map(entryMoney).reduce(withEntry, NO_SUMS);
    return balanceOf(read.totalCostMinor, bookingTotals(sums));
  });
}

/** The balance of a selected booking. */
export const BALANCE = balanceAt(bookings.totalCostMinor);

/** The sums of each charge of a selected booking but its Bonds: what `shareOf` makes of them is the booking's balance. */
const CHARGES = sql`SELECT sum(iif(history.movement IN ('charge', 'capture', 'correction'), history.amount_minor - history.fee_minor, 0)) AS brought, -sum(iif(history.movement IN ('refund', 'reversal'), history.amount_minor, 0)) AS refunded, sum(iif(history.movement IN ('refund', 'reversal'), coalesce(history.waived_minor, 0), 0)) AS waived, -sum(iif(history.movement IN ('chargeback', 'chargeback_reversal'), history.amount_minor, 0)) AS disputed FROM history JOIN transactions AS charge ON charge.id = history.charge_id AND charge.purpose <> 'Bond' WHERE history.property_id = ${bookings.propertyId} AND history.booking_reference = ${bookings.reference} AND history.movement IS NOT NULL GROUP BY history.charge_id`;

/** What a charge of {@link CHARGES} brought and was not given back, nor lost to a dispute. */
const SHARE = sql`max(0, max(0, brought - refunded) - disputed)`;

/** What is paid of a selected booking, in minor units: `paid` of its balance in SQL. */
export const PAID_MINOR = sql<number>`coalesce((SELECT sum(${SHARE}) FROM (${CHARGES})), 0)`;

/** What is due of a selected booking, in minor units: `dueOf` in SQL, to find those that owe something. */
export const DUE_MINOR = sql<number>`max(0, ${bookings.totalCostMinor} - coalesce((SELECT sum(${SHARE} + max(0, brought - refunded + waived) - max(0, brought - refunded)) FROM (${CHARGES})), 0))`;

/**
 * Whether more is due of a selected booking than is arranged: scheduled, planned, under way or disputed. What disputes took of
 * a charge is due and arranged at once, so it does not matter here.
 */
export const IS_UNARRANGED = sql`${bookings.totalCostMinor} > coalesce((SELECT sum(max(0, brought - refunded + waived)) FROM (${CHARGES})), 0) + (SELECT coalesce(sum(coalesce(history.scheduled_minor, 0) + coalesce(history.planned_minor, 0) + coalesce(history.uncertain_minor, 0)), 0) FROM history WHERE history.property_id = ${bookings.propertyId} AND history.booking_reference = ${bookings.reference})`;
