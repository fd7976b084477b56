import type { Failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { offsetTimestamp } from '../../core/time.ts';
import { publicBaseUrl } from '../../http/baseUrl.ts';
import type { AppContext, CallerProperty } from '../../http/context.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { bookingNotFound } from '../../records/bookings/rules.ts';
import { readBooking, selectShown, selectShownCards } from '../../records/bookings/store.ts';
import { bookingDetailsView, savedBookingView } from '../../records/bookings/views.ts';
import { bookingLink, LINK_LIFE_MS } from '../../records/links/linkToken.ts';
import type { BookingRow } from '../../schema/bookingTables.ts';
import { callBookingOf } from '../callBooking.ts';
import {
  bookingBody,
  bookingDetailsAnswer,
  referenceBody,
  savedBookingAnswer,
  urlAnswer,
  urlBody,
} from './schemas.ts';

/** The booking operations (interface: Bookings). */
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
      const command = { currency: property.currency, details };
      const { answer } = await callBookingOf(c, property, reference, 'saveBooking', command);
      if (!answer.ok) return answer;
      return ok({
        success: true,
        message: 'Booking details updated successfully.',
        booking: savedBookingView(answer.value),
      });
    },
  );

  propertyOperation(
    api,
    {
      path: '/booking/v1/get-details',
      summary: 'Get booking details',
      scope: 'bookings:read',
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
      const url = await shownLink(c, property, shown.booking);
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
      const expiresAtMs = propertyNow(property) + body.lifeMs;
      const { keyring } = c.get('config');
      const url = await bookingLink(keyring, publicBaseUrl(c), booking.value, expiresAtMs);
      const expiresAt = offsetTimestamp(expiresAtMs, property.timeZone);
      return ok({ success: true, url, expiresAt });
    },
  );
}

/** The link that a booking's details show: who may only read gets none, because by a link one pays. */
async function shownLink(
  c: AppContext,
  property: CallerProperty,
  booking: Pick<BookingRow, 'propertyId' | 'reference' | 'linkVersion'>,
): Promise<string> {
  if (!c.get('caller').scopes.includes('bookings')) return '';
  const { keyring } = c.get('config');
  return bookingLink(keyring, publicBaseUrl(c), booking, propertyNow(property) + LINK_LIFE_MS);
}

/** The booking that the link is for. With `revokeEarlier`, revokes every earlier link first. */
async function bookingForLink(
  c: AppContext,
  property: CallerProperty,
  { reference, revokeEarlier }: { readonly reference: string; readonly revokeEarlier: boolean },
): Promise<Result<BookingRow, Failure>> {
  if (revokeEarlier) {
    const { answer } = await callBookingOf(c, property, reference, 'revokeLinks', null);
    return answer;
  }
  const database = c.get('database');
  const { state } = await readBooking(database, 'd1.booking.read', property.id, reference);
  return state ? ok(state.booking) : err(bookingNotFound());
}
