import { sql } from 'drizzle-orm';
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import type { PlanSpec } from './planSpec.ts';

/** A property's rule for the fees of the payments that it fits (interface: Fee rules). What is left out fits everything. */
export interface FeeRule {
  readonly brands?: readonly string[] | undefined;
  readonly funding?: readonly string[] | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly issuerCountries?: readonly string[] | undefined;
  readonly transactionTypes?: readonly string[] | undefined;
  /** The fee's rate: of the gross amount with `grossUp`, of the requested amount with `add`. */
  readonly basisPoints: number;
  readonly method: 'grossUp' | 'add';
  readonly transactionFeeMinor: number;
  /** The highest card fee, in minor units. */
  readonly maximumMinor?: number | undefined;
  /** As the caller wrote them: times with offset. `until` is exclusive. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

/** How guests reach a property, and what its receipts show of it (interface: Put a property). */
export interface Contact {
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  /** May have several lines. */
  readonly address?: string | undefined;
  readonly website?: string | undefined;
  readonly termsUrl?: string | undefined;
  readonly taxId?: string | undefined;
}

/** Which mails guests get (interface: Mails). What is left out is not the same as false. */
export interface GuestMails {
  readonly receipts?: boolean | undefined;
  readonly refunds?: boolean | undefined;
  readonly failedPayments?: boolean | undefined;
  /** Tags of BCP 47, the preferred one first. */
  readonly languages?: readonly string[] | undefined;
}

/** How a property looks to guests. */
export interface Branding {
  readonly logoUrl?: string | undefined;
  /** As `#rrggbb`. */
  readonly colour?: string | undefined;
}

/** Terms of payment plans that a property keeps under a name (interface: Templates). Amounts are minor units. */
export interface PlanTemplate {
  /** 1 to 64 characters; the property has each once. */
  readonly key: string;
  readonly name: string;
  readonly spec: PlanSpec;
  /** Whether guests may choose it. */
  readonly offered: boolean;
}

/** How a property asks a guest for another card (interface: Recovery). */
export interface CardRecovery {
  /** How many days before a scheduled charge its guest is asked, where the card will have expired by then. */
  readonly askDaysBefore: number;
  /** Until when an answer counts, from the first reminder on: usually, and where arrival is nearer than that. */
  readonly deadlineHours: number;
  readonly shortDeadlineHours: number;
  /** How often the guest is asked for one charge, at most. */
  readonly maxAsks: number;
  /** What happens after the deadline: nothing, or the event `recovery.flagged`. */
  readonly then: 'none' | 'flag';
}

/** How long what a property does not need any more is kept (interface: Retention). What is left out is kept. */
export interface Retention {
  /** Days after the departure, or after money moved last, if that was later. */
  readonly eraseGuestsAfterDays?: number | undefined;
  readonly archiveAfterDays?: number | undefined;
}

/** What a property keeps of a cancelled booking: exactly one of these (interface: Cancellation policy). */
export type Keep =
  | { readonly percent: number }
  | { readonly firstNight: true }
  | { readonly amountMinor: number }
  | { readonly paid: true }
  | { readonly nothing: true };

/** A rule of a policy: it holds up to a local time of a day before arrival; the last one, without, from then on. */
export interface CancellationRule {
  readonly daysBeforeArrival?: number | undefined;
  /** `HH:MM`; the end of the day if left out. */
  readonly time?: string | undefined;
  readonly keep: Keep;
}

/** What cancelling costs (interface: Cancellation policy). Its rules stand from more to fewer days before arrival. */
export interface CancellationPolicy {
  readonly rules: readonly CancellationRule[];
  /** Of a guest who does not come; the last rule's if left out. */
  readonly noShow?: Keep | undefined;
  /** The same in words, for guests. */
  readonly text?: string | undefined;
}

/** A hotel or residence, its fees and the address of its PMS (interface: Put a property). */
export const properties = sqliteTable(
  'properties',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    site: text().notNull(),
    currency: text().notNull(),
    timeZone: text('time_zone').notNull(),
    portfolio: text().notNull().default('default'),
    cardFeeBasisPoints: integer('card_fee_basis_points').notNull().default(0),
    /** Basis points by brand, over the rate above: `{"amex": 290}`. */
    cardFeeByBrand: text('card_fee_by_brand', { mode: 'json' })
      .$type<Record<string, number>>()
      .notNull()
      .default({}),
    transactionFeeMinor: integer('transaction_fee_minor').notNull().default(0),
    /** The first rule that fits goes before the rates above (interface: Fee rules). */
    feeRules: text('fee_rules', { mode: 'json' }).$type<readonly FeeRule[]>().notNull().default([]),
    /** ISO 3166-1 alpha-2; null if it is not known. */
    country: text(),
    /** What is done about fees that a law forbids; null for `warn` with a country, and `off` without one. */
    feeLaw: text('fee_law', { enum: ['off', 'warn', 'enforce'] }),
    /** What is done about a charge of more than is due. */
    overchargeGuard: text('overcharge_guard', { enum: ['off', 'warn', 'refuse'] })
      .notNull()
      .default('warn'),
    /** How long a second charge like an earlier one is refused; 0 for never. */
    duplicateWindowSeconds: integer('duplicate_window_seconds').notNull().default(0),
    /** The most that a cashier refunds at once, in minor units; null for nothing (interface: Staff). */
    refundLimitMinor: integer('refund_limit_minor'),
    /** Whether and how guests are asked for another card where one fails; null for not. */
    cardRecovery: text('card_recovery', { mode: 'json' }).$type<CardRecovery>(),
    planTemplates: text('plan_templates', { mode: 'json' })
      .$type<readonly PlanTemplate[]>()
      .notNull()
      .default([]),
    keepSchedulesOnCancellation: integer('keep_schedules_on_cancellation', { mode: 'boolean' })
      .notNull()
      .default(false),
    /** For bookings that come without a policy of their own; null for none. */
    cancellationPolicy: text('cancellation_policy', { mode: 'json' }).$type<CancellationPolicy>(),
    /** Whether guests may cancel on their page. */
    guestCancellation: integer('guest_cancellation', { mode: 'boolean' }).notNull().default(false),
    merchantAccount: text('merchant_account'),
    pmsUrl: text('pms_url'),
    pmsUsername: text('pms_username'),
    /** Encrypted: see `crypto/seal.ts`. */
    pmsPasswordSealed: text('pms_password_sealed'),
    pmsTransactionFormat: text('pms_transaction_format', { enum: ['JSON', 'XML'] })
      .notNull()
      .default('JSON'),
    pmsNamespace: text('pms_namespace'),
    /** Whether the bookings that are saved over the interface come from the PMS, which then hears nothing of them. */
    bookingsFromPms: integer('bookings_from_pms', { mode: 'boolean' }).notNull().default(false),
    /** The property's name as a channel, for its PMS; null for the first label of the site. */
    channelCode: text('channel_code'),
    contact: text({ mode: 'json' }).$type<Contact>(),
    guestMails: text('guest_mails', { mode: 'json' }).$type<GuestMails>(),
    branding: text({ mode: 'json' }).$type<Branding>(),
    retention: text({ mode: 'json' }).$type<Retention>(),
    /** The ids of its active endpoints for events, listed again with each change of one. */
    webhookEndpoints: text('webhook_endpoints', { mode: 'json' })
      .$type<readonly string[]>()
      .notNull()
      .default([]),
    /** How far its clock runs ahead of real time, and where it stands while it is being advanced (interface: Test clock). */
    clockAheadMs: integer('clock_ahead_ms').notNull().default(0),
    clockFrozenAtMs: integer('clock_stands_at_ms'),
    /** Grows with every change. Money rows name the version that they rely on. */
    version: integer().notNull().default(1),
    createdAtMs: integer('created_at_ms').notNull(),
  },
  (table) => [
    check(
      'properties_fees',
      sql`${table.cardFeeBasisPoints} BETWEEN 0 AND 9999 AND ${table.transactionFeeMinor} >= 0`,
    ),
    // The sweeps look for what is due by these clocks.
    index('properties_with_moved_clock')
      .on(table.id)
      .where(sql`${table.clockAheadMs} > 0 OR ${table.clockFrozenAtMs} IS NOT NULL`),
    // Unique, so that SQLite sees that what is read by property along it is in order.
    uniqueIndex('properties_by_portfolio').on(table.portfolio, table.id),
    // Finds the property of a calling PMS by its user name.
    index('properties_by_pms_user').on(table.pmsUsername),
    // A dispatcher serves all properties of one address.
    index('properties_by_pms_url').on(table.pmsUrl),
    // Finds what was sealed with an earlier key.
    index('properties_by_key').on(table.pmsPasswordSealed),
  ],
);

export type PropertyRow = typeof properties.$inferSelect;

/** The column of a row's property. */
export function ofProperty() {
  return text('property_id')
    .notNull()
    .references(() => properties.id);
}

/**
 * Every account at an acquirer that a property has or had: what happens later to payments of a former account is still the
 * property's. Saving a property adds its account.
 */
export const merchantAccounts = sqliteTable(
  'merchant_accounts',
  {
    propertyId: text('property_id').notNull(),
    account: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.propertyId, table.account] }),
    index('merchant_accounts_by_account').on(table.account),
  ],
);
