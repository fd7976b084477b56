import { DAY_MS, HOUR_MS, MINUTE_MS } from '../core/time.ts';
import type { Database } from '../db/database.ts';
import type { DisbursementRow } from '../db/disbursementTables.ts';
import type { ExportRunRow } from '../db/exportTables.ts';
import type { OutboxRow } from '../db/outboxTables.ts';
import { selectRuns, selectUnfinishedRuns } from '../exports/store.ts';
import { ownPart } from '../pms/reply.ts';
import {
  MOST_COUNTED,
  MOST_SUMMED,
  selectBacklogs,
  selectChargeOutcomes,
  selectDead,
  selectEndedSession,
  selectLateRefunds,
  selectLaterOutcomes,
  selectLateTransactions,
  selectNewestDisbursements,
  selectPropertiesBehind,
  selectRetriedOutcomes,
  selectUnknownRefunds,
  selectUnknownTransactions,
  selectUpcoming,
  selectUpcomingSums,
} from './store.ts';

/** How many rows of each kind the page shows. */
export const MOST_SHOWN = {
  open: 50,
  upcoming: 20,
  backlogs: 50,
  dead: 50,
  unfinished: 30,
  newest: 10,
} as const;

/** How many overdue rows are looked through for operations that nobody has asked for since they were begun. */
const MOST_LATE = 100;

/** For how long a run that failed stands before newer ones. */
const FAILED_SHOWN_MS = 7 * DAY_MS;

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

/** What the transactions that were settled in the last hours came to. */
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

/** Operations whose outcome is not known, the longest open first; `more` when there are others. */
export interface Open {
  readonly operations: readonly OpenOperation[];
  readonly more: boolean;
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

/** Scheduled charges of the next day: the first ones, and what they come to; `cut` when not all were summed. */
export interface Upcoming {
  readonly sums: readonly {
    readonly currency: string;
    readonly number: number;
    readonly amountMinor: number;
  }[];
  readonly cut: boolean;
  readonly first: readonly UpcomingCharge[];
}

/** What a property's PMS has not taken yet: at most {@link MOST_SUMMED} are counted. */
export interface Backlog {
  readonly propertyId: string;
  readonly depth: number;
  readonly dead: number;
  readonly oldestDeadAtMs: number | null;
  /** When the next one goes out, or should have; null while all wait for dead ones. */
  readonly nextDueAtMs: number | null;
}

/** What all PMSs together have not taken; of messages and of dead ones, whether there may be more than were counted. */
export interface Depth {
  readonly properties: number;
  readonly messages: number;
  readonly dead: number;
  readonly cut: boolean;
}

/** A message that is not sent any more; of its last error, what this service says itself. */
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
  readonly open: Open;
  readonly upcoming: Upcoming;
  readonly depth: Depth;
  /** Those with dead messages first. */
  readonly backlogs: readonly Backlog[];
  readonly dead: readonly DeadMessage[];
  /** What goes on, what has failed of late, and the newest. */
  readonly runs: readonly ExportRunRow[];
  readonly disbursements: readonly DisbursementRow[];
}

/** Reads all that the operations page shows; null when the session was signed out of. One round trip. */
export async function readOverview(
  database: Database,
  sessionId: string,
  nowMs: number,
): Promise<Overview | null> {
  const { queries } = database;
  const hoursMs = lastHours(nowMs);
  const sinceMs = hoursMs[0] ?? nowMs;
  const lateMs = nowMs - MINUTE_MS;
  const [
    ended,
    charges,
    later,
    retried,
    unknown,
    late,
    unknownRefunds,
    lateRefunds,
    sums,
    first,
    [behind],
    backlogs,
    dead,
    unfinished,
    newest,
    disbursements,
  ] = await database.batch('d1.ops.read', [
    selectEndedSession(queries, sessionId),
    selectChargeOutcomes(queries, sinceMs),
    selectLaterOutcomes(queries, sinceMs),
    selectRetriedOutcomes(queries, sinceMs),
    selectUnknownTransactions(queries, MOST_SHOWN.open + 1),
    selectLateTransactions(queries, lateMs, MOST_LATE),
    selectUnknownRefunds(queries, MOST_SHOWN.open + 1),
    selectLateRefunds(queries, lateMs, MOST_LATE),
    selectUpcomingSums(queries, nowMs + DAY_MS),
    selectUpcoming(queries, nowMs + DAY_MS, MOST_SHOWN.upcoming),
    selectPropertiesBehind(queries),
    selectBacklogs(queries, MOST_SHOWN.backlogs),
    selectDead(queries, MOST_SHOWN.dead),
    selectUnfinishedRuns(queries, nowMs - FAILED_SHOWN_MS, MOST_SHOWN.unfinished),
    selectRuns(queries, {}, MOST_SHOWN.newest),
    selectNewestDisbursements(queries, MOST_SHOWN.newest),
  ]);
  if (ended.length > 0) return null;
  return {
    nowMs,
    outcomes: outcomesOf([charges, later, retried], hoursMs),
    open: openOperations([...unknown, ...unknownRefunds], [late, lateRefunds]),
    upcoming: { sums, first, cut: sumOf(sums, ({ number }) => number) >= MOST_SUMMED },
    depth: depthOf(backlogs, behind?.number ?? 0),
    backlogs,
    dead: dead.map((message) => ({ ...message, lastError: ownPart(message.lastError) })),
    runs: troubledFirst(unfinished, newest),
    disbursements,
  };
}

/** When the last hours of the clock began, the oldest first and the one that is not over last. */
function lastHours(nowMs: number): number[] {
  const thisHour = Math.floor(nowMs / HOUR_MS);
  return Array.from({ length: HOURS }, (_, index) => (thisHour - HOURS + 1 + index) * HOUR_MS);
}

type OutcomeRow = Awaited<ReturnType<typeof selectChargeOutcomes>>[number];

/** Puts together what was counted, each sort of outcome up to its own limit. */
function outcomesOf(
  counted: readonly (readonly OutcomeRow[])[],
  hoursMs: readonly number[],
): Outcomes {
  const rows = counted.flat();
  const declined = rows.filter(({ outcome }) => outcome === 'Declined');
  return {
    hoursMs,
    volumes: volumesOf(
      rows.filter(({ outcome }) => outcome === 'Accepted'),
      hoursMs,
    ),
    declines: {
      byHour: byHour(declined, hoursMs, ({ number }) => number),
      byCode: declineCodes(declined),
    },
    cut: counted.some((sort) => sumOf(sort, ({ number }) => number) >= MOST_COUNTED),
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

type OpenRow =
  | Awaited<ReturnType<typeof selectUnknownTransactions>>[number]
  | Awaited<ReturnType<typeof selectUnknownRefunds>>[number];

/**
 * Charges and refunds as they are open, the longest first: those that were asked for in vain, and, of what is overdue,
 * those that nobody has asked for yet.
 */
function openOperations(unknown: readonly OpenRow[], late: readonly (readonly OpenRow[])[]): Open {
  const forgotten = late
    .flat()
    .filter(({ inquiries, status }) => status === 'Processing' && inquiries === 0);
  const all = [...unknown, ...forgotten]
    .map(({ id, propertyId, bookingReference, kind, sinceMs, dueAtMs }) => ({
      id,
      propertyId,
      bookingReference,
      kind: kind ?? '',
      sinceMs: sinceMs ?? 0,
      nextLookAtMs: dueAtMs,
    }))
    .toSorted((one, other) => one.sinceMs - other.sinceMs);
  return {
    operations: all.slice(0, MOST_SHOWN.open),
    more: all.length > MOST_SHOWN.open || late.some((rows) => rows.length === MOST_LATE),
  };
}

/** Adds up what is shown of the properties, which is all but what was not counted. */
function depthOf(backlogs: readonly Backlog[], properties: number): Depth {
  return {
    properties,
    messages: sumOf(backlogs, ({ depth }) => depth),
    dead: sumOf(backlogs, ({ dead }) => dead),
    cut: properties > backlogs.length || backlogs.some(({ depth }) => depth >= MOST_SUMMED),
  };
}

/** Runs that go on, those that have failed, then the newest others. */
function troubledFirst(
  unfinished: readonly ExportRunRow[],
  newest: readonly ExportRunRow[],
): ExportRunRow[] {
  const others = newest.filter(({ id }) => !unfinished.some((run) => run.id === id));
  const running = unfinished.filter(({ status }) => status === 'Running');
  return [...running, ...unfinished.filter(({ status }) => status !== 'Running'), ...others];
}
