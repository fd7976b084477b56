import { z } from '@hono/zod-openapi';
import { andThen, err, ok, type Result } from '../../core/result.ts';
import { offsetTimestamp } from '../../core/time.ts';
import { publicBaseUrl } from '../../http/baseUrl.ts';
import type { AppContext, CallerProperty } from '../../http/context.ts';
import { code, instant, name } from '../../http/fields.ts';
import { listedDay } from '../../http/listFields.ts';
import { propertyList } from '../../http/listOperation.ts';
import { type Api, type PropertyRequest, propertyOperation } from '../../http/operation.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { shownTime } from '../../platform/views.ts';
import { listBookings, listedBookingSchema } from '../../records/bookings/list.ts';
import { bookingNotFound } from '../../records/bookings/rules.ts';
import { readBooking, selectShown, selectShownCards } from '../../records/bookings/store.ts';
import {
  bookingDetailsSchema,
  bookingDetailsView,
  savedBookingSchema,
  savedBookingView,
} from '../../records/bookings/views.ts';
import { bookingLink, LINK_LIFE_MS } from '../../records/links/linkToken.ts';
import { planChangesSchema, planChangesView } from '../../records/plans/views.ts';
import { listArchivedBookings } from '../../retention/archivedLists.ts';
import type { BookingRow } from '../../schema/bookingTables.ts';
import { archived, archiveWork } from '../calls.ts';
import { bookingBody, referenceBody, urlBody } from './schemas.ts';

/** The booking operations (interface: Bookings). */
export function registerBookings(api: Api): void {
  propertyOperation(api, {
    path: '/booking/v1/create/manage-payments',
    summary: 'Add, modify or cancel a booking',
    scope: 'bookings',
    body: ({ exponent }) => bookingBody(exponent),
    answer: {
      message: z.string().describe('says what was done, for people'),
      booking: savedBookingSchema,
      planChanges: planChangesSchema
        .optional()
        .describe('of its payment plan: the parts with another amount or time; absent without any'),
    },
    problems: ['plan_too_long'],
    handle: async ({ body, perform, property }) => {
      const { reference, totalCost, firstNightCost, ...rest } = body;
      const details = { ...rest, totalCostMinor: totalCost, firstNightCostMinor: firstNightCost };
      const command = { currency: property.currency, details };
      const { answer } = await perform(reference, 'saveBooking', command);
      return andThen(answer, (saved) =>
        ok({
          message: 'Booking details updated successfully.',
          booking: savedBookingView(saved),
          ...(saved.planChanges.length > 0 && {
            planChanges: planChangesView(
              saved.planChanges,
              saved.booking.currency,
              saved.property.timeZone,
            ),
          }),
        }),
      );
    },
  });

  propertyOperation(api, {
    path: '/booking/v1/get-details',
    summary: 'Get booking details',
    scope: 'bookings:read',
    body: referenceBody,
    answer: { booking: bookingDetailsSchema },
    problems: ['booking_not_found'],
    handle: async ({ c, body, property }) => {
      const database = c.get('database');
      const name = { propertyId: property.id, reference: body.reference };
      const [[shown], cards] = await database.batch('d1.booking.read', [
        selectShown(name),
        selectShownCards(name),
      ]);
      if (!shown) return err(bookingNotFound());
      const url = await shownLink(c, property, shown.booking);
      return ok({ booking: bookingDetailsView({ ...shown, cards }, url) });
    },
  });

  propertyOperation(api, {
    path: '/booking/v1/get-url',
    summary: "Get the address of the guest's payment page",
    scope: 'bookings',
    body: urlBody,
    answer: {
      url: z.string().describe('the address of the payment page'),
      expiresAt: shownTime.describe('until when it opens'),
    },
    problems: ['booking_not_found'],
    handle: async (request) => {
      const { c, body, property } = request;
      const booking = await bookingForLink(request);
      if (!booking.ok) return booking;
      const expiresAtMs = propertyNow(property) + body.lifeMs;
      const { keyring } = c.get('config');
      const url = await bookingLink(keyring, publicBaseUrl(c), booking.value, expiresAtMs);
      return ok({ url, expiresAt: offsetTimestamp(expiresAtMs, property.timeZone) });
    },
  });

  propertyList(api, {
    path: '/booking/v1/list',
    summary: "List the property's bookings, newest first",
    scope: 'bookings:read',
    list: 'bookings',
    filter: {
      arrivalFrom: listedDay.optional().describe('`DD-MM-YYYY` or `YYYY-MM-DD`, inclusive'),
      arrivalTo: listedDay.optional().describe('`DD-MM-YYYY` or `YYYY-MM-DD`, inclusive'),
      status: z.enum(['booked', 'cancelled']).optional(),
      changedSince: instant
        .optional()
        .describe('made or changed at this time or later; a new card is a change'),
      email: code(254)
        .optional()
        .openapi({ example: 'guest@hotel.com' })
        .describe('the whole value; the case of the letters A to Z does not matter'),
      lastName: name(100)
        .optional()
        .openapi({ example: 'Nguyen' })
        .describe('the whole value; the case of the letters A to Z does not matter'),
      archived,
    },
    inOrder: ['arrivalFrom', 'arrivalTo'],
    member: 'bookings',
    entries: z.array(listedBookingSchema),
    read: ({ c, body, property }, part) => {
      const filter = { ...body, changedSinceMs: body.changedSince };
      if (body.archived) return listArchivedBookings(archiveWork(c), property.id, filter, part);
      return listBookings(c.get('database'), property.id, filter, part);
    },
  });
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
async function bookingForLink({
  c,
  body: { reference, revokeEarlier },
  perform,
  property,
}: PropertyRequest<{ readonly reference: string; readonly revokeEarlier: boolean }>): Promise<
  Result<BookingRow>
> {
  if (revokeEarlier) return (await perform(reference, 'revokeLinks', null)).answer;
  const database = c.get('database');
  const { state } = await readBooking(database, 'd1.booking.read', property.id, reference);
  return state ? ok(state.booking) : err(bookingNotFound());
}
