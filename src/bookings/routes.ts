import type { Failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import { offsetTimestamp } from '../core/time.ts';
import type { BookingRow } from '../db/bookingTables.ts';
import { bookingLink, LINK_LIFE_MS } from '../guest/tickets.ts';
import { publicBaseUrl } from '../http/baseUrl.ts';
import { addressOf } from '../http/caller.ts';
import type { AppContext, CallerProperty } from '../http/context.ts';
import { type Api, propertyOperation } from '../http/operation.ts';
import { bookingNotFound } from './rules.ts';
import {
  bookingBody,
  bookingDetailsAnswer,
  referenceBody,
  savedBookingAnswer,
  urlAnswer,
  urlBody,
} from './schemas.ts';
import { readBooking, selectShown, selectShownCards } from './store.ts';
import { callBooking } from './stub.ts';
import { bookingDetailsView, savedBookingView } from './views.ts';

/** The booking operations (interface: 4.5 and 4.6). */
export function registerBookings(api: Api): void {
  propertyOperation(
    api,
    {
      path: '/booking/v1/create/manage-payments',
      summary: 'Add, modify or cancel a booking',
      scope: 'bookings',
      body: ({ exponent }) => bookingBody(exponent),
      answer: savedBookingAnswer,
    },
    async ({ c, body, property }) => {
      const { reference, totalCost, firstNightCost, ...rest } = body;
      const details = { ...rest, totalCostMinor: totalCost, firstNightCostMinor: firstNightCost };
      const saved = await callBooking(
        c.env,
        c.get('crossings'),
        addressOf(c, property, reference),
        (booking) =>
          booking.saveBooking(addressOf(c, property, reference), details, property.currency),
        { repeatable: true },
      );
      if (!saved.answer.ok) return saved.answer;
      return ok({
        success: true,
        message: 'Booking details updated successfully.',
        booking: savedBookingView(saved.answer.value),
      });
    },
  );

  propertyOperation(
    api,
    {
      path: '/booking/v1/get-details',
      summary: 'Get booking details',
      scope: 'bookings',
      body: () => referenceBody,
      answer: bookingDetailsAnswer,
      problems: ['booking_not_found'],
    },
    async ({ c, body, property }) => {
      const database = c.get('database');
      const [[shown], cards] = await database.batch('d1.booking.read', [
        selectShown(database.queries, property.id, body.reference),
        selectShownCards(database.queries, property.id, body.reference),
      ]);
      if (!shown) return err(bookingNotFound());
      const { keyring } = c.get('config');
      const expiresAtMs = Date.now() + LINK_LIFE_MS;
      const url = await bookingLink(keyring, publicBaseUrl(c), shown.booking, expiresAtMs);
      return ok({ success: true, booking: bookingDetailsView({ ...shown, cards }, url) });
    },
  );

  propertyOperation(
    api,
    {
      path: '/booking/v1/get-url',
      summary: "Get the address of the guest's payment page",
      scope: 'bookings',
      body: () => urlBody,
      answer: urlAnswer,
      problems: ['booking_not_found'],
    },
    async ({ c, body, property }) => {
      const booking = await bookingForLink(c, property, body);
      if (!booking.ok) return booking;
      const expiresAtMs = Date.now() + body.lifeMs;
      const { keyring } = c.get('config');
      const url = await bookingLink(keyring, publicBaseUrl(c), booking.value, expiresAtMs);
      const expiresAt = offsetTimestamp(expiresAtMs, property.timeZone);
      return ok({ success: true, url, expiresAt });
    },
  );
}

/** The booking that a link is asked for; every earlier link is taken back first where that is wanted. */
async function bookingForLink(
  c: AppContext,
  property: CallerProperty,
  { reference, revokeEarlier }: { readonly reference: string; readonly revokeEarlier: boolean },
): Promise<Result<BookingRow, Failure>> {
  if (revokeEarlier) {
    const address = addressOf(c, property, reference);
    const { answer } = await callBooking(c.env, c.get('crossings'), address, (booking) =>
      booking.revokeLinks(address),
    );
    return answer;
  }
  const database = c.get('database');
  const { state } = await readBooking(database, 'd1.booking.read', property.id, reference);
  return state ? ok(state.booking) : err(bookingNotFound());
}
