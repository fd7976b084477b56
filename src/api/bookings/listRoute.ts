import { z } from '@hono/zod-openapi';
import { ok } from '../../core/result.ts';
import { code, name } from '../../http/fields.ts';
import { cursorAfter, instant, listedDay, pageFields, USUAL_LIMIT } from '../../http/listFields.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import { listBookings, listedBookingSchema } from '../../records/bookings/list.ts';

const listBody = z.object({
  arrivalFrom: listedDay.optional(),
  arrivalTo: listedDay.optional(),
  status: z.enum(['booked', 'cancelled']).optional(),
  changedSince: instant.optional(),
  email: code(254).optional().openapi({ example: 'guest@hotel.com' }),
  lastName: name(100).optional().openapi({ example: 'Nguyen' }),
  ...pageFields,
});

const listAnswer = z.object({
  success: z.literal(true),
  bookings: z.array(listedBookingSchema),
  nextCursor: z.string().nullable(),
});

/** The operation that lists bookings (interface: List bookings). */
export function registerBookingList(api: Api): void {
  propertyOperation(
    api,
    {
      path: '/booking/v1/list',
      summary: "List the property's bookings, newest first",
      scope: 'bookings',
      body: () => listBody,
      answer: listAnswer,
    },
    async ({ c, body, property }) => {
      const { changedSince: changedSinceMs, cursor: after, limit = USUAL_LIMIT, ...rest } = body;
      const filter = { ...rest, changedSinceMs, after };
      const { bookings, next } = await listBookings(c.get('database'), property.id, filter, limit);
      return ok({ success: true, bookings, nextCursor: cursorAfter(next) });
    },
  );
}
