import { z } from '@hono/zod-openapi';
import { daysBetween, wholeWeeksOf } from '../../core/days.ts';
import { storedDecimal } from '../../core/money.ts';
import { pick } from '../../core/pick.ts';
import { utcOrNull } from '../../core/time.ts';
import { named, shownTime } from '../../platform/views.ts';
import {
  type ApplicationRow,
  applications,
  type TenantApplication,
} from '../../schema/applicationTables.ts';
import { agentFields, type Field, guestFields, stayFields, valuesOf } from './rules/fields.ts';
import { applicationStatuses, eachTime } from './states.ts';

const nullableText = z.string().nullable();
const nullableFlag = z.boolean().nullable();
const nullableInteger = z.int().nullable();

/** The schema of each type of field in answers. */
const shownSchemas = {
  text: nullableText,
  code: nullableText,
  phone: nullableText,
  choice: nullableText,
  flag: nullableFlag,
  integer: nullableInteger,
  day: nullableText,
} as const satisfies Readonly<Record<Field['type'], z.ZodType>>;

function shown<Fields extends Readonly<Record<string, Field>>>(fields: Fields) {
  const schemas = Object.entries(fields).map(([name, { type, meaning }]) => [
    name,
    shownSchemas[type].describe(meaning),
  ]);
  return Object.fromEntries(schemas) as {
    [Name in keyof Fields]: (typeof shownSchemas)[Fields[Name]['type']];
  };
}

/** An application for a tenancy (interface: The application object). Times in UTC. */
const tenantApplicationSchema = z.object({
  tenantApplicationId: z.string().describe('a UUID'),
  tenantApplicationProcessId: nullableText.describe('of the process that it belongs to'),
  status: z.string().describe('such as `NEW`'),
  applicants: z
    .array(
      z.object({
        tenantApplicationApplicantId: z.string().describe("the applicant's"),
        contactId: nullableInteger.describe('of the contact, where known'),
      }),
    )
    .describe('the applicant included'),
  createdDateTime: shownTime.describe('in UTC'),
  lastUpdatedDateTime: shownTime.describe('in UTC'),
});

/** An application in answers (interface: The application object). Times in UTC. */
export const applicationSchema = named('Application', {
  applicationNumber: nullableText.describe("`APP-` and 10 characters; null for one of the PMS's"),
  reference: nullableText.describe('the booking that it belongs to'),
  email: nullableText.describe("the applicant's"),
  contactId: nullableInteger.describe('one per e-mail address and property'),
  bookingType: z
    .enum(applications.bookingType.enumValues)
    .describe('`Online`: made through this service'),
  currentStatus: z.enum(applicationStatuses).describe('see Move an application'),
  property: z.string(),
  ...shown(guestFields),
  arrival: nullableText.describe('the first night, `YYYY-MM-DD`'),
  departure: nullableText.describe('the day of departure, `YYYY-MM-DD`'),
  weeksDuration: nullableInteger.describe('weeks, rounded up'),
  nightsDuration: nullableInteger.describe('from the arrival to the departure'),
  ...eachTime('Time', () => shownTime.nullable().describe('when it reached that status, in UTC')),
  currency: nullableText.describe("the property's, ISO 4217 code"),
  weeklyRate: z.number().nullable().describe('the price of a week'),
  total: z.number().nullable().describe('the price of the stay'),
  ...shown(stayFields),
  agent: z.object(shown(agentFields)).nullable().describe('who sold the stay'),
  tenantApplications: z
    .array(tenantApplicationSchema)
    .describe('one for each tenancy that is applied for'),
});

/** An application in an event: as in lists, without its address, and without its agent's name, address and phone. */
export const eventApplicationSchema = applicationSchema
  .omit({ email: true })
  .extend({
    agent: z
      .object({
        company: nullableText.describe('the agency'),
        agentCode: nullableText.describe("the agency's code, and its number in a CRM"),
        agentCrm: nullableText.describe("the agency's code, and its number in a CRM"),
      })
      .nullable()
      .describe('who sold the stay, without names and addresses'),
  })
  .openapi('EventApplication');

export function eventApplicationView(
  row: ShownApplication,
): z.infer<typeof eventApplicationSchema> {
  const { agent, email: _none, ...shown } = applicationView(row);
  if (agent === null) return { ...shown, agent };
  const { agentCode, agentCrm, company } = agent;
  return { ...shown, agent: { company, agentCode, agentCrm } };
}

/** The columns of an application that answers show. */
export type ShownApplication = Omit<
  ApplicationRow,
  'id' | 'customerId' | 'bookingId' | 'version' | 'createdAtMs' | 'updatedAtMs'
>;

/** Shows an application (interface: The application object). */
export function applicationView(row: ShownApplication): z.infer<typeof applicationSchema> {
  const { arrival, departure } = row;
  const nights = arrival === null || departure === null ? null : daysBetween(arrival, departure);
  return {
    applicationNumber: row.applicationNumber,
    reference: row.bookingReference,
    ...pick(row, 'email', 'contactId', 'bookingType', 'currentStatus'),
    property: row.propertyId,
    ...valuesOf(guestFields, row),
    arrival,
    departure,
    weeksDuration: nights === null ? null : wholeWeeksOf(nights),
    nightsDuration: nights,
    ...eachTime('Time', (name) => utcOrNull(row[`${name}AtMs`])),
    currency: row.currency,
    weeklyRate: amountView(row.weeklyRateMinor, row.currency),
    total: amountView(row.totalMinor, row.currency),
    ...valuesOf(stayFields, row),
    agent: row.agent && valuesOf(agentFields, row.agent),
    tenantApplications: row.tenantApplications.map((one) => tenantApplicationView(one, row)),
  };
}

function amountView(minor: number | null, currency: string | null): number | null {
  return minor === null || currency === null ? null : storedDecimal(minor, currency);
}

/** An applicant without a `contactId` is the person who made the application. */
function tenantApplicationView(
  kept: TenantApplication,
  { contactId }: ShownApplication,
): z.infer<typeof tenantApplicationSchema> {
  const { tenantApplicationId, tenantApplicationProcessId, status, applicants, ...times } = kept;
  return {
    tenantApplicationId,
    tenantApplicationProcessId,
    status,
    applicants: applicants.map((one) => ({ ...one, contactId: one.contactId ?? contactId })),
    ...times,
  };
}
