import { and, eq, type SQL, sql } from 'drizzle-orm';
import { DAY_MS } from '../core/time.ts';
import { queries } from '../platform/db/database.ts';
import { literally } from '../platform/db/indexes.ts';
import { prepared, type RowOf } from '../platform/db/prepared.ts';
import { propertyTimeAt } from '../records/properties/store.ts';
import { bookings } from '../schema/bookingTables.ts';
import { disputes } from '../schema/disputeTables.ts';
import { refunds, transactions } from '../schema/moneyTables.ts';
import { properties } from '../schema/propertyTables.ts';
import { exceptions } from '../schema/reconciliationTables.ts';
import { recoveries } from '../schema/recoveryTables.ts';
import { settlements } from '../schema/settlementTables.ts';
import {
  cardsWithin,
  FAILED_DAYS,
  FAILED_NEEDS,
  MAY_NEED_CARD,
  NEEDS_CARD,
  NOT_KEPT,
  unansweredOf,
} from './attentionLists.ts';

/** Up to which number entries are counted: more are too many to count. */
export const MOST_COUNTED = 20;

/** Among how many of the latest payments that failed those that need somebody are counted. */
const MOST_LOOKED_AT = 200;

/** How many entries of each list of a property need somebody, counted up to `MOST_COUNTED` each. */
export type Counts = RowOf<typeof selectWithCounts>['counts'];

/** Selects a property, and counts what needs somebody there: of payments that failed, the latest are looked at. */
export const selectWithCounts = prepared<{
  readonly propertyId: string;
  readonly realMs: number;
}>()(({ propertyId, realMs }) => {
  const now = propertyTimeAt(realMs);
  const sinceMs = sql`${now} - ${FAILED_DAYS * DAY_MS}`;
  const latest = sql`(SELECT id AS failed_id FROM ${transactions} WHERE ${transactions.propertyId} = ${propertyId} AND ${literally(transactions.status, 'Declined', 'Failed')} AND ${transactions.learntAtMs} >= ${sinceMs} ORDER BY ${transactions.learntAtMs} DESC LIMIT ${MOST_LOOKED_AT})`;
  const failed = sql`${latest} CROSS JOIN ${transactions} ON ${transactions.id} = failed_id JOIN ${bookings} ON ${bookings.propertyId} = ${transactions.propertyId} AND ${bookings.reference} = ${transactions.bookingReference} LEFT JOIN ${recoveries} ON ${recoveries.transactionId} = ${transactions.id} WHERE ${FAILED_NEEDS}`;
  const recovering = sql`(SELECT * FROM ${recoveries} WHERE ${recoveries.propertyId} = ${propertyId} AND ${MAY_NEED_CARD} AND ${cardsWithin(now)} ORDER BY ${recoveries.chargeAtMs} LIMIT ${MOST_LOOKED_AT}) AS recoveries JOIN ${bookings} ON ${bookings.propertyId} = ${recoveries.propertyId} AND ${bookings.reference} = ${recoveries.bookingReference} LEFT JOIN ${transactions} ON ${transactions.id} = ${recoveries.transactionId} WHERE ${NEEDS_CARD}`;
  const failedRefunds = sql`${refunds} WHERE ${and(eq(refunds.propertyId, propertyId), literally(refunds.status, 'Failed'))} AND ${refunds.learntAtMs} >= ${sinceMs}`;
  const unsettled = sql`${settlements} JOIN ${bookings} ON ${bookings.propertyId} = ${settlements.propertyId} AND ${bookings.reference} = ${settlements.bookingReference} WHERE ${and(eq(settlements.propertyId, propertyId), literally(settlements.status, 'incomplete'))} AND ${settlements.endedAtMs} >= ${sinceMs} AND ${NOT_KEPT}`;
  const open = sql`${disputes} INDEXED BY disputes_by_deadline WHERE ${and(eq(disputes.propertyId, propertyId), literally(disputes.status, 'needs_response', 'under_review'), eq(disputes.status, 'needs_response'))}`;
  const unexplained = sql`${exceptions} INDEXED BY exceptions_open WHERE ${and(eq(exceptions.propertyId, propertyId), literally(exceptions.status, 'open'))}`;
  return queries
    .select({
      property: properties,
      counts: {
        failedPayments: number(failed).as('failed_payments'),
        failedRefunds: number(failedRefunds).as('failed_refunds'),
        unsettled: number(unsettled).as('unsettled'),
        unanswered: number(sql`${transactions} WHERE ${unansweredOf(propertyId, transactions)}`).as(
          'unanswered',
        ),
        unansweredRefunds: number(sql`${refunds} WHERE ${unansweredOf(propertyId, refunds)}`).as(
          'unanswered_refunds',
        ),
        cards: number(recovering).as('cards'),
        disputes: number(open).as('disputes'),
        differences: number(unexplained).as('differences'),
      },
    })
    .from(properties)
    .where(eq(properties.id, propertyId));
});

function number(rows: SQL) {
  return sql<number>`(SELECT count(*) FROM (SELECT 1 FROM ${rows} LIMIT ${MOST_COUNTED}))`;
}

/** What the tab of Needs attention counts: all that stands on its page. */
export function countOfFailed(counts: Counts): number {
  const { cards, failedPayments, failedRefunds, unanswered, unansweredRefunds, unsettled } = counts;
  return cards + failedPayments + failedRefunds + unanswered + unansweredRefunds + unsettled;
}
