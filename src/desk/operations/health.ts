import { gt, lte, type Placeholder, sql } from 'drizzle-orm';
import type { BatchResponse } from 'drizzle-orm/batch';
import { MINUTE_MS } from '../../core/time.ts';
import { selectAnyDead, selectOverdueEndpoints } from '../../events/delivery/store.ts';
import { type Database, queries } from '../../platform/db/database.ts';
import { preparedAll } from '../../platform/db/prepared.ts';
import { selectOverduePms } from '../../pms/outbox/store.ts';
import { selectAnyOpen } from '../../reconciliation/exceptionStore.ts';
import { isLate, RECONCILIATION_LATE_MS } from '../../reconciliation/rules/runs.ts';
import {
  type CompletedSince,
  lowestRunId,
  selectCompletedSince,
  selectLateRun,
} from '../../reconciliation/runStore.ts';
import { selectFirstMovement } from '../../reconciliation/store.ts';
import { type Fullness, fullnessOf, percentOf } from '../../records/homes/rules.ts';
import { keyringKeys } from '../../schema/accessTables.ts';
import { exportRuns } from '../../schema/exportTables.ts';
import { refunds, transactions } from '../../schema/moneyTables.ts';
import { outbox } from '../../schema/outboxTables.ts';

/** Work overdue by this long is late. The Cron Trigger normally runs what an alarm missed within two minutes. */
const LATE_MS = 10 * MINUTE_MS;

/** The state of each queue (interface: Health). */
export interface Health {
  readonly payments: 'on time' | 'late';
  readonly acquirer: 'ok' | 'rejecting';
  readonly messages: 'delivered' | 'late' | 'dead';
  readonly events: 'delivered' | 'late' | 'dead';
  readonly exports: 'on time' | 'late';
  readonly keys: 'ok' | 'missing';
  readonly reconciliation: 'ok' | 'exceptions' | 'late';
}

/**
 * Reads the head of each queue, of the databases that answer. Without the directory nothing works, so that one has to. One
 * round trip to each.
 */
export async function readHealth(
  database: Database,
  limitBytes: number,
  nowMs: number,
): Promise<WholeHealth> {
  const found = await database.ofAnswering(async ({ name, database: one }) => ({
    name,
    ...(await one.measured('d1.health', selectHealth(nowMs))),
  }));
  const states = healthOfAll(
    found.map(({ results }) => results),
    nowMs,
  );
  const away = database.awayFrom(found);
  return {
    ...states,
    databases: fullnessOf(found.map(({ bytes }) => percentOf(bytes, limitBytes))),
    ...(away.length > 0 && { databasesAway: away }),
  };
}

/** Besides the queues: how full the fullest database is, and the names of those that do not answer, if there are any. */
export interface WholeHealth extends Health {
  readonly databases: Fullness;
  readonly databasesAway?: readonly string[];
}

/** Selects the head of each queue. */
export function selectHealth(nowMs: number) {
  const comparedSinceMs = nowMs - RECONCILIATION_LATE_MS;
  return selectHeads({
    overdueMs: nowMs - LATE_MS,
    comparedSinceMs,
    // A run that was completed since began as long before as one may take.
    runsFrom: lowestRunId(comparedSinceMs - RECONCILIATION_LATE_MS),
  });
}

/** When work is late, and since when runs of reconciliation are looked at. */
interface HealthTimes extends CompletedSince {
  readonly overdueMs: number;
}

const selectHeads = preparedAll<HealthTimes>()(({ overdueMs, ...since }) => [
  ...selectOverdueWork(overdueMs),
  selectAnyDead(),
  selectOverdueEndpoints(overdueMs, 1),
  selectRejected(),
  // What the state of reconciliation goes by.
  selectAnyOpen(),
  selectLateRun(since.comparedSinceMs),
  selectCompletedSince(since),
  selectFirstMovement(),
  // A key that the keyring does not have, and that something needs. The sweep has counted it.
  one().from(keyringKeys).where(gt(keyringKeys.stranded, 0)).limit(1),
]);

type Selected = BatchResponse<ReturnType<typeof selectHealth>>;

/** How bad each state is, the worst first. */
const WORST: readonly Health[keyof Health][] = [
  'dead',
  'late',
  'rejecting',
  'missing',
  'exceptions',
];

/** The state of each queue, over all databases: that of the database where it is worst. */
export function healthOfAll(all: readonly Selected[], nowMs: number): Health {
  const states = all.map((one) => healthOf(one, nowMs));
  const names = Object.keys(states[0] ?? {}) as (keyof Health)[];
  const worst = names.map((name) => [
    name,
    states.map((one) => one[name]).toSorted((one, other) => badness(one) - badness(other))[0],
  ]);
  return Object.fromEntries(worst) as Health;
}

function badness(state: Health[keyof Health]): number {
  const at = WORST.indexOf(state);
  return at === -1 ? WORST.length : at;
}

/** What the heads of the queues say. */
function healthOf(selected: Selected, nowMs: number): Health {
  const [
    payments,
    lateRefunds,
    dead,
    waiting,
    runs,
    deadEvents,
    lateEvents,
    rejected,
    open,
    lateRuns,
    [compared],
    [first],
    stranded,
  ] = selected;
  return {
    payments: late([...payments, ...lateRefunds]),
    acquirer: rejected.length > 0 ? 'rejecting' : 'ok',
    messages: delivered(dead, waiting),
    events: delivered(deadEvents, lateEvents),
    exports: late(runs),
    keys: stranded.length > 0 ? 'missing' : 'ok',
    reconciliation: isLate({
      hasLateRun: lateRuns.length > 0,
      comparedAtMs: compared?.completedAtMs ?? null,
      firstMovementAtMs: first?.recordedAtMs ?? null,
      nowMs,
    })
      ? 'late'
      : open.length > 0
        ? 'exceptions'
        : 'ok',
  };
}

/** How deliveries go: what was given up counts more than what is late. */
function delivered(dead: readonly unknown[], waiting: readonly unknown[]) {
  return dead.length > 0 ? 'dead' : waiting.length > 0 ? 'late' : 'delivered';
}

function late(rows: readonly unknown[]): 'late' | 'on time' {
  return rows.length > 0 ? 'late' : 'on time';
}

/**
 * Selects one row of each kind of work that was due before `beforeMs`: charges, refunds, dead messages, PMSs with an
 * overdue message, exports. Each query uses an index, so that its cost does not grow with the tables.
 */
export function selectOverdueWork(beforeMs: number | Placeholder) {
  return [
    one().from(transactions).where(lte(transactions.dueAtMs, beforeMs)).limit(1),
    one().from(refunds).where(lte(refunds.dueAtMs, beforeMs)).limit(1),
    one()
      .from(outbox)
      // A literal, so that SQLite uses the index of dead messages.
      .where(sql`${outbox.status} = 'Dead'`)
      .limit(1),
    selectOverduePms(beforeMs, 1),
    one().from(exportRuns).where(lte(exportRuns.dueAtMs, beforeMs)).limit(1),
  ] as const;
}

/** Selects one schedule that waits because the acquirer rejected it for a temporary reason. */
export function selectRejected() {
  // Literals, so that SQLite uses the index of rejected schedules.
  const waits = sql`${transactions.status} = 'Pending' AND ${transactions.rejections} > 0`;
  return one().from(transactions).where(waits).limit(1);
}

function one() {
  return queries.select({ one: sql<number>`1` });
}
