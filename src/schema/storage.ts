import { type SQL, sql } from 'drizzle-orm';
import { type AnySQLiteColumn, customType } from 'drizzle-orm/sqlite-core';

/**
 * Tables without a row id of SQLite's own: they are only reached by their keys, so each saves one written row. drizzle-kit
 * cannot say so; `npm run schema` adds it to their `CREATE TABLE`.
 */
export const WITHOUT_ROWID: readonly string[] = [
  'archived_bookings',
  'archived_movements',
  'archived_payments',
  'archived_references',
  'bank_lines',
  'booking_words',
  'bookings',
  'day_failures',
  'day_sums',
  'day_sums_progress',
  'disputes',
  'export_files',
  'history',
  'homes',
  'idempotency_keys',
  'inventory',
  'mails',
  'merchant_accounts',
  'moving_properties',
  'nightly_rates',
  'outbox',
  'owed_bookings',
  'owed_days',
  'owed_progress',
  'room_restrictions',
  'settings_changes',
  'suppressed_addresses',
  'webhook_deliveries',
];

/** Tables of which each change raises the version by exactly one: so it is decided on the state that it changes. */
export const VERSIONED: readonly string[] = [
  'applications',
  'bookings',
  'disputes',
  'payment_plans',
  'properties',
  'recoveries',
  'refunds',
  'settlements',
  'transactions',
  'webhook_endpoints',
];

/** Columns that keep what a row was made with. */
export const FIXED: Readonly<Record<string, string>> = {
  bank_lines: 'property_id, id, date, currency, amount_minor',
  bookings: 'currency, property_id, reference',
  disputes: 'property_id, id, booking_reference, transaction_id, currency',
  mails:
    'id, property_id, booking_reference, kind, event_type, subject_kind, subject_id, created_at_ms',
  payment_plans: 'id, property_id, booking_reference, currency, created_at_ms',
  outbox: 'property_id, booking_reference, message_id, message_type',
  refunds: 'id, property_id, booking_reference, reference, currency, transaction_id, amount_minor',
  settlements: 'id, property_id, booking_reference, quote_id, terms, steps',
  transactions: 'id, property_id, booking_reference, reference, currency, kind, plan_id, part_id',
  webhook_deliveries: 'endpoint_id, event_number, property_id, booking_reference',
};

/** When a row has ended for good, and the columns that stay as they are then. */
export const FINAL: Readonly<Record<string, { readonly when: string; readonly of?: string }>> = {
  card_requests: { when: "status <> 'Open'", of: 'status' },
  exceptions: {
    when: "resolution = 'accepted'",
    of: 'property_id, booking_reference, gateway, kind, subject, ours, theirs, status, resolution, resolved_at_ms',
  },
  // A file that holds an erased guest is written anew.
  export_runs: {
    when: "status <> 'Running' AND OLD.stale_since_ms IS NULL",
    of: 'status, sha256, rows, bytes',
  },
  mails: {
    when: "status <> 'Pending'",
    of: 'status, attempts, due_at_ms, last_error, morning, summed_up_in, completed_at_ms',
  },
  // A PMS that lost a message gets it again (pms: The PMS's ledger).
  outbox: {
    when: "status IN ('Confirmed', 'Dismissed') AND NOT (NEW.status = 'Pending' AND NEW.attempts = 0 AND NEW.completed_at_ms IS NULL)",
    of: 'status',
  },
};

/** Tables whose rows are neither changed nor deleted. */
export const APPEND_ONLY: readonly string[] = ['disbursement_items', 'settings_changes'];

/** A column of bytes, such as what `core/packed.ts` makes. D1 returns them as a list of numbers. */
export const bytes = customType<{
  data: Uint8Array;
  driverData: Uint8Array | ArrayBuffer | number[];
}>({
  dataType: () => 'blob',
  fromDriver: (stored) => new Uint8Array(stored),
});

/** Whether a column has one of the values that its type allows; for a `CHECK`. */
export function isOneOf(column: AnySQLiteColumn): SQL {
  const values = (column.enumValues ?? []).map((value) => `'${value}'`);
  return sql`${column} IN (${sql.raw(values.join(', '))})`;
}
