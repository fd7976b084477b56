import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { ofBooking } from './bookingTables.ts';
import { ofProperty } from './propertyTables.ts';
import { isOneOf } from './storage.ts';

/** What an agency's virtual card may be charged: when and how much (interface: Virtual cards). */
export interface VirtualTerms {
  readonly activeFromMs: number;
  /** The last instant at which it is charged; null if it has none. */
  readonly activeUntilMs: number | null;
  /** In minor units of the property's currency; null for no limit that is known. */
  readonly limitMinor: number | null;
  /** Who gave it, such as an agency, in the caller's words; null if that was not said. */
  readonly channel: string | null;
  /** Whether what is due is charged by itself once it is active. */
  readonly autoCharge: boolean;
}

/** A card, identified by a token. Only the gateway's vault holds the card number (interface: Cards). */
export const cards = sqliteTable(
  'cards',
  {
    token: text().primaryKey(),
    propertyId: ofProperty(),
    bookingReference: text('booking_reference'),
    gateway: text().notNull(),
    gatewayToken: text('gateway_token').notNull(),
    /**
     * The acquirer's account that keeps it, which its token begins with; null for the platform's. It is charged no more
     * once its property names another.
     */
    gatewayAccount: text('gateway_account').generatedAlwaysAs(
      sql`nullif(substr(gateway_token, 1, instr(gateway_token, '/') - 1), '')`,
      { mode: 'virtual' },
    ),
    brand: text().notNull(),
    last4: text().notNull(),
    masked: text().notNull(),
    holderName: text('holder_name'),
    expiryMonth: integer('expiry_month').notNull(),
    expiryYear: integer('expiry_year').notNull(),
    funding: text({ enum: ['credit', 'debit', 'prepaid', 'unknown'] })
      .notNull()
      .default('unknown'),
    /** ISO 3166-1, two letters; null if the acquirer does not say. */
    issuerCountry: text('issuer_country'),
    /** Who typed in the card. The guest page charges only cards that a guest typed in. */
    enteredBy: text('entered_by', { enum: ['api', 'guest', 'pms'] }).notNull(),
    /** The card request that the card answers, if any. Each request takes one card. */
    requestId: text('request_id'),
    /** Entered to pay, and nothing is paid with it yet. It becomes the card in use once a payment is. */
    enteredToPay: integer('entered_to_pay', { mode: 'boolean' }).notNull().default(false),
    createdAtMs: integer('created_at_ms').notNull(),
    /** When the guest removed it. It is charged no more; what was charged on it before can still be refunded. */
    removedAtMs: integer('removed_at_ms'),
    /** When its guest was erased, and the card detached at the acquirer: it can never be charged again. */
    detachedAtMs: integer('detached_at_ms'),
    /** Of a virtual card; null for any other. */
    virtual: text('virtual_terms', { mode: 'json' }).$type<VirtualTerms>(),
    /** Of a virtual card, in minor units: what was taken from it, is held on it or may have been taken, and was given back. */
    takenMinor: integer('taken_minor').notNull().default(0),
    heldMinor: integer('held_minor').notNull().default(0),
    refundedMinor: integer('refunded_minor').notNull().default(0),
    /** The schedule that charges a virtual card by itself, the latest of them; null if there was none. */
    autoChargeId: integer('auto_charge_id'),
    /** When to tell next that a virtual card is active, or will soon end; null for never. */
    dueAtMs: integer('due_at_ms'),
  },
  (table) => [
    ofBooking(table),
    index('cards_virtual')
      .on(table.propertyId, sql`${table.virtual} ->> '$.activeFromMs'`, table.token)
      .where(sql`${table.virtual} IS NOT NULL`),
    index('cards_due').on(table.dueAtMs).where(sql`${table.dueAtMs} IS NOT NULL`),
    // Finds the card that an acquirer's event names.
    index('cards_by_gateway_token').on(table.gatewayToken),
    index('cards_by_booking').on(table.propertyId, table.bookingReference),
    index('cards_by_last4').on(table.propertyId, table.last4, table.createdAtMs),
    uniqueIndex('cards_request').on(table.requestId).where(sql`${table.requestId} IS NOT NULL`),
    check('cards_expiry', sql`${table.expiryMonth} BETWEEN 1 AND 12`),
    check(
      'cards_hold_no_number',
      sql`length(${table.last4}) = 4 AND ${table.masked} NOT GLOB '*[0-9][0-9][0-9][0-9]*'`,
    ),
  ],
);

/**
 * Every card that a guest sent through a link, accepted or not: links and bookings have an hourly limit. The form makes
 * `attempt`, so that a double click counts once.
 */
export const cardEntries = sqliteTable(
  'card_entries',
  {
    attempt: text().primaryKey(),
    linkId: text('link_id').notNull(),
    atMs: integer('at_ms').notNull(),
    propertyId: text('property_id'),
    /** Null for a card that belongs to no booking. */
    bookingReference: text('booking_reference'),
  },
  (table) => [
    index('card_entries_by_link').on(table.linkId, table.atMs),
    index('card_entries_by_booking')
      .on(table.propertyId, table.bookingReference, table.atMs)
      .where(sql`${table.bookingReference} IS NOT NULL`),
  ],
);

/** A request by e-mail for a guest's card (interface: Card requests). */
export const cardRequests = sqliteTable(
  'card_requests',
  {
    /** A UUID that grows with time; of a reminder that counts as a request, the id of its mail. */
    id: text().primaryKey(),
    propertyId: ofProperty(),
    /** Null for a request by address only: its card belongs to no booking. */
    bookingReference: text('booking_reference'),
    email: text().notNull(),
    /** `Superseded`: a later request for the same booking replaced it. */
    status: text({ enum: ['Open', 'Completed', 'Superseded'] }).notNull(),
    expiresAtMs: integer('expires_at_ms').notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
  },
  (table) => [
    ofBooking(table),
    index('card_requests_by_booking').on(table.propertyId, table.bookingReference),
    index('card_requests_by_email').on(
      table.propertyId,
      sql`lower(${table.email})`,
      table.createdAtMs,
    ),
    check('card_requests_status', isOneOf(table.status)),
  ],
);

export type CardRow = typeof cards.$inferSelect;
export type CardRequestRow = typeof cardRequests.$inferSelect;
