import { type Failure, type FieldFault, failure, fieldFailure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { ApplicationRow } from '../db/applicationTables.ts';
import type { Database, Statement } from '../db/database.ts';
import {
  applicationNotFound,
  type Description,
  describe,
  type Owner,
  ownerFaults,
  stayFaults,
} from './rules.ts';
import { type ApplicationStatus, timeOf } from './states.ts';
import {
  ensureEntry,
  entryCustomer,
  insertApplication,
  insertUnknownCustomer,
  lastCustomer,
  linkCustomer,
  type NewApplication,
  selectApplication,
  updateApplication,
} from './store.ts';
import { becomes, onCurrentApplication, write } from './write.ts';

/**
 * One booking as the PMS knows it (interface: 2.5; decisions: section 8, `BookingRecord`). An `applicationNumber` is
 * one of this service, and links that application to the PMS's own numbers; without one, `bookingId` is needed.
 */
export interface BookingRecord extends Description {
  readonly applicationNumber?: string | undefined;
  readonly bookingId?: number | undefined;
  readonly entryId?: number | undefined;
  readonly bookingType?: ApplicationRow['bookingType'] | undefined;
  /** Nothing but the property's own. */
  readonly property?: string | undefined;
  readonly currency?: string | undefined;
  /** A record may be in any state, whatever it was in before. */
  readonly currentStatus?: ApplicationStatus | undefined;
  /** When it came into each state, in milliseconds. */
  readonly times: Partial<Record<(typeof timeOf)[ApplicationStatus], number | undefined>>;
}

/** No booking of a PMS has this number. */
const NO_ID = -1;

/** The applications that a record may be about. */
interface Candidates {
  readonly byNumber: ApplicationRow | null;
  readonly byBookingId: ApplicationRow | null;
}

/** Stores what the PMS tells of one booking: changes the application that it is about, or makes one. Two round trips. */
export function saveRecord(
  database: Database,
  owner: Owner,
  record: BookingRecord,
  nowMs: number,
): Promise<Result<ApplicationRow, Failure>> {
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
): Promise<Candidates> {
  const { queries } = database;
  const [[byNumber], [byBookingId]] = await database.batch('d1.application.read', [
    selectApplication(queries, owner.id, { applicationNumber: applicationNumber ?? '' }),
    selectApplication(queries, owner.id, { bookingId: bookingId ?? NO_ID }),
  ]);
  return { byNumber: byNumber ?? null, byBookingId: byBookingId ?? null };
}

/** The application that a record is about; null when it has to be made. */
function targetOf(
  { byNumber, byBookingId }: Candidates,
  { applicationNumber, bookingType }: BookingRecord,
): Result<ApplicationRow | null, Failure> {
  if (applicationNumber !== undefined && !byNumber) return err(applicationNotFound());
  if (byNumber && byBookingId && byNumber.id !== byBookingId.id) return err(bookingIdTaken());
  const target = byNumber ?? byBookingId;
  const online = target ? target.bookingType === 'Online' : false;
  if (bookingType !== undefined && (bookingType === 'Online') !== online) {
    return err(recordFailure([online ? wrongType : numberNeeded]));
  }
  return ok(target);
}

/** Faulty fields of a record, where they stand in its message. */
function recordFailure(faults: readonly FieldFault[]): Failure {
  return fieldFailure(faults.map((fault) => ({ ...fault, field: `BookingData.${fault.field}` })));
}

const wrongType: FieldFault = {
  field: 'bookingType',
  code: 'invalid_value',
  message: 'An application made through this service is Online.',
};

const numberNeeded: FieldFault = {
  field: 'applicationNumber',
  code: 'required',
  message: 'Only an application made through this service is Online: name it by its number.',
};

function bookingIdTaken(): Failure {
  return failure('invalid_state', 'The bookingId belongs to another booking already.');
}

async function change(
  database: Database,
  owner: Owner,
  row: ApplicationRow,
  record: BookingRecord,
  nowMs: number,
): Promise<Result<ApplicationRow, Failure>> {
  const { queries } = database;
  const { bookingId, bookingType, entryId } = record;
  const described = describe(row, record);
  const faults = stayFaults(described);
  if (faults.length > 0) return err(recordFailure(faults));
  const before: Statement[] = [];
  if (entryId !== undefined) {
    const entry = { propertyId: owner.id, entryId };
    before.push(linkCustomer(queries, row, entry), ensureEntry(queries, entry, nowMs));
  }
  const update = updateApplication(queries, row, {
    ...described,
    ...statusOf(row, record, nowMs),
    ...(bookingId !== undefined && { bookingId }),
    ...(bookingType !== undefined && { bookingType }),
    ...(entryId !== undefined && {
      customerId: entryCustomer({ propertyId: owner.id, entryId }),
    }),
    updatedAtMs: nowMs,
  });
  const { applicationNumber } = row;
  const key =
    applicationNumber === null ? { bookingId: row.bookingId ?? NO_ID } : { applicationNumber };
  return write(database, before, update, {
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
): Promise<Result<ApplicationRow, Failure>> {
  const { queries } = database;
  const { entryId, bookingId, bookingType } = record;
  const known = entryId !== undefined ? { propertyId: owner.id, entryId } : null;
  const row: NewApplication = {
    ...describe(null, record),
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
  };
  return write(
    database,
    [known ? ensureEntry(queries, known, nowMs) : insertUnknownCustomer(queries, owner.id, nowMs)],
    insertApplication(queries, row, {
      customerId: known ? entryCustomer(known) : lastCustomer(),
      contactId: null,
    }),
    {
      propertyId: owner.id,
      key: { bookingId: bookingId ?? NO_ID },
      isWritten: becomes(row.version, nowMs),
    },
  );
}

const NO_TIMES = {
  applicationAtMs: null,
  offeredAtMs: null,
  heldAtMs: null,
  reservedAtMs: null,
  inRoomAtMs: null,
  historyAtMs: null,
  cancelledAtMs: null,
} as const satisfies Record<(typeof timeOf)[ApplicationStatus], null>;

/**
 * The state that a record tells, and its times. One that comes into a state now, without a time, does so now, unless
 * it was there before.
 */
function statusOf(row: ApplicationRow | null, record: BookingRecord, nowMs: number) {
  const currentStatus = statusTold(row, record);
  const column = timeOf[currentStatus];
  const moved = row !== null && row.currentStatus !== currentStatus;
  const told = Object.entries(record.times).filter(([, atMs]) => atMs !== undefined);
  return {
    ...(moved && { [column]: row[column] ?? nowMs }),
    ...(Object.fromEntries(told) as Partial<Record<keyof typeof NO_TIMES, number>>),
    currentStatus,
  };
}

/** The PMS knows no offers: for it, an offered application is still a tentative one. */
function statusTold(row: ApplicationRow | null, { currentStatus }: BookingRecord) {
  if (row?.currentStatus === 'Offered' && currentStatus === 'Tentative') return 'Offered';
  return currentStatus ?? row?.currentStatus ?? 'Tentative';
}
