import { and, asc, between, eq, gte, inArray, lt, ne, type SQL, sql } from 'drizzle-orm';
import { addDays, startOfDayMs } from '../../core/time.ts';
import type { Queries } from '../../platform/db/database.ts';
import { comesAfter, type Part } from '../../platform/db/page.ts';
import { bookings } from '../../schema/bookingTables.ts';
import { disbursementItems, disbursements } from '../../schema/disbursementTables.ts';
import type { BankLine } from './bankLine.ts';

/** Sums a payout's items by their category. */
export function selectItemSums(queries: Queries, propertyId: string, disbursementId: string) {
  const { category, feeMinor, grossMinor, netMinor } = disbursementItems;
  return queries
    .select({
      category,
      number: sql<number>`count(*)`.as('number'),
      grossMinor: sql<number>`sum(${grossMinor})`.as('sum_gross_minor'),
      feeMinor: sql<number>`sum(${feeMinor})`.as('sum_fee_minor'),
      netMinor: sql<number>`sum(${netMinor})`.as('sum_net_minor'),
    })
    .from(disbursementItems)
    .where(
      and(
        eq(disbursementItems.propertyId, propertyId),
        eq(disbursementItems.disbursementId, disbursementId),
      ),
    )
    .groupBy(category);
}

/** An item of a payout, with the guest of the booking that it names, if there is one. */
export type PayoutItem = Awaited<ReturnType<typeof selectItems>>[number];

/** Selects a page of a payout's items, oldest first. */
export function selectPayoutItems(
  queries: Queries,
  propertyId: string,
  disbursementId: string,
  { limit, after }: Part,
) {
  const { effectiveAtMs, id } = disbursementItems;
  const which = and(
    eq(disbursementItems.disbursementId, disbursementId),
    comesAfter('ascending', [effectiveAtMs, id], after),
  );
  return selectItems(queries, propertyId, which).limit(limit + 1);
}

function selectItems(queries: Queries, propertyId: string, which: SQL | undefined) {
  const { effectiveAtMs, id } = disbursementItems;
  return queries
    .select({
      id,
      disbursementId: disbursementItems.disbursementId,
      gatewayTransactionId: disbursementItems.gatewayTransactionId,
      description: disbursementItems.description,
      category: disbursementItems.category,
      currency: disbursementItems.currency,
      grossMinor: disbursementItems.grossMinor,
      feeMinor: disbursementItems.feeMinor,
      netMinor: disbursementItems.netMinor,
      effectiveAtMs,
      reference: bookings.reference,
      firstName: bookings.firstName,
      lastName: bookings.lastName,
    })
    .from(disbursementItems)
    .leftJoin(
      bookings,
      and(
        eq(bookings.propertyId, disbursementItems.propertyId),
        eq(bookings.reference, disbursementItems.description),
      ),
    )
    .where(and(eq(disbursementItems.propertyId, propertyId), which))
    .orderBy(asc(effectiveAtMs), asc(id));
}

/** How many days around a bank line's payouts are compared with it. */
const LOOKED_AROUND_DAYS = 45;

/** More payouts than a property has in that time. */
const MOST_COMPARED = 500;

/** Selects the payouts of the time around a bank line. Money arrives days after its payout is made. */
export function selectAround(queries: Queries, { id, timeZone }: PropertyPlace, line: BankLine) {
  return queries
    .select()
    .from(disbursements)
    .where(isAround(id, timeZone, line))
    .orderBy(asc(disbursements.effectiveAtMs), asc(disbursements.id))
    .limit(MOST_COMPARED);
}

/** Selects the first items of the payouts that are a bank line. */
export function selectItemsOfMatches(
  queries: Queries,
  { id: propertyId, timeZone }: PropertyPlace,
  line: BankLine,
  limit: number,
) {
  const { arrivalDate, currency, id, netMinor, status } = disbursements;
  const matches = queries
    .select({ id })
    .from(disbursements)
    .where(
      and(
        isAround(propertyId, timeZone, line),
        eq(netMinor, line.amountMinor),
        eq(currency, line.currency),
        ne(status, 'failed'),
        between(arrivalDate, addDays(line.day, -line.days), addDays(line.day, line.days)),
      ),
    );
  const which = inArray(disbursementItems.disbursementId, matches);
  return selectItems(queries, propertyId, which).limit(limit);
}

/** A property, with the zone that its days are in. */
interface PropertyPlace {
  readonly id: string;
  readonly timeZone: string;
}

function isAround(propertyId: string, timeZone: string, { day }: BankLine): SQL | undefined {
  const { effectiveAtMs } = disbursements;
  return and(
    eq(disbursements.propertyId, propertyId),
    gte(effectiveAtMs, startOfDayMs(addDays(day, -LOOKED_AROUND_DAYS), timeZone)),
    lt(effectiveAtMs, startOfDayMs(addDays(day, LOOKED_AROUND_DAYS), timeZone)),
  );
}
