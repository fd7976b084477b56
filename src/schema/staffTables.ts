import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core';
import { properties } from './propertyTables.ts';
import { isOneOf } from './storage.ts';

/** A person of the staff, who signs in to the console (interface: Staff). */
export const users = sqliteTable(
  'users',
  {
    id: text().primaryKey(),
    /** In lower case. */
    email: text().notNull(),
    name: text().notNull(),
    role: text({ enum: ['viewer', 'cashier', 'manager', 'admin'] }).notNull(),
    /** Where the role counts: one property, or all of a portfolio. Neither means everywhere, which only admins may have. */
    propertyId: text('property_id').references(() => properties.id),
    portfolio: text(),
    active: integer({ mode: 'boolean' }).notNull().default(true),
    /** Made by the local start's seed: refused everywhere else. */
    seeded: integer({ mode: 'boolean' }).notNull().default(false),
    /** How often all sessions were ended. A session holds the number that it began with. */
    sessionRound: integer('session_round').notNull().default(0),
    createdAtMs: integer('created_at_ms').notNull(),
    /** Grows with every change: a change decided on an older state is refused. */
    updatedAtMs: integer('updated_at_ms').notNull(),
  },
  (table) => [
    unique('users_email').on(table.email),
    check('users_role', isOneOf(table.role)),
    check(
      'users_place',
      sql`(${table.propertyId} IS NULL OR ${table.portfolio} IS NULL) AND (${table.role} = 'admin' OR ${table.propertyId} IS NOT NULL OR ${table.portfolio} IS NOT NULL)`,
    ),
  ],
);

/** A link by which a person signs in once. It is found by its SHA-256 digest, and kept sealed to be sent again. */
export const signInLinks = sqliteTable(
  'sign_in_links',
  {
    digest: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    createdAtMs: integer('created_at_ms').notNull(),
    expiresAtMs: integer('expires_at_ms').notNull(),
    usedAtMs: integer('used_at_ms'),
    /** The secret of the link; null for links that were made before this column. */
    secretSealed: text('secret_sealed'),
    /** When it was sent for one request too many in an hour; null if it was not. */
    extraAtMs: integer('extra_at_ms'),
  },
  (table) => [index('sign_in_links_by_user').on(table.userId, table.createdAtMs)],
);

export type UserRow = typeof users.$inferSelect;
export type LinkRow = typeof signInLinks.$inferSelect;
