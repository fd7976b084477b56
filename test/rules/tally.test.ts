import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { REQUESTS_PER_LOOK, Tallies } from '../../src/http/tally.ts';

const WINDOW_MS = 10_000;

/** A limiter as the platform's: so many looks in each window of the clock, for each key. Says for whom it was asked. */
function limiterOf(looks: number, clock: { nowMs: number }) {
  const asked: string[] = [];
  const counts = new Map<string, number>();
  const limit = async ({ key }: RateLimitOptions) => {
    asked.push(key);
    const window = `${key} ${Math.floor(clock.nowMs / WINDOW_MS)}`;
    const count = (counts.get(window) ?? 0) + 1;
    counts.set(window, count);
    return { success: count <= looks };
  };
  return { asked, limiter: { limit } };
}

/** Makes requests at one isolate, all at once; says what became of each when the looks beside them have ended. */
async function atOnce(tallies: Tallies, limiter: RateLimit, group: readonly Asked[]) {
  const looks: Promise<boolean>[] = [];
  const through = await Promise.all(
    group.map(({ key, nowMs }) => tallies.mayAsk(limiter, key, nowMs, (look) => looks.push(look))),
  );
  await Promise.all(looks);
  return through;
}

interface Asked {
  readonly key: string;
  readonly nowMs: number;
}

/** An isolate that makes requests one after the other, and says how many were let through. */
function isolateOf(limiter: RateLimit) {
  const tallies = new Tallies();
  return async (count: number, { key = 'engine', nowMs = 0 } = {}): Promise<number> => {
    let through = 0;
    for (let made = 0; made < count; made += 1) {
      const [one] = await atOnce(tallies, limiter, [{ key, nowMs }]);
      through += Number(one);
    }
    return through;
  };
}

/** As many requests as one look tells of, and one less. */
const ALL = REQUESTS_PER_LOOK;
const UNTOLD = REQUESTS_PER_LOOK - 1;

describe('requests that are told of together', () => {
  test('take one look, made by the last of them', async () => {
    const { limiter, asked } = limiterOf(5, { nowMs: 0 });
    const passed = isolateOf(limiter);
    expect(await passed(UNTOLD)).toBe(UNTOLD);
    expect(asked).toHaveLength(0);
    expect(await passed(1)).toBe(1);
    expect(asked).toEqual(['engine']);
    expect(await passed(4 * ALL)).toBe(4 * ALL);
    expect(asked).toHaveLength(5);
  });

  test('are all refused once a look was, and looked for one by one until one is let through', async () => {
    const clock = { nowMs: 0 };
    const { limiter, asked } = limiterOf(5, clock);
    const passed = isolateOf(limiter);
    // The last one was let through while its look was refused.
    expect(await passed(6 * ALL + 40)).toBe(6 * ALL);
    expect(asked).toHaveLength(6 + 40);
    clock.nowMs = WINDOW_MS;
    // A new window of the limiter; the tally is still the same one.
    expect(await passed(ALL, { nowMs: WINDOW_MS - 1 })).toBe(ALL);
    expect(asked).toHaveLength(46 + 2);
  });

  test('are those of one caller in one isolate', async () => {
    const { limiter } = limiterOf(1, { nowMs: 0 });
    const [here, there] = [isolateOf(limiter), isolateOf(limiter)];
    expect(await here(3 * ALL)).toBe(2 * ALL);
    expect(await here(3 * ALL, { key: 'kiosk' })).toBe(2 * ALL);
    // The limiter is the same one, and has said yes to this caller already.
    expect(await there(3 * ALL)).toBe(ALL);
  });

  test('begin anew after ten seconds, or when the clock is set back', async () => {
    const { limiter, asked } = limiterOf(0, { nowMs: 0 });
    const passed = isolateOf(limiter);
    expect(await passed(ALL + 2, { nowMs: 1_000 })).toBe(ALL);
    expect(await passed(1, { nowMs: 10_999 })).toBe(0);
    expect(asked).toHaveLength(4);
    expect(await passed(ALL + 2, { nowMs: 11_000 })).toBe(ALL);
    expect(await passed(ALL + 2, { nowMs: 10_999 })).toBe(ALL);
  });

  test('may all come at once', async () => {
    const { limiter, asked } = limiterOf(100, { nowMs: 0 });
    const group = Array.from({ length: 100 * ALL }, () => ({ key: 'engine', nowMs: 0 }));
    expect((await atOnce(new Tallies(), limiter, group)).filter(Boolean)).toHaveLength(100 * ALL);
    expect(asked).toHaveLength(100);
  });

  test('wait for no look, unless one was refused', async () => {
    const tallies = new Tallies();
    const answers: ((outcome: RateLimitOutcome) => void)[] = [];
    const limiter = {
      limit: () => new Promise<RateLimitOutcome>((resolve) => void answers.push(resolve)),
    };
    const looks: Promise<boolean>[] = [];
    const ask = () => tallies.mayAsk(limiter, 'engine', 0, (look) => looks.push(look));
    for (let made = 0; made < ALL + UNTOLD; made += 1) expect(await ask()).toBe(true);
    expect([answers.length, looks.length]).toEqual([1, 1]);
    answers[0]?.({ success: false });
    expect(await looks[0]).toBe(false);
    const refused = ask();
    // What was counted meanwhile still counts: this one would look as well, and looks once, for itself.
    expect([answers.length, looks.length]).toEqual([2, 1]);
    answers[1]?.({ success: true });
    expect(await refused).toBe(true);
    for (let made = 0; made < UNTOLD; made += 1) expect(await ask()).toBe(true);
    expect([answers.length, looks.length]).toEqual([2, 1]);
    expect(await ask()).toBe(true);
    expect([answers.length, looks.length]).toEqual([3, 2]);
  });
});

/** A caller's requests: after a pause one, or some at once, at one isolate. */
interface Requests {
  readonly pauseMs: number;
  readonly together: number;
  readonly isolate: number;
}

const traffic = fc.array(
  fc.record<Requests>({
    pauseMs: fc.oneof(
      { weight: 40, arbitrary: fc.integer({ min: 0, max: 40 }) },
      { weight: 1, arbitrary: fc.integer({ min: 41, max: 12_000 }) },
    ),
    together: fc.oneof(
      { weight: 3, arbitrary: fc.constant(1) },
      { weight: 1, arbitrary: fc.integer({ min: 2, max: 12 }) },
    ),
    isolate: fc.nat(),
  }),
  { minLength: 100, maxLength: 400 },
);

/** Plays traffic; says when each request came, and whether it was let through. */
async function play(requests: readonly Requests[], looks: number, isolates: number) {
  const clock = { nowMs: 0 };
  const { limiter } = limiterOf(looks, clock);
  const tallies = Array.from({ length: isolates }, () => new Tallies());
  const made: { readonly atMs: number; readonly through: boolean }[] = [];
  for (const { pauseMs, together, isolate } of requests) {
    clock.nowMs += pauseMs;
    const atMs = clock.nowMs;
    const here = tallies[isolate % isolates] ?? new Tallies();
    const group = Array.from({ length: together }, () => ({ key: 'engine', nowMs: atMs }));
    for (const through of await atOnce(here, limiter, group)) made.push({ atMs, through });
  }
  return made;
}

describe('whatever comes, at however many isolates', () => {
  const looks = fc.integer({ min: 0, max: 5 });
  const isolates = fc.integer({ min: 1, max: 4 });

  test('nobody is refused who made no more than is allowed', async () => {
    await fc.assert(
      fc.asyncProperty(traffic, looks, isolates, async (requests, most, count) => {
        const made = await play(requests, most, count);
        for (const { atMs } of made.filter(({ through }) => !through)) {
          // A look tells of requests of the last ten seconds, and is one of a window of ten.
          const recent = made.filter((one) => one.atMs > atMs - 2 * WINDOW_MS && one.atMs <= atMs);
          expect(recent.length).toBeGreaterThan(most * ALL);
        }
      }),
    );
  });

  test('no more get through in a window than is allowed, but for a few of each isolate', async () => {
    await fc.assert(
      fc.asyncProperty(traffic, looks, isolates, async (requests, most, count) => {
        const made = await play(requests, most, count);
        const windows = Map.groupBy(
          made.filter(({ through }) => through),
          ({ atMs }) => Math.floor(atMs / WINDOW_MS),
        );
        const together = Math.max(...requests.map((request) => request.together));
        for (const through of windows.values()) {
          // An isolate has two tallies in a window at most. Each may end with some untold, and who came along with a look that was refused.
          const untold = count * 2 * (UNTOLD + together);
          expect(through.length).toBeLessThanOrEqual(most * ALL + untold);
        }
      }),
    );
  });
});
