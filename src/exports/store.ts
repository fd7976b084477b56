import {
  and,
  desc,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  min,
  ne,
  notExists,
  sql,
} from 'drizzle-orm';
import { pick } from '../core/pick.ts';
import { queries } from '../platform/db/database.ts';
import { listed } from '../platform/db/listed.ts';
import { type Part, pagesOf } from '../platform/db/page.ts';
import { type ExportUserRow, exportUsers } from '../schema/accessTables.ts';
import { applications, customerMoves } from '../schema/applicationTables.ts';
import { type ExportRunRow, exportFiles, exportRuns } from '../schema/exportTables.ts';
import { properties } from '../schema/propertyTables.ts';
import { type Variant, variants } from './rules/variants.ts';

export type NewRun = Pick<
  ExportRunRow,
  'id' | 'portfolio' | 'variant' | 'date' | 'cause' | 'objectKey' | 'dueAtMs' | 'startedAtMs'
>;

/** Inserts a run over all present rows. If its day already has a daily run, it inserts and returns nothing. */
export function insertRun(run: NewRun) {
  const last = sql<number>`(SELECT coalesce(max(id), 0) FROM ${applications})`;
  const lastMoveId = sql<number>`(SELECT coalesce(max(id), 0) FROM ${customerMoves})`;
  return queries
    .insert(exportRuns)
    .values({
      ...run,
      status: 'Running',
      lastApplicationId: last,
      lastMoveId,
      // How many entries a day of the books has shows when they are read.
      expectedRows: run.variant === 'ledger' ? 0 : last,
    })
    .onConflictDoNothing()
    .returning({ id: exportRuns.id });
}

export function selectRun(id: string) {
  return queries.select().from(exportRuns).where(eq(exportRuns.id, id));
}

/** Changes a run; does nothing if it has ended already. */
export function changeRun(id: string, change: Partial<ExportRunRow>) {
  return queries
    .update(exportRuns)
    .set(change)
    .where(and(eq(exportRuns.id, id), eq(exportRuns.status, 'Running')));
}

/** Ends a run; does nothing if it has ended already. */
export function endRun(
  id: string,
  end: Pick<ExportRunRow, 'status' | 'finishedAtMs' | 'failure'> & Partial<ExportRunRow>,
) {
  return changeRun(id, { ...end, dueAtMs: null });
}

/** Deletes the moves of applications that no run needs any more. */
export function forgetMoves() {
  const needed = queries
    .select({ afterId: min(exportRuns.lastMoveId) })
    .from(exportRuns)
    .where(isNotNull(exportRuns.dueAtMs));
  return queries
    .delete(customerMoves)
    .where(lte(customerMoves.id, sql`coalesce(${needed}, ${Number.MAX_SAFE_INTEGER})`));
}

/** Publishes a complete run's file as that of its day, unless a later run has published one. */
export function publishFile(run: ExportRunRow) {
  const { portfolio, variant, date, id: runId } = run;
  return queries
    .insert(exportFiles)
    .values({ portfolio, variant, date, runId })
    .onConflictDoUpdate({
      target: [exportFiles.portfolio, exportFiles.variant, exportFiles.date],
      set: { runId: sql`excluded.run_id` },
      setWhere: sql`excluded.run_id > ${exportFiles.runId}`,
    });
}

/** Selects ended runs of days before `date`, of any portfolio. */
export function selectExpired(date: string, limit: number) {
  return queries
    .select({ id: exportRuns.id, objectKey: exportRuns.objectKey })
    .from(exportRuns)
    .where(and(lt(exportRuns.date, date), ne(exportRuns.status, 'Running')))
    .orderBy(exportRuns.date)
    .limit(limit);
}

export function unpublishExpired(date: string) {
  return queries.delete(exportFiles).where(lt(exportFiles.date, date));
}

export function deleteRuns(ids: readonly string[]) {
  return queries.delete(exportRuns).where(inArray(exportRuns.id, listed(ids)));
}

/** Selects complete files that may hold guests who were erased, and that no run writes anew yet. */
export function selectStale(limit: number) {
  return queries
    .select()
    .from(exportRuns)
    .where(
      and(
        isNotNull(exportRuns.staleSinceMs),
        eq(exportRuns.status, 'Complete'),
        isNull(exportRuns.rewrites),
        sql`NOT EXISTS (SELECT 1 FROM export_runs AS other WHERE other.rewrites = ${exportRuns.id} AND other.status <> 'Failed')`,
      ),
    )
    .limit(limit);
}

/** Inserts a run that writes another one's file anew, unless there is one. */
export function insertRewriting(run: NewRun, { id, ...source }: ExportRunRow) {
  return queries
    .insert(exportRuns)
    .values({
      ...run,
      status: 'Running',
      rewrites: id,
      ...pick(source, 'expectedRows', 'lastApplicationId', 'lastMoveId'),
    })
    .onConflictDoNothing()
    .returning({ id: exportRuns.id });
}

/**
 * Gives a run the file that another one wrote anew for it, and that one the old file, which is to be deleted. Guests who
 * were erased since the other one began leave it stale.
 */
export function takeRewritten(
  run: ExportRunRow,
  source: ExportRunRow,
  file: Pick<ExportRunRow, 'sha256' | 'bytes' | 'finishedAtMs'>,
) {
  return [
    queries
      .update(exportRuns)
      .set({
        ...file,
        objectKey: run.objectKey,
        staleSinceMs: sql`iif(${exportRuns.staleSinceMs} >= ${run.startedAtMs}, ${exportRuns.staleSinceMs}, NULL)`,
      })
      .where(eq(exportRuns.id, source.id)),
    queries
      .update(exportRuns)
      .set({ objectKey: source.objectKey })
      .where(eq(exportRuns.id, run.id)),
  ] as const;
}

/** Selects runs that wrote a file anew: what they hold now is the old file. */
export function selectRewritten(limit: number) {
  return queries
    .select({ id: exportRuns.id, objectKey: exportRuns.objectKey })
    .from(exportRuns)
    .where(and(isNotNull(exportRuns.rewrites), eq(exportRuns.status, 'Complete')))
    .limit(limit);
}

/** Selects runs without progress for too long. */
export function selectOverdueRuns(beforeMs: number, limit: number) {
  return queries
    .select({ id: exportRuns.id })
    .from(exportRuns)
    .where(lt(exportRuns.dueAtMs, beforeMs))
    .orderBy(exportRuns.dueAtMs)
    .limit(limit);
}

/** The day whose files are due: it has begun. */
export interface DueDay {
  readonly date: string;
  /** A portfolio without a property by then has no files of applications on that day. */
  readonly sinceMs: number;
  /** The oldest day that has files. */
  readonly oldest: string;
}

/**
 * Selects the daily runs that are missing: those of the day's applications, and the next day of the books of each
 * portfolio, which has to be over. A failed run counts as missing, so the service tries again: applications until the day
 * ends, the books until they have that day. The books leave out no day.
 */
export function selectMissingRuns(
  { date, oldest, sinceMs }: DueDay,
  limit: number,
  portfolios: Portfolios | null = null,
) {
  const made = queries
    .select({ one: sql`1` })
    .from(exportRuns)
    .where(
      and(
        eq(exportRuns.portfolio, sql`portfolio_of_day`),
        eq(exportRuns.variant, sql`variant_of_day`),
        eq(exportRuns.date, sql`date_of_day`),
        eq(exportRuns.cause, 'daily'),
        ne(exportRuns.status, 'Failed'),
      ),
    );
  const booked = sql`(SELECT date FROM ${exportRuns} WHERE portfolio = portfolio_of_day AND variant = 'ledger' AND cause = 'daily' AND status = 'Complete' ORDER BY date DESC LIMIT 1)`;
  const firstDay =
    portfolios?.isWhole === false
      ? sql`NULL`
      : sql`max(${oldest}, date(since_ms / 1000, 'unixepoch'))`;
  return queries
    .select({
      portfolio: sql<string>`portfolio_of_day`.as('portfolio'),
      variant: sql<Variant>`variant_of_day`.as('variant'),
      date: sql<string>`date_of_day`.as('date'),
    })
    .from(
      sql`(SELECT portfolio_of_day, variant_of_day, since_ms,
          CASE variant_of_day WHEN 'ledger' THEN coalesce(date(${booked}, '+1 day'), ${firstDay}) ELSE ${date} END AS date_of_day
        FROM ${portfolios ? listedPortfolios(portfolios.all) : PORTFOLIOS}
        CROSS JOIN (SELECT value AS variant_of_day FROM json_each(${JSON.stringify(variants)})))`,
    )
    .where(
      and(
        sql`CASE variant_of_day WHEN 'ledger' THEN date_of_day < ${date} ELSE since_ms < ${sinceMs} END`,
        notExists(made),
      ),
    )
    .limit(limit);
}

/** A portfolio, and when its first property came. */
interface Portfolio {
  readonly portfolio: string;
  readonly sinceMs: number;
}

/** The portfolios of several databases, and whether all of these told of theirs. */
export interface Portfolios {
  readonly all: readonly Portfolio[];
  readonly isWhole: boolean;
}

const PORTFOLIOS = sql`(SELECT portfolio AS portfolio_of_day, min(created_at_ms) AS since_ms FROM ${properties} GROUP BY portfolio)`;

function listedPortfolios(portfolios: readonly Portfolio[]) {
  const list = JSON.stringify(portfolios.map(({ portfolio, sinceMs }) => [portfolio, sinceMs]));
  return sql`(SELECT value ->> 0 AS portfolio_of_day, value ->> 1 AS since_ms FROM json_each(${list}))`;
}

export function selectPortfolios() {
  return queries
    .select({
      portfolio: properties.portfolio,
      sinceMs: sql<number>`min(${properties.createdAtMs})`.as('since_ms'),
    })
    .from(properties)
    .groupBy(properties.portfolio);
}

export interface RunsOf {
  readonly portfolio?: string | undefined;
  readonly variant?: Variant | undefined;
}

export function selectRuns({ portfolio, variant }: RunsOf, part: Part) {
  const isListed = and(
    // What writes a file anew is no run of its own.
    isNull(exportRuns.rewrites),
    portfolio === undefined ? undefined : eq(exportRuns.portfolio, portfolio),
    variant === undefined ? undefined : eq(exportRuns.variant, variant),
  );
  return runPages.select(isListed, part);
}

export const runPages = pagesOf(exportRuns, 'descending', ['id']);

/** Selects running and failed runs that started since `sinceMs`, newest first. */
export function selectUnfinishedRuns(sinceMs: number, limit: number) {
  return (
    queries
      .select()
      .from(exportRuns)
      // A literal, because SQLite cannot match a bound value with the partial index of these runs.
      .where(and(sql`${exportRuns.status} <> 'Complete'`, gte(exportRuns.startedAtMs, sinceMs)))
      .orderBy(desc(exportRuns.startedAtMs))
      .limit(limit)
  );
}

/** Inserts an export user; the batch fails on the primary key if the name is taken. */
export function insertExportUser(row: ExportUserRow) {
  return queries.insert(exportUsers).values(row);
}

/** Marks an export user as revoked, once. */
export function revokeExportUser(username: string, nowMs: number) {
  return queries
    .update(exportUsers)
    .set({ revokedAtMs: sql`coalesce(${exportUsers.revokedAtMs}, ${nowMs})` })
    .where(eq(exportUsers.username, username));
}

export function noteExportUse(username: string, nowMs: number) {
  return queries
    .update(exportUsers)
    .set({ lastUsedAtMs: nowMs })
    .where(eq(exportUsers.username, username));
}

export function selectExportUser(username: string) {
  return queries.select().from(exportUsers).where(eq(exportUsers.username, username));
}

/** Selects the run whose file an export user gets: that of a day, or the newest. */
export function selectFile(username: string, variant: Variant, date: string | null) {
  const portfolio = queries
    .select({ portfolio: exportUsers.portfolio })
    .from(exportUsers)
    .where(eq(exportUsers.username, username));
  return queries
    .select({ run: exportRuns })
    .from(exportFiles)
    .innerJoin(exportRuns, eq(exportRuns.id, exportFiles.runId))
    .where(
      and(
        eq(exportFiles.portfolio, portfolio),
        eq(exportFiles.variant, variant),
        date === null ? undefined : eq(exportFiles.date, date),
      ),
    )
    .orderBy(desc(exportFiles.date))
    .limit(1);
}
