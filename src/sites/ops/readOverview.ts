import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time.ts';
import { selectRuns, selectUnfinishedRuns } from '../../exports/store.ts';
import type { Database } from '../../platform/db/database.ts';
import type { DisbursementRow } from '../../platform/db/disbursementTables.ts';
import type { DisputeRow } from '../../platform/db/disputeTables.ts';
import type { ExportRunRow } from '../../platform/db/exportTables.ts';
import type { RefundRow, TransactionRow } from '../../platform/db/moneyTables.ts';
import type { OutboxRow } from '../../platform/db/outboxTables.ts';
import type { ExceptionRow, ReconciliationRunRow } from '../../platform/db/reconciliationTables.ts';
import { ownPart } from '../../pms/reply.ts';
import { selectOldestOpen } from '../../reconciliation/exceptionStore.ts';
import { selectNewestRuns } from '../../reconciliation/runStore.ts';
import { selectEndedSession } from '../web/endedSessions.ts';
import {
  MOST_COUNTED,
  MOST_SUMMED,
  selectBacklogs,
  selectChargeOutcomes,
  selectDead,
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
  selectWarned,
} from './store.ts';
import {
  selectEndpointsBehind,
  selectFailedLater,
  selectFailedPayments,
  selectFailedRefunds,
  selectOpenDisputes,
  selectRefundSums,
  selectZones,
} from './troubleStore.ts';

/** How many rows of each kind the page shows. */
export const MOST_SHOWN = {
  unknown: 50,
  upcoming: 20,
  warned: 20,
  backlogs: 50,
  dead: 50,
  unfinished: 30,
  newest: 10,
  comparisons: 5,
  exceptions: 50,
  failed: 20,
  disputes: 30,
  endpoints: 30,
} as const;

/** How many overdue rows are searched for operations without a status check. */
const MOST_LATE = 100;

/** How long the page lists failed payments and refunds, and a failed run before newer runs. */
const FAILED_SHOWN_MS = 7 * DAY_MS;

/** How long the page lists a payment with a warning. */
const WARNED_SHOWN_MS = 30 * DAY_MS;

/** How long a delivery to an endpoint may be overdue before the endpoint is listed. */
const ENDPOINT_LATE_MS = 10 * MINUTE_MS;

const HOURS = 24;

/** Accepted charges in one currency, in minor units. */
export interface Volume {
  readonly currency: string;
  readonly number: number;
  readonly totalMinor: number;
  /** One sum for each hour, the oldest first. */
  readonly minorByHour: readonly number[];
}

/** Number of declines by hour, the oldest first, and by code. */
export interface Declines {
  readonly byHour: readonly number[];
  readonly byCode: readonly { readonly code: string; readonly number: number }[];
}

/** The outcomes of the last hours. */
export interface Outcomes {
  /** The start of each hour, the oldest first; the last hour is the current one. */
  readonly hoursMs: readonly number[];
  readonly volumes: readonly Volume[];
  readonly declines: Declines;
  /** The number of failures by hour, the oldest first. */
  readonly failedByHour: readonly number[];
  /** Whether only the newest outcomes were counted. */
  readonly cut: boolean;
}

/** An operation whose outcome is unknown. */
export interface UnknownOperation {
  readonly id: number;
  readonly propertyId: string;
  readonly bookingReference: string;
  readonly kind: string;
  readonly sinceMs: number;
  readonly nextCheckAtMs: number | null;
}

/** Operations whose outcome is unknown, the oldest first; `more` if the list is not complete. */
export interface UnknownOperations {
  readonly operations: readonly UnknownOperation[];
  readonly more: boolean;
}

/** A scheduled charge; its amount in minor units includes the fees. */
export interface UpcomingCharge {
  readonly id: number;
  readonly propertyId: string;
  readonly bookingReference: string;
  readonly currency: string;
  readonly amountMinor: number;
  readonly attempts: number;
  readonly dueAtMs: number | null;
}

/** A payment that was made with a warning; its amount in minor units includes the fees. */
export type WarnedPayment = Pick<
  TransactionRow,
  'id' | 'propertyId' | 'bookingReference' | 'currency' | 'amountMinor' | 'warnings' | 'createdAtMs'
>;

/** Scheduled charges of the next day: the first ones, and sums by currency; `cut` if only a part was summed. */
export interface Upcoming {
  readonly sums: readonly {
    readonly currency: string;
    readonly number: number;
    readonly amountMinor: number;
  }[];
  readonly cut: boolean;
  readonly first: readonly UpcomingCharge[];
}

/** A property's undelivered messages to its PMS; at most {@link MOST_SUMMED} are counted. */
export interface Backlog {
  readonly propertyId: string;
  readonly depth: number;
  readonly dead: number;
  readonly oldestDeadAtMs: number | null;
  /** When the next message is due; null while all wait for dead ones. */
  readonly nextDueAtMs: number | null;
}

/** The undelivered messages of all properties; `cut` if there may be more than were counted. */
export interface Depth {
  readonly properties: number;
  readonly messages: number;
  readonly dead: number;
  readonly cut: boolean;
}

/** A message that the service stopped retrying. Its last error shows only this service's own words. */
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

/** A payment that failed: nothing was taken. Its amount in minor units includes the fees. */
export type FailedPayment = Pick<
  TransactionRow,
  'id' | 'propertyId' | 'bookingReference' | 'kind' | 'currency' | 'amountMinor' | 'completedAtMs'
>;

/** Refunds of the last day in sums, and the newest of the last days that failed; amounts in minor units. */
export interface Refunds {
  readonly sums: readonly {
    readonly currency: string;
    readonly status: RefundRow['status'];
    readonly number: number;
    readonly amountMinor: number;
  }[];
  readonly failed: readonly Pick<
    RefundRow,
    | 'id'
    | 'transactionId'
    | 'propertyId'
    | 'bookingReference'
    | 'currency'
    | 'amountMinor'
    | 'learntAtMs'
  >[];
}

export type ShownDispute = DisputeRow;

/** A webhook endpoint that does not get its events; at most {@link MOST_SUMMED} dead deliveries are counted. */
export interface EndpointBehind {
  readonly id: string;
  readonly propertyId: string;
  /** The host of its address: the rest of it may hold a secret. */
  readonly host: string;
  readonly active: boolean;
  readonly dead: number;
  /** The HTTP status that a dead delivery got; null if there was no answer. */
  readonly lastStatus: number | null;
  readonly nextDueAtMs: number | null;
}

/** How the acquirer's record and ours compare: the newest comparisons, and what differs, the oldest first. */
export interface Reconciled {
  readonly runs: readonly ReconciliationRunRow[];
  readonly open: readonly ExceptionRow[];
  /** Whether there are more differences than these. */
  readonly more: boolean;
}

/** All that the operations page shows. */
export interface Overview {
  readonly nowMs: number;
  readonly outcomes: Outcomes;
  readonly unknown: UnknownOperations;
  readonly upcoming: Upcoming;
  /** The newest payments of the last 30 days with a warning. */
  readonly warned: readonly WarnedPayment[];
  readonly depth: Depth;
  /** Properties with dead messages come first. */
  readonly backlogs: readonly Backlog[];
  readonly dead: readonly DeadMessage[];
  /** Running runs, then those that failed recently, then the newest. */
  readonly runs: readonly ExportRunRow[];
  readonly disbursements: readonly DisbursementRow[];
  readonly reconciled: Reconciled;
  readonly failed: readonly FailedPayment[];
  readonly refunds: Refunds;
  readonly disputes: readonly ShownDispute[];
  readonly endpoints: readonly EndpointBehind[];
  /** The time zone of each property. */
  readonly zones: ReadonlyMap<string, string>;
}

/** Reads all that the operations page shows; null if the administrator has signed out. One round trip. */
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
    unknownTransactions,
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
    comparisons,
    open,
    warned,
    failedPayments,
    failedLater,
    refundSums,
    failedRefunds,
    disputes,
    endpoints,
    zones,
  ] = await database.batch('d1.ops.read', [
    selectEndedSession(queries, sessionId),
    selectChargeOutcomes(queries, sinceMs),
    selectLaterOutcomes(queries, sinceMs),
    selectRetriedOutcomes(queries, sinceMs),
    selectUnknownTransactions(queries, MOST_SHOWN.unknown + 1),
    selectLateTransactions(queries, lateMs, MOST_LATE),
    selectUnknownRefunds(queries, MOST_SHOWN.unknown + 1),
    selectLateRefunds(queries, lateMs, MOST_LATE),
    selectUpcomingSums(queries, nowMs + DAY_MS),
    selectUpcoming(queries, nowMs + DAY_MS, MOST_SHOWN.upcoming),
    selectPropertiesBehind(queries),
    selectBacklogs(queries, MOST_SHOWN.backlogs),
    selectDead(queries, MOST_SHOWN.dead),
    selectUnfinishedRuns(queries, nowMs - FAILED_SHOWN_MS, MOST_SHOWN.unfinished),
    selectRuns(queries, {}, MOST_SHOWN.newest),
    selectNewestDisbursements(queries, MOST_SHOWN.newest),
    selectNewestRuns(queries, MOST_SHOWN.comparisons),
    selectOldestOpen(queries, MOST_SHOWN.exceptions + 1),
    selectWarned(queries, nowMs - WARNED_SHOWN_MS, MOST_SHOWN.warned),
    selectFailedPayments(queries, nowMs - FAILED_SHOWN_MS, MOST_SHOWN.failed),
    selectFailedLater(queries, nowMs - FAILED_SHOWN_MS, MOST_SHOWN.failed),
    selectRefundSums(queries, nowMs - DAY_MS),
    selectFailedRefunds(queries, nowMs - FAILED_SHOWN_MS, MOST_SHOWN.failed),
    selectOpenDisputes(queries, MOST_SHOWN.disputes),
    selectEndpointsBehind(queries, nowMs - ENDPOINT_LATE_MS, MOST_SHOWN.endpoints),
    selectZones(queries),
  ]);
  if (ended.length > 0) return null;
  return {
    nowMs,
    outcomes: outcomesOf([charges, later, retried], hoursMs),
    unknown: unknownOperations([...unknownTransactions, ...unknownRefunds], [late, lateRefunds]),
    upcoming: { sums, first, cut: sumOf(sums, ({ number }) => number) >= MOST_SUMMED },
    warned,
    depth: depthOf(backlogs, behind?.number ?? 0),
    backlogs,
    dead: dead.map((message) => ({ ...message, lastError: ownPart(message.lastError) })),
    runs: unfinishedFirst(unfinished, newest),
    disbursements,
    reconciled: {
      runs: comparisons,
      open: open.slice(0, MOST_SHOWN.exceptions),
      more: open.length > MOST_SHOWN.exceptions,
    },
    failed: newestFailed([...failedPayments, ...failedLater]),
    refunds: { sums: refundSums, failed: failedRefunds },
    disputes,
    endpoints: endpoints.map(({ url, ...endpoint }) => ({ ...endpoint, host: new URL(url).host })),
    zones: new Map(zones.map(({ id, timeZone }) => [id, timeZone])),
  };
}

/** The newest failed payments, each once. */
function newestFailed(failed: readonly FailedPayment[]): FailedPayment[] {
  const byId = new Map(failed.map((payment) => [payment.id, payment]));
  return [...byId.values()]
    .toSorted((one, other) => (other.completedAtMs ?? 0) - (one.completedAtMs ?? 0))
    .slice(0, MOST_SHOWN.failed);
}

/** The starts of the last clock hours, the oldest first; the last one is the current hour. */
function lastHours(nowMs: number): number[] {
  const thisHour = Math.floor(nowMs / HOUR_MS);
  return Array.from({ length: HOURS }, (_, index) => (thisHour - HOURS + 1 + index) * HOUR_MS);
}

type OutcomeRow = Awaited<ReturnType<typeof selectChargeOutcomes>>[number];

/** Combines the counts of each kind of outcome; each kind has its own limit. */
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
    failedByHour: byHour(
      rows.filter(({ outcome }) => outcome === 'Failed'),
      hoursMs,
      ({ number }) => number,
    ),
    cut: counted.some((kind) => sumOf(kind, ({ number }) => number) >= MOST_COUNTED),
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

/** The number of declines by code, the most frequent first. */
function declineCodes(declined: readonly OutcomeRow[]): Declines['byCode'] {
  const byCode = Map.groupBy(declined, ({ declineCode }) => declineCode ?? 'none given');
  return [...byCode]
    .map(([code, rows]) => ({ code, number: sumOf(rows, ({ number }) => number) }))
    .toSorted((one, other) => other.number - one.number);
}

function byHour(
  rows: readonly OutcomeRow[],
  hoursMs: readonly number[],
  amountOf: (row: OutcomeRow) => number,
): number[] {
  return hoursMs.map((atMs) =>
    sumOf(
      rows.filter(({ hour }) => hour * HOUR_MS === atMs),
      amountOf,
    ),
  );
}

function sumOf<Row>(rows: readonly Row[], amountOf: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + amountOf(row), 0);
}

type UnknownRow =
  | Awaited<ReturnType<typeof selectUnknownTransactions>>[number]
  | Awaited<ReturnType<typeof selectUnknownRefunds>>[number];

/**
 * Lists charges and refunds with an unknown outcome, the oldest first: those whose status checks found no outcome, and
 * those that are overdue without any status check.
 */
function unknownOperations(
  checked: readonly UnknownRow[],
  late: readonly (readonly UnknownRow[])[],
): UnknownOperations {
  const unchecked = late
    .flat()
    .filter(({ statusChecks, status }) => status === 'Processing' && statusChecks === 0);
  const all = [...checked, ...unchecked]
    .map(({ id, propertyId, bookingReference, kind, sinceMs, dueAtMs }) => ({
      id,
      propertyId,
      bookingReference,
      kind: kind ?? '',
      sinceMs: sinceMs ?? 0,
      nextCheckAtMs: dueAtMs,
    }))
    .toSorted((one, other) => one.sinceMs - other.sinceMs);
  return {
    operations: all.slice(0, MOST_SHOWN.unknown),
    more: all.length > MOST_SHOWN.unknown || late.some((rows) => rows.length === MOST_LATE),
  };
}

/** Adds up the backlogs that the page shows. */
function depthOf(backlogs: readonly Backlog[], properties: number): Depth {
  return {
    properties,
    messages: sumOf(backlogs, ({ depth }) => depth),
    dead: sumOf(backlogs, ({ dead }) => dead),
    cut: properties > backlogs.length || backlogs.some(({ depth }) => depth >= MOST_SUMMED),
  };
}

/** Orders the runs: running, then failed, then the newest others. */
function unfinishedFirst(
  unfinished: readonly ExportRunRow[],
  newest: readonly ExportRunRow[],
): ExportRunRow[] {
  const others = newest.filter(({ id }) => !unfinished.some((run) => run.id === id));
  const running = unfinished.filter(({ status }) => status === 'Running');
  return [...running, ...unfinished.filter(({ status }) => status !== 'Running'), ...others];
}
