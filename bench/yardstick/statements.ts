import type { BookingName } from './object.ts';

type Row = Readonly<Record<string, string | number | null>>;

/** The service's rows of one charge. The yardstick writes rows with the same columns. */
export interface Template {
  readonly transaction: Row;
  /** The entry of its intent in the booking's history. */
  readonly entry: Row;
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

/** Reads a charge that the service made. Throws when there is none. */
export async function readTemplate(d1: D1Database): Promise<Template> {
  const [transactions, entries, messages] = await d1.batch<Row>([
    d1.prepare("SELECT * FROM transactions WHERE status = 'Accepted' ORDER BY id LIMIT 1"),
    d1.prepare(
      "SELECT * FROM history WHERE subject_kind = 'charge' AND to_state = 'Processing' LIMIT 1",
    ),
    d1.prepare("SELECT * FROM outbox WHERE message_type = 'PushTransaction' LIMIT 1"),
  ]);
  const [transaction, entry, message] = [transactions, entries, messages].map(
    (it) => it?.results[0],
  );
  if (!transaction || !entry || !message) throw new Error('The database has no charge to copy.');
  return { transaction, entry, message };
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
    historyEntry(d1, template, charge, { sequence: charge.sequences[0], to_state: 'Processing' }),
  ];
}

/** The outcome, its entry in the history and the message to the PMS: the rows that a charge writes last. */
export function settle(d1: D1Database, template: Template, charge: Charge) {
  return [
    d1
      .prepare(
        `UPDATE transactions SET status = 'Accepted', pending_operation = NULL, gateway_reference = ?,
          due_at_ms = NULL, completed_at_ms = ?, version = 2 WHERE id = ? AND property_id = ?`,
      )
      .bind(`none_${charge.transactionReference}`, charge.nowMs, charge.id, charge.propertyId),
    historyEntry(d1, template, charge, { sequence: charge.sequences[1], to_state: 'Accepted' }),
    message(d1, template, charge),
  ];
}

/** A message that waits for those of its booking before it: nothing is delivered here. */
function message(d1: D1Database, template: Template, charge: Charge) {
  return insert(d1, 'outbox', {
    ...template.message,
    booking_reference: charge.reference,
    message_id: crypto.randomUUID(),
    status: 'Pending',
    due_at_ms: null,
    created_at_ms: charge.nowMs,
    completed_at_ms: null,
  });
}

function historyEntry(
  d1: D1Database,
  template: Template,
  charge: Charge,
  change: { readonly sequence: number; readonly to_state: string },
) {
  return insert(d1, 'history', {
    ...template.entry,
    ...change,
    booking_reference: charge.reference,
    at_ms: charge.nowMs,
    charge_id: charge.id,
    subject_id: `${charge.id}`,
  });
}

function insert(d1: D1Database, table: string, row: Row) {
  const columns = Object.keys(row);
  const places = columns.map(() => '?').join(', ');
  return d1
    .prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`)
    .bind(...Object.values(row));
}
