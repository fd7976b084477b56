import { v7 as timeOrderedUuid } from 'uuid';
import { digestSecret, newSecret, secretMatches } from '../clients/secrets.ts';
import { type Failure, failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import { MINUTE_MS, utcDate, utcTimestamp } from '../core/time.ts';
import type { Database } from '../db/database.ts';
import type { ExportRunRow } from '../db/exportTables.ts';
import {
  insertExportUser,
  insertRun,
  type NewRun,
  type RunsOf,
  selectExportUser,
  selectFile,
  selectRuns,
} from './store.ts';
import type { Variant } from './variants.ts';

/** A run to be begun. */
export type WantedRun = Pick<NewRun, 'portfolio' | 'variant' | 'cause'>;

/** Begins runs over all that exists now, and returns their ids; a day's daily run is begun only once. One round trip. */
export async function startRuns(
  database: Database,
  wanted: readonly WantedRun[],
  nowMs: number,
): Promise<string[]> {
  const runs = wanted.map((run) => newRun(run, nowMs));
  const [first, ...others] = runs.map((run) => insertRun(database.queries, run));
  if (!first) return [];
  const begun = await database.batch('d1.export.start', [first, ...others]);
  return begun.flatMap((rows) => rows.map(({ id }) => id));
}

function newRun(wanted: WantedRun, nowMs: number): NewRun {
  const id = timeOrderedUuid({ msecs: nowMs });
  const date = utcDate(nowMs);
  return {
    ...wanted,
    id,
    date,
    objectKey: `exports/${wanted.portfolio}/${wanted.variant}/${date}/${id}.ndjson`,
    // Should nobody be told of it, the sweep looks for it.
    dueAtMs: nowMs + MINUTE_MS,
    startedAtMs: nowMs,
  };
}

/** A run as an administrator sees it; times in UTC (decisions: section 13). */
export interface RunView {
  readonly runId: string;
  readonly portfolio: string;
  readonly variant: Variant;
  readonly date: string;
  readonly cause: ExportRunRow['cause'];
  readonly status: ExportRunRow['status'];
  /** How many lines are written, and how many it may come to. */
  readonly rows: number;
  readonly expectedRows: number;
  readonly bytes: number;
  readonly sha256: string | null;
  /** Why it ended, or what holds it up. */
  readonly failure: string | null;
  readonly startedAt: string;
  readonly finishedAt: string | null;
}

/** A page of runs, newest first; `nextCursor` is null on the last one. */
export interface RunPage {
  readonly runs: RunView[];
  readonly nextCursor: string | null;
}

/** Lists runs. One round trip. */
export async function listRuns(database: Database, of: RunsOf, limit: number): Promise<RunPage> {
  const [rows] = await database.batch('d1.export.find', [
    selectRuns(database.queries, of, limit + 1),
  ]);
  const page = rows.slice(0, limit);
  return {
    runs: page.map(runView),
    nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

function runView(row: ExportRunRow): RunView {
  return {
    runId: row.id,
    portfolio: row.portfolio,
    variant: row.variant,
    date: row.date,
    cause: row.cause,
    status: row.status,
    rows: row.rows,
    expectedRows: row.expectedRows,
    bytes: row.bytes,
    sha256: row.sha256,
    failure: row.failure,
    startedAt: utcTimestamp(row.startedAtMs),
    finishedAt: row.finishedAtMs === null ? null : utcTimestamp(row.finishedAtMs),
  };
}

/** Makes an export user. The password is told this once; only its digest is kept. */
export async function createExportUser(
  database: Database,
  user: { readonly username: string; readonly portfolio: string },
  nowMs: number,
): Promise<Result<{ username: string; password: string }, Failure>> {
  const password = newSecret();
  const [inserted] = await database.batch('d1.exportUser.save', [
    insertExportUser(database.queries, {
      ...user,
      secretDigest: await digestSecret(password),
      seeded: false,
      createdAtMs: nowMs,
    }),
  ]);
  return inserted.length === 1
    ? ok({ username: user.username, password })
    : err(failure('invalid_state', 'There is an export user of this name already.'));
}

/** Compared against when there is no such user, so that both cases take the same work. */
const NO_DIGEST = '0'.repeat(64);

/** The file that an export user may fetch: `null` when there is none; an error when the user is not known. One round trip. */
export async function findFile(
  database: Database,
  user: { readonly username: string; readonly password: string },
  wanted: { readonly variant: Variant; readonly date: string | null } | null,
  local: boolean,
): Promise<Result<ExportRunRow | null, 'unknown-user'>> {
  const { queries } = database;
  const [[known], files] = await database.batch('d1.exportUser.find', [
    selectExportUser(queries, user.username),
    selectFile(queries, user.username, wanted?.variant ?? 'propertySystem', wanted?.date ?? null),
  ]);
  const proven = await secretMatches(user.password, known?.secretDigest ?? NO_DIGEST);
  if (!known || !proven || (known.seeded && !local)) return err('unknown-user');
  return ok(files[0]?.run ?? null);
}
