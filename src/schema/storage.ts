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

/** Tables of which each change raises the version by exactly one: so it is decided on the state that it changes. */
export const VERSIONED: readonly string[] = [
  'applications',
  'bookings',
  'disputes',
  'properties',
  'recoveries',
  'refunds',
  'transactions',
  'webhook_endpoints',
];

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
