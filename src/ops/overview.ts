import { DAY_MS, HOUR_MS } from '../core/time.ts';
import type { Database } from '../db/database.ts';
import type { DisbursementRow } from '../db/disbursementTables.ts';
import type { ExportRunRow, OutboxRow } from '../db/schema.ts';
import { selectRuns } from '../exports/store.ts';
import {
  MOST_COUNTED,
  selectBacklogs,
  selectDead,
  selectNewestDisbursements,
  selectOpenRefunds,
  selectOpenTransactions,
  selectOutcomes,
  selectUpcoming,
  selectUpcomingSums,
} from './store.ts';

/** How many rows of each kind the page shows. */
export const MOST_SHOWN = { open: 50, upcoming: 20, backlogs: 100, dead: 50, newest: 10 } as const;

const HOURS = 24;

/** What was accepted in one currency, in minor units. */
export interface Volume {
  readonly currency: string;
  readonly number: number;
  readonly totalMinor: number;
  /** One for each hour, the oldest first. */
  readonly minorByHour: readonly number[];
}

/** What was declined: how often in each hour, the oldest first, and by which code. */
export interface Declines {
  readonly byHour: readonly number[];
  readonly byCode: readonly { readonly code: string; readonly number: number }[];
}

/** Transactions that were made in the last hours, and what became of them. */
export interface Outcomes {
  /** When each hour begins, the oldest first; the last one is not over. */
  readonly hoursMs: readonly number[];
  readonly volumes: readonly Volume[];
  readonly declines: Declines;
  /** Only the newest ones were counted. */
  readonly cut: boolean;
}

/** An operation whose outcome is not known yet. */
export interface OpenOperation {
  readonly id: number;
  readonly propertyId: string;
  readonly bookingReference: string;
  readonly kind: string;
  readonly sinceMs: number;
  readonly nextLookAtMs: number | null;
}

/** A scheduled charge, in minor units with its fees. */
export interface UpcomingCharge {
  readonly id: number;
  readonly propertyId: string;
  readonly bookingReference: string;
  readonly currency: string;
  readonly amountMinor: number;
  readonly attempts: number;
  readonly dueAtMs: number | null;
}

/** What a property's PMS has not taken yet. */
export interface Backlog {
  readonly propertyId: string;
  readonly waiting: number;
  readonly dead: number;
  readonly oldestAtMs: number;
}

/** A message that is not sent any more. */
export type DeadMessage = Pick<
  OutboxRow,
  | 'messageId'
  | 'messageType'
  | 'propertyId'
  | 'bookingReference'
  | 'attempts'
  | 'lastError'
  | 'createdAtMs'
>;

/** All that the operations page shows. */
export interface Overview {
  readonly nowMs: number;
  readonly outcomes: Outcomes;
  /** The longest open first. */
  readonly open: readonly OpenOperation[];
  readonly upcoming: {
    readonly sums: readonly {
      readonly currency: string;
      readonly number: number;
      readonly amountMinor: number;
    }[];
    readonly first: readonly UpcomingCharge[];
  };
  readonly backlogs: readonly Backlog[];
  readonly dead: readonly DeadMessage[];
  readonly runs: readonly ExportRunRow[];
  readonly disbursements: readonly DisbursementRow[];
}

/** Reads all that the operations page shows. One round trip. */
export async function readOverview(database: Database, nowMs: number): Promise<Overview> {
  const { queries } = database;
  const hoursMs = lastHours(nowMs);
  const [outcomes, charges, refunds, sums, first, backlogs, dead, runs, disbursements] =
    await database.batch('d1.ops.read', [
      selectOutcomes(queries, hoursMs[0] ?? nowMs),
      selectOpenTransactions(queries, nowMs, MOST_SHOWN.open),
      selectOpenRefunds(queries, nowMs, MOST_SHOWN.open),
      selectUpcomingSums(queries, nowMs + DAY_MS),
      selectUpcoming(queries, nowMs + DAY_MS, MOST_SHOWN.upcoming),
      selectBacklogs(queries, MOST_SHOWN.backlogs),
      selectDead(queries, MOST_SHOWN.dead),
      selectRuns(queries, {}, MOST_SHOWN.newest),
      selectNewestDisbursements(queries, MOST_SHOWN.newest),
    ]);
  return {
    nowMs,
    outcomes: outcomesOf(outcomes, hoursMs),
    open: openOperations(charges, refunds),
    upcoming: { sums, first },
    backlogs: backlogs.map(({ propertyId, backlog }) => ({ propertyId, ...JSON.parse(backlog) })),
    dead,
    runs,
    disbursements,
  };
}

/** When the last hours of the clock began, the oldest first and the one that is not over last. */
function lastHours(nowMs: number): number[] {
  const thisHour = Math.floor(nowMs / HOUR_MS);
  return Array.from({ length: HOURS }, (_, index) => (thisHour - HOURS + 1 + index) * HOUR_MS);
}

type OutcomeRow = Awaited<ReturnType<typeof selectOutcomes>>[number];

function outcomesOf(rows: readonly OutcomeRow[], hoursMs: readonly number[]): Outcomes {
  const declined = rows.filter(({ status }) => status === 'Declined');
  return {
    hoursMs,
    volumes: volumesOf(
      rows.filter(({ status }) => status === 'Accepted'),
      hoursMs,
    ),
    declines: {
      byHour: byHour(declined, hoursMs, ({ number }) => number),
      byCode: declineCodes(declined),
    },
    cut: sumOf(rows, ({ number }) => number) >= MOST_COUNTED,
  };
}

function volumesOf(accepted: readonly OutcomeRow[], hoursMs: readonly number[]): Volume[] {
  const byCurrency = Map.groupBy(accepted, ({ currency }) => currency);
  return [...byCurrency]
    .map(([currency, rows]) => ({
      currency,
      number: sumOf(rows, ({ number }) => number),
      totalMinor: sumOf(rows, ({ amountMinor }) => amountMinor),
      minorByHour: byHour(rows, hoursMs, ({ amountMinor }) => amountMinor),
    }))
    .toSorted((one, other) => one.currency.localeCompare(other.currency));
}

/** How often each code was given, the most frequent first. */
function declineCodes(declined: readonly OutcomeRow[]): Declines['byCode'] {
  const byCode = Map.groupBy(declined, ({ declineCode }) => declineCode ?? 'none given');
  return [...byCode]
    .map(([code, rows]) => ({ code, number: sumOf(rows, ({ number }) => number) }))
    .toSorted((one, other) => other.number - one.number);
}

function byHour(
  rows: readonly OutcomeRow[],
  hoursMs: readonly number[],
  worth: (row: OutcomeRow) => number,
): number[] {
  return hoursMs.map((atMs) =>
    sumOf(
      rows.filter(({ hour }) => hour * HOUR_MS === atMs),
      worth,
    ),
  );
}

function sumOf<Row>(rows: readonly Row[], worth: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + worth(row), 0);
}

/** Charges and refunds as they are open, the longest first. */
function openOperations(
  charges: Awaited<ReturnType<typeof selectOpenTransactions>>,
  refunds: Awaited<ReturnType<typeof selectOpenRefunds>>,
): OpenOperation[] {
  return [...charges, ...refunds.map((row) => ({ ...row, kind: 'refund' }))]
    .map(({ id, propertyId, bookingReference, kind, askedAtMs, dueAtMs }) => ({
      id,
      propertyId,
      bookingReference,
      kind: kind ?? '',
      sinceMs: askedAtMs ?? 0,
      nextLookAtMs: dueAtMs,
    }))
    .toSorted((one, other) => one.sinceMs - other.sinceMs)
    .slice(0, MOST_SHOWN.open);
}
