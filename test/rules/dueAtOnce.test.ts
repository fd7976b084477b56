/** Ten thousand schedules of one minute, and a D1 that takes one batch after the other and refuses what waits too long: simulated. */
import { expect, it } from 'vitest';
import { pauseAfterRefusals } from '../../src/booking/rules/refused.ts';
import {
  nextStatusCheckAtMs,
  outcomeAgainAfterMs,
  SAFETY_NET_MS,
} from '../../src/money/gateway/rules/statusChecks.ts';

const SCHEDULES = 10_000;
const BATCH_MS = 4;
const MOST_WAITING = 200;
const GATEWAY_MS = 350;
const BOUND_MS = 120_000;

interface Firing {
  /** The alarms in a row that D1 refused. */
  refusals: number;
  charged: number;
  endedAtMs: number;
}

/** Numbers from 0 to 1 that are the same each time. */
function shares(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** What happens when, the earliest first. */
class Timeline {
  readonly #at = new Map<number, (() => void)[]>();
  nowMs = 0;

  in(ms: number, what: () => void): void {
    const atMs = this.nowMs + Math.max(1, Math.round(ms));
    const all = this.#at.get(atMs);
    if (all) all.push(what);
    else this.#at.set(atMs, [what]);
  }

  run(untilMs: number): void {
    for (; this.nowMs < untilMs && this.#at.size > 0; this.nowMs += 1) {
      const all = this.#at.get(this.nowMs) ?? [];
      this.#at.delete(this.nowMs);
      for (const what of all) what();
    }
  }
}

/** D1: one batch after the other, and only so many may wait. */
class SlowDatabase {
  readonly #timeline: Timeline;
  #waiting = 0;
  #freeAtMs = 0;
  refused = 0;

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  batch(committed: () => void, refused: () => void): void {
    if (this.#waiting >= MOST_WAITING) {
      this.refused += 1;
      refused();
      return;
    }
    this.#waiting += 1;
    this.#freeAtMs = Math.max(this.#freeAtMs, this.#timeline.nowMs) + BATCH_MS;
    this.#timeline.in(this.#freeAtMs - this.#timeline.nowMs, () => {
      this.#waiting -= 1;
      committed();
    });
  }
}

/** Fires all at the same instant. What D1 refuses comes again by these rules. */
function fireAll(
  alarmPause: (refusals: number, share: number) => number,
  outcomePause: (refusals: number, share: number) => number | null,
) {
  const timeline = new Timeline();
  const database = new SlowDatabase(timeline);
  const share = shares();
  const firings = Array.from({ length: SCHEDULES }, (): Firing => {
    return { refusals: 0, charged: 0, endedAtMs: Number.POSITIVE_INFINITY };
  });
  const ring = (firing: Firing): void => {
    const charge = () => {
      const begunAtMs = timeline.nowMs;
      firing.charged += 1;
      timeline.in(GATEWAY_MS, () => record(firing, begunAtMs, 0));
    };
    database.batch(charge, () => {
      firing.refusals += 1;
      timeline.in(alarmPause(firing.refusals, share()), () => ring(firing));
    });
  };
  const record = (firing: Firing, begunAtMs: number, refusals: number): void => {
    const recorded = () => {
      firing.endedAtMs = timeline.nowMs;
    };
    // The alarm looks it up at the acquirer: soon if D1 takes that as the next time, else when it would have anyway.
    const lookUpAt = (atMs: number) => {
      timeline.in(atMs - timeline.nowMs + GATEWAY_MS, () => record(firing, atMs, 0));
    };
    database.batch(recorded, () => {
      const pauseMs = outcomePause(refusals + 1, share());
      if (pauseMs !== null) {
        timeline.in(pauseMs, () => record(firing, begunAtMs, refusals + 1));
        return;
      }
      database.batch(
        () => lookUpAt(nextStatusCheckAtMs(0, timeline.nowMs)),
        () => lookUpAt(begunAtMs + SAFETY_NET_MS),
      );
    });
  };
  for (const firing of firings) timeline.in(1 + share() * 10, () => ring(firing));
  timeline.run(60 * 60_000);
  return { firings, refused: database.refused };
}

it('10,000 schedules of one minute are each charged once, all within two minutes', () => {
  const { firings, refused } = fireAll(pauseAfterRefusals, outcomeAgainAfterMs);
  expect(refused).toBeGreaterThan(SCHEDULES);
  expect(firings.filter(({ charged }) => charged !== 1)).toEqual([]);
  const last = Math.max(...firings.map(({ endedAtMs }) => endedAtMs));
  expect(last).toBeLessThanOrEqual(BOUND_MS);
});

it('would take longer if an outcome that was refused were left to the next look-up, or all came back together', () => {
  const lastOf = ({ firings }: ReturnType<typeof fireAll>) =>
    Math.max(...firings.map(({ endedAtMs }) => endedAtMs));
  expect(lastOf(fireAll(pauseAfterRefusals, () => null))).toBeGreaterThan(BOUND_MS);
  expect(lastOf(fireAll(() => 60_000, outcomeAgainAfterMs))).toBeGreaterThan(10 * BOUND_MS);
});
