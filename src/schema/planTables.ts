import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { ofBooking } from './bookingTables.ts';
import type { PlanSpec } from './planSpec.ts';
import { isOneOf } from './storage.ts';

/** A part of a plan as it was last worked out (interface: The plan object). Amounts are minor units without fees. */
export interface PlanPart {
  /** `t1`, `t2` … by term, `r1`, `r2` … by period. */
  readonly id: string;
  readonly amountMinor: number;
  /** What payments other than its own charge cover, and what its own charge brought. */
  readonly coveredMinor: number;
  readonly broughtMinor: number;
  /** When it is due by the terms, and when it is charged: later, where the first came to lie in the past. */
  readonly termsAtMs: number;
  readonly dueAtMs: number;
  readonly status: 'planned' | 'processing' | 'paid' | 'failed' | 'void';
  /** Its own charge, and what became of that; null before it is charged. */
  readonly chargeId: number | null;
  readonly chargeStatus: string | null;
  /** Whether it ended at its time because nothing was due: then nothing opens it again. */
  readonly hasEnded: boolean;
  /** The recovery that foresees that its card will have expired by its time, and what time that was; nothing for none. */
  readonly foretold?: { readonly recoveryId: number; readonly dueAtMs: number };
}

/** Payment plans (interface: Payment plans). A booking has one that is active at most. */
export const paymentPlans = sqliteTable(
  'payment_plans',
  {
    id: text().primaryKey(),
    propertyId: text('property_id').notNull(),
    bookingReference: text('booking_reference').notNull(),
    status: text({ enum: ['active', 'completed', 'cancelled'] }).notNull(),
    currency: text().notNull(),
    /** The card that it charges; null for that of the booking. */
    cardToken: text('card_token'),
    /** When the card that it charges will have expired, as far as is known; null for no card. */
    cardEndsAtMs: integer('card_ends_at_ms'),
    spec: text({ mode: 'json' }).$type<PlanSpec>().notNull(),
    /** In the order in which they are due. */
    parts: text({ mode: 'json' }).$type<readonly PlanPart[]>().notNull(),
    /** When its terms were put, and the booking's version then. */
    putAtMs: integer('put_at_ms').notNull(),
    bookingVersion: integer('booking_version').notNull(),
    /** When the booking's object must look at it next; null for never. */
    dueAtMs: integer('due_at_ms'),
    /** Grows by one with every change: a change decided on an older state is refused. */
    version: integer().notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
    changedAtMs: integer('changed_at_ms').notNull(),
  },
  (table) => [
    ofBooking(table),
    index('payment_plans_by_booking').on(
      table.propertyId,
      table.bookingReference,
      table.createdAtMs,
    ),
    uniqueIndex('payment_plans_active')
      .on(table.propertyId, table.bookingReference)
      .where(sql`${table.status} = 'active'`),
    index('payment_plans_due').on(table.dueAtMs).where(sql`${table.dueAtMs} IS NOT NULL`),
    // What is to come of a property's bookings.
    index('payment_plans_coming')
      .on(table.propertyId, table.dueAtMs)
      .where(sql`${table.dueAtMs} IS NOT NULL`),
    check('payment_plans_status', isOneOf(table.status)),
    check('payment_plans_done', sql`${table.status} = 'active' OR ${table.dueAtMs} IS NULL`),
  ],
);

export type PlanRow = typeof paymentPlans.$inferSelect;
