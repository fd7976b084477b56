import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core';
import { isOneOf } from './storage.ts';

/** A person of the staff, who signs in to the console (interface: Staff). */
export const users = sqliteTable(
  'users',
  {
    id: text().primaryKey(),
    /** In lower case. */
    email: text().notNull(),
    name: text().notNull(),
    /** In which they read the console; null where their browser says it. */
    language: text({ enum: ['en', 'de'] }),
    role: text({ enum: ['viewer', 'accountant', 'cashier', 'manager', 'admin'] }).notNull(),
    /** Where the role counts: one property, or all of a portfolio. Neither means everywhere, which only admins may have. */
    propertyId: text('property_id'),
    portfolio: text(),
    active: integer({ mode: 'boolean' }).notNull().default(true),
    /** What they, as a cashier, refund of one booking in a day; null where the property's own limit holds. */
    refundLimitMinor: integer('refund_limit_minor'),
    refundLimitCurrency: text('refund_limit_currency'),
    /** Made by the local start's seed: refused everywhere else. */
    seeded: integer({ mode: 'boolean' }).notNull().default(false),
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
    check(
      'users_refund_limit',
      sql`(${table.refundLimitMinor} IS NULL) = (${table.refundLimitCurrency} IS NULL) AND (${table.refundLimitMinor} IS NULL OR ${table.propertyId} IS NOT NULL)`,
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

/** A session of the console on one device. It is kept for a while after its end, for who looks at theirs. */
export const staffSessions = sqliteTable(
  'staff_sessions',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    /** The browser and its system, as its person calls them. */
    device: text().notNull(),
    startedAtMs: integer('started_at_ms').notNull(),
    /** When a page was last shown; noted at most every five minutes. */
    seenAtMs: integer('seen_at_ms').notNull(),
    /** When it ends by itself. */
    untilMs: integer('until_ms').notNull(),
    /** When it was ended before; null if it was not. */
    endedAtMs: integer('ended_at_ms'),
  },
  (table) => [index('staff_sessions_by_user').on(table.userId, table.startedAtMs)],
);

/** A passkey by which a person signs in: the public half of a key that their device keeps. */
export const passkeys = sqliteTable(
  'passkeys',
  {
    /** The credential's id, in base64url. */
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    /** The COSE key, in base64url. */
    publicKey: text('public_key').notNull(),
    /** How often the device says that it has signed: a copy of the key lags behind. 0 where devices do not count. */
    counter: integer().notNull(),
    /** Where it was made. */
    device: text().notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
    lastUsedAtMs: integer('last_used_at_ms'),
  },
  (table) => [index('passkeys_by_user').on(table.userId, table.createdAtMs)],
);

export type SessionRow = typeof staffSessions.$inferSelect;
export type PasskeyRow = typeof passkeys.$inferSelect;
export type UserRow = typeof users.$inferSelect;
export type StaffLanguage = NonNullable<UserRow['language']>;
export type LinkRow = typeof signInLinks.$inferSelect;
