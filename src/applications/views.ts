import { daysBetween, wholeWeeksOf } from '../core/days.ts';
import { storedDecimal } from '../core/money.ts';
import { utcTimestamp } from '../core/time.ts';
import type { Agent, ApplicationRow, TenantApplication } from '../db/applicationTables.ts';

/** An application as its operations answer it: every field of 2.6 of the interface, and `reference`. Times in UTC. */
export interface ApplicationView {
  readonly applicationNumber: string | null;
  readonly reference: string | null;
  readonly email: string | null;
  readonly contactId: number | null;
  readonly bookingType: ApplicationRow['bookingType'];
  readonly currentStatus: ApplicationRow['currentStatus'];
  readonly property: string;
  readonly gender: string | null;
  readonly nationality: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly country: string | null;
  readonly internationalStudent: boolean | null;
  readonly nonStudent: boolean | null;
  readonly arrival: string | null;
  readonly departure: string | null;
  /** Whole weeks, rounded up. */
  readonly weeksDuration: number | null;
  readonly nightsDuration: number | null;
  readonly applicationTime: string | null;
  readonly offeredTime: string | null;
  readonly heldTime: string | null;
  readonly reservedTime: string | null;
  readonly inRoomTime: string | null;
  readonly historyTime: string | null;
  readonly cancelledTime: string | null;
  readonly currency: string | null;
  readonly weeklyRate: number | null;
  readonly total: number | null;
  readonly inAustralia: boolean | null;
  readonly dateOfBirth: string | null;
  readonly ageOnArrival: number | null;
  readonly under18: boolean | null;
  readonly roomType: string | null;
  readonly rateType: string | null;
  readonly residents: number | null;
  readonly university: string | null;
  readonly courseName: string | null;
  readonly userAgent: string | null;
  readonly isMobile: boolean | null;
  readonly isTablet: boolean | null;
  readonly agent: AgentView | null;
  readonly tenantApplications: readonly TenantApplication[];
}

/** An agent with every field of 2.6, null where unknown. */
export type AgentView = { readonly [Field in keyof Agent]-?: string | null };

/** Shows an application (decisions: section 10). */
export function applicationView(row: ApplicationRow): ApplicationView {
  const nights = nightsOf(row);
  return {
    applicationNumber: row.applicationNumber,
    reference: row.bookingReference,
    email: row.email,
    contactId: row.contactId,
    bookingType: row.bookingType,
    currentStatus: row.currentStatus,
    property: row.propertyId,
    gender: row.gender,
    nationality: row.nationality,
    city: row.city,
    state: row.state,
    country: row.country,
    internationalStudent: row.internationalStudent,
    nonStudent: row.nonStudent,
    arrival: row.arrival,
    departure: row.departure,
    weeksDuration: nights === null ? null : wholeWeeksOf(nights),
    nightsDuration: nights,
    ...timesView(row),
    currency: row.currency,
    weeklyRate: amountView(row.weeklyRateMinor, row.currency),
    total: amountView(row.totalMinor, row.currency),
    inAustralia: row.inAustralia,
    dateOfBirth: row.dateOfBirth,
    ageOnArrival: row.ageOnArrival,
    under18: row.under18,
    roomType: row.roomType,
    rateType: row.rateType,
    residents: row.residents,
    university: row.university,
    courseName: row.courseName,
    userAgent: row.userAgent,
    isMobile: row.isMobile,
    isTablet: row.isTablet,
    agent: row.agent && agentView(row.agent),
    tenantApplications: row.tenantApplications.map((one) => tenantApplicationView(one, row)),
  };
}

function nightsOf({ arrival, departure }: ApplicationRow): number | null {
  return arrival === null || departure === null ? null : daysBetween(arrival, departure);
}

function timesView(row: ApplicationRow) {
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

/** An applicant of whom nothing else is known is the one who made the application. */
function tenantApplicationView(
  { applicants, ...rest }: TenantApplication,
  { contactId }: ApplicationRow,
): TenantApplication {
  const { tenantApplicationId, tenantApplicationProcessId, status, ...times } = rest;
  return {
    tenantApplicationId,
    tenantApplicationProcessId,
    status,
    applicants: applicants.map((one) => ({ ...one, contactId: one.contactId ?? contactId })),
    ...times,
  };
}

function agentView(agent: Agent): AgentView {
  return {
    company: agent.company ?? null,
    name: agent.name ?? null,
    email: agent.email ?? null,
    phone: agent.phone ?? null,
    agentCode: agent.agentCode ?? null,
    agentCrm: agent.agentCrm ?? null,
  };
}
