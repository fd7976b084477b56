/**
 * How much of what one story repeats with many examples is tried: a sample in `npm test`, the same in each run; all of it
 * in `npm run test:long`, as in CI; another sample in each run of `npm run test:sample`.
 */
import { expect, inject, TestRunner } from 'vitest';
import { seed } from './seed.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether `LONG=1` asked for the long form. */
    readonly long: boolean;
    /** Whether all that tests say is printed (`--silent=false`). */
    readonly loud: boolean;
    /** What everything that tests draw begins with. */
    readonly seed: number;
    /** Whether this run draws something new (`npm run test:sample`, `npm run soak`). */
    readonly sample: boolean;
    /** Whether the database is in an object instead of D1. */
    readonly store: boolean;
  }
}

/** Whether this run is the long form. */
export const isLong = inject('long');

/** The model is long on a store: the rules of money are the same on both. */
const MODEL_ON_STORE = 250;

/** How many of something the tests try. */
export const howMany = isLong
  ? {
      modelCommands: 200,
      strangeRequests: 8,
      zoneRuns: 2_000,
      inventoryRuns: 40,
      disbursementRuns: 12,
      changesInOutage: 400,
      schedulesOfBooking: 450,
      bookingsChargedAtOnce: 30,
      bookingsOfEvents: 40,
      statementLines: 100_000,
    }
  : {
      modelCommands: inject('store') ? MODEL_ON_STORE : 60,
      strangeRequests: 4,
      zoneRuns: 60,
      inventoryRuns: 4,
      disbursementRuns: 2,
      changesInOutage: 20,
      schedulesOfBooking: 50,
      bookingsChargedAtOnce: 8,
      bookingsOfEvents: 12,
      statementLines: 10_000,
    };

/** The short form tries one example in sixteen. */
const SHARE = 16;

/**
 * The examples that a run tries: all of them in the long form, or one in `longShare`; one in `share` in the short form; and
 * at least one. The next call in a test takes the next ones, so that different kinds of fault meet different boundaries.
 */
export function someOf<T>(examples: readonly T[], share = SHARE, longShare = 1): readonly T[] {
  return sampleOf(examples, isLong ? longShare : share);
}

/** One example in `share`, and at least one: of what repeats much even in the long form. */
export function sampleOf<T>(examples: readonly T[], share: number): readonly T[] {
  const step = Math.min(share, examples.length);
  const first = firstOfSample();
  return examples.filter((_, index) => (index + first) % step === 0);
}

let place = '';
let samples = 0;

/** A number that differs between tests, and between the samples of one test, but depends on no other test. */
function firstOfSample(): number {
  const here =
    TestRunner.getCurrentTest()?.id ?? expect.getState().testPath?.split('/').at(-1) ?? '';
  samples = here === place ? samples + 1 : 0;
  place = here;
  return Array.from(here).reduce((sum, letter) => sum + letter.charCodeAt(0), seed + samples);
}
