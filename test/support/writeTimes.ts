/** How long D1 is kept by the two batches of a charge, beside the least that it can be asked for. */
import { testEnv } from './api.ts';

/** Times in milliseconds: of a write of one row, and of both batches of a charge together. */
export interface WriteTimes {
  readonly bareWriteMs: number;
  readonly chargeMs: number;
}

/**
 * Measures by turns: `charge` makes one charge, and `rest` waits until nothing of it is under way any more. What counts
 * is the time from a call to its answer, as its caller sees it. `performance` may count in whole milliseconds; the mean of
 * a turn does not mind. The median of all turns does not mind a machine that stood still.
 */
export async function writeTimes(
  charge: () => Promise<unknown>,
  rest: () => Promise<unknown>,
): Promise<WriteTimes> {
  const turns: WriteTimes[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    let chargesMs = 0;
    for (let call = 0; call < CALLS; call += 1) {
      chargesMs += await timedBatches(charge);
      await rest();
    }
    turns.push({ bareWriteMs: (await timed(bareWrites)) / CALLS, chargeMs: chargesMs / CALLS });
  }
  return {
    bareWriteMs: median(turns.map(({ bareWriteMs }) => bareWriteMs)),
    chargeMs: median(turns.map(({ chargeMs }) => chargeMs)),
  };
}

/** The middle one of an odd number of values. */
function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[(values.length - 1) / 2] ?? 0;
}

const TURNS = 5;
const CALLS = 20;

async function bareWrites(): Promise<void> {
  for (let call = 0; call < CALLS; call += 1) {
    await testEnv.DB.batch([testEnv.DB.prepare(BARE_WRITE)]);
  }
}

/** One row, no index, no trigger. */
const BARE_WRITE = "UPDATE payout_progress SET position = position WHERE source = 'sandbox'";

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await run();
  return performance.now() - startedMs;
}

/** How much of the time of `run` D1's batches take. */
async function timedBatches(run: () => Promise<unknown>): Promise<number> {
  const database = Object.getPrototypeOf(testEnv.DB) as D1Database;
  const original = database.batch;
  let sumMs = 0;
  database.batch = async function <T>(this: D1Database, statements: D1PreparedStatement[]) {
    const startedMs = performance.now();
    const results = await original.call<
      D1Database,
      [D1PreparedStatement[]],
      Promise<D1Result<T>[]>
    >(this, statements);
    sumMs += performance.now() - startedMs;
    return results;
  };
  try {
    await run();
  } finally {
    database.batch = original;
  }
  return sumMs;
}
