import { and, type Column, eq, gte, lte, ne, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { addDays, type IsoDate, startOfDayMs } from '../../core/time.ts';
import { queries } from '../../platform/db/database.ts';
import { literally } from '../../platform/db/indexes.ts';
import { prepared, type RowOf } from '../../platform/db/prepared.ts';
import { namesBooking } from '../../records/bookings/store.ts';
import { DECLINE_CODE } from '../../records/history/dayFailuresStore.ts';
import { clients } from '../../schema/accessTables.ts';
import { bookings } from '../../schema/bookingTables.ts';
import { disbursements } from '../../schema/disbursementTables.ts';
import type { Movement } from '../../schema/historyTables.ts';
import { type TransactionRow, transactions } from '../../schema/moneyTables.ts';
import { type SettlementTerms, settlements } from '../../schema/settlementTables.ts';
import { dayFailures, daySums } from '../../schema/sumTables.ts';

/** Days of a property, both included. */
export interface Span {
  readonly from: IsoDate;
  readonly to: IsoDate;
}

/** Days of a property, for a statement to be filled with. */
export interface OfSpan extends Span {
  readonly propertyId: string;
}

/** Periods of days in a zone as instants. A day has 23 or 25 hours where clocks change. */
export function boundsOf(periods: readonly Span[], timeZone: string): PeriodBounds[] {
  return periods.map(({ from, to }) => ({
    fromMs: startOfDayMs(from, timeZone),
    beforeMs: startOfDayMs(addDays(to, 1), timeZone),
  }));
}

/** A period as instants; `beforeMs` is the first one after it. */
export interface PeriodBounds {
  readonly fromMs: number;
  readonly beforeMs: number;
}

/** Whose sums a statement reads, of which periods: their ends as JSON. */
interface OfPeriods {
  readonly propertyId: string;
  readonly periods: string;
}

/** What statements of periods are filled with. */
export function ofPeriods(propertyId: string, periods: readonly PeriodBounds[]): OfPeriods {
  const ends = periods.map(({ fromMs, beforeMs }) => [fromMs, beforeMs]);
  return { propertyId, periods: JSON.stringify(ends) };
}

/** The periods as rows. A cross join keeps them first: SQLite looks up the rows of each by an index. */
function rowsOf(periods: Placeholder): SQL {
  return sql`json_each(${periods}) AS period`;
}

const PERIOD = sql<number>`period.key`;

function inPeriod(atMs: SQL): SQL {
  return sql`${atMs} >= period.value ->> 0 AND ${atMs} < period.value ->> 1`;
}

/** What statements of the sums of days are filled with. */
export function ofDays(propertyId: string, periods: readonly Span[]): OfPeriods {
  return { propertyId, periods: JSON.stringify(periods.map(({ from, to }) => [from, to])) };
}

function isInDays(day: Column): SQL {
  return sql`${day} BETWEEN period.value ->> 0 AND period.value ->> 1`;
}

/** What was moved in a period, in one currency. */
export type Moved = RowOf<typeof selectMoved>;

/** Selects the sums of the movements of a property's charges, by period, currency and kind. */
export const selectMoved = prepared<OfPeriods>()(({ periods, propertyId }) => {
  const { amountMinor, currency, day, feeMinor, movement, number } = daySums;
  return queries
    .select({
      period: PERIOD.as('period'),
      currency,
      kind: movement,
      number: sql<number>`sum(${number})`.as('sum_number'),
      amountMinor: sql<number>`sum(${amountMinor})`.as('sum_minor'),
      feeMinor: sql<number>`sum(${feeMinor})`.as('sum_fee_minor'),
    })
    .from(rowsOf(periods))
    .crossJoin(daySums)
    .where(and(eq(daySums.propertyId, propertyId), isInDays(day)))
    .groupBy(PERIOD, currency, movement);
});

/** Selects the sums of a property's movements of some days, by currency, kind, brand, agency, purpose and who made them. */
export const selectShares = prepared<OfSpan>()(({ from, propertyId, to }) => {
  const { actor, agency, amountMinor, brand, currency, day, movement, number, purpose } = daySums;
  return queries
    .select({
      currency,
      kind: sql<Movement>`${movement}`.as('kind'),
      brand,
      agency,
      purpose,
      actor,
      actorName: sql<string | null>`coalesce(max(${daySums.actorName}), max(${clients.name}))`.as(
        'name_of_actor',
      ),
      number: sql<number>`sum(${number})`.as('sum_number'),
      amountMinor: sql<number>`sum(${amountMinor})`.as('sum_minor'),
    })
    .from(daySums)
    .leftJoin(clients, eq(clients.id, actor))
    .where(
      and(eq(daySums.propertyId, propertyId), gte(day, from), lte(day, to), ne(movement, 'hold')),
    )
    .groupBy(currency, movement, brand, agency, purpose, actor);
});

/** What ended without being taken in a period, in one currency, for one reason. */
export type Untaken = RowOf<typeof selectUntaken>;

/** Selects the sums of what failed, by period, currency and reason, without those of some days, which come as JSON. */
export const selectFailures = prepared<OfPeriods & { readonly without: string }>()(
  ({ periods, propertyId, without }) => {
    const { amountMinor, currency, day, declineCode, number, status } = dayFailures;
    return queries
      .select({
        period: PERIOD.as('period'),
        currency,
        status,
        declineCode: sql<string | null>`nullif(${declineCode}, '')`.as('code'),
        number: sql<number>`sum(${number})`.as('sum_number'),
        amountMinor: sql<number>`sum(${amountMinor})`.as('sum_minor'),
      })
      .from(rowsOf(periods))
      .crossJoin(dayFailures)
      .where(
        and(
          eq(dayFailures.propertyId, propertyId),
          isInDays(day),
          sql`${day} NOT IN (SELECT value FROM json_each(${without}))`,
        ),
      )
      .groupBy(PERIOD, currency, status, declineCode);
  },
);

/** Counts a property's payments that ended without being taken one by one, by period, currency and reason. */
export const selectUntaken = prepared<OfPeriods>()(({ periods, propertyId }) => {
  const { amountMinor, currency, learntAtMs, status } = transactions;
  return queries
    .select({
      period: PERIOD.as('period'),
      currency,
      status: sql<Extract<TransactionRow['status'], 'Declined' | 'Failed'>>`${status}`.as('status'),
      declineCode: DECLINE_CODE.as('code'),
      number: sql<number>`count(*)`.as('number'),
      amountMinor: sql<number>`sum(${amountMinor})`.as('sum_minor'),
    })
    .from(rowsOf(periods))
    .crossJoin(transactions)
    .where(
      and(
        eq(transactions.propertyId, propertyId),
        literally(status, 'Declined', 'Failed'),
        inPeriod(sql`${learntAtMs}`),
      ),
    )
    .groupBy(PERIOD, currency, status, DECLINE_CODE);
});

/** Sums what the acquirer kept of a property's payouts, by period and currency. */
export const selectAcquirerFees = prepared<OfPeriods>()(({ periods, propertyId }) => {
  const { currency, effectiveAtMs, feeMinor } = disbursements;
  return queries
    .select({
      period: PERIOD.as('period'),
      currency,
      feeMinor: sql<number>`sum(${feeMinor})`.as('sum_fee_minor'),
    })
    .from(rowsOf(periods))
    .crossJoin(disbursements)
    .where(and(eq(disbursements.propertyId, propertyId), inPeriod(sql`${effectiveAtMs}`)))
    .groupBy(PERIOD, currency);
});

/** What the steps of a settlement brought in: its captures and its charge, or what a recovery made in place of that. */
const BROUGHT_MINOR = sql`(SELECT coalesce(sum(coalesce(own.requested_minor, again.requested_minor)), 0) FROM json_each(${settlements.steps}) AS step
  LEFT JOIN transactions AS own ON own.id = step.value ->> 'chargeId' AND own.status = 'Accepted'
  LEFT JOIN transactions AS again ON again.replaces_charge = step.value ->> 'chargeId' AND again.status = 'Accepted'
  WHERE step.value ->> 'what' IN ('capture', 'charge'))`;

/** What the steps of a settlement gave back, without fees and Bonds. */
const GIVEN_MINOR = sql`(SELECT coalesce(sum(step.value ->> 'amountMinor'), 0) FROM json_each(${settlements.steps}) AS step
  JOIN refunds ON refunds.id = step.value ->> 'refundId' AND refunds.status = 'Refunded'
  WHERE step.value ->> 'what' = 'refund')`;

/** What a settlement was to bring in, whether it did or not. */
const ASKED_MINOR = sql`(SELECT coalesce(sum(step.value ->> 'amountMinor'), 0) FROM json_each(${settlements.steps}) AS step WHERE step.value ->> 'what' IN ('capture', 'charge'))
  + (${settlements.terms} ->> '$.uncollectableMinor')`;

function sum(minor: SQL) {
  return sql<number>`sum(${minor})`;
}

/** Sums what a property's cancellations came to, by the period in which they were made, currency and reason. */
export const selectCancellations = prepared<OfPeriods>()(({ periods, propertyId }) => {
  const { createdAtMs, status, terms } = settlements;
  const reason = sql<SettlementTerms['reason']>`${terms} ->> '$.reason'`;
  return queries
    .select({
      period: PERIOD.as('period'),
      currency: bookings.currency,
      reason: reason.as('reason'),
      number: sql<number>`count(*)`.as('number'),
      keptMinor: sum(sql`(${terms} ->> '$.paidMinor') + ${BROUGHT_MINOR} - ${GIVEN_MINOR}`).as(
        'kept',
      ),
      broughtMinor: sum(BROUGHT_MINOR).as('brought'),
      givenMinor: sum(GIVEN_MINOR).as('given'),
      lostMinor: sum(sql`iif(${status} = 'settling', 0, ${ASKED_MINOR} - ${BROUGHT_MINOR})`).as(
        'lost',
      ),
    })
    .from(rowsOf(periods))
    .crossJoin(settlements)
    .innerJoin(bookings, namesBooking(settlements))
    .where(and(eq(settlements.propertyId, propertyId), inPeriod(sql`${createdAtMs}`)))
    .groupBy(PERIOD, bookings.currency, reason)
    .orderBy(PERIOD, reason);
});
