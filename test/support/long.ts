/**
 * How much of what is repeated with many examples is tried: a sample in `npm test`, which stays quick; all of it in
 * `npm run test:long`, as in CI.
 */
import { beforeEach, inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether `LONG=1` asked for the long form. */
    readonly long: boolean;
  }
}

/** Whether this run is the long form. */
export const isLong = inject('long');

/** How many of something the tests try. */
export const howMany = isLong
  ? {
      modelCommands: 10_000,
      strangeRequests: 25,
      zoneRuns: 2_000,
      inventoryRuns: 40,
      disbursementRuns: 12,
      changesInOutage: 1_000,
      schedulesOfBooking: 450,
      bookingsChargedAtOnce: 30,
      bookingsOfEvents: 100,
    }
  : {
      modelCommands: 100,
      strangeRequests: 4,
      zoneRuns: 60,
      inventoryRuns: 4,
      disbursementRuns: 2,
      changesInOutage: 20,
      schedulesOfBooking: 50,
      bookingsChargedAtOnce: 8,
      bookingsOfEvents: 12,
    };

/** The short form tries one fault in sixteen, other ones in each run. */
const SHARE = 16;

/** The short form plays one slow story in four, other ones in each run. */
const SLOW = 4;

let turn = Math.floor(Math.random() * 1_000);

/**
 * The cases that a run tries: all of them in the long form, one in `share` in the short form. The next call takes the
 * next ones, so that different kinds of fault meet different boundaries.
 */
export function someOf<T>(cases: readonly T[], share = SHARE): readonly T[] {
  return isLong ? cases : oneIn(share, cases);
}

/**
 * The same for what takes minutes in all: the long form tries every other case, so that two runs after each other
 * nearly try all of them.
 */
export function halfOf<T>(cases: readonly T[], share = SHARE): readonly T[] {
  return oneIn(isLong ? 2 : share, cases);
}

/** Lets the stories of a file or a `describe` take turns in the short form. Write it before other hooks. */
export function takeTurns(): void {
  if (isLong) return;
  beforeEach(({ skip }) => {
    turn += 1;
    skip(turn % SLOW !== 0, 'its turn comes in another run');
  });
}

/** Whether this run plays what takes a whole service: always in the long form, one in four times in the short form. */
export function isItsTurn(): boolean {
  turn += 1;
  return isLong || turn % SLOW === 0;
}

function oneIn<T>(share: number, cases: readonly T[]): readonly T[] {
  turn += 1;
  return cases.filter((_, index) => (index + turn) % share === 0);
}
