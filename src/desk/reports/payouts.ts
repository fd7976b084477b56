import { and, asc, between, eq, gte, inArray, lt, ne, type SQL, sql } from 'drizzle-orm';
import { pick } from '../../core/pick.ts';
import { ok, type Result, refuse } from '../../core/result.ts';
import { addDays, startOfDayMs } from '../../core/time.ts';
import { selectDisbursement } from '../../disbursements/store.ts';
import { type Database, queries } from '../../platform/db/database.ts';
import { comesAfter, type Page, type Part, pageOf } from '../../platform/db/page.ts';
import { namesBooking } from '../../records/bookings/store.ts';
import { bookings } from '../../schema/bookingTables.ts';
import {
  type DisbursementRow,
  disbursementItems,
  disbursements,
} from '../../schema/disbursementTables.ts';
import { archivedBookings } from '../../schema/lifeTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { words } from '../words.ts';
import { type BankLine, type Likely, likeliest } from './bankLine.ts';

/** What the items of one category come to. */
export type ItemSum = Awaited<ReturnType<typeof selectItemSums>>[number];

/** A payout, what it is made of, and a page of its items. */
export interface Payout {
  readonly row: DisbursementRow;
  readonly sums: readonly ItemSum[];
  readonly items: Page<PayoutItem>;
}

/** Reads a payout of a property with some of its items. One round trip. */
export async function readPayout(
  database: Database,
  property: Pick<PropertyRow, 'id'>,
  id: string,
  part: Part,
): Promise<Result<Payout>> {
  const [[row], sums, items] = await database.batch('d1.console.read', [
    selectDisbursement(property.id, id),
    selectItemSums(property.id, id),
    selectPayoutItems(property.id, id, part),
  ]);
  if (!row) return refuse('disbursement_not_found', words.refusals.noPayout);
  const page = pageOf(items, part.limit, (item) => [item.effectiveAtMs, item.id]);
  return ok({ row, sums, items: page });
}

/** What a bank line is: the payouts that are it or nearly so, and the first items of those that are. */
export interface Recognised {
  readonly likely: readonly Likely[];
  readonly items: readonly PayoutItem[];
}

/** Finds out what a bank line is (interface: Console). One round trip. */
export async function recogniseBankLine(
  database: Database,
  property: Pick<PropertyRow, 'id' | 'timeZone'>,
  line: BankLine,
  mostItems: number,
): Promise<Recognised> {
  const [rows, items] = await database.batch('d1.console.read', [
    selectAround(property, line),
    selectItemsOfMatches(property, line, mostItems),
  ]);
  return { likely: likeliest(line, rows), items };
}

/** Sums a payout's items by their category. */
export function selectItemSums(propertyId: string, disbursementId: string) {
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

/** An item of a payout, with the guest of the booking that it names, if there is one: of an archived one, the last name. */
export type PayoutItem = Awaited<ReturnType<typeof selectItems>>[number];

/** Selects a page of a payout's items, oldest first. */
export function selectPayoutItems(
  propertyId: string,
  disbursementId: string,
  { limit, after }: Part,
) {
  const { effectiveAtMs, id } = disbursementItems;
  const which = and(
    eq(disbursementItems.disbursementId, disbursementId),
    comesAfter('ascending', [effectiveAtMs, id], after),
  );
  return selectItems(propertyId, which).limit(limit + 1);
}

function selectItems(propertyId: string, which: SQL | undefined) {
  const { description, effectiveAtMs, id, propertyId: ofProperty } = disbursementItems;
  return queries
    .select({
      id,
      ...pick(disbursementItems, 'disbursementId', 'gatewayTransactionId', 'description'),
      ...pick(disbursementItems, 'category', 'currency', 'grossMinor', 'feeMinor', 'netMinor'),
      effectiveAtMs,
      reference: sql<
        string | null
      >`coalesce(${bookings.reference}, ${archivedBookings.reference})`.as('of_booking'),
      firstName: bookings.firstName,
      lastName: sql<string | null>`coalesce(${bookings.lastName}, ${archivedBookings.lastName})`.as(
        'of_guest',
      ),
    })
    .from(disbursementItems)
    .leftJoin(bookings, namesBooking({ propertyId: ofProperty, bookingReference: description }))
    .leftJoin(
      archivedBookings,
      and(eq(archivedBookings.propertyId, ofProperty), eq(archivedBookings.reference, description)),
    )
    .where(and(eq(ofProperty, propertyId), which))
    .orderBy(asc(effectiveAtMs), asc(id));
}

/** How many days around a bank line's payouts are compared with it. */
const LOOKED_AROUND_DAYS = 45;

/** More payouts than a property has in that time. */
const MOST_COMPARED = 500;

/** Selects the payouts of the time around a bank line. Money arrives days after its payout is made. */
export function selectAround(
  { id, timeZone }: Pick<PropertyRow, 'id' | 'timeZone'>,
  line: BankLine,
) {
  return queries
    .select()
    .from(disbursements)
    .where(isAround(id, timeZone, line))
    .orderBy(asc(disbursements.effectiveAtMs), asc(disbursements.id))
    .limit(MOST_COMPARED);
}

/** Selects the first items of the payouts that are a bank line. */
export function selectItemsOfMatches(
  { id: propertyId, timeZone }: Pick<PropertyRow, 'id' | 'timeZone'>,
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
  return selectItems(propertyId, which).limit(limit);
}

function isAround(propertyId: string, timeZone: string, { day }: BankLine): SQL | undefined {
  const { effectiveAtMs } = disbursements;
  return and(
    eq(disbursements.propertyId, propertyId),
    gte(effectiveAtMs, startOfDayMs(addDays(day, -LOOKED_AROUND_DAYS), timeZone)),
    lt(effectiveAtMs, startOfDayMs(addDays(day, LOOKED_AROUND_DAYS), timeZone)),
  );
}
