import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core';
import { properties } from './propertyTables.ts';

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
    createdAtMs: integer('created_at_ms').notNull(),
    updatedAtMs: integer('updated_at_ms').notNull(),
  },
  (table) => [
    unique('users_email').on(table.email),
    check('users_role', sql`${table.role} IN ('viewer', 'cashier', 'manager', 'admin')`),
    check(
      'users_place',
      sql`(${table.propertyId} IS NULL OR ${table.portfolio} IS NULL) AND (${table.role} = 'admin' OR ${table.propertyId} IS NOT NULL OR ${table.portfolio} IS NOT NULL)`,
    ),
  ],
);

/** A link by which a person signs in once. The link itself is stored as a SHA-256 digest. */
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
  },
  (table) => [index('sign_in_links_by_user').on(table.userId, table.createdAtMs)],
);

export type UserRow = typeof users.$inferSelect;
