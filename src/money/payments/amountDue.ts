import { type BookingWork, bookingState, type Standing } from '../../operation/work.ts';
import type { TransactionRow } from '../../platform/db/moneyTables.ts';
import type { BookingState } from '../../records/bookings/rules.ts';
import { selectBooking } from '../../records/bookings/store.ts';
import { selectSums, standingOf } from '../balance/bookingBalance.ts';
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
  const name = { propertyId, reference };
  const [totals, [open]] = await database.batch(
    'd1.balance.read',
    selectSums(database.queries, name),
  );
  return standingOf(totals, open);
}

/**
 * The state of a booking for a new payment; null if it does not exist. Where nothing is remembered and the payment may
 * depend on what is due, that comes in the same round trip.
 */
export async function stateForPayment(
  work: BookingWork,
  mayDependOnDue: boolean,
): Promise<BookingState | null> {
  if (work.memory.state || !mayDependOnDue) return bookingState(work);
  const { database, propertyId, reference, memory } = work;
  const { queries } = database;
  const [[property], [booking], cards, totals, [open]] = await database.batch('d1.booking.load', [
    ...selectBooking(queries, propertyId, reference),
    ...selectSums(queries, { propertyId, reference }),
  ]);
  if (!property || !booking) return null;
  memory.state = { property, booking, cards };
  memory.standing = standingOf(totals, open);
  work.follow(property);
  return memory.state;
}
