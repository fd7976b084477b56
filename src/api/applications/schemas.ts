import { z } from '@hono/zod-openapi';
import { fieldIssue } from '../../core/failure.ts';
import { parseIsoDate, utcTimestamp } from '../../core/time.ts';
import { bodyCheck } from '../../http/bodyCheck.ts';
import {
  CARD_NUMBER,
  code,
  cost,
  email,
  instant,
  isNoCardIdentifier,
  isoDate,
  name,
  phone,
  reference,
  wholeNumber,
} from '../../http/fields.ts';
import {
  agentFields,
  type Field,
  type FieldValues,
  plainFields,
} from '../../records/applications/rules/fields.ts';
import { stayFaults } from '../../records/applications/rules.ts';
import { applicationStatuses, eachTime } from '../../records/applications/states.ts';

/** The most tenant applications, the most applicants of each, and the most characters of all of them as JSON. */
const MOST_TENANT_APPLICATIONS = 50;
const MOST_TENANT_APPLICATION_CHARACTERS = 10_000;

const numberOfPms = z
  .int()
  .min(0)
  .refine((value) => isNoCardIdentifier(String(value)), CARD_NUMBER)
  .openapi({ example: 500_123 });

const applicationNumber = code(50).openapi({ example: 'APP-7K3M0QZ94T' });

const status = z.enum(applicationStatuses);

/** An instant. Reads it into a text in UTC with whole seconds. */
const utcText = instant.transform(utcTimestamp).openapi({ format: 'date-time' });

/** A field that a request may set, omit, or clear with `null`. */
type Clearable<Value> = z.ZodOptional<z.ZodNullable<z.ZodType<Value>>>;

/** The schemas of fields that a request may set, omit or clear. */
function clearable<Fields extends Readonly<Record<string, Field>>>(fields: Fields) {
  const schemas = Object.entries(fields).map(([name, field]) => [
    name,
    schemaOf(field).nullish().describe(field.meaning),
  ]);
  return Object.fromEntries(schemas) as {
    [Name in keyof Fields]: Clearable<FieldValues[Fields[Name]['type']]>;
  };
}

function schemaOf(field: Field): z.ZodType {
  switch (field.type) {
    case 'text':
      return name(field.longest);
    case 'code':
      return code(field.longest);
    case 'phone':
      return phone(field.longest);
    case 'choice':
      return z.enum(field.of);
    case 'flag':
      return z.boolean();
    case 'integer':
      return wholeNumber(0, field.most);
    case 'day':
      return isoDate;
  }
}

const plain = clearable(plainFields);

const agent = z.object(clearable(agentFields));

/**
 * The details of a stay and its applicant; `null` clears a detail. A request may also name the property and the
 * currency, but only the caller's own.
 */
function details(exponent: number) {
  return {
    ...plain,
    property: code(64).nullish().describe("the client's own property"),
    currency: code(3).nullish().describe("the property's currency"),
    weeklyRate: cost(exponent).nullish().describe('the price of a week'),
    total: cost(exponent).nullish().describe('the price of the stay'),
    agent: agent.nullish().describe('who sold the stay'),
  };
}

const tenantApplications = z
  .array(
    z.object({
      tenantApplicationId: z.uuid().optional().describe('a new one when left out'),
      tenantApplicationProcessId: z.uuid().nullish().describe('of the process that it belongs to'),
      status: name(50).optional().describe('`NEW` when left out'),
      applicants: z
        .array(
          z.object({
            tenantApplicationApplicantId: code(100).describe("the applicant's"),
            contactId: numberOfPms
              .nullish()
              .describe("the application's own `contactId` when left out"),
          }),
        )
        .max(MOST_TENANT_APPLICATIONS)
        .optional()
        .describe('the applicant alone when left out'),
      createdDateTime: utcText.optional().describe('now when left out'),
      lastUpdatedDateTime: utcText.optional().describe('`createdDateTime` when left out'),
    }),
  )
  .max(MOST_TENANT_APPLICATIONS)
  .refine(
    (applications) => JSON.stringify(applications).length <= MOST_TENANT_APPLICATION_CHARACTERS,
    {
      params: { code: 'too_big' },
      message: `At most ${MOST_TENANT_APPLICATION_CHARACTERS} characters as JSON.`,
    },
  );

const arrival = isoDate.describe('the first night');
const departure = isoDate.describe('1–10,000 nights after the arrival');

/** What both bodies have besides. */
function common(exponent: number) {
  return {
    reference: reference.nullish().describe('the booking that it belongs to'),
    ...details(exponent),
    tenantApplications: tenantApplications.optional().describe('at most 10,000 characters as JSON'),
  };
}

export function createBody(exponent: number) {
  return z
    .object({ email: email.describe("the applicant's"), arrival, departure, ...common(exponent) })
    .check(stayInOrder)
    .transform(nameMinorUnits);
}

/** The body of `update`. Omitted fields keep their values. */
export function updateBody(exponent: number) {
  return z
    .object({
      applicationNumber,
      email: email.optional().describe("the applicant's; another one is another contact"),
      arrival: arrival.optional(),
      departure: departure.optional(),
      ...common(exponent),
    })
    .check(stayInOrder)
    .transform(nameMinorUnits);
}

/** Renames the amounts: their schemas have already read them into minor units. */
function nameMinorUnits<
  Body extends { weeklyRate?: number | null | undefined; total?: number | null | undefined },
>({ weeklyRate, total, ...rest }: Body) {
  return { ...rest, weeklyRateMinor: weeklyRate, totalMinor: total };
}

/** Checks that a stay ends after it begins, and that its guest was born before. */
const stayInOrder = bodyCheck(({ arrival, departure, dateOfBirth }) =>
  stayFaults({
    arrival: day(arrival),
    departure: day(departure),
    dateOfBirth: day(dateOfBirth),
  }),
);

/** The parsed date, or null if it was invalid. */
function day(value: unknown): string | null {
  return typeof value === 'string' && parseIsoDate(value) !== null ? value : null;
}

/** `BookingData` of a `BookingRecord` (pms: BookingRecord). Omitted fields and null fields keep their values. */
export function recordData(exponent: number) {
  return z
    .object({
      applicationNumber: applicationNumber
        .nullish()
        .describe('an application of this service, which gets `bookingId` and `entryId`'),
      bookingId: numberOfPms
        .nullish()
        .describe("the PMS's number of the booking; required without `applicationNumber`"),
      entryId: numberOfPms.nullish().describe("the PMS's number of the customer"),
      bookingType: z
        .enum(['Online', 'Offline', 'Renewal'])
        .nullish()
        .describe('`Offline` for a new one unless stated'),
      currentStatus: status.nullish().describe('`Tentative` for a new one unless stated'),
      arrival: isoDate.nullish().describe('the first night'),
      departure: isoDate.nullish().describe('the day of departure'),
      ...details(exponent),
      ...sentTimes,
    })
    .check(stayInOrder)
    .check(
      needsOneOf(
        'bookingId',
        'applicationNumber',
        'Send a bookingId, or the applicationNumber of this service.',
      ),
    )
    .transform(nameMinorUnits)
    .transform((record) => {
      const { offeredAtMs: _none, ...times } = eachTime('AtMs', (name) =>
        name === 'offered' ? null : record[`${name}Time`],
      );
      return { ...withoutNulls(record), times: withoutNulls(times) };
    });
}

/** When an application reached a state. PMSs have none of offers. */
const { offeredTime: _none, ...sentTimes } = eachTime('Time', () =>
  instant.nullish().describe('when it reached that status'),
);

/** Drops null fields: the PMS sends null for unknown values and does not mean to clear ours. */
function withoutNulls<T extends object>(fields: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  const known = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(known) as { [Name in keyof T]?: NonNullable<T[Name]> };
}

/** The members of `BookingStatus`. One of the two numbers, or both, name the application. */
export const statusMembers = {
  ApplicationNumber: applicationNumber.nullish().describe('required without `BookingID`'),
  BookingID: numberOfPms
    .nullish()
    .describe("the PMS's number of the booking; required without `ApplicationNumber`"),
  Status: status.describe('the new one'),
  Time: instant.nullish().describe('when it moved; now when left out'),
};

/** Checks that a `BookingStatus` names an application. */
export const namesApplication = needsOneOf(
  'ApplicationNumber',
  'BookingID',
  'Send an ApplicationNumber or a BookingID.',
);

/** Checks that a body has one of two members. The first is at fault where it has none. */
function needsOneOf(field: string, other: string, message: string) {
  return bodyCheck((body) =>
    (body[field] ?? body[other] ?? null) === null ? [fieldIssue(field, 'required', message)] : [],
  );
}

export const numberBody = z.object({ applicationNumber });

export const moveBody = z.object({
  applicationNumber,
  status: status.describe('the new one'),
  time: instant.optional().describe('when it happened, since 1970; now when left out'),
});
