import {
  and,
  asc,
  desc,
  eq,
  gt,
  gte,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm';
import { pick } from '../core/pick.ts';
import type { GatewayTraits } from '../gateways/gateway.ts';
import type { GatewayName } from '../platform/config.ts';
import { queries } from '../platform/db/database.ts';
import type { ValuesOrPlaceholders } from '../platform/db/prepared.ts';
import {
  type ReconciliationRunRow,
  reconciliationRuns as runs,
} from '../schema/reconciliationTables.ts';
import type { PlannedRun } from './rules/runs.ts';

/** Everything of a run that its first state says. */
export type NewRun = typeof runs.$inferInsert;

/**
 * Every account that a property has or had: what happens later to payments of a former account is still the property's.
 * A former account of the platform is known by its earlier runs, of which there is always one.
 */
function usedAccounts(gateway: GatewayName): SQL {
  return sql`(SELECT DISTINCT account FROM merchant_accounts UNION ALL SELECT NULL WHERE EXISTS (SELECT 1 FROM properties WHERE merchant_account IS NULL) OR EXISTS (SELECT 1 FROM reconciliation_runs AS earlier WHERE earlier.gateway = ${gateway} AND earlier.account IS NULL))`;
}

/** Whether a planned run may begin: the last one like it of its account began before it was due, and is complete. */
function mayBegin(
  gateway: string,
  account: SQL,
  { cause, dueSinceMs }: Pick<PlannedRun, 'cause' | 'dueSinceMs'>,
): SQL<number> {
  return sql`coalesce((SELECT run.started_at_ms < ${dueSinceMs} AND run.completed_at_ms IS NOT NULL FROM reconciliation_runs AS run WHERE run.gateway = ${gateway} AND run.account IS ${account} AND run.cause = ${cause} ORDER BY run.started_at_ms DESC LIMIT 1), 1)`;
}

/** What the last complete run of a kind says. */
function lastOf(gateway: GatewayName, { cause }: PlannedRun, column: 'to_ms' | 'left_from_ms') {
  return sql<
    number | null
  >`(SELECT run.${sql.raw(column)} FROM reconciliation_runs AS run WHERE run.gateway = ${gateway} AND run.account IS used.account AND run.cause = ${cause} AND run.completed_at_ms IS NOT NULL ORDER BY run.started_at_ms DESC LIMIT 1)`;
}

/**
 * Selects the accounts for which a planned run is due, and which, with what the last ones say. One property is enough to use an
 * account.
 */
export function selectAccountsDue(
  gateway: GatewayName,
  accounts: GatewayTraits['accounts'],
  [hourly, nightly]: readonly [PlannedRun, PlannedRun],
  limit: number,
) {
  const used =
    accounts === 'one'
      ? sql`(SELECT NULL AS account FROM properties LIMIT 1)`
      : usedAccounts(gateway);
  const isDue = (run: PlannedRun) => mayBegin(gateway, sql`used.account`, run);
  return queries
    .select({
      account: sql<string | null>`used.account`.as('account'),
      hourly: isDue(hourly).as('hourly'),
      nightly: isDue(nightly).as('nightly'),
      hourlyToMs: lastOf(gateway, hourly, 'to_ms').as('hourly_to_ms'),
      hourlyLeftFromMs: lastOf(gateway, hourly, 'left_from_ms').as('hourly_left_from_ms'),
      nightlyToMs: lastOf(gateway, nightly, 'to_ms').as('nightly_to_ms'),
    })
    .from(sql`${used} AS used`)
    .where(sql`${isDue(hourly)} OR ${isDue(nightly)}`)
    .limit(limit);
}

/**
 * Inserts a run, unless its account has had one like it since, or one is open: two sweeps at once start one, and runs do
 * not pile up while an acquirer is out.
 */
export function insertPlannedRun(run: NewRun, planned: PlannedRun) {
  const { account, cause, fromMs, gateway, id, startedAtMs, toMs } = run;
  const isDue = mayBegin(gateway, sql`${account ?? null}`, planned);
  return queries
    .insert(runs)
    .select(
      sql`SELECT ${id}, ${gateway}, ${account ?? null}, NULL, ${cause}, ${fromMs}, ${toMs}, 'theirs', NULL, 0, 0, 0, NULL, 0, NULL, ${startedAtMs}, NULL WHERE ${isDue}`,
    );
}

/** Inserts a run that somebody asked for, or that a moved clock came to. */
export function insertRun(run: NewRun) {
  return queries.insert(runs).values(run).returning();
}

/** Selects runs that go on: what somebody asked for first, then the hourly ones, the oldest first. */
export function selectOpenRuns(gateway: GatewayName, nowMs: number, limit: number) {
  return queries
    .select()
    .from(runs)
    .where(
      and(
        // A literal, so that SQLite uses the index of open runs.
        sql`${runs.completedAtMs} IS NULL`,
        eq(runs.gateway, gateway),
        ne(runs.phase, 'done'),
        lte(runs.leasedUntilMs, nowMs),
      ),
    )
    .orderBy(
      sql`CASE ${runs.cause} WHEN 'asked' THEN 0 WHEN 'hourly' THEN 1 ELSE 2 END`,
      asc(runs.startedAtMs),
    )
    .limit(limit);
}

/** Selects where comparing by a property's moved clock ended last. */
export function selectLastByClock(gateway: GatewayName, propertyId: string) {
  return queries
    .select({ toMs: runs.toMs })
    .from(runs)
    .where(
      and(
        eq(runs.gateway, gateway),
        eq(runs.propertyId, propertyId),
        eq(runs.cause, 'clock'),
        isNotNull(runs.completedAtMs),
      ),
    )
    .orderBy(desc(runs.toMs))
    .limit(1);
}

/** Selects the run that was asked for since a time and whose result nobody has got yet. */
export function selectAskedRun(
  { account, fromMs, gateway, propertyId, toMs }: NewRun,
  sinceMs: number,
) {
  return queries
    .select()
    .from(runs)
    .where(
      and(
        sql`${runs.completedAtMs} IS NULL`,
        gte(runs.startedAtMs, sinceMs),
        eq(runs.cause, 'asked'),
        eq(runs.gateway, gateway),
        sql`${runs.propertyId} IS ${propertyId} AND ${runs.account} IS ${account}`,
        eq(runs.fromMs, fromMs),
        eq(runs.toMs, toMs),
      ),
    )
    .orderBy(desc(runs.startedAtMs))
    .limit(1);
}

/** Takes the lease of a run, and returns the run; nothing while somebody else works on it. */
export function leaseRun(id: string, nowMs: number, untilMs: number) {
  return queries
    .update(runs)
    .set({ leasedUntilMs: untilMs })
    .where(and(eq(runs.id, id), lte(runs.leasedUntilMs, nowMs), isNull(runs.completedAtMs)))
    .returning();
}

/** Saves how far a run is. Returns nothing if the lease has gone to somebody else: nothing is saved then. */
export function saveRun(run: ReconciliationRunRow, leasedUntilMs: number) {
  const { completedAtMs, id } = run;
  return queries
    .update(runs)
    .set({
      ...pick(
        run,
        'compared',
        'corrected',
        'cursor',
        'exceptions',
        'lastError',
        'leftFromMs',
        'phase',
      ),
      leasedUntilMs,
      // Named only when it changes: an index goes by it.
      ...(completedAtMs !== null && { completedAtMs }),
    })
    .where(and(eq(runs.id, id), eq(runs.leasedUntilMs, run.leasedUntilMs)))
    .returning({ id: runs.id });
}

/** Notes that somebody got the result of a run that was asked for. */
export function completeRun(id: string, nowMs: number) {
  return queries
    .update(runs)
    .set({ completedAtMs: nowMs })
    .where(and(eq(runs.id, id), isNull(runs.completedAtMs)));
}

/**
 * Deletes runs that began before a time: ids grow with time. The last complete one of each account stays: the next begins
 * where it ended.
 */
export function deleteRunsBefore(beforeMs: number) {
  const isFollowed = sql`EXISTS (SELECT 1 FROM reconciliation_runs AS later WHERE later.gateway = reconciliation_runs.gateway AND later.account IS reconciliation_runs.account AND later.property_id IS reconciliation_runs.property_id AND later.started_at_ms > reconciliation_runs.started_at_ms AND later.cause = reconciliation_runs.cause AND later.completed_at_ms IS NOT NULL)`;
  return queries
    .delete(runs)
    .where(
      and(lt(runs.id, lowestRunId(beforeMs)), sql`(${runs.cause} = 'asked' OR ${isFollowed})`),
    );
}

/** The lowest id of a run that began at this instant or later. */
export function lowestRunId(atMs: number): string {
  const digits = Math.max(0, atMs).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}

/** Selects an hourly run that began before a time and is not complete. */
export function selectLateRun(beforeMs: number | Placeholder) {
  return queries
    .select({ one: sql<number>`1` })
    .from(runs)
    .where(
      and(
        sql`${runs.completedAtMs} IS NULL`,
        lt(runs.startedAtMs, beforeMs),
        eq(runs.cause, 'hourly'),
      ),
    )
    .limit(1);
}

/** Since when a run was completed, and the lowest id that such a run can have. */
export interface CompletedSince {
  readonly comparedSinceMs: number;
  readonly runsFrom: string;
}

/** Selects the hourly run that was completed last, if that was after a time. */
export function selectCompletedSince(since: ValuesOrPlaceholders<CompletedSince>) {
  const { comparedSinceMs, runsFrom } = since;
  return queries
    .select({ completedAtMs: runs.completedAtMs })
    .from(runs)
    .where(
      and(
        gt(runs.id, runsFrom),
        eq(runs.cause, 'hourly'),
        gte(runs.completedAtMs, comparedSinceMs),
      ),
    )
    .orderBy(desc(runs.id))
    .limit(1);
}

export function selectNewestRuns(limit: number) {
  return queries.select().from(runs).orderBy(desc(runs.id)).limit(limit);
}
