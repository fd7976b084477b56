import { and, desc, gte, type SQL, sql } from 'drizzle-orm';
import { lowestIdAt } from '../../core/ids.ts';
import { pick } from '../../core/pick.ts';
import { sumOf } from '../../core/sum.ts';
import { HOUR_MS } from '../../core/time.ts';
import { queries } from '../../platform/db/database.ts';
import type { ValuesOrPlaceholders } from '../../platform/db/prepared.ts';
import { type TransactionRow, transactions } from '../../schema/moneyTables.ts';

/** The outcomes of the last hours. Amounts are minor units; what is by hour has the oldest hour first. */
export type Outcomes = ReturnType<typeof outcomesOf>;

const HOURS = 24;

/** The starts of the last clock hours, the oldest first; the last one is the current hour. */
export function lastHours(nowMs: number): number[] {
  const thisHour = Math.floor(nowMs / HOUR_MS);
  return Array.from({ length: HOURS }, (_, index) => (thisHour - HOURS + 1 + index) * HOUR_MS);
}

type OutcomeRow = Awaited<ReturnType<typeof selectChargeOutcomes>>[number];

/** Combines the counts of each kind of outcome; each kind has its own limit. */
export function outcomesOf(
  counted: readonly (readonly OutcomeRow[])[],
  hoursMs: readonly number[],
) {
  // A property whose test clock is ahead has outcomes of hours to come.
  const shown = new Set(hoursMs);
  const rows = counted.flat().filter(({ hour }) => shown.has(hour * HOUR_MS));
  const declined = rows.filter(({ outcome }) => outcome === 'Declined');
  const approved = rows.filter(({ outcome }) => outcome === 'Accepted' || outcome === 'Held');
  return {
    /** The start of each hour; the last hour is the current one. */
    hoursMs,
    volumes: volumesOf(
      rows.filter(({ outcome }) => outcome === 'Accepted' || outcome === 'Captured'),
      hoursMs,
    ),
    /** How many charges and holds banks approved. */
    approved: sumOf(approved, 'number'),
    declines: {
      byHour: byHour(declined, hoursMs, 'number'),
      byCode: declineCodes(declined),
    },
    failedByHour: byHour(
      rows.filter(({ outcome }) => outcome === 'Failed'),
      hoursMs,
      'number',
    ),
    /** Whether only the newest outcomes were counted. */
    cut: counted.some((kind) => sumOf(kind, 'number') >= MOST_COUNTED),
  };
}

function volumesOf(accepted: readonly OutcomeRow[], hoursMs: readonly number[]) {
  const byCurrency = Map.groupBy(accepted, ({ currency }) => currency);
  return [...byCurrency]
    .map(([currency, rows]) => ({
      currency,
      number: sumOf(rows, 'number'),
      totalMinor: sumOf(rows, 'amountMinor'),
      minorByHour: byHour(rows, hoursMs, 'amountMinor'),
    }))
    .toSorted((one, other) => one.currency.localeCompare(other.currency));
}

/** The number of declines by code, the most frequent first. */
function declineCodes(declined: readonly OutcomeRow[]) {
  const byCode = Map.groupBy(declined, ({ declineCode }) => declineCode ?? 'none given');
  return [...byCode]
    .map(([code, rows]) => ({ code, number: sumOf(rows, 'number') }))
    .toSorted((one, other) => other.number - one.number);
}

function byHour(
  rows: readonly OutcomeRow[],
  hoursMs: readonly number[],
  name: 'number' | 'amountMinor',
): number[] {
  return hoursMs.map((atMs) =>
    sumOf(
      rows.filter(({ hour }) => hour * HOUR_MS === atMs),
      name,
    ),
  );
}

/** The most outcomes of one kind that are counted, which limits the cost of the page. */
export const MOST_COUNTED = 50_000;

/** A literal, because D1 binds numbers as floats and would not divide as integers. */
const HOUR = sql.raw(String(HOUR_MS));

/** Which outcomes to count: their time, the outcome, and the query that finds the newest first. */
interface Counted {
  readonly atMs: SQL;
  /** Null for rows that do not count. */
  readonly outcome: SQL;
  readonly where: SQL | undefined;
  readonly newest: SQL;
}

/**
 * Counts transactions and sums their amounts in minor units, by hour (whole hours since 1970), currency, outcome and
 * decline code.
 */
function countOutcomes({ atMs, outcome, where, newest }: Counted) {
  const { amountMinor, currency, declineCode } = transactions;
  const recent = queries
    .select({
      hour: sql<number>`${atMs} / ${HOUR}`.as('hour'),
      currency,
      outcome: sql<TransactionRow['status'] | 'Captured' | 'Held' | null>`${outcome}`.as('outcome'),
      declineCode: sql<string | null>`CASE ${outcome} WHEN 'Declined' THEN ${declineCode} END`.as(
        'code',
      ),
      amountMinor,
    })
    .from(transactions)
    .where(where)
    .orderBy(newest)
    .limit(MOST_COUNTED)
    .as('recent');
  return queries
    .select({
      ...pick(recent, 'hour', 'currency', 'outcome', 'declineCode'),
      number: sql<number>`count(*)`.as('number'),
      amountMinor: sql<number>`sum(${recent.amountMinor})`.as('sum_minor'),
    })
    .from(recent)
    .groupBy(
      sql`${recent.hour}`,
      recent.currency,
      sql`${recent.outcome}`,
      sql`${recent.declineCode}`,
    )
    .limit(MOST_COUNTED);
}

/** Since when outcomes are counted. Ids find what was made since without an index of its own. */
export interface Since {
  readonly sinceMs: number;
  readonly holdsFrom: number;
  /** A crash can delay a charge's completion: an hour earlier. */
  readonly chargesFrom: number;
}

export function sinceThen(sinceMs: number): Since {
  const [holdsFrom, chargesFrom] = [lowestIdAt(sinceMs), lowestIdAt(sinceMs - HOUR_MS)];
  return { sinceMs, holdsFrom, chargesFrom };
}

type Filled = ValuesOrPlaceholders<Since>;

/** Counts immediate charges that the gateway's first answer completed since an instant. */
export function selectChargeOutcomes({ chargesFrom, sinceMs }: Filled) {
  const { id, statusChecks, kind, completedAtMs, status } = transactions;
  return countOutcomes({
    atMs: sql`${completedAtMs}`,
    outcome: sql`CASE WHEN ${completedAtMs} >= ${sinceMs} AND ${kind} = 'charge' AND ${statusChecks} = 0 THEN ${status} END`,
    where: gte(id, chargesFrom),
    newest: desc(id),
  });
}

/**
 * Counts transactions that were completed since an instant but may be much older: schedules, captures, and charges
 * that needed a status check.
 */
export function selectLaterOutcomes({ sinceMs }: Filled) {
  const { statusChecks, kind, completedAtMs, status } = transactions;
  return countOutcomes({
    atMs: sql`${completedAtMs}`,
    outcome: sql`CASE WHEN ${kind} = 'authorization' AND ${status} = 'Accepted' THEN 'Captured' ELSE ${status} END`,
    // Written exactly as in the index, so that SQLite uses the index.
    where: and(gte(completedAtMs, sinceMs), sql`(${kind} <> 'charge' OR ${statusChecks} > 0)`),
    newest: desc(completedAtMs),
  });
}

/** Counts the holds that were made since an instant and approved by their banks, by when they were made. */
export function selectHoldOutcomes({ holdsFrom }: Filled) {
  const { createdAtMs, gatewayReference, id, kind, pendingOperation, status } = transactions;
  const isApproved = sql`${gatewayReference} IS NOT NULL AND (${status} IN ('Authorized', 'Accepted', 'Released', 'Expired') OR ${status} = 'Processing' AND ${pendingOperation} <> 'authorize')`;
  return countOutcomes({
    atMs: sql`${createdAtMs}`,
    outcome: sql`CASE WHEN ${kind} = 'authorization' AND ${isApproved} THEN 'Held' END`,
    where: gte(id, holdsFrom),
    newest: desc(id),
  });
}

/** Counts schedules that were declined since an instant and will be retried, by their last attempt. */
export function selectRetriedOutcomes({ sinceMs }: Filled) {
  const { askedAtMs, attempts, status } = transactions;
  return countOutcomes({
    atMs: sql`${askedAtMs}`,
    outcome: sql`'Declined'`,
    where: and(gte(askedAtMs, sinceMs), sql`${status} = 'Pending' AND ${attempts} > 0`),
    newest: desc(askedAtMs),
  });
}
