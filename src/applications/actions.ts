import { bookingNotFound } from '../bookings/rules.ts';
import { readBooking } from '../bookings/store.ts';
import { type Failure, fieldFailure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import { utcTimestamp } from '../core/time.ts';
import type { ApplicationRow } from '../db/applicationTables.ts';
import type { Database } from '../db/database.ts';
import { newApplicationNumber } from './numbers.ts';
import {
  applicationNotFound,
  type Description,
  describe,
  type GivenTenantApplication,
  illegalMove,
  type Owner,
  ownerFaults,
  stayFaults,
  tenantApplication,
} from './rules.ts';
import { type ApplicationStatus, move } from './states.ts';
import {
  type ApplicationChange,
  type ApplicationKey,
  contactCustomer,
  contactId,
  customerOf,
  ensureContact,
  insertApplication,
  type NewApplication,
} from './store.ts';
import {
  changeApplication,
  type Decided,
  onCurrentApplication,
  readApplication,
  write,
} from './write.ts';

/** What a booking engine says of an application; what it leaves out stays as it is (decisions: section 10). */
export interface ApplicationDetails extends Description {
  readonly email?: string | undefined;
  /** Nothing but the property's own. */
  readonly currency?: string | null | undefined;
  readonly property?: string | null | undefined;
  /** The booking that the application belongs to; null for none. */
  readonly reference?: string | null | undefined;
  readonly tenantApplications?: readonly GivenTenantApplication[] | undefined;
}

/** What a new application needs besides. */
export type NewApplicationDetails = ApplicationDetails & { readonly email: string };

/** Makes an application, `Tentative` from now on. One round trip, two when it names a booking. */
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
    const insert = insertApplication(queries, row, {
      customerId: contactCustomer(contact),
      contactId: contactId(contact),
    });
    // The number is drawn anew for each application: whoever has it is this one.
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
    ...describe(null, details),
    propertyId: owner.id,
    bookingType: 'Online',
    applicationNumber,
    bookingId: null,
    bookingReference: details.reference ?? null,
    email: details.email,
    currentStatus: 'Tentative',
    applicationAtMs: nowMs,
    offeredAtMs: null,
    heldAtMs: null,
    reservedAtMs: null,
    inRoomAtMs: null,
    historyAtMs: null,
    cancelledAtMs: null,
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

/** Changes what is said of an application. Two round trips, three when it names a booking. */
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
    const described = describe(row, details);
    // Each date may be fine by itself, but not beside those that were said before.
    const faults = [...ownerFaults(owner, details), ...stayFaults(described)];
    if (faults.length > 0) return err(fieldFailure(faults));
    const change = {
      ...described,
      ...(reference !== undefined && { bookingReference: reference }),
      ...(given && { tenantApplications: tenantApplications(given, nowMs) }),
      updatedAtMs: nowMs,
    };
    return ok(email === undefined ? { change } : withContact(database, row, change, email, nowMs));
  });
}

/** A change that also says who applies: another address is another contact. */
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

/** Moves an application as the state machine allows; `saidAtMs` is when it happened, if the caller says so. */
export async function moveApplication(
  database: Database,
  owner: Owner,
  key: ApplicationKey,
  to: ApplicationStatus,
  saidAtMs: number | null,
  nowMs: number,
): Promise<Result<ApplicationRow, Failure>> {
  return changeApplication(database, owner.id, key, (row) => {
    const moved = move(row, to, saidAtMs, nowMs);
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

/** Reads an application; one round trip. */
export async function getApplication(
  database: Database,
  owner: Owner,
  applicationNumber: string,
): Promise<Result<ApplicationRow, Failure>> {
  const row = await readApplication(database, owner.id, { applicationNumber });
  return row ? ok(row) : err(applicationNotFound());
}

/** Whether the property has the booking that an application is to belong to; naming none is fine. */
async function bookingExists(
  database: Database,
  owner: Owner,
  reference: string | null | undefined,
): Promise<boolean> {
  if (reference === undefined || reference === null) return true;
  const { state } = await readBooking(database, 'd1.booking.read', owner.id, reference);
  return state !== null;
}
