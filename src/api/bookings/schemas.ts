import { z } from '@hono/zod-openapi';
import { type FieldIssue, fieldIssue } from '../../core/failure.ts';
import { MINUTE_MS } from '../../core/time.ts';
import { bodyCheck } from '../../http/bodyCheck.ts';
import {
  code,
  cost,
  dayMonthYear,
  email,
  flag,
  isoDate,
  lines,
  name,
  phone,
  reference,
  wholeNumber,
} from '../../http/fields.ts';
import type { BookingDetails } from '../../records/bookings/rules.ts';
import { LIVES } from '../../records/keyring/lives.ts';
import { LINK_LIFE_MS } from '../../records/links/linkToken.ts';
import { policyBody } from './policySchemas.ts';

export const referenceBody = z.object({ reference });

/** The members of a saved booking: each of its details, costs as a client writes them. */
type SavedMember =
  | 'reference'
  | 'totalCost'
  | 'firstNightCost'
  | Exclude<keyof BookingDetails, 'totalCostMinor' | 'firstNightCostMinor'>;

/** The body of add, modify or cancel (interface: Add, modify or cancel a booking). */
export function bookingBody(exponent: number) {
  return z
    .object({
      reference,
      arrival: dayMonthYear.describe('`DD-MM-YYYY`'),
      departure: dayMonthYear.describe('`DD-MM-YYYY`, after the arrival'),
      status: z.enum(['booked', 'cancelled']),
      email: email.describe("the guest's"),
      lastName: name(100).openapi({ example: 'Nguyen' }).describe("the guest's"),
      totalCost: cost(exponent).describe('what the stay costs; 0 where it is not known'),
      firstNightCost: cost(exponent).describe(
        'of all rooms together: the deposit that guests are offered',
      ),
      firstName: name(100, 0).optional().describe("the guest's"),
      phone: phone(50, 0).optional().describe("the guest's"),
      source: name(100, 0).optional().describe('the channel that the booking came by'),
      pmsConfirmationNumber: phone(100, 0)
        .transform((number) => number || undefined)
        .optional()
        .describe("the PMS's own number"),
      roomStays: z
        .array(roomStay(exponent))
        .max(50)
        .optional()
        .describe('each lowers the availability of its nights'),
      eta: name(50, 0)
        .optional()
        .openapi({ example: 'around 18:30' })
        .describe('when the guest expects to arrive; the PMS gets it as it is'),
      notes: lines(2_000, 0)
        .optional()
        .openapi({ example: 'A quiet room, please.' })
        .describe('for the PMS; may have line feeds'),
      guest: guest
        .optional()
        .describe('further details of the guest, for the PMS; an empty text takes one away'),
      fromPms: flag('`true`: the PMS knows all of this; see Bookings from the PMS'),
      cancellationPolicy: policyBody(exponent)
        .optional()
        .describe("the booking's own: see Cancellation policy"),
    } satisfies Record<SavedMember, z.ZodType>)
    .check(
      daysInOrder(
        'arrival',
        fieldIssue(
          'departure',
          'departure_not_after_arrival',
          'The departure must be after the arrival.',
        ),
      ),
    );
}

/** What is known of the guest besides names, e-mail and phone, for the PMS. An empty text takes a value away. */
const guest = z.object({
  prefix: name(50, 0).optional(),
  middleNames: name(100, 0).optional(),
  suffix: name(50, 0).optional(),
  company: name(200, 0).optional(),
  mobile: phone(50, 0).optional(),
  fax: phone(50, 0).optional(),
  address: lines(500, 0).optional().describe('may have line feeds'),
  city: name(100, 0).optional(),
  state: name(100, 0).optional(),
  postCode: name(20, 0).optional(),
  country: name(100, 0).optional(),
});

function roomStay(exponent: number) {
  return z
    .object({
      roomTypeCode: code(50).describe('as the PMS names it'),
      rateTypeCode: code(50).describe('as the PMS names it'),
      startDate: isoDate.describe('the first night'),
      endDate: isoDate.describe('the day of departure'),
      adults: wholeNumber(0, 100).optional(),
      children: wholeNumber(0, 100).optional(),
      amount: cost(exponent).optional(),
    })
    .check(
      daysInOrder(
        'startDate',
        fieldIssue('endDate', 'end_not_after_start', 'The end must be after the start.'),
      ),
    )
    .transform(({ amount: amountMinor, ...stay }) => ({ ...stay, amountMinor }));
}

/** Checks that a day comes after another, if both are valid. */
function daysInOrder(first: string, fault: FieldIssue) {
  return bodyCheck(
    (days) => (String(days[fault.field]) > String(days[first]) ? [] : [fault]),
    [first, fault.field],
  );
}

/** The longest life of a link, in minutes. */
const MOST_MINUTES = LIVES.guest_link / MINUTE_MS;

/** The body of get-url (interface: Get the payment page address). `revokeEarlier` revokes all earlier links. */
export const urlBody = z
  .object({
    reference,
    expiresInMinutes: wholeNumber(1, MOST_MINUTES)
      .optional()
      .openapi({ example: 1_440 })
      .describe('at most two years; 30 days when left out'),
    revokeEarlier: flag("`true` revokes every earlier link to this booking's payment page"),
  })
  .transform(({ reference, expiresInMinutes, revokeEarlier = false }) => ({
    reference,
    lifeMs: expiresInMinutes === undefined ? LINK_LIFE_MS : expiresInMinutes * MINUTE_MS,
    revokeEarlier,
  }));
