import { sql } from 'drizzle-orm';
import {
  type AnySQLiteColumn,
  check,
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
} from 'drizzle-orm/sqlite-core';
import { type CancellationPolicy, ofProperty } from './propertyTables.ts';
import { isOneOf } from './storage.ts';

/** A room stay from the booking engine, for messages to the PMS (interface: Bookings). */
export interface RoomStay {
  readonly roomTypeCode: string;
  readonly rateTypeCode: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly adults?: number | undefined;
  readonly children?: number | undefined;
  /** Minor units of the booking's currency. */
  readonly amountMinor?: number | undefined;
}

/** What is known of a guest besides names, e-mail and phone; for messages to the PMS (interface: Bookings). */
export interface GuestDetails {
  readonly prefix?: string | undefined;
  readonly middleNames?: string | undefined;
  readonly suffix?: string | undefined;
  readonly company?: string | undefined;
  readonly mobile?: string | undefined;
  readonly fax?: string | undefined;
  readonly address?: string | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly postCode?: string | undefined;
  readonly country?: string | undefined;
}

/** A booking's policy, and since when its guest can know it. */
export type DisclosedPolicy = CancellationPolicy & { readonly disclosedAtMs: number };

/** One booking per PMS booking reference and property (interface: The booking object). */
export const bookings = sqliteTable(
  'bookings',
  {
    propertyId: ofProperty(),
    reference: text().notNull(),
    status: text({ enum: ['booked', 'cancelled'] }).notNull(),
    arrival: text().notNull(),
    departure: text().notNull(),
    lastName: text('last_name').notNull(),
    email: text().notNull(),
    currency: text().notNull(),
    totalCostMinor: integer('total_cost_minor').notNull(),
    /** The last total cost that was known; 0 if none ever was. */
    knownTotalMinor: integer('known_total_minor').notNull().default(0),
    firstNightCostMinor: integer('first_night_cost_minor').notNull(),
    firstName: text('first_name'),
    phone: text(),
    source: text(),
    pmsConfirmationNumber: text('pms_confirmation_number'),
    roomStays: text('room_stays', { mode: 'json' }).$type<RoomStay[]>(),
    /** When the guest expects to arrive, in the caller's words. */
    eta: text(),
    notes: text(),
    guest: text({ mode: 'json' }).$type<GuestDetails>(),
    /** Whether the last save repeated what the PMS itself knows, so that the PMS was not told. */
    fromPms: integer('from_pms', { mode: 'boolean' }).notNull().default(false),
    /** The default card for charges: the one attached last. */
    cardToken: text('card_token'),
    /** Raising it revokes all earlier guest links. */
    linkVersion: integer('link_version').notNull().default(1),
    /** Grows with every change of the booking or its cards. Money rows name the version that they rely on. */
    version: integer().notNull().default(1),
    /** The property that the last change was decided with; null before this column. */
    propertyVersion: integer('property_version'),
    /** The version of the last cancellation that ends schedules and holds made before it, even if booked again since. */
    pendingCancelledVersion: integer('pending_cancelled_version'),
    /** The policy that it was first saved with, or the one that a later save named; null for none. */
    cancellationPolicy: text('cancellation_policy', { mode: 'json' }).$type<DisclosedPolicy>(),
    createdAtMs: integer('created_at_ms').notNull(),
    updatedAtMs: integer('updated_at_ms').notNull(),
    /** When its guest's data were erased last (interface: Erase a guest); null if they were not. */
    erasedAtMs: integer('erased_at_ms'),
    /** The folded words that find it, each after a space; `booking_words` has them one by one. */
    searchWords: text('search_words').notNull().default(''),
  },
  (table) => [
    primaryKey({ columns: [table.propertyId, table.reference] }),
    // These serve the list of bookings: one for each filter that can leave few of many.
    index('bookings_by_creation').on(table.propertyId, table.createdAtMs, table.reference),
    index('bookings_by_arrival').on(table.propertyId, table.arrival),
    // Changes within a minute of the creation are found by that.
    index('bookings_changed_later')
      .on(table.propertyId, table.updatedAtMs)
      .where(sql`${table.updatedAtMs} > ${table.createdAtMs} + 60000`),
    index('bookings_by_email').on(table.propertyId, sql`lower(${table.email})`),
    index('bookings_cancelled')
      .on(table.propertyId, table.createdAtMs, table.reference)
      .where(sql`${table.status} = 'cancelled'`),
    index('bookings_by_confirmation')
      .on(table.propertyId, table.pmsConfirmationNumber)
      .where(sql`${table.pmsConfirmationNumber} IS NOT NULL`),
    check('bookings_stay', sql`${table.departure} > ${table.arrival}`),
    check(
      'bookings_costs',
      sql`${table.totalCostMinor} >= 0 AND ${table.firstNightCostMinor} >= 0`,
    ),
    check('bookings_status', isOneOf(table.status)),
  ],
);

/** Which bookings of a property each word leads to (parts: The search). */
export const bookingWords = sqliteTable(
  'booking_words',
  {
    propertyId: text('property_id').notNull(),
    word: text().notNull(),
    bookingReference: text('booking_reference').notNull(),
  },
  (table) => [primaryKey({ columns: [table.propertyId, table.word, table.bookingReference] })],
);

/**
 * What is due of the bookings that owe something, so that all of a property's are found without the others (parts:
 * What is owed). Follows the history: up to the event that `owed_progress` names, it has what the balance says.
 */
export const owedBookings = sqliteTable(
  'owed_bookings',
  {
    propertyId: text('property_id').notNull(),
    bookingReference: text('booking_reference').notNull(),
    arrival: text().notNull(),
    currency: text().notNull(),
    dueMinor: integer('due_minor').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.propertyId, table.bookingReference] }),
    index('owed_bookings_by_arrival').on(
      table.propertyId,
      table.arrival,
      table.bookingReference,
      table.currency,
      table.dueMinor,
    ),
    check('owed_bookings_due', sql`${table.dueMinor} > 0`),
  ],
);

/** The sums of {@link owedBookings} by their arrival: a property has as many as days, whatever owes something. */
export const owedDays = sqliteTable(
  'owed_days',
  {
    propertyId: text('property_id').notNull(),
    arrival: text().notNull(),
    currency: text().notNull(),
    number: integer().notNull(),
    dueMinor: integer('due_minor').notNull(),
  },
  (table) => [primaryKey({ columns: [table.propertyId, table.arrival, table.currency] })],
);

/** The last event of a property that {@link owedBookings} follows. */
export const owedProgress = sqliteTable('owed_progress', {
  propertyId: text('property_id').primaryKey(),
  eventNumber: integer('event_number').notNull(),
});

export type BookingRow = typeof bookings.$inferSelect;

export function ofBooking(table: Record<'propertyId' | 'bookingReference', AnySQLiteColumn>) {
  return foreignKey({
    columns: [table.propertyId, table.bookingReference],
    foreignColumns: [bookings.propertyId, bookings.reference],
  });
}
