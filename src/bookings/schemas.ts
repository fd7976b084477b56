import { z } from '@hono/zod-openapi';
import { MINUTE_MS } from '../core/time.ts';
import { LINK_LIFE_MS } from '../guest/tickets.ts';
import { code, cost, dayMonthYear, isoDate, name, reference } from '../http/fields.ts';

/** A card as bookings show it. */
export const cardSchema = z
  .object({
    cardHolderName: z.string(),
    cardNumber: z.string().openapi({ example: 'XXXX-XXXX-XXXX-X242' }),
    cardType: z.string().openapi({ example: 'Visa' }),
    cardExpiry: z.string().openapi({ example: '12/2030' }),
    token: z.string(),
  })
  .openapi('Card');

const face = {
  bookingReference: z.string(),
  site: z.string(),
  propertyName: z.string(),
  arrival: z.string().describe('DD-MM-YYYY'),
  departure: z.string().describe('DD-MM-YYYY'),
  status: z.enum(['booked', 'cancelled']),
  totalCost: z.number(),
  currency: z.string(),
  guest: z.object({ lastName: z.string(), email: z.string() }),
};

/** What add, modify and cancel answer. */
export const savedBookingAnswer = z.object({
  success: z.literal(true),
  message: z.string(),
  booking: z.object({ ...face, payment: cardSchema.nullable() }),
});

/** What get-details answers. */
export const bookingDetailsAnswer = z.object({
  success: z.literal(true),
  booking: z.object({ ...face, payment: z.array(cardSchema), url: z.string() }),
});

/** The body of an operation that only names a booking. */
export const referenceBody = z.object({ reference });

/** The body of add, modify or cancel (interface: 4.5; optional extras per decisions: section 7). */
export function bookingBody(exponent: number) {
  return z
    .object({
      reference,
      arrival: dayMonthYear,
      departure: dayMonthYear,
      status: z.enum(['booked', 'cancelled']),
      email: z.email().max(254).openapi({ example: 'guest@hotel.com' }),
      lastName: name(100).openapi({ example: 'Nguyen' }),
      totalCost: cost(exponent),
      firstNightCost: cost(exponent),
      firstName: name(100).optional(),
      phone: code(50).optional(),
      source: name(100).optional(),
      pmsConfirmationNumber: code(100).optional(),
      roomStays: z.array(roomStay(exponent)).max(50).optional(),
    })
    .refine(({ arrival, departure }) => departure > arrival, {
      path: ['departure'],
      params: { code: 'departure_not_after_arrival' },
      message: 'The departure must be after the arrival.',
      when: ({ value }) => hasDates(value, 'arrival', 'departure'),
    });
}

function roomStay(exponent: number) {
  return z
    .object({
      roomTypeCode: code(50),
      rateTypeCode: code(50),
      startDate: isoDate,
      endDate: isoDate,
      adults: z.int().min(0).max(100).optional(),
      children: z.int().min(0).max(100).optional(),
      amount: cost(exponent).optional(),
    })
    .refine(({ startDate, endDate }) => endDate > startDate, {
      path: ['endDate'],
      params: { code: 'end_not_after_start' },
      message: 'The end must be after the start.',
      when: ({ value }) => hasDates(value, 'startDate', 'endDate'),
    })
    .transform(({ amount: amountMinor, ...stay }) => ({ ...stay, amountMinor }));
}

/** Two dates can be compared once both were read, whatever is wrong with other fields. */
function hasDates(value: unknown, from: string, to: string): boolean {
  const read = z.looseObject({ [from]: z.iso.date(), [to]: z.iso.date() });
  return read.safeParse(value).success;
}

/** How long a link may work at most: two years, in minutes. */
const MOST_MINUTES = 2 * 366 * 24 * 60;

/** The body of get-url (decisions: section 7); `revokeEarlier` takes back every link to that page given out before. */
export const urlBody = z
  .object({
    reference,
    expiresInMinutes: z.int().min(1).max(MOST_MINUTES).optional().openapi({ example: 1_440 }),
    revokeEarlier: z.boolean().optional(),
  })
  .transform(({ reference, expiresInMinutes, revokeEarlier = false }) => ({
    reference,
    lifeMs: expiresInMinutes === undefined ? LINK_LIFE_MS : expiresInMinutes * MINUTE_MS,
    revokeEarlier,
  }));

/** What get-url answers. */
export const urlAnswer = z.object({
  success: z.literal(true),
  url: z.string(),
  expiresAt: z.string(),
});
