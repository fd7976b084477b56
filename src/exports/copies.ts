import { lt, sql } from 'drizzle-orm';
import { DAY_MS } from '../core/time.ts';
import {
  type Database,
  type NamedDatabase,
  queries,
  type Statement,
} from '../platform/db/database.ts';
import { DatabaseUnavailable } from '../platform/db/errors.ts';
import { fewAtOnce } from '../platform/fewAtOnce.ts';
import { logError } from '../platform/log.ts';
import { findProperty } from '../records/properties/store.ts';
import { exportRuns } from '../schema/exportTables.ts';
import { homes } from '../schema/homeTables.ts';
import { readPage } from './pages.ts';
import type { Cursor, Page, Source } from './rules/pages.ts';
import { deleteRuns, forgetMoves, insertRun, type NewRun, selectRun } from './store.ts';

/** How old a copy may become: a run ends within a day. */
const COPY_LIFE_MS = 2 * DAY_MS;

/**
 * Where there are many databases, each of the others gets a copy of a run before the directory has it: it says what the run
 * has of that database, and which moves of applications are noted there meanwhile. One that is away gets its copy when the
 * run reads it.
 */
export async function copyRuns(database: Database, runs: readonly NewRun[]): Promise<void> {
  const [first, ...others] = runs.map((run) => insertRun(run));
  if (!first) return;
  await ofOthers(database, (one) => one.batch('d1.export.start', [first, ...others]));
}

/** Deletes the copies of runs that have ended, or never began. */
export async function deleteCopies(database: Database, ids: readonly string[]): Promise<void> {
  await ofOthers(database, (one) =>
    one.batch('d1.export.publish', [deleteRuns(ids), forgetMoves()]),
  );
}

/** Deletes the copies of runs whose end was cut off. */
export async function deleteOldCopies(database: Database, nowMs: number): Promise<void> {
  const old = queries.delete(exportRuns).where(lt(exportRuns.startedAtMs, nowMs - COPY_LIFE_MS));
  await ofOthers(database, (one) => one.batch('d1.export.expired', [old, forgetMoves()]));
}

async function ofOthers(
  database: Database,
  write: (one: Database) => Promise<unknown>,
): Promise<void> {
  const [first] = database.each;
  await database.ofAnswering(async (one) => {
    if (one.name !== first.name) await write(one.database);
  });
}

const SWITCHING = sql`FROM moves WHERE status = 'switching' AND ended_at_ms IS NULL`;

/** A property in the last step of its move: a run of its portfolio would have it twice, or not at all. */
export interface Switching {
  readonly propertyId: string;
  readonly portfolio: string | null;
}

/** The properties that are in the last step of their moves. One round trip, and one for each of them. */
export async function readSwitching({ directory }: Database): Promise<Switching[]> {
  const [ids] = await directory.batch('d1.export.find', [
    queries
      .select({ propertyId: sql<string>`property_id` })
      .from(sql`(SELECT property_id ${SWITCHING})`),
  ]);
  return fewAtOnce(ids, async ({ propertyId }) => {
    const property = await findProperty(directory, propertyId);
    return { propertyId, portfolio: property?.portfolio ?? null };
  });
}

/** Refuses a batch of the directory while another property than these is in the last step of its move. */
export function refuseWhileMoving(known: readonly Switching[]): Statement {
  const ids = JSON.stringify(known.map(({ propertyId }) => propertyId));
  return queries
    .insert(homes)
    .select(
      sql`SELECT NULL, '' WHERE EXISTS (SELECT 1 ${SWITCHING} AND property_id NOT IN (SELECT value FROM json_each(${ids})))`,
    );
}

/**
 * Reads the page after a cursor, of one database after the other: where there are many, a position begins with the number of
 * the database. One round trip, or a few where another one begins. Throws {@link DatabaseUnavailable}, which names it, where
 * one is away: no file leaves it out.
 */
export async function readPageOfAll(
  database: Database,
  run: NewRun & Source,
  after: Cursor,
): Promise<Page> {
  if (!database.isMany) return readPage(database, run, after);
  const { each } = database;
  const [number = 0, ...place] = after;
  const at = Number(number);
  const one = each[at];
  if (!one) throw new Error('the deployment has fewer databases than as the run began');
  const page = await readPageOf(one, run, place);
  const { next } = page;
  const follows = at + 1 < each.length ? [at + 1] : null;
  return {
    rows: page.rows.map((row) => ({ ...row, cursor: [at, ...row.cursor] })),
    next: next ? [at, ...next] : follows,
    fractionRead: (at + page.fractionRead) / each.length,
  };
}

/** Reads the page after a place in one of the databases. */
async function readPageOf(
  { database, name, number }: NamedDatabase,
  run: NewRun & Source,
  place: Cursor,
): Promise<Page> {
  try {
    const source = number === 0 ? run : await copyOf(database, run);
    return await readPage(database, source, place);
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error;
    logError('database_failed', error, { database: name });
    throw new DatabaseUnavailable(new Error(`the database ${name} does not answer`));
  }
}

/** The copy of a run; made now where the database was away as the run began. */
async function copyOf(one: Database, run: NewRun): Promise<Source> {
  const [[known]] = await one.batch('d1.export.find', [selectRun(run.id)]);
  if (known) return known;
  const [, [copy]] = await one.batch('d1.export.start', [insertRun(run), selectRun(run.id)]);
  if (!copy) throw new Error('the database takes no copy of the run');
  return copy;
}
