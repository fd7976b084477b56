import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Queries } from '../platform/db/database.ts';
import { listed } from '../platform/db/listed.ts';
import type { BookingName } from '../records/bookings/store.ts';
import { cards } from '../schema/cardTables.ts';
import { disputes } from '../schema/disputeTables.ts';
import { refunds } from '../schema/moneyTables.ts';

/** Selects some of a property's cards by their tokens. */
export function selectCards(queries: Queries, propertyId: string, tokens: readonly string[]) {
  return queries
    .select()
    .from(cards)
    .where(and(eq(cards.propertyId, propertyId), inArray(cards.token, listed(tokens))));
}

/** Selects a booking's refunds, oldest first. */
export function selectShownRefunds(queries: Queries, { propertyId, reference }: BookingName) {
  return queries
    .select()
    .from(refunds)
    .where(and(eq(refunds.propertyId, propertyId), eq(refunds.bookingReference, reference)))
    .orderBy(asc(refunds.id));
}

/** Selects a booking's disputes, those opened first first. */
export function selectShownDisputes(queries: Queries, { propertyId, reference }: BookingName) {
  return queries
    .select()
    .from(disputes)
    .where(and(eq(disputes.propertyId, propertyId), eq(disputes.bookingReference, reference)))
    .orderBy(asc(disputes.openedAtMs), asc(disputes.id));
}
