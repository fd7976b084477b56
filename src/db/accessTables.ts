import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { properties } from './propertyTables.ts';

/** An API client: its secret is stored as a SHA-256 digest (decisions: section 2). */
export const clients = sqliteTable('clients', {
  id: text().primaryKey(),
  /** Null for an administrator, who belongs to no property. */
  propertyId: text('property_id').references(() => properties.id),
  scopes: text({ mode: 'json' }).$type<string[]>().notNull(),
  secretDigest: text('secret_digest').notNull(),
  /** Made by the local start's seed: refused everywhere else. */
  seeded: integer({ mode: 'boolean' }).notNull().default(false),
  createdAtMs: integer('created_at_ms').notNull(),
  revokedAtMs: integer('revoked_at_ms'),
});

/** Who may fetch a portfolio's exports: the secret is stored as a SHA-256 digest (decisions: section 13). */
export const exportUsers = sqliteTable('export_users', {
  username: text().primaryKey(),
  portfolio: text().notNull(),
  secretDigest: text('secret_digest').notNull(),
  /** Made by the local start's seed: refused everywhere else. */
  seeded: integer({ mode: 'boolean' }).notNull().default(false),
  createdAtMs: integer('created_at_ms').notNull(),
});

/** Sessions of the operations page that were signed out of, for as long as their cookies would let somebody in. */
export const endedSessions = sqliteTable('ended_sessions', {
  id: text().primaryKey(),
  /** When the session would have ended by itself. */
  untilMs: integer('until_ms').notNull(),
});

export type ClientRow = typeof clients.$inferSelect;
export type ExportUserRow = typeof exportUsers.$inferSelect;
