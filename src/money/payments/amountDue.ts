import { type BookingWork, bookingState, type Standing } from '../../operation/work.ts';
import type { BookingState } from '../../records/bookings/rules.ts';
import { selectBooking } from '../../records/bookings/store.ts';
import { selectSums } from '../balance/readBalance.ts';
import { standingOf } from '../balance/rules/balance.ts';

/** What a booking has open of which nothing was ever recorded. */
const NOTHING_OPEN = { scheduledMinor: 0, heldMinor: 0, uncertainMinor: 0 };

/**
 * The sums of a booking's payments before a new one. They follow each other, so what the last one left is remembered,
 * and a guarded charge costs no read of its own.
 */
export async function standingBeforePayment(work: BookingWork): Promise<Standing> {
  // A new object: this operation knows what it leaves behind.
  const standing = { ...(work.memory.standing ?? (await readStanding(work))) };
  work.memory.standing = standing;
  return standing;
}

async function readStanding({ database, propertyId, reference }: BookingWork): Promise<Standing> {
  const name = { propertyId, reference };
  const [totals, [open = NOTHING_OPEN]] = await database.batch(
    'd1.balance.read',
    selectSums(database.queries, name),
  );
  return standingOf(totals, open);
}

/**
 * The state of a booking for a payment; null if it does not exist. Where nothing is remembered, what its payments come to
 * is read in the same round trip.
 */
export async function stateForPayment(work: BookingWork): Promise<BookingState | null> {
  if (work.memory.state) return bookingState(work);
  const { database, propertyId, reference, memory } = work;
  const { queries } = database;
  const [[property], [booking], cards, totals, [open = NOTHING_OPEN]] = await database.batch(
    'd1.booking.load',
    [
      ...selectBooking(queries, propertyId, reference),
      ...selectSums(queries, { propertyId, reference }),
    ],
  );
  if (!property || !booking) return null;
  memory.state = { property, booking, cards };
  memory.standing = standingOf(totals, open);
  work.follow(property);
  return memory.state;
}
