import { z } from '@hono/zod-openapi';
import { ok } from '../../core/result.ts';
import { code, instant, name } from '../../http/fields.ts';
import {
  boundsInOrder,
  cursorAfter,
  listedDay,
  nextPage,
  pageFields,
  partOf,
} from '../../http/listFields.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import { listBookings, listedBookingSchema } from '../../records/bookings/list.ts';

const listBody = z
  .object({
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
    ...pageFields,
  })
  .check(boundsInOrder('arrivalFrom', 'arrivalTo'));

const listAnswer = z.object({
  success: z.literal(true),
  bookings: z.array(listedBookingSchema),
  nextCursor: nextPage,
});

/** The operation that lists bookings (interface: List bookings). */
export function registerBookingList(api: Api): void {
  propertyOperation(
    api,
    {
      path: '/booking/v1/list',
      summary: "List the property's bookings, newest first",
      scope: 'bookings:read',
      body: () => listBody,
      answer: listAnswer,
    },
    async ({ c, body, property }) => {
      const { changedSince: changedSinceMs, ...rest } = body;
      const { id } = property;
      const part = partOf('bookings', id, body);
      if (!part.ok) return part;
      const filter = { ...rest, changedSinceMs };
      const page = await listBookings(c.get('database'), id, filter, part.value);
      const nextCursor = cursorAfter('bookings', id, page);
      return ok({ success: true, bookings: page.bookings, nextCursor });
    },
  );
}
