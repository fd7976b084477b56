import { err, ok } from '../core/result.ts';
import { guestLink, LINK_LIFE_MS } from '../guest/link.ts';
import { publicBaseUrl } from '../http/baseUrl.ts';
import { addressOf } from '../http/caller.ts';
import { type Api, propertyOperation } from '../http/operation.ts';
import { bookingNotFound } from './rules.ts';
import { bookingBody, bookingDetailsAnswer, referenceBody, savedBookingAnswer } from './schemas.ts';
import { readBooking } from './store.ts';
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
      const { state } = await readBooking(database, 'd1.booking.read', property.id, body.reference);
      if (!state) return err(bookingNotFound());
      const { keyring } = c.get('config');
      const expiresAtMs = Date.now() + LINK_LIFE_MS;
      const url = await guestLink(keyring, publicBaseUrl(c), state.booking, expiresAtMs);
      return ok({ success: true, booking: bookingDetailsView(state, url) });
    },
  );
}
