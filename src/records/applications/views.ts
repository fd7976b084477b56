import { z } from '@hono/zod-openapi';
import { daysBetween, wholeWeeksOf } from '../../core/days.ts';
import { storedDecimal } from '../../core/money.ts';
import { utcTimestamp } from '../../core/time.ts';
import {
  type ApplicationRow,
  applications,
  type TenantApplication,
} from '../../schema/applicationTables.ts';
import { agentFields, type Field, guestFields, stayFields, valuesOf } from './rules/fields.ts';
import { applicationStatuses } from './states.ts';

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

/** The schemas of fields in answers. */
function shown<Fields extends Readonly<Record<string, Field>>>(fields: Fields) {
  const schemas = Object.entries(fields).map(([name, { type }]) => [name, shownSchemas[type]]);
  return Object.fromEntries(schemas) as {
    [Name in keyof Fields]: (typeof shownSchemas)[Fields[Name]['type']];
  };
}

/** An application for a tenancy (interface: The application object). Times in UTC. */
const tenantApplicationSchema = z.object({
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
});

/** An application in answers (interface: The application object). Times in UTC. */
export const applicationSchema = z
  .object({
    applicationNumber: nullableText,
    reference: nullableText,
    email: nullableText,
    contactId: nullableInteger,
    bookingType: z.enum(applications.bookingType.enumValues),
    currentStatus: z.enum(applicationStatuses),
    property: z.string(),
    ...shown(guestFields),
    arrival: nullableText,
    departure: nullableText,
    weeksDuration: nullableInteger.describe('Whole weeks, rounded up.'),
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
    ...shown(stayFields),
    agent: z.object(shown(agentFields)).nullable(),
    tenantApplications: z.array(tenantApplicationSchema),
  })
  .openapi('Application');

export type ApplicationView = z.infer<typeof applicationSchema>;

/** An application in an event: as in lists, without its address, and without its agent's name, address and phone. */
export const eventApplicationSchema = applicationSchema
  .omit({ email: true })
  .extend({
    agent: z
      .object({
        company: z.string().nullable(),
        agentCode: z.string().nullable(),
        agentCrm: z.string().nullable(),
      })
      .nullable(),
  })
  .openapi('EventApplication');

/** Shows an application in an event. */
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
export function applicationView(row: ShownApplication): ApplicationView {
  const nights = nightsOf(row);
  return {
    applicationNumber: row.applicationNumber,
    reference: row.bookingReference,
    email: row.email,
    contactId: row.contactId,
    bookingType: row.bookingType,
    currentStatus: row.currentStatus,
    property: row.propertyId,
    ...valuesOf(guestFields, row),
    arrival: row.arrival,
    departure: row.departure,
    weeksDuration: nights === null ? null : wholeWeeksOf(nights),
    nightsDuration: nights,
    ...timesView(row),
    currency: row.currency,
    weeklyRate: amountView(row.weeklyRateMinor, row.currency),
    total: amountView(row.totalMinor, row.currency),
    ...valuesOf(stayFields, row),
    agent: row.agent && valuesOf(agentFields, row.agent),
    tenantApplications: row.tenantApplications.map((one) => tenantApplicationView(one, row)),
  };
}

function nightsOf({ arrival, departure }: ShownApplication): number | null {
  return arrival === null || departure === null ? null : daysBetween(arrival, departure);
}

function timesView(row: ShownApplication) {
  return {
    applicationTime: timeView(row.applicationAtMs),
    offeredTime: timeView(row.offeredAtMs),
    heldTime: timeView(row.heldAtMs),
    reservedTime: timeView(row.reservedAtMs),
    inRoomTime: timeView(row.inRoomAtMs),
    historyTime: timeView(row.historyAtMs),
    cancelledTime: timeView(row.cancelledAtMs),
  };
}

function timeView(atMs: number | null): string | null {
  return atMs === null ? null : utcTimestamp(atMs);
}

function amountView(minor: number | null, currency: string | null): number | null {
  return minor === null || currency === null ? null : storedDecimal(minor, currency);
}

/** An applicant without a `contactId` is the person who made the application. */
function tenantApplicationView(
  { applicants, ...rest }: TenantApplication,
  { contactId }: ShownApplication,
): z.infer<typeof tenantApplicationSchema> {
  const { tenantApplicationId, tenantApplicationProcessId, status, ...times } = rest;
  return {
    tenantApplicationId,
    tenantApplicationProcessId,
    status,
    applicants: applicants.map((one) => ({ ...one, contactId: one.contactId ?? contactId })),
    ...times,
  };
}
