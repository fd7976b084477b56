import { customType } from 'drizzle-orm/sqlite-core';

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

/** A column of bytes, such as what `core/packed.ts` makes. D1 returns them as a list of numbers. */
export const bytes = customType<{
  data: Uint8Array;
  driverData: Uint8Array | ArrayBuffer | number[];
}>({
  dataType: () => 'blob',
  fromDriver: (stored) => new Uint8Array(stored),
});
