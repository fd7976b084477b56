import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { ofBooking } from './bookingTables.ts';
import { ofProperty } from './propertyTables.ts';
import { isOneOf } from './storage.ts';

/**
 * What guests did on pages of this service, for who disputes it later (parts: What guests agreed to): they opened their
 * page, or agreed to something that it showed.
 */
export const guestActs = sqliteTable(
  'guest_acts',
  {
    /** What it is and what it is about, so that each is kept once. */
    id: text().primaryKey(),
    propertyId: ofProperty(),
    /** Null for a card that belongs to no booking. */
    bookingReference: text('booking_reference'),
    /** `opened`: the page was opened by a link. The others are agreements. */
    kind: text({ enum: ['opened', 'card', 'payment', 'plan', 'policy'] }).notNull(),
    /** The link's id, the card's token, the transaction's reference, the plan's id, or the settlement's id of a policy. */
    subjectId: text('subject_id').notNull(),
    /** The language of the page; null for an opening. */
    language: text(),
    /** All that the page said of it; null for an opening. */
    words: text(),
    atMs: integer('at_ms').notNull(),
    /** Null where the guest was not there, such as for a card that an acquirer reported later. */
    ipAddress: text('ip_address'),
    /** The `User-Agent` of the browser. */
    browser: text(),
  },
  (table) => [
    ofBooking(table),
    index('guest_acts_by_booking').on(table.propertyId, table.bookingReference, table.atMs),
    check('guest_acts_kind', isOneOf(table.kind)),
  ],
);

export type GuestActRow = typeof guestActs.$inferSelect;
