import { asc, sql } from 'drizzle-orm';
import { queries, type Statement } from '../../platform/db/database.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import { type GuestActRow, guestActs } from '../../schema/guestActTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import type { PlanRow } from '../../schema/planTables.ts';
import type { SettlementRow } from '../../schema/settlementTables.ts';
import { type BookingName, isOfBooking } from '../bookings/store.ts';
import type { Agreed, Visitor } from './rules.ts';

/** What a guest agrees to: there is one record for each. */
interface About
  extends Pick<GuestActRow, 'propertyId' | 'bookingReference' | 'subjectId' | 'atMs'> {
  readonly kind: Exclude<GuestActRow['kind'], 'opened'>;
}

/** Keeps what a guest agreed to, unless that is kept already; nothing where no guest agreed. */
function agreement(about: About, agreed: Agreed | null | undefined): Statement[] {
  if (!agreed) return [];
  const row = { ...about, ...agreed, id: `${about.kind}-${about.subjectId}` };
  return [queries.insert(guestActs).values(row).onConflictDoNothing()];
}

/** Keeps what a card's guest agreed to when they entered it; nothing where nobody did. */
export function agreementOfCard(
  { bookingReference, createdAtMs: atMs, propertyId, token: subjectId }: CardRow,
  agreed: Agreed | null,
): Statement[] {
  return agreement({ kind: 'card', propertyId, bookingReference, subjectId, atMs }, agreed);
}

/** Keeps what a guest agreed to by paying; nothing for a payment that nobody made on a page. */
export function agreementOfPayment(
  { bookingReference, createdAtMs: atMs, propertyId, reference: subjectId }: TransactionRow,
  agreed: Agreed | undefined,
): Statement[] {
  return agreement({ kind: 'payment', propertyId, bookingReference, subjectId, atMs }, agreed);
}

/** Keeps what a guest agreed to by choosing a plan; nothing for one that somebody else put. */
export function agreementOfPlan(
  { bookingReference, changedAtMs: atMs, id: subjectId, propertyId }: PlanRow,
  agreed: Agreed | undefined,
): Statement[] {
  return agreement({ kind: 'plan', propertyId, bookingReference, subjectId, atMs }, agreed);
}

/** Keeps what a guest agreed to by cancelling on a page; nothing where somebody else cancels. */
export function agreementOfCancellation(
  { bookingReference, createdAtMs: atMs, id: subjectId, propertyId }: SettlementRow,
  agreed: Agreed | undefined,
): Statement[] {
  return agreement({ kind: 'policy', propertyId, bookingReference, subjectId, atMs }, agreed);
}

/** A link to a page of a booking's guest. */
export interface OpenedLink extends BookingName {
  readonly linkId: string;
}

/** The most openings that are kept of a booking. */
const MOST_OPENINGS = 200;

/**
 * Keeps that a guest's page was opened by a link, once an hour for each browser. `id` names the link, the hour and the
 * browser.
 */
export function insertOpening(
  { linkId, propertyId, reference }: OpenedLink,
  { browser, id, ipAddress, nowMs }: Visitor & { readonly id: string; readonly nowMs: number },
) {
  const atMs = sql`coalesce(property.clock_stands_at_ms, ${nowMs} + property.clock_ahead_ms)`;
  return queries
    .insert(guestActs)
    .select(
      sql`SELECT ${id}, ${propertyId}, ${reference}, 'opened', ${linkId}, NULL, NULL, ${atMs}, ${ipAddress}, ${browser} FROM properties AS property WHERE property.id = ${propertyId} AND EXISTS (SELECT 1 FROM bookings AS booking WHERE booking.property_id = ${propertyId} AND booking.reference = ${reference}) AND (SELECT count(*) FROM guest_acts AS known WHERE known.property_id = ${propertyId} AND known.booking_reference = ${reference} AND known.kind = 'opened') < ${MOST_OPENINGS}`,
    )
    .onConflictDoNothing();
}

/** Selects what a booking's guest did, the earliest first. */
export function selectGuestActs(name: BookingName, limit: number) {
  return queries
    .select()
    .from(guestActs)
    .where(isOfBooking(guestActs, name))
    .orderBy(asc(guestActs.atMs))
    .limit(limit);
}
