import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { ofBooking } from './bookingTables.ts';
import { isOneOf } from './storage.ts';

/** What a cancellation came to when it was applied, in minor units without fees (interface: Cancellation). */
export interface SettlementTerms {
  readonly reason: 'guest' | 'property' | 'noShow';
  readonly rule: number | 'noShow' | 'property' | 'override';
  readonly keepMinor: number;
  readonly paidMinor: number;
  /** What no card was there for, and what could be given back of no charge. */
  readonly uncollectableMinor: number;
  readonly unrefundableMinor: number;
}

/** One movement of a settlement: each has its own row of `transactions` or `refunds` from the beginning. */
export interface SettlementStep {
  readonly what: 'capture' | 'charge' | 'refund' | 'release' | 'bond';
  readonly chargeId: number;
  readonly refundId: number | null;
  /** Without fees. */
  readonly amountMinor: number;
  /** Of what is given back, with the fees that go back with it; else the same. */
  readonly shownMinor: number;
}

/** What the cancellation of a booking brings in and gives back (parts: Settlements). */
export const settlements = sqliteTable(
  'settlements',
  {
    /** 32 hex digits. */
    id: text().primaryKey(),
    propertyId: text('property_id').notNull(),
    bookingReference: text('booking_reference').notNull(),
    /** The quote that was applied: once. */
    quoteId: text('quote_id').notNull(),
    terms: text({ mode: 'json' }).$type<SettlementTerms>().notNull(),
    /** In their order: money comes in before it goes out. */
    steps: text({ mode: 'json' }).$type<readonly SettlementStep[]>().notNull(),
    /** `settling` until each step has its outcome. */
    status: text({ enum: ['settling', 'settled', 'incomplete'] }).notNull(),
    /** When the booking's Durable Object looks at it next; null once it has ended. */
    dueAtMs: integer('due_at_ms'),
    /** Grows by one with every change: a change decided on an older state is refused. */
    version: integer().notNull().default(1),
    createdAtMs: integer('created_at_ms').notNull(),
    endedAtMs: integer('ended_at_ms'),
  },
  (table) => [
    ofBooking(table),
    uniqueIndex('settlements_of_quote').on(table.propertyId, table.quoteId),
    index('settlements_by_booking').on(table.propertyId, table.bookingReference, table.createdAtMs),
    // Reports of a property's days.
    index('settlements_by_time').on(table.propertyId, table.createdAtMs),
    index('settlements_due').on(table.dueAtMs).where(sql`${table.dueAtMs} IS NOT NULL`),
    // The work list of a property's staff.
    index('settlements_incomplete')
      .on(table.propertyId, table.endedAtMs, table.id)
      .where(sql`${table.status} = 'incomplete'`),
    index('settlements_incomplete_anywhere')
      .on(table.endedAtMs, table.id)
      .where(sql`${table.status} = 'incomplete'`),
    check('settlements_status', isOneOf(table.status)),
    check('settlements_ended', sql`(${table.status} = 'settling') = (${table.endedAtMs} IS NULL)`),
    check('settlements_due', sql`(${table.status} = 'settling') = (${table.dueAtMs} IS NOT NULL)`),
  ],
);

export type SettlementRow = typeof settlements.$inferSelect;
