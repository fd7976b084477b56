import { and, desc, eq, sql } from 'drizzle-orm';
import { pick } from '../core/pick.ts';
import { addDays, DAY_MS, localDate, startOfDayMs } from '../core/time.ts';
import { type Database, queries } from '../platform/db/database.ts';
import { literally, unindexed } from '../platform/db/indexes.ts';
import { propertyNow } from '../platform/propertyNow.ts';
import { transactions } from '../schema/moneyTables.ts';
import type { PropertyRow } from '../schema/propertyTables.ts';
import {
  FAILED_DAYS,
  NEEDS_SOMEBODY,
  selectComing,
  selectDifferences,
  selectDisputesByDeadline,
  selectFailed,
  selectFailedRefunds,
  selectPlannedParts,
  selectUnsettled,
} from './lists.ts';
import { selectOwing } from './reports/owing.ts';
import { boundsOf, selectMoved } from './reports/store.ts';

/** How many entries of each list are shown. */
const SHOWN = 3;

/** How many arrivals, and how many charges of today, are shown. */
const MOST_STAYS = 20;
const MOST_CHARGES = 10;

/** A property's day, as its first page shows it. */
export type Today = Awaited<ReturnType<typeof readToday>>;

/** Reads a property's day: what needs somebody, who arrives and owes, what is charged and what was taken. One round trip. */
export async function readToday(database: Database, property: PropertyRow) {
  const { id, timeZone } = property;
  const nowMs = propertyNow(property);
  const today = localDate(nowMs, timeZone);
  const tomorrow = addDays(today, 1);
  const first = { limit: SHOWN };
  const sinceMs = nowMs - FAILED_DAYS * DAY_MS;
  const spans = [
    { from: today, to: today },
    { from: `${today.slice(0, 8)}01`, to: today },
  ];
  const midnightMs = startOfDayMs(tomorrow, timeZone) - 1;
  const [
    failed,
    failedRefunds,
    unsettled,
    disputes,
    differences,
    unanswered,
    arrivals,
    charges,
    planned,
    taken,
  ] = await database.batch('d1.console.read', [
    selectFailed(id, sinceMs, first, NEEDS_SOMEBODY),
    selectFailedRefunds(id, sinceMs, first),
    selectUnsettled(id, sinceMs, first),
    selectDisputesByDeadline(id, first),
    selectDifferences(id, first),
    selectUnanswered(id),
    selectOwing(id, { from: today, to: tomorrow }, MOST_STAYS),
    selectComing(id, midnightMs, { limit: MOST_CHARGES }),
    selectPlannedParts(id, midnightMs, { limit: MOST_CHARGES }),
    selectMoved(id, boundsOf(spans, timeZone)),
  ]);
  const shown = <Row>(rows: readonly Row[]) => rows.slice(0, SHOWN);
  return {
    nowMs,
    failed: shown(failed),
    failedRefunds: shown(failedRefunds),
    unsettled: shown(unsettled),
    disputes: shown(disputes).filter(({ status }) => status === 'needs_response'),
    differences: shown(differences),
    unanswered,
    arrivals,
    charges: charges.slice(0, MOST_CHARGES),
    planned: planned.slice(0, MOST_CHARGES),
    taken,
  };
}

/** A payment whose outcome nobody knows yet. */
export type UnansweredPayment = Awaited<ReturnType<typeof selectUnanswered>>[number];

/** Selects payments that the acquirer was asked about in vain: of all properties they are few, and have an index. */
function selectUnanswered(propertyId: string) {
  const { askedAtMs, status, statusChecks } = transactions;
  return queries
    .select(
      pick(
        transactions,
        'id',
        'propertyId',
        'bookingReference',
        'currency',
        'amountMinor',
        'askedAtMs',
      ),
    )
    .from(transactions)
    .where(
      and(
        literally(status, 'Processing'),
        sql`${statusChecks} > 0`,
        eq(unindexed(transactions.propertyId), propertyId),
      ),
    )
    .orderBy(desc(askedAtMs))
    .limit(SHOWN);
}
