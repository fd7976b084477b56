import { type Failure, fieldFailure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { utcTimestamp } from '../../core/time.ts';
import type { Database } from '../../platform/db/database.ts';
import type { ApplicationRow } from '../../schema/applicationTables.ts';
import { bookingNotFound } from '../bookings/rules.ts';
import { readBooking } from '../bookings/store.ts';
import { newApplicationNumber } from './numbers.ts';
import {
  applicationNotFound,
  type GivenTenantApplication,
  illegalMove,
  mergeDetails,
  type Owner,
  ownerFaults,
  type StayDetails,
  stayFaults,
  tenantApplication,
} from './rules.ts';
import { type ApplicationStatus, move, NO_TIMES } from './states.ts';
import {
  type ApplicationChange,
  type ApplicationKey,
  contactCustomer,
  contactId,
  customerOf,
  ensureContact,
  insertApplication,
  linkedStatus,
  type NewApplication,
} from './store.ts';
import {
  changeApplication,
  type Decided,
  onCurrentApplication,
  readApplication,
  write,
} from './write.ts';

/** An application from the booking engine. Missing fields stay unchanged (interface: Update an application). */
export interface ApplicationDetails extends StayDetails {
  readonly email?: string | undefined;
  /** Only the property's own is valid. */
  readonly currency?: string | null | undefined;
  readonly property?: string | null | undefined;
  /** The booking that the application belongs to; null for none. */
  readonly reference?: string | null | undefined;
  readonly tenantApplications?: readonly GivenTenantApplication[] | undefined;
}

/** A new application: it needs an e-mail address. */
export type NewApplicationDetails = ApplicationDetails & { readonly email: string };

/** Creates an application: `Tentative`, or `Held` if its booking's deposit is paid. One round trip, two when it names a booking. */
export async function createApplication(
  database: Database,
  owner: Owner,
  details: NewApplicationDetails,
  nowMs: number,
): Promise<Result<ApplicationRow, Failure>> {
  const { queries } = database;
  const faults = ownerFaults(owner, details);
  if (faults.length > 0) return err(fieldFailure(faults));
  if (!(await bookingExists(database, owner, details.reference))) return err(bookingNotFound());
  return onCurrentApplication(() => {
    const applicationNumber = newApplicationNumber();
    const row = newRow(owner, applicationNumber, details, nowMs);
    const contact = { propertyId: owner.id, email: details.email };
    const { bookingReference } = row;
    const insert = insertApplication(queries, row, {
      customerId: contactCustomer(contact),
      contactId: contactId(contact),
      ...(bookingReference !== null && linkedStatus(queries, row, bookingReference, nowMs)),
    });
    // Every attempt draws a new random number, so the number identifies its row.
    const expected = { propertyId: owner.id, key: { applicationNumber } };
    return write(database, ensureContact(queries, contact, nowMs), insert, expected);
  });
}

function newRow(
  owner: Owner,
  applicationNumber: string,
  details: NewApplicationDetails,
  nowMs: number,
): NewApplication {
  return {
    ...mergeDetails(null, details),
    propertyId: owner.id,
    bookingType: 'Online',
    applicationNumber,
    bookingId: null,
    bookingReference: details.reference ?? null,
    email: details.email,
    currentStatus: 'Tentative',
    ...NO_TIMES,
    applicationAtMs: nowMs,
    currency: owner.currency,
    tenantApplications: tenantApplications(details.tenantApplications ?? [], nowMs),
    version: 1,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}

function tenantApplications(given: readonly GivenTenantApplication[], nowMs: number) {
  const now = utcTimestamp(nowMs);
  return given.map((one) => tenantApplication(one, () => crypto.randomUUID(), now));
}

/** Changes the details of an application. Two round trips, three when it names a booking. */
export async function updateDetails(
  database: Database,
  owner: Owner,
  applicationNumber: string,
  details: ApplicationDetails,
  nowMs: number,
): Promise<Result<ApplicationRow, Failure>> {
  if (!(await bookingExists(database, owner, details.reference))) return err(bookingNotFound());
  return changeApplication(database, owner.id, { applicationNumber }, (row) => {
    const { reference, email, tenantApplications: given } = details;
    const merged = mergeDetails(row, details);
    // Each new date can be valid alone but contradict an earlier one.
    const faults = [...ownerFaults(owner, details), ...stayFaults(merged)];
    if (faults.length > 0) return err(fieldFailure(faults));
    const change = {
      ...merged,
      ...(reference !== undefined && { bookingReference: reference }),
      ...(isLinked(row, reference) && linkedStatus(database.queries, row, reference, nowMs)),
      ...(given && { tenantApplications: tenantApplications(given, nowMs) }),
      updatedAtMs: nowMs,
    };
    return ok(email === undefined ? { change } : withContact(database, row, change, email, nowMs));
  });
}

/** Whether a change links the application to a booking that it did not belong to before. */
function isLinked(row: ApplicationRow, reference: string | null | undefined): reference is string {
  return typeof reference === 'string' && reference !== row.bookingReference;
}

/** A change with an e-mail address: another address is another contact. */
function withContact(
  database: Database,
  row: ApplicationRow,
  change: ApplicationChange,
  email: string,
  nowMs: number,
): Decided {
  const contact = { propertyId: row.propertyId, email };
  return {
    before: ensureContact(database.queries, contact, nowMs),
    change: {
      ...change,
      email,
      contactId: contactId(contact),
      customerId: customerOf(row, contact),
    },
  };
}

/** Moves an application to a state. `givenAtMs` is the time of the move, if the caller sends one. */
export async function moveApplication(
  database: Database,
  owner: Owner,
  key: ApplicationKey,
  to: ApplicationStatus,
  givenAtMs: number | null,
  nowMs: number,
): Promise<Result<ApplicationRow, Failure>> {
  return changeApplication(database, owner.id, key, (row) => {
    const moved = move(row, to, givenAtMs, nowMs);
    switch (moved.kind) {
      case 'stays':
        return ok(null);
      case 'refused':
        return err(illegalMove(row.currentStatus, to));
      case 'moves':
        return ok({ change: { ...moved.change, updatedAtMs: nowMs } });
    }
  });
}

/** Reads an application. One round trip. */
export async function getApplication(
  database: Database,
  owner: Owner,
  applicationNumber: string,
): Promise<Result<ApplicationRow, Failure>> {
  const row = await readApplication(database, owner.id, { applicationNumber });
  return row ? ok(row) : err(applicationNotFound());
}

/** Whether the property has the application's booking. True when the application names none. */
async function bookingExists(
  database: Database,
  owner: Owner,
  reference: string | null | undefined,
): Promise<boolean> {
  if (reference === undefined || reference === null) return true;
  const { state } = await readBooking(database, 'd1.booking.read', owner.id, reference);
  return state !== null;
}
