import type { BookingWork, Standing } from '../../operation/work.ts';
import type { TransactionRow } from '../../platform/db/moneyTables.ts';
import type { BookingState } from '../../records/bookings/rules.ts';
import { readBalance } from '../balance/bookingBalance.ts';
import { amountOfSchedule, openDueMinor, scheduleDependsOnDue } from './overcharge.ts';

/**
 * What is paid and under way before a new payment. A booking's payments follow each other, so what the last one left is
 * remembered, and a guarded charge costs no read of its own.
 */
export async function standingBeforePayment(work: BookingWork): Promise<Standing> {
  // A new object: this operation knows what it leaves behind.
  const standing = { ...(work.memory.standing ?? (await readStanding(work))) };
  work.memory.standing = standing;
  return standing;
}

/**
 * The amount that a schedule takes now that it fires, in minor units without fees: 0 if nothing is due, null if that is
 * known only with the outcome of a payment under way.
 */
export async function amountToFire(
  work: BookingWork,
  { property, booking }: BookingState,
  row: TransactionRow,
  stepMinor: number,
): Promise<number | null> {
  if (!scheduleDependsOnDue(property, row)) return row.requestedMinor;
  const standing = await readStanding(work);
  const openMinor = openDueMinor(booking, standing);
  if (row.limitToDue || openMinor !== 0) return amountOfSchedule(row, openMinor, stepMinor);
  const isPaid = standing.paidMinor >= booking.totalCostMinor;
  return isPaid ? 0 : null;
}

async function readStanding({ database, propertyId, reference }: BookingWork): Promise<Standing> {
  const read = await readBalance(database, { propertyId, reference }, null);
  if (!read.ok) throw new Error('a booking without a balance');
  const { paidMinor, uncertainMinor } = read.value;
  return { paidMinor, uncertainMinor };
}
