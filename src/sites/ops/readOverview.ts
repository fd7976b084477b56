import { DAY_MS, MINUTE_MS } from '../../core/time.ts';
import { selectRuns, selectUnfinishedRuns } from '../../exports/store.ts';
import type { Database } from '../../platform/db/database.ts';
import { ownPart } from '../../pms/rules/reply.ts';
import { selectOldestOpen } from '../../reconciliation/exceptionStore.ts';
import { selectNewestRuns } from '../../reconciliation/runStore.ts';
import type { ExportRunRow } from '../../schema/exportTables.ts';
import { selectEndedSession } from '../web/endedSessions.ts';
import { lastHours, outcomesOf, sumOf } from './outcomes.ts';
import {
  type Backlog,
  type Depth,
  type FailedPayment,
  MOST_SHOWN,
  type Overview,
  type UnknownOperations,
} from './overview.ts';
import {
  MOST_SUMMED,
  selectBacklogs,
  selectChargeOutcomes,
  selectDead,
  selectHoldOutcomes,
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

/** How many overdue rows are searched for operations without a status check. */
const MOST_LATE = 100;

/** How long the page lists failed payments and refunds, and a failed run before newer runs. */
const FAILED_SHOWN_MS = 7 * DAY_MS;

/** How long the page lists a payment with a warning. */
const WARNED_SHOWN_MS = 30 * DAY_MS;

/** How long a delivery to an endpoint may be overdue before the endpoint is listed. */
const ENDPOINT_LATE_MS = 10 * MINUTE_MS;

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
    held,
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
    selectHoldOutcomes(queries, sinceMs),
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
    selectRuns(queries, {}, { limit: MOST_SHOWN.newest }),
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
    outcomes: outcomesOf([charges, later, retried, held], hoursMs),
    unknown: unknownOperations([...unknownTransactions, ...unknownRefunds], [late, lateRefunds]),
    upcoming: { sums, first, cut: sumOf(sums, ({ number }) => number) >= MOST_SUMMED },
    warned,
    depth: depthOf(backlogs, behind?.number ?? 0),
    backlogs,
    dead: dead.map((message) => ({ ...message, lastError: ownPart(message.lastError) })),
    runs: unfinishedFirst(unfinished, newest.slice(0, MOST_SHOWN.newest)),
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
