/**
 * Tables without a row id of SQLite's own: they are only reached by their keys, so each saves one written row. drizzle-kit
 * cannot say so; `npm run schema` adds it to their `CREATE TABLE`.
 */
export const WITHOUT_ROWID: readonly string[] = [
  'audit',
  'bookings',
  'disputes',
  'events',
  'export_files',
  'idempotency_keys',
  'inventory',
  'journal',
  'mails',
  'nightly_rates',
  'open_amounts',
  'outbox',
  'room_restrictions',
  'stripe_accounts',
  'suppressed_addresses',
  'total_costs',
  'webhook_deliveries',
];
