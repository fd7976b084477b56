import {
  type Failure,
  type FieldIssue,
  failure,
  fieldFailure,
  fieldIssue,
} from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Database } from '../../platform/db/database.ts';
import type { ApplicationRow } from '../../schema/applicationTables.ts';
import { appendMove } from './entry.ts';
import {
  APPLICATION_NOT_FOUND,
  mergeDetails,
  type Owner,
  ownerFaults,
  type StayDetails,
  stayFaults,
} from './rules.ts';
import { type ApplicationStatus, NO_TIMES, timeOf } from './states.ts';
import {
  ensureEntry,
  entryCustomer,
  insertApplication,
  insertUnknownCustomer,
  lastCustomer,
  linkCustomer,
  type NewApplication,
  selectApplication,
} from './store.ts';
import { becomes, changeOf, onCurrentApplication, write } from './write.ts';

/**
 * A booking record from the PMS (pms: BookingRecord). An `applicationNumber` links that application of this service to
 * the PMS's numbers. A record without one needs a `bookingId`.
 */
export interface BookingRecord extends StayDetails {
  readonly applicationNumber?: string | undefined;
  readonly bookingId?: number | undefined;
  readonly entryId?: number | undefined;
  readonly bookingType?: ApplicationRow['bookingType'] | undefined;
  /** Only the property's own is valid. */
  readonly property?: string | undefined;
  readonly currency?: string | undefined;
  /** Any state: the state machine does not apply to records of the PMS. */
  readonly currentStatus?: ApplicationStatus | undefined;
  /** When the booking reached each state, in milliseconds. */
  readonly times: Partial<Record<(typeof timeOf)[ApplicationStatus], number | undefined>>;
}

/** No booking of a PMS has this number. */
const NO_ID = -1;

/** Stores a booking record from the PMS: updates its application, or creates one. Two round trips. */
export function saveRecord(
  database: Database,
  owner: Owner,
  record: BookingRecord,
  nowMs: number,
): Promise<Result<ApplicationRow>> {
  return onCurrentApplication(async () => {
    const foreign = ownerFaults(owner, record);
    if (foreign.length > 0) return err(recordFailure(foreign));
    const found = await readCandidates(database, owner, record);
    const target = targetOf(found, record);
    if (!target.ok) return target;
    return target.value
      ? change(database, owner, target.value, record, nowMs)
      : insert(database, owner, record, nowMs);
  });
}

async function readCandidates(
  database: Database,
  owner: Owner,
  { applicationNumber, bookingId }: BookingRecord,
) {
  const [[byNumber], [byBookingId]] = await database.batch('d1.application.read', [
    selectApplication(owner.id, { applicationNumber: applicationNumber ?? '' }),
    selectApplication(owner.id, { bookingId: bookingId ?? NO_ID }),
  ]);
  return { byNumber: byNumber ?? null, byBookingId: byBookingId ?? null };
}

/** The application of a record; null when the service must create one. */
function targetOf(
  { byNumber, byBookingId }: Awaited<ReturnType<typeof readCandidates>>,
  { applicationNumber, bookingType }: BookingRecord,
): Result<ApplicationRow | null> {
  if (applicationNumber !== undefined && !byNumber) return err(APPLICATION_NOT_FOUND);
  if (byNumber && byBookingId && byNumber.id !== byBookingId.id) return err(BOOKING_ID_TAKEN);
  const target = byNumber ?? byBookingId;
  const online = target ? target.bookingType === 'Online' : false;
  if (bookingType !== undefined && (bookingType === 'Online') !== online) {
    return err(recordFailure([online ? wrongType : numberNeeded]));
  }
  return ok(target);
}

/** Prefixes faulty fields with their path in the message. */
function recordFailure(faults: readonly FieldIssue[]): Failure {
  return fieldFailure(faults.map((one) => ({ ...one, field: `BookingData.${one.field}` })));
}

const wrongType = fieldIssue(
  'bookingType',
  'invalid_value',
  'This application was made through this service, so its bookingType is Online.',
);

const numberNeeded = fieldIssue(
  'applicationNumber',
  'required',
  'An Online booking is an application of this service: send its applicationNumber.',
);

const BOOKING_ID_TAKEN = failure('invalid_state', 'Another booking already has this bookingId.');

async function change(
  database: Database,
  owner: Owner,
  row: ApplicationRow,
  record: BookingRecord,
  nowMs: number,
): Promise<Result<ApplicationRow>> {
  const { bookingId, bookingType, entryId } = record;
  const merged = mergeDetails(row, record);
  const faults = stayFaults(merged);
  if (faults.length > 0) return err(recordFailure(faults));
  const entry = entryId === undefined ? null : { propertyId: owner.id, entryId };
  const before = entry ? [linkCustomer(row, entry), ensureEntry(entry, nowMs)] : [];
  const saving = changeOf(owner, row, {
    ...merged,
    ...statusOf(row, record, nowMs),
    ...(bookingId !== undefined && { bookingId }),
    ...(bookingType !== undefined && { bookingType }),
    ...(entry && { customerId: entryCustomer(entry) }),
    updatedAtMs: nowMs,
  });
  const { applicationNumber } = row;
  const key =
    applicationNumber === null ? { bookingId: row.bookingId ?? NO_ID } : { applicationNumber };
  return write(database, before, saving, {
    propertyId: owner.id,
    key,
    isWritten: becomes(row.version + 1, nowMs),
  });
}

function insert(
  database: Database,
  owner: Owner,
  record: BookingRecord,
  nowMs: number,
): Promise<Result<ApplicationRow>> {
  const { entryId, bookingId, bookingType } = record;
  const known = entryId !== undefined ? { propertyId: owner.id, entryId } : null;
  const row: NewApplication = {
    ...mergeDetails(null, record),
    ...NO_TIMES,
    ...statusOf(null, record, nowMs),
    propertyId: owner.id,
    bookingType: bookingType ?? 'Offline',
    applicationNumber: null,
    bookingId: bookingId ?? null,
    bookingReference: null,
    email: null,
    currency: owner.currency,
    tenantApplications: [],
    version: 1,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    erasedAtMs: null,
  };
  const save = insertApplication(row, {
    customerId: known ? entryCustomer(known) : lastCustomer(),
    contactId: null,
  });
  const isMoved = row.bookingType === 'Online' && row.currentStatus !== 'Tentative';
  return write(
    database,
    [known ? ensureEntry(known, nowMs) : insertUnknownCustomer(owner.id, nowMs)],
    { save, further: isMoved ? appendMove(owner, { after: row, atMs: nowMs }) : [] },
    {
      propertyId: owner.id,
      key: { bookingId: bookingId ?? NO_ID },
      isWritten: becomes(row.version, nowMs),
    },
  );
}

/**
 * The state and times of a record. A new state without a time gets the present time, unless the row has a time for it.
 */
function statusOf(row: ApplicationRow | null, record: BookingRecord, nowMs: number) {
  const currentStatus = newStatus(row, record);
  const column = timeOf[currentStatus];
  const moved = row !== null && row.currentStatus !== currentStatus;
  const given = Object.entries(record.times).filter(([, atMs]) => atMs !== undefined);
  return {
    ...(moved && { [column]: row[column] ?? nowMs }),
    ...(Object.fromEntries(given) as Partial<Record<keyof typeof NO_TIMES, number>>),
    currentStatus,
  };
}

/** PMSs have no `Offered` status, so `Tentative` leaves an offered application unchanged. */
function newStatus(row: ApplicationRow | null, { currentStatus }: BookingRecord) {
  if (row?.currentStatus === 'Offered' && currentStatus === 'Tentative') return 'Offered';
  return currentStatus ?? row?.currentStatus ?? 'Tentative';
}
