import { offsetTimestamp } from '../../core/time.ts';
import type { Statement } from '../../platform/db/database.ts';
import { violatesNotNull, violatesUnique } from '../../platform/db/errors.ts';
import {
  type Entry,
  type MoneyMoved,
  type NewEvent,
  type PaidOut,
  recordedAtMs,
} from './rules/entry.ts';
import { packedSnapshot } from './rules/snapshots.ts';
import {
  type EntryColumns,
  insertEntry,
  insertEvent,
  insertEventOfContact,
  insertLooseEvent,
  NO_BOOKING,
  queueDeliveries,
} from './store.ts';
import type { LastEntry } from './sums.ts';

/**
 * The statements that append an entry, and queue its event for each endpoint that wants its type. If another entry than
 * `last` is the booking's last by then, D1 refuses the batch: see {@link isBehind}. Without `last`, it follows any.
 */
export function appendEntry(entry: Entry, last?: LastEntry): [Statement, ...Statement[]] {
  const columns = {
    ...columnsOfEntry(entry),
    lastSequence: last?.sequence,
    lastAtMs: last?.atMs,
  };
  if (!entry.event) return [insertEntry(columns)];
  const { propertyId, atMs, bookingReference } = entry;
  const { type } = entry.event;
  const insert = columns.bookingReference === NO_BOOKING ? insertLooseEvent : insertEvent;
  const { newContact } = entry.event;
  return [
    newContact ? insertEventOfContact(columns, newContact) : insert(columns),
    queueDeliveries({ propertyId, bookingReference, type, atMs }),
  ];
}

/** Whether a batch was refused because its entries do not follow the booking's last one. Nothing of it was written. */
export function isBehind(error: unknown): boolean {
  return violatesUnique(error, 'history.sequence') || violatesNotNull(error, 'history.sequence');
}

/** How many random bytes make an event's id unlike that of another database's. */
const EVENT_SALT = 8;

function columnsOfEntry(entry: Entry): EntryColumns {
  const { actorName, bookingReference, chargeId, detail, event, from, subject, to } = entry;
  const columns = {
    propertyId: entry.propertyId,
    bookingReference: bookingReference ?? NO_BOOKING,
    atMs: entry.atMs,
    actor: entry.actor,
    actorName: actorName ?? null,
    subjectKind: subject.kind,
    subjectId: subject.id,
    from: from ?? null,
    to: to ?? null,
    detail: detail ?? null,
    type: event?.type ?? null,
    eventSalt: event ? crypto.getRandomValues(new Uint8Array(EVENT_SALT)) : null,
    snapshot: null,
    newContactId: null,
    messageId: entry.messageId ?? null,
    chargeId: chargeId ?? null,
    ...NOTHING_MOVED,
    ...movementColumns(entry),
    scheduledMinor: null,
    uncertainMinor: null,
    heldMinor: null,
    ...entry.open,
    plannedMinor: entry.open?.plannedMinor ?? null,
    totalCostMinor: entry.totalCostMinor ?? null,
  };
  return event ? { ...columns, snapshot: snapshotColumn(event, columns) } : columns;
}

const NOTHING_MOVED = {
  recordedAtMs: null,
  movement: null,
  currency: null,
  amountMinor: null,
  feeMinor: null,
  waivedMinor: null,
  gateway: null,
  gatewayReference: null,
  occurredAtMs: null,
  reconciledAtMs: null,
};

function movementColumns({ atMs, moved, paidOut }: Entry) {
  const columns = moved ? columnsOfMoved(moved) : paidOut && columnsOfPaidOut(paidOut, atMs);
  if (!columns) return null;
  const { occurredAtMs } = columns;
  return { ...columns, recordedAtMs: recordedAtMs({ atMs, occurredAtMs }, Date.now()) };
}

function columnsOfMoved({ kind, waivedMinor = 0, ...moved }: MoneyMoved) {
  return { ...moved, movement: kind, waivedMinor: waivedMinor || null };
}

function columnsOfPaidOut({ netMinor, ...paidOut }: PaidOut, atMs: number) {
  return { ...paidOut, movement: 'payout' as const, amountMinor: netMinor, occurredAtMs: atMs };
}

function snapshotColumn({ snapshot, timeZone }: NewEvent, columns: EntryColumns): Uint8Array {
  const timestamp = offsetTimestamp(columns.atMs, timeZone);
  return packedSnapshot({ timestamp, ...snapshot }, columns);
}
