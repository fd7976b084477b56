import { draftEntry, type Told, type Write } from '../operation/draft.ts';
import type { BookingWork } from '../operation/work.ts';
import { type BookingState, bookingEvent, cardInUse } from '../records/bookings/rules.ts';
import { eventBookingView } from '../records/bookings/views.ts';
import type { BookingRow } from '../schema/bookingTables.ts';

/** What an entry of a booking says beside its change. */
interface Further extends Pick<Told, 'detail'> {
  /** Further members of its event's `data`. */
  readonly members?: object;
}

/** The entry of a saved booking. A save that changes nothing is no event; nor is the number that the PMS gives it. */
export function bookingEntry(
  work: BookingWork,
  before: BookingRow | null,
  { booking, cards, property }: BookingState,
  { detail, members }: Further = {},
): Write {
  const isNewTotal = before?.totalCostMinor !== booking.totalCostMinor;
  const type = bookingEvent(before, booking);
  const card = cardInUse({ booking, cards });
  return draftEntry(
    work,
    booking.updatedAtMs,
    { kind: 'booking', id: '' },
    {
      from: before?.status ?? null,
      to: booking.status,
      detail,
      event: type && {
        type,
        cardToken: booking.cardToken,
        snapshot: (shown) => ({
          booking: eventBookingView({ property, booking }, card ?? shown.card(booking.cardToken)),
          ...members,
        }),
      },
      ...(isNewTotal && {
        totalCostMinor: booking.totalCostMinor,
        formerTotalMinor: before?.totalCostMinor ?? null,
      }),
    },
  );
}
