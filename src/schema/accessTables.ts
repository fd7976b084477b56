import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The columns of whoever proves a secret. */
const credential = () => ({
  secretDigest: text('secret_digest').notNull(),
  /** Made by the local start's seed: refused everywhere else. */
  seeded: integer({ mode: 'boolean' }).notNull().default(false),
  createdAtMs: integer('created_at_ms').notNull(),
  /** Noted at most once an hour. */
  lastUsedAtMs: integer('last_used_at_ms'),
  revokedAtMs: integer('revoked_at_ms'),
});

/** An API client: its secret is stored as a SHA-256 digest (interface: Access tokens). */
export const clients = sqliteTable('clients', {
  id: text().primaryKey(),
  /** For people: what the client is. */
  name: text(),
  /** Null for an administrator. It may live in another database. */
  propertyId: text('property_id'),
  scopes: text({ mode: 'json' }).$type<string[]>().notNull(),
  ...credential(),
});

/** Who may fetch a portfolio's exports: the secret is stored as a SHA-256 digest (interface: Create an export user). */
export const exportUsers = sqliteTable('export_users', {
  username: text().primaryKey(),
  portfolio: text().notNull(),
  ...credential(),
});

/** What is over before its time: sessions of the operations page, questions to passkeys. Kept until that time. */
export const endedSessions = sqliteTable('ended_sessions', {
  id: text().primaryKey(),
  /** When it would have ended by itself. */
  untilMs: integer('until_ms').notNull(),
});

/** The keys of `KEYRING` that the service has seen (deploy: Keys). */
export const keyringKeys = sqliteTable('keyring_keys', {
  id: text().primaryKey(),
  /** When another key came in front of it; null while it is the first. */
  replacedAtMs: integer('replaced_at_ms'),
  /** How many records are sealed with it although the keyring no longer has it. */
  stranded: integer().notNull().default(0),
});

export type KeyringKeyRow = typeof keyringKeys.$inferSelect;
export type ClientRow = typeof clients.$inferSelect;
export type ExportUserRow = typeof exportUsers.$inferSelect;
