/**
 * Tables without a row id of SQLite's own: they are only reached by their keys, so each saves one written row. drizzle-kit
 * cannot say so; `npm run schema` adds it to their `CREATE TABLE`.
 */
export const WITHOUT_ROWID: readonly string[] = [
  'bookings',
  'disputes',
  'export_files',
  'history',
  'idempotency_keys',
  'inventory',
  'mails',
  'merchant_accounts',
  'nightly_rates',
  'outbox',
  'room_restrictions',
  'settings_changes',
  'suppressed_addresses',
  'webhook_deliveries',
];
