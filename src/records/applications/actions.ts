import { fieldFailure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { utcTimestamp } from '../../core/time.ts';
import type { Database } from '../../platform/db/database.ts';
import type { ApplicationRow } from '../../schema/applicationTables.ts';
import { bookingNotFound } from '../bookings/rules.ts';
import { selectReference } from '../bookings/store.ts';
import { appendMove } from './entry.ts';
import {
  APPLICATION_NOT_FOUND,
  type GivenTenantApplication,
  illegalMove,
  mergeDetails,
  type Owner,
  ownerFaults,
  type StayDetails,
  stayFaults,
  tenantApplication,
} from './rules.ts';
import { type ApplicationStatus, mayMove, move, NO_TIMES } from './states.ts';
import {
  type ApplicationChange,
  type ApplicationKey,
  contactCustomer,
  contactId,
  customerOf,
  ensureContact,
  insertApplication,
  type NewApplication,
  selectDeposit,
} from './store.ts';
import {
  changeApplication,
  type Decided,
  onCurrentApplication,
  readApplication,
  staleIfPaid,
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
): Promise<Result<ApplicationRow>> {
  const faults = ownerFaults(owner, details);
  if (faults.length > 0) return err(fieldFailure(faults));
  return onCurrentApplication(async () => {
    const booking = await readLinked(database, owner, details.reference);
    if (booking === 'missing') return err(bookingNotFound());
    const applicationNumber = newApplicationNumber();
    const made = newRow(owner, applicationNumber, details, nowMs);
    const row = { ...made, ...(booking?.isPaid && heldSince(nowMs)) };
    const of = { propertyId: owner.id, email: details.email };
    const contact = contactId(of);
    const save = insertApplication(row, { customerId: contactCustomer(of), contactId: contact });
    const before = [
      ...(booking ? [staleIfPaid(owner, booking.reference, booking.isPaid)] : []),
      ...ensureContact(of, nowMs),
    ];
    const isMoved = row.currentStatus !== 'Tentative';
    const further = isMoved ? appendMove(owner, { after: row, contact, atMs: nowMs }) : [];
    // Every attempt draws a new random number, so the number identifies its row.
    const expected = { propertyId: owner.id, key: { applicationNumber } };
    return write(database, before, { save, further }, expected);
  });
}

/** The state of an application whose booking has a paid deposit. */
function heldSince(nowMs: number) {
  return { currentStatus: 'Held', heldAtMs: nowMs } as const;
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
    erasedAtMs: null,
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
): Promise<Result<ApplicationRow>> {
  const { reference, email, tenantApplications: given } = details;
  if ((await readLinked(database, owner, reference)) === 'missing') return err(bookingNotFound());
  const decide = (row: ApplicationRow, isDepositPaid: boolean): Result<Decided> => {
    // Whether it belongs from now on to a booking that it did not belong to before.
    const isLinked = typeof reference === 'string' && reference !== row.bookingReference;
    const isHeld = isDepositPaid && isLinked && mayMove(row.currentStatus, 'Held');
    const merged = mergeDetails(row, details);
    // Each new date can be valid alone but contradict an earlier one.
    const faults = [...ownerFaults(owner, details), ...stayFaults(merged)];
    if (faults.length > 0) return err(fieldFailure(faults));
    const change = {
      ...merged,
      ...(reference !== undefined && { bookingReference: reference }),
      ...(isHeld && heldSince(nowMs)),
      ...(given && { tenantApplications: tenantApplications(given, nowMs) }),
      updatedAtMs: nowMs,
    };
    return ok(email === undefined ? { change } : withContact(row, change, email, nowMs));
  };
  return changeApplication(database, owner, { applicationNumber }, decide, reference ?? null);
}

/** A change with an e-mail address: another address is another contact. */
function withContact(
  row: ApplicationRow,
  change: ApplicationChange,
  email: string,
  nowMs: number,
): Decided {
  const contact = { propertyId: row.propertyId, email };
  return {
    before: ensureContact(contact, nowMs),
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
): Promise<Result<ApplicationRow>> {
  return changeApplication(database, owner, key, (row) => {
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
): Promise<Result<ApplicationRow>> {
  const row = await readApplication(database, owner.id, { applicationNumber });
  return row ? ok(row) : err(APPLICATION_NOT_FOUND);
}

/** The booking that an application names, and whether its deposit is paid; null if it names none. */
async function readLinked(
  database: Database,
  owner: Owner,
  reference: string | null | undefined,
): Promise<{ readonly reference: string; readonly isPaid: boolean } | 'missing' | null> {
  if (reference === undefined || reference === null) return null;
  const [[booking], [deposit]] = await database.batch('d1.booking.read', [
    selectReference(owner.id, reference),
    selectDeposit(owner.id, reference),
  ]);
  return booking ? { reference, isPaid: deposit?.isPaid === 1 } : 'missing';
}

/** Digits and letters that are easy to tell apart (Crockford's base 32). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const LENGTH = 10;

/** A new application number, such as `APP-7K3M0QZ94T`: 50 random bits. A unique index refuses a duplicate. */
export function newApplicationNumber(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH));
  return `APP-${Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('')}`;
}
