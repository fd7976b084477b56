import { eq } from 'drizzle-orm';
import { v7 as timeOrderedUuid } from 'uuid';
import { failure } from '../core/failure.ts';
import { err, ok, type Result, refuse } from '../core/result.ts';
import { MINUTE_MS, utcDate, utcTimestamp } from '../core/time.ts';
import type { Answered } from '../operation/idempotency.ts';
import { refusal } from '../operation/reply.ts';
import { type SecretWork, saveSecret } from '../operation/secretAnswers.ts';
import type { Database } from '../platform/db/database.ts';
import { violatesNotNull, violatesUnique } from '../platform/db/errors.ts';
import { type Page, type Part, pagesOf, shownPage } from '../platform/db/page.ts';
import { appendChange, type ChangedBy, placeOfChange } from '../records/audit/changes.ts';
import { noted } from '../records/clients/actions.ts';
import { isUseToNote } from '../records/clients/rules.ts';
import { digestSecret, newSecret, secretMatches } from '../records/clients/secrets.ts';
import { type ExportUserRow, exportUsers } from '../schema/accessTables.ts';
import type { ExportRunRow } from '../schema/exportTables.ts';
import {
  copyRuns,
  deleteCopies,
  readSwitching,
  refuseWhileMoving,
  type Switching,
} from './copies.ts';
import type { Variant } from './rules/variants.ts';
import {
  insertExportUser,
  insertRun,
  type NewRun,
  noteExportUse,
  type RunsOf,
  revokeExportUser,
  runPages,
  selectExportUser,
  selectFile,
  selectRuns,
} from './store.ts';
import { type ExportUserView, exportUserView, type RunView, runView } from './views.ts';

/** A run that is wanted: of today, unless it names another day. */
export type WantedRun = Pick<NewRun, 'portfolio' | 'variant' | 'cause'> & {
  readonly date?: string;
};

/**
 * Starts runs over all present rows and returns their ids; each day has one daily run. None of a portfolio of which a property
 * is in the last step of its move begins. One round trip, a few where there are many databases.
 */
export async function startRuns(
  database: Database,
  wanted: readonly WantedRun[],
  nowMs: number,
): Promise<string[]> {
  if (wanted.length === 0) return [];
  const switching = database.isMany ? await readSwitching(database) : [];
  const runs = wanted
    .filter((run) => !switching.some(({ portfolio }) => portfolio === run.portfolio))
    .map((run) => newRun(run, nowMs));
  const [first, ...others] = runs.map((run) => insertRun(run));
  if (!first) return [];
  if (!database.isMany) {
    const begun = await database.batch('d1.export.start', [first, ...others]);
    return begun.flatMap((rows) => rows.map(({ id }) => id));
  }
  await copyRuns(database, runs);
  const begun = await startUnlessMoving(database, switching, [first, ...others]);
  const ids = begun.flatMap((rows) => rows.map(({ id }) => id));
  const not = runs.map(({ id }) => id).filter((id) => !ids.includes(id));
  if (not.length > 0) await deleteCopies(database, not);
  return ids;
}

/** Starts runs in the directory: none if another property has come to the last step of its move. */
async function startUnlessMoving(
  { directory }: Database,
  switching: readonly Switching[],
  starts: readonly ReturnType<typeof insertRun>[],
) {
  try {
    const all = [refuseWhileMoving(switching), ...starts] as const;
    const [, ...begun] = await directory.batch('d1.export.start', all);
    return begun;
  } catch (error) {
    if (!violatesNotNull(error, 'homes.property_id')) throw error;
    return [];
  }
}

export function newRun(
  { cause, date: wantedDate, portfolio, variant }: WantedRun,
  nowMs: number,
): NewRun {
  const date = wantedDate ?? utcDate(nowMs);
  const id = timeOrderedUuid({ msecs: nowMs });
  return {
    cause,
    date,
    id,
    portfolio,
    variant,
    objectKey: `exports/${portfolio}/${variant}/${date}/${id}.ndjson`,
    dueAtMs: nowMs + MINUTE_MS,
    startedAtMs: nowMs,
  };
}

/** Lists runs, newest first. One round trip. */
export async function listRuns(database: Database, of: RunsOf, part: Part): Promise<Page<RunView>> {
  const [rows] = await database.batch('d1.export.find', [selectRuns(of, part)]);
  return shownPage(runPages.cut(rows, part), runView);
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
    lastUsedAtMs: null,
    revokedAtMs: null,
  };
  try {
    return await saveSecret(work, {
      span: 'd1.exportUser.save',
      save: [
        insertExportUser(row),
        ...appendChange(work, {
          ...userChange(row),
          before: null,
          after: { portfolio: row.portfolio },
        }),
      ],
      answer: { username: user.username, password },
    });
  } catch (error) {
    if (!violatesUnique(error, 'export_users.username')) throw error;
    const taken = 'An export user with this name already exists.';
    return refusal(work, failure('invalid_state', taken));
  }
}

/** Lists export users, newest first (interface: List export users). One round trip. */
export async function listExportUsers(
  database: Database,
  { portfolio }: { readonly portfolio?: string | undefined },
  part: Part,
): Promise<Page<ExportUserView>> {
  const isListed = portfolio === undefined ? undefined : eq(exportUsers.portfolio, portfolio);
  const page = await userPages.read(database, 'd1.exportUser.find', isListed, part);
  return shownPage(page, exportUserView);
}

const userPages = pagesOf(exportUsers, 'descending', ['createdAtMs', 'username']);

/** Revokes an export user: the next request for a file is refused. The name stays taken. */
export async function revokeUser(
  database: Database,
  username: string,
  by: ChangedBy,
): Promise<Result<null>> {
  const [[known]] = await database.batch('d1.exportUser.find', [selectExportUser(username)]);
  if (!known) return refuse('user_not_found', 'There is no such export user.');
  const { revokedAt } = exportUserView(known);
  await database.batch('d1.exportUser.save', [
    revokeExportUser(username, by.nowMs),
    ...appendChange(by, {
      ...userChange(known),
      before: { revokedAt },
      after: { revokedAt: revokedAt ?? utcTimestamp(by.nowMs) },
    }),
  ]);
  return ok(null);
}

/** Where a change of an export user counts, and what is changed, for the audit trail. */
function userChange({ portfolio, username }: Pick<ExportUserRow, 'portfolio' | 'username'>) {
  return {
    places: [placeOfChange({ propertyId: null, portfolio })],
    subject: `export-user ${username}`,
  };
}

/** Compared with the password of an unknown user, so that both cases take the same time. */
const NO_DIGEST = '0'.repeat(64);

/** The run whose file an export user gets; null if there is none, an error for wrong credentials. One round trip, and one more each hour. */
export async function findFile(
  database: Database,
  user: { readonly username: string; readonly password: string },
  wanted: { readonly variant: Variant; readonly date: string | null } | null,
  local: boolean,
): Promise<Result<ExportRunRow | null, 'unknown-user'>> {
  const [[known], files] = await database.batch('d1.exportUser.find', [
    selectExportUser(user.username),
    selectFile(user.username, wanted?.variant ?? 'propertySystem', wanted?.date ?? null),
  ]);
  const proven = await secretMatches(user.password, known?.secretDigest ?? NO_DIGEST);
  const isIn = known && proven && known.revokedAtMs === null && (local || !known.seeded);
  if (!isIn) return err('unknown-user');
  const nowMs = Date.now();
  if (isUseToNote(known, nowMs)) {
    await noted(database, noteExportUse(known.username, nowMs));
  }
  return ok(files[0]?.run ?? null);
}
