import { z } from '@hono/zod-openapi';
import { daysBetween } from '../core/days.ts';
import { code, cost, isoDate } from '../http/fields.ts';
import { MOST_NIGHTS } from '../rooms/actions.ts';

/** The most ranges of nights that one message may name. */
const MOST_RANGES = 20_000;

/** The most nights of all ranges of one message: what one statement stores well inside D1's time. */
const MOST_NIGHTS_OF_ALL = 200_000;

const MESSAGE_ID = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,100}$/u;

/** What tells a message from others; it is echoed. */
export const messageId = z.string().regex(MESSAGE_ID, '1 to 100 printable characters.').openapi({
  example: '0f9b2c1e-7a55-4a1b-9a51-3f1f0f3f7b7e',
  pattern: MESSAGE_ID.source,
});

/** When the sender says that it made a message; any text, echoed as it is. */
export const timeStamp = z
  .string()
  .min(1)
  .max(100)
  .openapi({ example: '2027-02-10T09:00:00+08:00' });

/** The credentials that a PMS puts into the body (interface: 2.7). */
export const authentication = z.object({
  Username: z.string().min(1).max(200),
  Password: z.string().min(1).max(200),
});

/** The members of `Ping`, and of its reply. */
export const ping = { EchoData: z.string().optional() };

/** What `GetPropertyInfo` answers. */
export const propertyInfoAnswer = {
  PropertyData: z.object({
    PropertyName: z.string(),
    RoomTypes: z.array(
      z.object({
        RoomTypeCode: z.string(),
        RoomTypeName: z.string(),
        RateTypes: z.array(z.object({ RateTypeCode: z.string(), RateTypeName: z.string() })),
      }),
    ),
  }),
};

/** The members of `GetInventory`: its fields stand beside the envelope's own. */
export const stay = {
  pmsRoomTypeCode: code(50).openapi({ example: 'DLX' }),
  checkIn: isoDate,
  checkOut: isoDate,
  adults: z.int().min(1).max(100),
  children: z.int().min(0).max(100).optional(),
};

/** What `GetInventory` answers, by `RateTypeCode`. */
export const nightsAnswer = {
  InventoryData: z.record(
    z.string(),
    z.array(
      z.object({
        day: z.string(),
        ldsRoomTypeID: z.int(),
        ldsRoomTypeName: z.string(),
        pmsRoomTypeCode: z.string(),
        ldsRateName: z.string(),
        totalAmount: z.number(),
        cta: z.boolean(),
        ctd: z.boolean(),
        closed: z.boolean(),
        mlos: z.int(),
      }),
    ),
  ),
};

const days = { StartDate: isoDate, EndDate: isoDate };

const room = { RoomTypeCode: code(50).openapi({ example: 'DLX' }) };

const roomAndRate = { ...room, RateTypeCode: code(50).openapi({ example: 'BAR' }) };

/** `InventoryData` of `SetInventory`. */
export const inventoryData = ranges(
  z.object({ ...room, ...days, Availability: z.int().min(0).max(100_000) }),
);

/** `RateData` of `SetRates`; values are read into minor units. */
export function rateData(exponent: number) {
  return ranges(z.object({ ...roomAndRate, ...days, RateValue: cost(exponent) }));
}

/** `RateRestrictionData` of `SetRateRestrictions`. */
export const restrictionData = ranges(
  z.object({
    ...roomAndRate,
    ...days,
    MinLOS: z.int().min(0).max(999).optional(),
    Closed: z.boolean().optional(),
    CTA: z.boolean().optional(),
    CTD: z.boolean().optional(),
  }),
);

/** Ranges of nights, each from `StartDate` to `EndDate`, both among them. */
function ranges<Range extends Days>(range: z.ZodType<Range>) {
  return z
    .array(range.check(daysInOrder('StartDate', 'EndDate', 0, MOST_NIGHTS - 1)))
    .max(MOST_RANGES, { abort: true })
    .refine((all) => nightsOfAll(all) <= MOST_NIGHTS_OF_ALL, {
      params: { code: 'too_big' },
      message: `At most ${MOST_NIGHTS_OF_ALL} nights in all ranges together.`,
    });
}

interface Days {
  readonly StartDate: string;
  readonly EndDate: string;
}

function nightsOfAll(all: readonly Days[]): number {
  return all.reduce((sum, { StartDate, EndDate }) => sum + daysBetween(StartDate, EndDate) + 1, 0);
}

/** That one day of an object lies so many days after another; looked at once both were read, whatever else is wrong. */
export function daysInOrder(from: string, until: string, fewest: number, most: number) {
  return z.superRefine<object>(
    (value, context) => {
      const days = daysOf(value, from, until) ?? fewest;
      if (days >= fewest && days <= most) return;
      context.addIssue({
        code: 'custom',
        path: [until],
        params: { code: days > most ? 'too_big' : 'dates_out_of_order' },
        message: days > most ? `At most ${MOST_NIGHTS} nights.` : `${from} must come first.`,
      });
    },
    { when: ({ value }) => daysOf(value, from, until) !== null },
  );
}

function daysOf(value: unknown, from: string, until: string): number | null {
  if (value === null || typeof value !== 'object') return null;
  const days = value as Readonly<Record<string, unknown>>;
  const [first, last] = [days[from], days[until]];
  return isDay(first) && isDay(last) ? daysBetween(first, last) : null;
}

/** Whether a field was read into a day: what is none is no longer a text by now. */
function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
}
