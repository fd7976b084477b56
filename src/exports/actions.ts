import { v7 as timeOrderedUuid } from 'uuid';
import { failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import { MINUTE_MS, utcDate } from '../core/time.ts';
import type { Answered } from '../operation/idempotency.ts';
import { refusal } from '../operation/reply.ts';
import { type SecretWork, saveSecret } from '../operation/secretAnswers.ts';
import type { Database } from '../platform/db/database.ts';
import { violatesUnique } from '../platform/db/errors.ts';
import type { ExportRunRow } from '../platform/db/exportTables.ts';
import { digestSecret, newSecret, secretMatches } from '../records/clients/secrets.ts';
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
import { type RunPage, runView } from './views.ts';

/** A run to start. */
export type WantedRun = Pick<NewRun, 'portfolio' | 'variant' | 'cause'>;

/** Starts runs over all present rows and returns their ids; each day has one daily run. One round trip. */
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
    // If the notification of its object is lost, the sweep finds the run.
    dueAtMs: nowMs + MINUTE_MS,
    startedAtMs: nowMs,
  };
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

/** Creates an export user. The answer shows the password; {@link saveSecret} says who can get it again. */
export async function createExportUser(
  work: SecretWork,
  user: { readonly username: string; readonly portfolio: string },
): Promise<Answered<{ username: string; password: string }>> {
  const password = newSecret();
  const row = {
    ...user,
    secretDigest: await digestSecret(password),
    seeded: false,
    createdAtMs: work.nowMs,
  };
  try {
    return await saveSecret(work, {
      span: 'd1.exportUser.save',
      save: [insertExportUser(work.database.queries, row)],
      answer: { username: user.username, password },
    });
  } catch (error) {
    if (!violatesUnique(error, 'export_users.username')) throw error;
    const taken = 'An export user with this name already exists.';
    return refusal(work, failure('invalid_state', taken));
  }
}

/** Compared with the password of an unknown user, so that both cases take the same time. */
const NO_DIGEST = '0'.repeat(64);

/** The run whose file an export user gets; null if there is none, an error for wrong credentials. One round trip. */
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
