import type { BookingName } from './object.ts';

/** D1 returns bytes as a list of numbers. */
type Row = Readonly<Record<string, string | number | null | readonly number[]>>;

/** The service's rows of one charge. The yardstick writes rows with the same columns. */
export interface Template {
  readonly transaction: Row;
  /** The entries of its intent and of its outcome in the booking's history. */
  readonly entries: readonly [intended: Row, settled: Row];
  /** The message to the PMS about the charge. */
  readonly message: Row;
}

/** The new values of one charge. */
export interface Charge extends BookingName {
  readonly id: number;
  /** The places of its entries in the booking's history. */
  readonly sequences: readonly [intended: number, settled: number];
  readonly transactionReference: string;
  readonly cardToken: string;
  readonly bookingVersion: number;
  readonly nowMs: number;
}

/** The time until the intent counts as overdue; its outcome comes long before. */
const DUE_MS = 60_000;

const ENTRY = "SELECT * FROM history WHERE subject_kind = 'charge'";

/** Reads a charge that the service made. Throws when there is none. */
export async function readTemplate(d1: D1Database): Promise<Template> {
  const [transactions, intended, settled, messages] = await d1.batch<Row>([
    d1.prepare("SELECT * FROM transactions WHERE status = 'Accepted' ORDER BY id LIMIT 1"),
    d1.prepare(`${ENTRY} AND to_state = 'Processing' LIMIT 1`),
    d1.prepare(`${ENTRY} AND to_state = 'Accepted' LIMIT 1`),
    d1.prepare("SELECT * FROM outbox WHERE message_type = 'PushTransaction' LIMIT 1"),
  ]);
  const [transaction, intent, outcome, message] = [transactions, intended, settled, messages].map(
    (it) => it?.results[0],
  );
  if (!transaction || !intent || !outcome || !message) {
    throw new Error('The database has no charge to copy.');
  }
  return { transaction, entries: [intent, outcome], message };
}

/** Reads a property, a booking and its cards, as the service's details and its cold charge do. */
export function readBooking(d1: D1Database, { propertyId, reference }: BookingName) {
  return [
    d1.prepare('SELECT * FROM properties WHERE id = ?').bind(propertyId),
    d1
      .prepare('SELECT * FROM bookings WHERE property_id = ? AND reference = ?')
      .bind(propertyId, reference),
    d1
      .prepare('SELECT * FROM cards WHERE property_id = ? AND booking_reference = ? LIMIT 100')
      .bind(propertyId, reference),
  ];
}

/** The transaction in `Processing` and its entry in the history: the rows that a charge writes first. */
export function recordIntent(d1: D1Database, template: Template, charge: Charge) {
  const transaction = {
    ...template.transaction,
    id: charge.id,
    booking_reference: charge.reference,
    reference: charge.transactionReference,
    status: 'Processing',
    pending_operation: 'charge',
    asked_at_ms: charge.nowMs,
    card_token: charge.cardToken,
    gateway_key: `${charge.transactionReference}-1`,
    gateway_reference: null,
    due_at_ms: charge.nowMs + DUE_MS,
    booking_version: charge.bookingVersion,
    version: 1,
    created_at_ms: charge.nowMs,
    completed_at_ms: null,
  };
  return [
    insert(d1, 'transactions', transaction),
    historyEntry(d1, template.entries[0], charge, charge.sequences[0]),
  ];
}

/** The outcome, its entry in the history and the message to the PMS: the rows that a charge writes last. */
export function settle(d1: D1Database, template: Template, charge: Charge) {
  const messageId = crypto.randomUUID();
  return [
    d1
      .prepare(
        `UPDATE transactions SET status = 'Accepted', pending_operation = NULL, gateway_reference = ?,
          due_at_ms = NULL, completed_at_ms = ?, version = 2 WHERE id = ? AND property_id = ?`,
      )
      .bind(`none_${charge.transactionReference}`, charge.nowMs, charge.id, charge.propertyId),
    historyEntry(
      d1,
      { ...template.entries[1], message_id: messageId },
      charge,
      charge.sequences[1],
    ),
    message(d1, template, charge, messageId),
  ];
}

/** A message that waits for those of its booking before it: nothing is delivered here. */
function message(d1: D1Database, template: Template, charge: Charge, messageId: string) {
  return insert(d1, 'outbox', {
    ...template.message,
    booking_reference: charge.reference,
    message_id: messageId,
    status: 'Pending',
    due_at_ms: null,
    created_at_ms: charge.nowMs,
    completed_at_ms: null,
  });
}

function historyEntry(d1: D1Database, entry: Row, charge: Charge, sequence: number) {
  return insert(d1, 'history', {
    ...entry,
    sequence,
    booking_reference: charge.reference,
    at_ms: charge.nowMs,
    charge_id: charge.id,
    subject_id: `${charge.id}`,
  });
}

/** The next number of an event of the property, where a row has one. */
const NEXT_EVENT =
  '(SELECT coalesce(max(event_number), 0) + 1 FROM history WHERE property_id = ? AND event_number IS NOT NULL)';

function insert(d1: D1Database, table: string, row: Row) {
  const isEvent = (column: string) => column === 'event_number' && row[column] !== null;
  const columns = Object.keys(row);
  const places = columns.map((column) => (isEvent(column) ? NEXT_EVENT : '?')).join(', ');
  const values = columns.map((column) => (isEvent(column) ? row['property_id'] : row[column]));
  return d1
    .prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`)
    .bind(...values.map((value) => (Array.isArray(value) ? new Uint8Array(value) : value)));
}
