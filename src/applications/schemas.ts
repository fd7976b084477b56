import { z } from '@hono/zod-openapi';
import { cardFacts } from '../core/cardNumbers.ts';
import { instantOf, parseIsoDate, utcTimestamp } from '../core/time.ts';
import { CARD_NUMBER, code, cost, isoDate, name, reference, text } from '../http/fields.ts';
import { stayFaults } from './rules.ts';
import { applicationStatuses } from './states.ts';

/** The values of `gender` (interface: 2.5). */
const genders = [
  'Male',
  'Female',
  'Transgender male/Transman/FTM',
  'Transgender female/Transwoman/MTF',
  'Gender Queer',
  'Non-Binary',
  'Other',
  'Decline to answer',
] as const;

/** The most applications for a tenancy, the most applicants of each, and the most characters of all as JSON. */
const MOST_TENANT_APPLICATIONS = 50;
const MOST_TENANT_APPLICATION_CHARACTERS = 10_000;

/** A number that this service or the PMS gave. */
const numberOfPms = z
  .int()
  .min(0)
  .refine((value) => cardFacts(String(value)) === null, CARD_NUMBER)
  .openapi({ example: 500_123 });

/** An application number of this service. */
const applicationNumber = text(50).openapi({ example: 'APP-7K3M0QZ94T' });

/** Where an application stands. */
const status = z.enum(applicationStatuses);

/** An instant, ISO 8601 with offset, read into milliseconds. */
const instant = z
  .string()
  .transform((value, context) => {
    const atMs = instantOf(value);
    if (atMs !== null && atMs >= 0) return atMs;
    context.addIssue({
      code: 'custom',
      params: { code: 'invalid_time' },
      message: 'A time since 1970, ISO 8601 with offset.',
    });
    return z.NEVER;
  })
  .openapi({ type: 'string', example: '2027-02-10T09:00:00+08:00' });

/** An instant as it is kept in texts: in UTC, whole seconds. */
const utcText = instant.transform(utcTimestamp).openapi({ type: 'string' });

const agent = z.object({
  company: name(200).nullish(),
  name: name(200).nullish(),
  email: name(254).nullish(),
  phone: code(50).nullish(),
  agentCode: code(100).nullish(),
  agentCrm: code(100).nullish(),
});

/**
 * What is said of a stay and who it is for; `null` clears what was said before. The property and the currency may be
 * said as well, but cannot be others than they are.
 */
function description(exponent: number) {
  return {
    property: text(64).nullish(),
    currency: text(3).nullish(),
    weeklyRate: cost(exponent).nullish(),
    total: cost(exponent).nullish(),
    gender: z.enum(genders).nullish(),
    nationality: name(100).nullish(),
    city: name(100).nullish(),
    state: name(100).nullish(),
    country: name(100).nullish(),
    internationalStudent: z.boolean().nullish(),
    nonStudent: z.boolean().nullish(),
    inAustralia: z.boolean().nullish(),
    dateOfBirth: isoDate.nullish(),
    ageOnArrival: z.int().min(0).max(150).nullish(),
    under18: z.boolean().nullish(),
    roomType: name(200).nullish(),
    rateType: name(200).nullish(),
    residents: z.int().min(0).max(1_000).nullish(),
    university: name(200).nullish(),
    courseName: name(200).nullish(),
    userAgent: name(1_000).nullish(),
    isMobile: z.boolean().nullish(),
    isTablet: z.boolean().nullish(),
    agent: agent.nullish(),
  };
}

const tenantApplications = z
  .array(
    z.object({
      tenantApplicationId: z.uuid().optional(),
      tenantApplicationProcessId: z.uuid().nullish(),
      status: name(50).optional(),
      applicants: z
        .array(
          z.object({
            tenantApplicationApplicantId: code(100),
            contactId: numberOfPms.nullish(),
          }),
        )
        .max(MOST_TENANT_APPLICATIONS)
        .optional(),
      createdDateTime: utcText.optional(),
      lastUpdatedDateTime: utcText.optional(),
    }),
  )
  .max(MOST_TENANT_APPLICATIONS)
  .refine((given) => JSON.stringify(given).length <= MOST_TENANT_APPLICATION_CHARACTERS, {
    params: { code: 'too_big' },
    message: `At most ${MOST_TENANT_APPLICATION_CHARACTERS} characters as JSON.`,
  });

const email = z.email().max(254).openapi({ example: 'guest@hotel.com' });

/** The body of `create`. */
export function createBody(exponent: number) {
  return z
    .object({
      email,
      arrival: isoDate,
      departure: isoDate,
      reference: reference.nullish(),
      ...description(exponent),
      tenantApplications: tenantApplications.optional(),
    })
    .check(stayInOrder)
    .transform(inMinorUnits);
}

/** The body of `update`: what is left out stays as it is. */
export function updateBody(exponent: number) {
  return z
    .object({
      applicationNumber,
      email: email.optional(),
      arrival: isoDate.optional(),
      departure: isoDate.optional(),
      reference: reference.nullish(),
      ...description(exponent),
      tenantApplications: tenantApplications.optional(),
    })
    .check(stayInOrder)
    .transform(inMinorUnits);
}

/** Amounts have been read into minor units: their names say so from here on. */
function inMinorUnits<
  Body extends { weeklyRate?: number | null | undefined; total?: number | null | undefined },
>({ weeklyRate, total, ...rest }: Body) {
  return { ...rest, weeklyRateMinor: weeklyRate, totalMinor: total };
}

/** That a stay ends after it begins, and its guest was born before; looked at whatever else is wrong. */
const stayInOrder = z.superRefine<Record<string, unknown>>(
  ({ arrival, departure, dateOfBirth }, context) => {
    const dates = {
      arrival: day(arrival),
      departure: day(departure),
      dateOfBirth: day(dateOfBirth),
    };
    for (const { field, code, message } of stayFaults(dates)) {
      context.addIssue({ code: 'custom', path: [field], params: { code }, message });
    }
  },
  { when: ({ value }) => value !== null && typeof value === 'object' },
);

/** A field that was read into a day; what was none is no longer a text by now. */
function day(value: unknown): string | null {
  return typeof value === 'string' && parseIsoDate(value) !== null ? value : null;
}

/** `BookingData` of a `BookingRecord` (interface: 2.5). What it leaves out, or has null for, stays as it is. */
export function recordData(exponent: number) {
  return z
    .object({
      applicationNumber: applicationNumber.nullish(),
      bookingId: numberOfPms.nullish(),
      entryId: numberOfPms.nullish(),
      bookingType: z.enum(['Online', 'Offline', 'Renewal']).nullish(),
      currentStatus: status.nullish(),
      arrival: isoDate.nullish(),
      departure: isoDate.nullish(),
      ...description(exponent),
      applicationTime: instant.nullish(),
      heldTime: instant.nullish(),
      reservedTime: instant.nullish(),
      inRoomTime: instant.nullish(),
      historyTime: instant.nullish(),
      cancelledTime: instant.nullish(),
    })
    .check(stayInOrder)
    .refine(({ applicationNumber, bookingId }) => isSaid(applicationNumber) || isSaid(bookingId), {
      path: ['bookingId'],
      params: { code: 'required' },
      message: 'A bookingId, or the applicationNumber of this service, is needed.',
      when: ({ value }) => value !== null && typeof value === 'object',
    })
    .transform(inMinorUnits)
    .transform(
      ({
        applicationTime,
        heldTime,
        reservedTime,
        inRoomTime,
        historyTime,
        cancelledTime,
        ...record
      }) => ({
        ...withoutNulls(record),
        times: withoutNulls({
          applicationAtMs: applicationTime,
          heldAtMs: heldTime,
          reservedAtMs: reservedTime,
          inRoomAtMs: inRoomTime,
          historyAtMs: historyTime,
          cancelledAtMs: cancelledTime,
        }),
      }),
    );
}

/** The PMS writes null where it knows nothing, which is no wish to forget what is known here. */
function withoutNulls<T extends object>(told: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  const known = Object.entries(told).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(known) as { [Name in keyof T]?: NonNullable<T[Name]> };
}

/** The members of `BookingStatus`: one of the two numbers names the application, or both. */
export const statusMembers = {
  ApplicationNumber: applicationNumber.nullish(),
  BookingID: numberOfPms.nullish(),
  Status: status,
  Time: instant.nullish(),
};

/** That a `BookingStatus` names an application. */
export const namesApplication = z.superRefine<Record<string, unknown>>(
  ({ ApplicationNumber, BookingID }, context) => {
    if (isSaid(ApplicationNumber) || isSaid(BookingID)) return;
    context.addIssue({
      code: 'custom',
      path: ['ApplicationNumber'],
      params: { code: 'required' },
      message: 'An ApplicationNumber, or a BookingID, is needed.',
    });
  },
  { when: ({ value }) => value !== null && typeof value === 'object' },
);

function isSaid(value: unknown): boolean {
  return value !== null && value !== undefined;
}

/** The body of `get-details`. */
export const numberBody = z.object({ applicationNumber });

/** The body of `update-status`. */
export const moveBody = z.object({ applicationNumber, status, time: instant.optional() });

const nullableText = z.string().nullable();
const nullableFlag = z.boolean().nullable();
const nullableInteger = z.int().nullable();

/** What every operation answers: an application with every field, null where unknown. */
export const applicationAnswer = z.object({
  success: z.literal(true),
  application: z
    .object({
      applicationNumber: nullableText,
      reference: nullableText,
      email: nullableText,
      contactId: nullableInteger,
      bookingType: z.enum(['Online', 'Offline', 'Renewal']),
      currentStatus: status,
      property: z.string(),
      gender: nullableText,
      nationality: nullableText,
      city: nullableText,
      state: nullableText,
      country: nullableText,
      internationalStudent: nullableFlag,
      nonStudent: nullableFlag,
      arrival: nullableText,
      departure: nullableText,
      weeksDuration: nullableInteger,
      nightsDuration: nullableInteger,
      applicationTime: nullableText,
      offeredTime: nullableText,
      heldTime: nullableText,
      reservedTime: nullableText,
      inRoomTime: nullableText,
      historyTime: nullableText,
      cancelledTime: nullableText,
      currency: nullableText,
      weeklyRate: z.number().nullable(),
      total: z.number().nullable(),
      inAustralia: nullableFlag,
      dateOfBirth: nullableText,
      ageOnArrival: nullableInteger,
      under18: nullableFlag,
      roomType: nullableText,
      rateType: nullableText,
      residents: nullableInteger,
      university: nullableText,
      courseName: nullableText,
      userAgent: nullableText,
      isMobile: nullableFlag,
      isTablet: nullableFlag,
      agent: z
        .object({
          company: nullableText,
          name: nullableText,
          email: nullableText,
          phone: nullableText,
          agentCode: nullableText,
          agentCrm: nullableText,
        })
        .nullable(),
      tenantApplications: z.array(
        z.object({
          tenantApplicationId: z.string(),
          tenantApplicationProcessId: nullableText,
          status: z.string(),
          applicants: z.array(
            z.object({
              tenantApplicationApplicantId: z.string(),
              contactId: nullableInteger,
            }),
          ),
          createdDateTime: z.string(),
          lastUpdatedDateTime: z.string(),
        }),
      ),
    })
    .openapi('Application'),
});
