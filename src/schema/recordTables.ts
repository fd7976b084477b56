import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { bytes } from './storage.ts';

/**
 * First answers by the caller's idempotency key (interface: Idempotency). `answer` is null while the operation runs.
 * Of the request, only a keyed fingerprint is stored.
 */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    propertyId: text('property_id').notNull(),
    operation: text().notNull(),
    key: text().notNull(),
    fingerprint: text().notNull(),
    requestId: text('request_id').notNull(),
    /** The reference of the row that the request made or changed. It allows rebuilding a lost answer. */
    commandReference: text('command_reference'),
    answer: bytes('answer'),
    createdAtMs: integer('created_at_ms').notNull(),
  },
  (table) => [primaryKey({ columns: [table.propertyId, table.operation, table.key] })],
);

/**
 * Answers that show a new secret, by the administrator's client and idempotency key. They are sealed with the keyring
 * and repeated for 24 hours. Of the request, only a keyed fingerprint is stored.
 */
export const secretAnswers = sqliteTable(
  'secret_answers',
  {
    clientId: text('client_id').notNull(),
    /** The property of the client, or of what the secret is of; null for an administrator's. */
    propertyId: text('property_id'),
    operation: text().notNull(),
    key: text().notNull(),
    fingerprint: text().notNull(),
    answerSealed: text('answer_sealed').notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
  },
  (table) => [primaryKey({ columns: [table.clientId, table.operation, table.key] })],
);

/** Every change of people and settings, written in the same batch as the change. Append-only. */
export const settingsChanges = sqliteTable(
  'settings_changes',
  {
    /** Where the change counts, as `records/audit/changes.ts` writes it. */
    place: text().notNull(),
    /** Unique; grows with time. */
    id: integer().notNull(),
    atMs: integer('at_ms').notNull(),
    actor: text().notNull(),
    /** The changed thing: `property`, `fee-rules`, `user <email>` or `client <id>`. */
    subject: text().notNull(),
    from: text('from_state'),
    to: text('to_state').notNull(),
    detail: text(),
    /** The name that the person had then; null for anyone else. */
    actorName: text('actor_name'),
  },
  (table) => [primaryKey({ columns: [table.place, table.id] })],
);

export type SettingsChangeRow = typeof settingsChanges.$inferSelect;
