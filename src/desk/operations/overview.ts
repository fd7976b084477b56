import { sumOf } from '../../core/sum.ts';
import { DAY_MS, MINUTE_MS } from '../../core/time.ts';
import { selectRuns, selectUnfinishedRuns } from '../../exports/store.ts';
import type { Database } from '../../platform/db/database.ts';
import { preparedAll } from '../../platform/db/prepared.ts';
import { othersTurn } from '../../platform/othersTurn.ts';
import { ownPart } from '../../pms/rules/reply.ts';
import { selectNewestRuns } from '../../reconciliation/runStore.ts';
import type { ExportRunRow } from '../../schema/exportTables.ts';
import { FAILED_DAYS, selectFailed, selectFailedRefunds } from '../attentionLists.ts';
import {
  selectComing,
  selectDifferences,
  selectDisputesByDeadline,
  selectPayouts,
} from '../lists.ts';
import { healthOfAll, selectHealth } from './health.ts';
import {
  lastHours,
  outcomesOf,
  type Since,
  selectChargeOutcomes,
  selectHoldOutcomes,
  selectLaterOutcomes,
  selectRetriedOutcomes,
  sinceThen,
} from './outcomes.ts';
import {
  MOST_SUMMED,
  selectBacklogs,
  selectDead,
  selectEndpointsBehind,
  selectLate,
  selectPropertiesBehind,
  selectRefundSums,
  selectToDismiss,
  selectUnknown,
  selectUpcomingSums,
  selectWarned,
  selectZones,
} from './store.ts';

/** How many rows of each kind the page shows. */
export const MOST_SHOWN = {
  unknown: 50,
  /** Of each list that the console has too: the rest is on the list's own page. */
  listed: 20,
  warned: 20,
  backlogs: 50,
  dead: 50,
  unfinished: 30,
  newest: 10,
  comparisons: 5,
  endpoints: 30,
} as const;

/** How long the page waits between its parts, so that other requests run: nobody feels it here, and charges do. */
const PAUSE_MS = 25;

/** How many overdue rows are searched for operations without a status check. */
const MOST_LATE = 100;

/** How long the page lists a failed run before newer runs. */
const FAILED_RUN_SHOWN_MS = 7 * DAY_MS;

/** How long the page lists a payment with a warning. */
const WARNED_SHOWN_MS = 30 * DAY_MS;

/** How long a delivery to an endpoint may be overdue before the endpoint is listed. */
const ENDPOINT_LATE_MS = 10 * MINUTE_MS;

/** Since when, or until when, the page looks: in milliseconds. */
interface Times extends Since {
  readonly lateMs: number;
  readonly daySinceMs: number;
  readonly dayUntilMs: number;
  readonly warnedSinceMs: number;
  readonly endpointsLateMs: number;
}

/** What only this page shows. */
const selectOwn = preparedAll<Times>()(
  ({ dayUntilMs, daySinceMs, endpointsLateMs, lateMs, warnedSinceMs, ...since }) => [
    selectChargeOutcomes(since),
    selectLaterOutcomes(since),
    selectRetriedOutcomes(since),
    selectHoldOutcomes(since),
    selectUnknown('charge', MOST_SHOWN.unknown + 1),
    selectLate('charge', lateMs, MOST_LATE),
    selectUnknown('refund', MOST_SHOWN.unknown + 1),
    selectLate('refund', lateMs, MOST_LATE),
    selectUpcomingSums(dayUntilMs),
    selectPropertiesBehind(),
    selectBacklogs(MOST_SHOWN.backlogs),
    selectDead(MOST_SHOWN.dead),
    selectNewestRuns(MOST_SHOWN.comparisons),
    selectWarned(warnedSinceMs, MOST_SHOWN.warned),
    selectRefundSums(daySinceMs),
    selectEndpointsBehind(endpointsLateMs, MOST_SHOWN.endpoints),
    selectZones(),
  ],
);

export type Overview = Awaited<ReturnType<typeof readOverview>>;

/** Reads all that the operations page shows, of the databases that answer. Two round trips to each: others have a turn between. */
export async function readOverview(database: Database, nowMs: number) {
  const hoursMs = lastHours(nowMs);
  const failedSinceMs = nowMs - FAILED_DAYS * DAY_MS;
  const times = {
    ...sinceThen(hoursMs[0] ?? nowMs),
    lateMs: nowMs - MINUTE_MS,
    daySinceMs: nowMs - DAY_MS,
    dayUntilMs: nowMs + DAY_MS,
    warnedSinceMs: nowMs - WARNED_SHOWN_MS,
    endpointsLateMs: nowMs - ENDPOINT_LATE_MS,
  };
  const part = { limit: MOST_SHOWN.listed };
  const own = await database.everyAnswering('d1.ops.read', selectOwn(times));
  await othersTurn(PAUSE_MS);
  const listed = await database.everyAnswering('d1.ops.read', [
    selectComing(null, times.dayUntilMs, part),
    selectUnfinishedRuns(nowMs - FAILED_RUN_SHOWN_MS, MOST_SHOWN.unfinished),
    selectRuns({}, { limit: MOST_SHOWN.newest }),
    selectPayouts(null, part),
    selectDifferences(null, nowMs, part),
    selectFailed(null, failedSinceMs, part),
    selectFailedRefunds(null, failedSinceMs, part),
    selectDisputesByDeadline(null, nowMs, part),
    ...selectHealth(nowMs),
  ]);
  const [
    charges,
    later,
    retried,
    held,
    unknownTransactions,
    late,
    unknownRefunds,
    lateRefunds,
    sums,
    behind,
    backlogs,
    dead,
    comparisons,
    warned,
    refundSums,
    endpoints,
    properties,
  ] = joined(own);
  const [coming, unfinished, newest, payouts, differences, failed, failedRefunds, disputes] =
    joined(listed);
  await othersTurn(PAUSE_MS);
  const zones = new Map(properties.map(({ id, timeZone }) => [id, timeZone]));
  const zoned = <Row extends { readonly propertyId: string }>(rows: readonly Row[]) =>
    rows.map((row) => ({ ...row, timeZone: zones.get(row.propertyId) ?? 'UTC' }));
  const checked = [...unknownTransactions, ...unknownRefunds];
  const unknown = unknownOperations(checked, [late, lateRefunds]);
  return {
    nowMs,
    isWhole: [own, listed].every(({ length }) => length === database.each.length),
    health: healthOfAll(listed.map(headsOf), nowMs),
    outcomes: outcomesOf([charges, later, retried, held], hoursMs),
    unknown: { ...unknown, operations: zoned(unknown.operations) },
    upcoming: { sums: added(sums), cut: sumOf(sums, 'number') >= MOST_SUMMED },
    warned: zoned(warned),
    depth: depthOf(backlogs, sumOf(behind, 'number')),
    backlogs: zoned(backlogs),
    dead: zoned(dead).map((row) => ({ ...row, lastError: ownError(row, backlogs) })),
    runs: unfinishedFirst(unfinished, newest.slice(0, MOST_SHOWN.newest)),
    comparisons,
    refundSums: added(refundSums),
    lists: { failed, failedRefunds, disputes, differences, coming, payouts },
    endpoints: zoned(endpoints).map(({ url, ...row }) => ({ ...row, host: new URL(url).host })),
  };
}

/** What the databases' heads of queues are among all that was read: the last of it. */
function headsOf(read: readonly unknown[]) {
  const many = selectHealth(0).length;
  return read.slice(-many) as unknown as Parameters<typeof healthOfAll>[0][number];
}

/** What all databases have, statement by statement. */
function joined<Read extends readonly unknown[]>([first, ...others]: readonly Read[]): Read {
  if (!first) throw new Error('there is no database');
  if (others.length === 0) return first;
  const all = first.map((rows, at) => [rows, ...others.map((one) => one[at])].flat());
  return all as unknown as Read;
}

interface Sum {
  readonly currency: string;
  readonly status?: string;
  readonly number: number;
  readonly amountMinor: number;
}

/** The sums of several databases, added. */
function added<One extends Sum>(sums: readonly One[]): One[] {
  const groups = Map.groupBy(sums, ({ currency, status }) => `${currency} ${status ?? ''}`);
  return [...groups.values()].map((group) => ({
    ...(group[0] as One),
    number: sumOf(group, 'number'),
    amountMinor: sumOf(group, 'amountMinor'),
  }));
}

type UnknownRow = Awaited<ReturnType<typeof selectUnknown>>[number];

/**
 * Lists charges and refunds with an unknown outcome, the oldest first: those whose status checks found no outcome, and
 * those that are overdue without any status check.
 */
function unknownOperations(
  checked: readonly UnknownRow[],
  late: readonly (readonly UnknownRow[])[],
) {
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

/** Why a message failed, without what the PMS may say of its guest; null where that is why most of its property's fail. */
function ownError(
  { lastError, propertyId }: Awaited<ReturnType<typeof selectDead>>[number],
  backlogs: Awaited<ReturnType<typeof selectBacklogs>>,
): string | null {
  const own = ownPart(lastError);
  const cause = backlogs.find((backlog) => backlog.propertyId === propertyId)?.cause ?? null;
  return own === ownPart(cause) ? null : own;
}

/** Adds up the backlogs that the page shows. */
function depthOf(backlogs: Awaited<ReturnType<typeof selectBacklogs>>, properties: number) {
  return {
    properties,
    messages: sumOf(backlogs, 'depth'),
    dead: sumOf(backlogs, 'dead'),
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

export type ToDismiss = Awaited<ReturnType<typeof selectToDismiss>>[number];

/** Reads a message, to ask before it is dismissed. One round trip. */
export async function readToDismiss(
  database: Database,
  messageId: string,
): Promise<ToDismiss | undefined> {
  const [message] = await database.rowsAnywhere('d1.ops.read', selectToDismiss(messageId));
  return message;
}
