import type { Query } from 'drizzle-orm';
import { getOrInsertComputed } from '../../core/getOrInsertComputed.ts';
import { LruCache } from '../../core/lruCache.ts';
import { PropertyMoving, violatesNotNull } from './errors.ts';
import type { Runner, Runners } from './runner.ts';

/** A batch for the database where a property lives. */
export interface RunBatch {
  readonly queries: readonly Query[];
  readonly writes: boolean;
  /** Whether its writes leave all as it was: these go on in the last step of a move, as reads do. */
  readonly changesNothing?: boolean;
  /** Whether it belongs to an operation that has recorded something: it then waits for the end of a move. */
  readonly mayWait: boolean;
}

/** Runs queries on a database, as a span of the batch or of this name. */
type Run = (runner: Runner, queries: readonly Query[], span?: 'd1.home.find') => Promise<unknown[]>;

/** How many properties' homes an isolate remembers. A wrong one is found out by the next batch. */
const MOST_HOMES = 10_000;

/** How long the second half of an operation waits for the end of a move, and how often it looks. */
const LONGEST_WAIT_MS = 15_000;
const LOOK_EVERY_MS = 250;

const caches = new WeakMap<Runners, LruCache<Runner>>();

/** Where a property lives by the directory, and how long its move's last step takes; null outside of one. */
interface Located {
  readonly home: Runner;
  readonly lastStepMs: number | null;
}

/**
 * Runs a batch where a property lives. An isolate remembers where that is, so it asks the directory once. Each batch finds out
 * in its own transaction whether the property lives there: what was read elsewhere is read again, and what would have been
 * written elsewhere was refused. So nothing is lost or seen twice, however old that memory is.
 *
 * Throws {@link PropertyMoving} where the property takes no changes now.
 */
export async function runAtHome(
  runners: Runners,
  propertyId: string,
  batch: RunBatch,
  run: Run,
): Promise<unknown[]> {
  const homes = getOrInsertComputed(caches, runners, () => new LruCache<Runner>(MOST_HOMES));
  const locate = async () => {
    const located = await locateProperty(runners, propertyId, run);
    homes.set(propertyId, located.home);
    return located;
  };
  const untilMs = Date.now() + LONGEST_WAIT_MS;
  let home = homes.get(propertyId) ?? (await locate()).home;
  for (;;) {
    const answered = await runIfThere(home, propertyId, batch, run);
    if (answered.wasThere) return answered.results;
    const now = await locate();
    if (now.home.name !== home.name) {
      home = now.home;
      continue;
    }
    // What was read is the property's: the directory says so. A property that is nowhere has no rows anywhere.
    if (!batch.writes) return answered.results;
    if (now.lastStepMs === null) return run(home, batch.queries);
    if (!batch.mayWait || Date.now() > untilMs) throw new PropertyMoving(now.lastStepMs);
    await scheduler.wait(LOOK_EVERY_MS);
  }
}

async function locateProperty(runners: Runners, propertyId: string, run: Run): Promise<Located> {
  const [first] = runners;
  const [found] = await run(first, [located(propertyId)], 'd1.home.find');
  const [row] = rowsOf(found) as { home: string | null; last_step_ms: number | null }[];
  const home = runners.find(({ name }) => name === row?.home) ?? first;
  return { home, lastStepMs: row?.last_step_ms ?? null };
}

type Answered =
  | { readonly wasThere: true; readonly results: unknown[] }
  /** Of a write: nothing was written. */
  | { readonly wasThere: false; readonly results: unknown[] };

async function runIfThere(
  home: Runner,
  propertyId: string,
  { changesNothing, queries, writes }: RunBatch,
  run: Run,
): Promise<Answered> {
  if (!writes) {
    const [there, ...results] = await run(home, [isThere(propertyId), ...queries]);
    return { wasThere: rowsOf(there).length > 0, results };
  }
  try {
    const [, ...results] = await run(home, [
      refuseUnlessThere(propertyId, changesNothing),
      ...queries,
    ]);
    return { wasThere: true, results };
  } catch (error) {
    if (!violatesNotNull(error, 'moving_properties.property_id')) throw error;
    return { wasThere: false, results: [] };
  }
}

/** Finds a row if a property lives in the database. */
function isThere(propertyId: string): Query {
  return {
    sql: "SELECT 1 FROM properties WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM moving_properties WHERE property_id = ?1 AND state IN ('arriving', 'left'))",
    params: [propertyId],
  };
}

/** Refuses the batch unless a property lives in the database and takes changes, or the batch makes none. Writes nothing. */
function refuseUnlessThere(propertyId: string, changesNothing = false): Query {
  const allowed = changesNothing ? "'leaving', 'frozen'" : "'leaving'";
  return {
    sql: `INSERT INTO moving_properties (property_id, state) SELECT NULL, 'left' WHERE NOT EXISTS (SELECT 1 FROM properties WHERE id = ?1) OR EXISTS (SELECT 1 FROM moving_properties WHERE property_id = ?1 AND state NOT IN (${allowed}))`,
    params: [propertyId],
  };
}

function located(propertyId: string): Query {
  return {
    sql: "SELECT (SELECT database FROM homes WHERE property_id = ?1) AS home, (SELECT coalesce(last_step_ms, 1000) FROM moves WHERE property_id = ?1 AND ended_at_ms IS NULL AND status = 'switching') AS last_step_ms",
    params: [propertyId],
  };
}

/** The rows of D1's answer to a statement. */
function rowsOf(answer: unknown): readonly unknown[] {
  return (answer as { readonly results: readonly unknown[] }).results;
}
