/**
 * Model-based tests of one booking's money: random stories are played on the service and on a small model of the
 * documented rules, and D1, the answers and the acquirer's own ledger must agree after each command.
 *
 * `MODEL_SEED=… MODEL_COMMANDS=…` plays again what a failure printed; `npm run soak` plays far longer.
 */
import { beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { testEnv } from '../support/api.ts';
import { howMany } from '../support/long.ts';
import { giveClocks } from '../support/model/clock.ts';
import { holdNews } from '../support/model/heldNews.ts';
import { loseAnswersQuietly } from '../support/model/lostAnswers.ts';
import { kinds } from '../support/model/plans.ts';
import { play, sumOf } from '../support/model/play.ts';
import { makeProperties } from '../support/model/properties.ts';
import { seed as sampleSeed } from '../support/seed.ts';

/** What vitest.config.ts takes from the environment; empty where it names nothing. */
const { MODEL_SEED, MODEL_COMMANDS } = testEnv as typeof testEnv & {
  readonly MODEL_SEED?: string;
  readonly MODEL_COMMANDS?: string;
};

/** Runs that draw the same each time begin with this. */
const SETTLED_SEED = 7;

const seed = Number(MODEL_SEED || (inject('sample') ? sampleSeed : SETTLED_SEED));
const wanted = MODEL_COMMANDS ? Number(MODEL_COMMANDS) : howMany.modelCommands;

/** Fewer runs of a kind in ten thousand commands, and the generator would hardly try it. */
const LEAST_OF_A_KIND = 50;

const PROGRESS_EVERY = 10_000;

beforeAll(async () => {
  await makeProperties();
});

// The seed stands in the name, so that every run prints it.
it(`the service agrees with the model of a booking's money in ${wanted} commands, MODEL_SEED=${seed}`, {
  timeout: 900_000 + wanted * 240,
}, async () => {
  const undo = [giveClocks(), loseAnswersQuietly(), holdNews()];
  onTestFinished(() => {
    for (const it of undo) it();
  });
  console.log(`MODEL_SEED=${seed} MODEL_COMMANDS=${wanted}`);
  const startedMs = Date.now();
  let shown = 0;
  const { counts, ways, failure } = await play(seed, wanted, (done) => {
    if (done - shown < PROGRESS_EVERY) return;
    shown = done;
    console.log(`${done} commands, ${perSecond(done, startedMs)} a second`);
  });
  const ran = sumOf(counts);
  console.log({ ran, perSecond: perSecond(ran, startedMs), counts, ways });
  if (failure !== null) throw new Error(`MODEL_SEED=${seed}: ${failure}`);
  expect(ran).toBeGreaterThanOrEqual(wanted);
  if (wanted < 10_000) return;
  const rare = Object.keys(kinds).filter((kind) => (counts[kind] ?? 0) < LEAST_OF_A_KIND);
  expect(rare, 'kinds of commands that hardly ran').toEqual([]);
});

function perSecond(done: number, startedMs: number): number {
  return Math.round((done * 1_000) / Math.max(1, Date.now() - startedMs));
}
