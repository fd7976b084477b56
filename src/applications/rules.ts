import { daysBetween } from '../core/days.ts';
import { type Failure, type FieldFault, failure } from '../core/failure.ts';
import { ageOn } from '../core/time.ts';
import type { Agent, ApplicationRow, TenantApplication } from '../db/applicationTables.ts';
import { deviceOf } from './devices.ts';

/** Whose applications an operation is about. */
export interface Owner {
  readonly id: string;
  readonly currency: string;
}

/** A field that may be said, left as it is (`undefined`) or cleared (`null`). */
type Said<T> = T | null | undefined;

/** What an applicant or the PMS says of a stay and who it is for (interface: 2.5 and 2.6). Amounts in minor units. */
export interface Description {
  readonly arrival?: Said<string>;
  readonly departure?: Said<string>;
  readonly weeklyRateMinor?: Said<number>;
  readonly totalMinor?: Said<number>;
  readonly gender?: Said<string>;
  readonly nationality?: Said<string>;
  readonly city?: Said<string>;
  readonly state?: Said<string>;
  readonly country?: Said<string>;
  readonly internationalStudent?: Said<boolean>;
  readonly nonStudent?: Said<boolean>;
  readonly inAustralia?: Said<boolean>;
  readonly dateOfBirth?: Said<string>;
  readonly ageOnArrival?: Said<number>;
  readonly under18?: Said<boolean>;
  readonly roomType?: Said<string>;
  readonly rateType?: Said<string>;
  readonly residents?: Said<number>;
  readonly university?: Said<string>;
  readonly courseName?: Said<string>;
  readonly userAgent?: Said<string>;
  readonly isMobile?: Said<boolean>;
  readonly isTablet?: Said<boolean>;
  readonly agent?: Said<Agent>;
}

/** The columns that a {@link Description} fills. */
export type Described = Pick<ApplicationRow, keyof Description>;

/** What is not said of an application. */
const NOTHING: Described = {
  arrival: null,
  departure: null,
  weeklyRateMinor: null,
  totalMinor: null,
  gender: null,
  nationality: null,
  city: null,
  state: null,
  country: null,
  internationalStudent: null,
  nonStudent: null,
  inAustralia: null,
  dateOfBirth: null,
  ageOnArrival: null,
  under18: null,
  roomType: null,
  rateType: null,
  residents: null,
  university: null,
  courseName: null,
  userAgent: null,
  isMobile: null,
  isTablet: null,
  agent: null,
};

/**
 * The columns of an application after something was said of it: what is left out keeps its value, and what follows
 * from a date of birth or a User-Agent is derived from it.
 */
export function describe(before: Described | null, said: Description): Described {
  const known = Object.entries(NOTHING).map(([name]) => {
    const key = name as keyof Described;
    return [key, said[key] === undefined ? (before ?? NOTHING)[key] : said[key]];
  });
  const described = Object.fromEntries(known) as Described;
  return { ...described, ...ageOf(described, said), ...deviceOfApplicant(described) };
}

/** The age by the date of birth; without one, as it was told. */
function ageOf(described: Described, said: Description) {
  const { dateOfBirth, arrival, ageOnArrival } = described;
  if (dateOfBirth !== null && arrival !== null) {
    const derived = ageOn(dateOfBirth, arrival);
    return { ageOnArrival: derived, under18: derived < 18 };
  }
  const told = said.ageOnArrival === undefined ? described.under18 : said.under18;
  return { ageOnArrival, under18: told ?? (ageOnArrival === null ? null : ageOnArrival < 18) };
}

function deviceOfApplicant({ userAgent }: Described) {
  return userAgent === null ? {} : deviceOf(userAgent);
}

/** The longest stay: what reads as more is a slip of the pen. */
const MOST_NIGHTS = 10_000;

/** What is wrong with the dates of a stay, as far as they are known. */
export function stayFaults({
  arrival,
  departure,
  dateOfBirth,
}: Pick<Described, 'arrival' | 'departure' | 'dateOfBirth'>): FieldFault[] {
  if (arrival === null) return [];
  const nights = departure === null ? 1 : daysBetween(arrival, departure);
  const born = dateOfBirth === null || dateOfBirth <= arrival;
  return [
    ...(nights < 1 ? [DEPARTURE_TOO_EARLY] : []),
    ...(nights > MOST_NIGHTS ? [DEPARTURE_TOO_LATE] : []),
    ...(born ? [] : [NOT_BORN]),
  ];
}

const DEPARTURE_TOO_EARLY: FieldFault = {
  field: 'departure',
  code: 'departure_not_after_arrival',
  message: 'The departure must be after the arrival.',
};

const DEPARTURE_TOO_LATE: FieldFault = {
  field: 'departure',
  code: 'too_big',
  message: `At most ${MOST_NIGHTS} nights.`,
};

const NOT_BORN: FieldFault = {
  field: 'dateOfBirth',
  code: 'invalid_date',
  message: 'The date of birth must be before the arrival.',
};

/** What is wrong with the property and the currency that are told: they can only be the caller's own. */
export function ownerFaults(
  owner: Owner,
  told: { readonly property?: Said<string>; readonly currency?: Said<string> },
): FieldFault[] {
  return [
    ...((told.property ?? owner.id) === owner.id ? [] : [NOT_THE_PROPERTY]),
    ...((told.currency ?? owner.currency) === owner.currency ? [] : [NOT_ITS_CURRENCY]),
  ];
}

const NOT_THE_PROPERTY: FieldFault = {
  field: 'property',
  code: 'invalid_value',
  message: 'It can only be of the property whose client you are.',
};

const NOT_ITS_CURRENCY: FieldFault = {
  field: 'currency',
  code: 'invalid_value',
  message: "Amounts are in the property's currency.",
};

/** An application for a tenancy as a caller gives it: what is left out, this service fills in. */
export interface GivenTenantApplication {
  readonly tenantApplicationId?: string | undefined;
  readonly tenantApplicationProcessId?: string | null | undefined;
  readonly status?: string | undefined;
  readonly applicants?:
    | readonly {
        readonly tenantApplicationApplicantId: string;
        readonly contactId?: number | null | undefined;
      }[]
    | undefined;
  readonly createdDateTime?: string | undefined;
  readonly lastUpdatedDateTime?: string | undefined;
}

/**
 * Completes an application for a tenancy. `now` is a time in UTC. An applicant without a `contactId` is the one who
 * made the application, and is named as nobody else is.
 */
export function tenantApplication(
  given: GivenTenantApplication,
  newId: () => string,
  now: string,
): TenantApplication {
  const createdDateTime = given.createdDateTime ?? now;
  const applicants = given.applicants?.length
    ? given.applicants
    : [{ tenantApplicationApplicantId: newId() }];
  return {
    tenantApplicationId: given.tenantApplicationId ?? newId(),
    tenantApplicationProcessId: given.tenantApplicationProcessId ?? null,
    status: given.status ?? 'NEW',
    applicants: applicants.map((applicant) => ({
      tenantApplicationApplicantId: applicant.tenantApplicationApplicantId,
      contactId: applicant.contactId ?? null,
    })),
    createdDateTime,
    lastUpdatedDateTime: given.lastUpdatedDateTime ?? createdDateTime,
  };
}

/** No application by that number: another property's is exactly as if it did not exist. */
export function applicationNotFound(): Failure {
  return failure('application_not_found', 'There is no such application.');
}

/** The state machine has no such move. */
export function illegalMove(from: string, to: string): Failure {
  return failure('invalid_state', `The application is ${from}: it cannot become ${to}.`);
}

/** Other changes came first again and again. */
export function overtaken(): Failure {
  return {
    code: 'busy',
    detail: 'Other changes of this application came in between. Nothing was changed: try again.',
    retryAfterSeconds: 1,
  };
}
