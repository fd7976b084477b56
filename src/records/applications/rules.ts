import { parse } from 'bowser';
import { daysBetween } from '../../core/days.ts';
import { type Failure, type FieldIssue, failure, fieldIssue } from '../../core/failure.ts';
import { ageOn } from '../../core/time.ts';
import type { ApplicationRow, TenantApplication } from '../../schema/applicationTables.ts';
import { type PlainField, plainFields, valuesOf } from './rules/fields.ts';

export interface Owner {
  readonly id: string;
  readonly currency: string;
  readonly timeZone: string;
}

/** The columns that booking engines and the PMS fill. Amounts in minor units. */
export type StayColumns = Pick<
  ApplicationRow,
  PlainField | 'arrival' | 'departure' | 'weeklyRateMinor' | 'totalMinor' | 'agent'
>;

/**
 * The details of a stay and its guest (interface: The application object). A missing or `undefined` field stays
 * unchanged; `null` clears it.
 */
export type StayDetails = { readonly [Name in keyof StayColumns]?: StayColumns[Name] | undefined };

/** The columns without any details. */
const NOTHING: StayColumns = {
  ...valuesOf<PlainField, Partial<ApplicationRow>>(plainFields, {}),
  arrival: null,
  departure: null,
  weeklyRateMinor: null,
  totalMinor: null,
  agent: null,
};

/**
 * Merges new details into an application. Missing fields keep their value. Derives the age from the date of birth, and
 * the device from the User-Agent.
 */
export function mergeDetails(before: StayColumns | null, given: StayDetails): StayColumns {
  const known = Object.entries(NOTHING).map(([name]) => {
    const key = name as keyof StayColumns;
    return [key, given[key] === undefined ? (before ?? NOTHING)[key] : given[key]];
  });
  const merged = Object.fromEntries(known) as StayColumns;
  return {
    ...merged,
    ...ageOf(merged, given),
    ...(merged.userAgent !== null && deviceOf(merged.userAgent, merged)),
  };
}

/** The age by the date of birth; without one, as given. */
function ageOf(merged: StayColumns, given: StayDetails) {
  const { dateOfBirth, arrival, ageOnArrival } = merged;
  if (dateOfBirth !== null && arrival !== null) {
    const derived = ageOn(dateOfBirth, arrival);
    return { ageOnArrival: derived, under18: derived < 18 };
  }
  const givenUnder18 = given.ageOnArrival === undefined ? merged.under18 : given.under18;
  return {
    ageOnArrival,
    under18: givenUnder18 ?? (ageOnArrival === null ? null : ageOnArrival < 18),
  };
}

/** The device of a browser, by its User-Agent. An unknown one is as `said`, or neither; a tablet is not a mobile. */
export function deviceOf(
  userAgent: string,
  said: Partial<Pick<StayColumns, 'isMobile' | 'isTablet'>> = {},
) {
  const { type } = parse(userAgent).platform;
  return type === undefined
    ? { isMobile: said.isMobile ?? false, isTablet: said.isTablet ?? false }
    : { isMobile: type === 'mobile', isTablet: type === 'tablet' };
}

/** The longest stay. A longer one is a typing error. */
const MOST_NIGHTS = 10_000;

/** The faults in the known dates of a stay. */
export function stayFaults(
  stay: Pick<StayColumns, 'arrival' | 'departure' | 'dateOfBirth'>,
): FieldIssue[] {
  const { arrival, departure, dateOfBirth } = stay;
  if (arrival === null) return [];
  const nights = departure === null ? 1 : daysBetween(arrival, departure);
  const born = dateOfBirth === null || dateOfBirth <= arrival;
  return [
    ...(nights < 1 ? [DEPARTURE_TOO_EARLY] : []),
    ...(nights > MOST_NIGHTS ? [DEPARTURE_TOO_LATE] : []),
    ...(born ? [] : [NOT_BORN]),
  ];
}

const DEPARTURE_TOO_EARLY = fieldIssue(
  'departure',
  'departure_not_after_arrival',
  'The departure must be after the arrival.',
);

const DEPARTURE_TOO_LATE = fieldIssue(
  'departure',
  'too_big',
  `A stay can have at most ${MOST_NIGHTS} nights.`,
);

const NOT_BORN = fieldIssue(
  'dateOfBirth',
  'invalid_date',
  'The date of birth must be before the arrival.',
);

/** The faults in a given property and currency: only the caller's own are valid. */
export function ownerFaults(
  owner: Owner,
  given: {
    readonly property?: string | null | undefined;
    readonly currency?: string | null | undefined;
  },
): FieldIssue[] {
  return [
    ...((given.property ?? owner.id) === owner.id ? [] : [NOT_THE_PROPERTY]),
    ...((given.currency ?? owner.currency) === owner.currency ? [] : [NOT_ITS_CURRENCY]),
  ];
}

const NOT_THE_PROPERTY = fieldIssue(
  'property',
  'invalid_value',
  'It must be the property of your API client.',
);

const NOT_ITS_CURRENCY = fieldIssue(
  'currency',
  'invalid_value',
  "Amounts are in the property's currency.",
);

type Given<T> = { readonly [Name in keyof T]?: T[Name] | undefined };

/** An application for a tenancy from a caller. This service fills in missing members. */
export interface GivenTenantApplication extends Given<Omit<TenantApplication, 'applicants'>> {
  readonly applicants?:
    | readonly {
        readonly tenantApplicationApplicantId: string;
        readonly contactId?: number | null | undefined;
      }[]
    | undefined;
}

/**
 * Completes an application for a tenancy. `now` is a time in UTC. An applicant without a `contactId` is the person who
 * made the application; without any applicants, the service adds that person with a new id.
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

/** The failure for an unknown application number, and for an application of another property. */
export const APPLICATION_NOT_FOUND = failure(
  'application_not_found',
  'There is no such application.',
);

/** The failure of a move that the state machine does not allow. */
export function illegalMove(from: string, to: string): Failure {
  return failure('invalid_state', `The application is ${from} and cannot become ${to}.`);
}
