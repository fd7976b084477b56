import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterFailure,
  type Breaker,
  CLOSED,
  capacity,
  withEarlierProbe,
  withProbeNow,
} from '../../src/delivery/rules/breaker.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const NOW_MS = Date.UTC(2026, 9, 1, 12);
const calm = { nowMs: NOW_MS, random: 0, retryAfterMs: null };

/** What is known after failures in a row about these bookings. */
function failures(bookings: readonly string[], breaker: Breaker = CLOSED): Breaker {
  return bookings.reduce((known, booking) => afterFailure(known, booking, false, calm), breaker);
}

/** A PMS found to be down, and probed in vain so many times. */
function probedInVain(times: number): Breaker {
  let breaker = failures(['a', 'a', 'a', 'a', 'b']);
  for (let probe = 0; probe < times; probe += 1) breaker = afterFailure(breaker, 'a', true, calm);
  return breaker;
}

const probeDelays: [probes: number, wait: string, milliseconds: number][] = [
  [0, '5 s', 5 * SECOND_MS],
  [1, '15 s', 15 * SECOND_MS],
  [2, '30 s', 30 * SECOND_MS],
  [3, '1 min', MINUTE_MS],
  [4, '2 min', 2 * MINUTE_MS],
  [5, '5 min', 5 * MINUTE_MS],
  [6, '10 min', 10 * MINUTE_MS],
  [7, '10 min', 10 * MINUTE_MS],
  [8, '10 min', 10 * MINUTE_MS],
  [1_000, '10 min', 10 * MINUTE_MS],
];

describe('a PMS that answers', () => {
  it('is sent eight messages at once, at any time', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (nowMs) => {
        expect(capacity(CLOSED, nowMs)).toBe(8);
        expect(capacity(failures(['a', 'b', 'c', 'd']), nowMs)).toBe(8);
      }),
    );
  });

  it.each([
    ['four failures over four bookings', ['a', 'b', 'c', 'd'], 'closed'],
    ['five over two, the second last', ['a', 'a', 'a', 'a', 'b'], 'open'],
    ['five over two, the second first', ['b', 'a', 'a', 'a', 'a'], 'open'],
    ['five over five', ['a', 'b', 'c', 'd', 'e'], 'open'],
    ['five over one', ['a', 'a', 'a', 'a', 'a'], 'closed'],
    ['six, of which the last is about another', ['a', 'a', 'a', 'a', 'a', 'b'], 'open'],
  ])('is down or not after %s', (_, bookings, kind) => {
    expect(failures(bookings).kind).toBe(kind);
  });

  it('is never found to be down by one booking alone', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(50), fc.boolean(), (booking, times, probe) => {
        let breaker = CLOSED;
        for (let at = 0; at < times; at += 1) breaker = afterFailure(breaker, booking, probe, calm);
        expect(breaker).toEqual({
          kind: 'closed',
          failures: times,
          bookings: times === 0 ? [] : [booking],
        });
      }),
    );
  });

  it('stays up while some answer comes among every five tries', () => {
    const batch = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 });
    fc.assert(
      fc.property(fc.array(batch), (batches) => {
        // An answer leaves nothing of what was known: the next batch starts from CLOSED.
        for (const bookings of batches) expect(capacity(failures(bookings), NOW_MS)).toBe(8);
      }),
    );
  });

  it('is known no worse for what another one did', () => {
    failures(['a', 'b', 'c', 'd', 'e']);
    expect(CLOSED).toEqual({ kind: 'closed', failures: 0, bookings: [] });
  });
});

describe('a PMS that is down', () => {
  it.each(probeDelays)('is probed, after %i probes in vain, in %s', (probes, _, milliseconds) => {
    const breaker = probedInVain(probes);
    expect(breaker).toMatchObject({ kind: 'open', probes, probeAtMs: NOW_MS + milliseconds });
    expect(capacity(breaker, NOW_MS)).toBe(0);
    expect(capacity(breaker, NOW_MS + milliseconds - 1)).toBe(0);
    expect(capacity(breaker, NOW_MS + milliseconds)).toBe(1);
    expect(capacity(breaker, NOW_MS + 1_000 * milliseconds)).toBe(1);
  });

  it.each([
    ['without jitter', { random: 0 }, 15 * SECOND_MS],
    ['with all of it', { random: 1 }, 16.5 * SECOND_MS],
    ['and asks for a minute', { retryAfterMs: MINUTE_MS }, MINUTE_MS],
    ['and asks for a second', { retryAfterMs: SECOND_MS }, 15 * SECOND_MS],
    ['and asks for a year', { retryAfterMs: 365 * 24 * 60 * MINUTE_MS }, 24 * 60 * MINUTE_MS],
  ])('is probed again when it is time: %s', (_, lateness, milliseconds) => {
    const breaker = afterFailure(probedInVain(0), 'a', true, { ...calm, ...lateness });
    expect(breaker).toMatchObject({ kind: 'open', probes: 1, probeAtMs: NOW_MS + milliseconds });
  });

  it('is known to be down from the failure on that showed it, with its own wish', () => {
    const lateness = { nowMs: NOW_MS + 7, random: 1, retryAfterMs: 20 * SECOND_MS };
    const breaker = afterFailure(failures(['a', 'b', 'a', 'b']), 'a', false, lateness);
    expect(breaker).toMatchObject({
      kind: 'open',
      probes: 0,
      probeAtMs: NOW_MS + 7 + 20 * SECOND_MS,
    });
  });

  it('is no less up for the failures of what was under way before', () => {
    const late = { nowMs: NOW_MS + MINUTE_MS, random: 1, retryAfterMs: MINUTE_MS };
    const booking = fc.constantFrom('a', 'b', 'c');
    fc.assert(
      fc.property(fc.nat(10), fc.array(booking), (probes, bookings) => {
        const breaker = probedInVain(probes);
        for (const name of bookings) expect(afterFailure(breaker, name, false, late)).toBe(breaker);
      }),
    );
  });
});

/** What may happen to a PMS: an answer, a failure of a message about a booking, a while without either. */
type Happening =
  | { kind: 'answer' }
  | {
      kind: 'failure';
      booking: string;
      probe: boolean;
      random: number;
      retryAfterMs: number | null;
    }
  | { kind: 'pause'; milliseconds: number };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ kind: 'answer' as const }) },
  {
    weight: 14,
    arbitrary: fc.record({
      kind: fc.constant('failure' as const),
      booking: fc.constantFrom('a', 'a', 'a', 'b', 'c'),
      probe: fc.boolean(),
      random: fc.double({ min: 0, max: 1, noNaN: true }),
      retryAfterMs: fc.option(fc.nat(30 * MINUTE_MS)),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('pause' as const),
      milliseconds: fc.nat(15 * MINUTE_MS),
    }),
  },
);

/** The same rules told from the whole history: the failures since the last answer, and the probes among them. */
class Model {
  readonly #failed: string[] = [];
  #vain: number | null = null;
  #earliestMs = 0;
  #latestMs = 0;

  answered() {
    this.#failed.length = 0;
    this.#vain = null;
  }

  failed(booking: string, probe: boolean, nowMs: number, retryAfterMs: number | null) {
    this.#failed.push(booking);
    const isDown = this.#vain !== null;
    if (isDown && !probe) return;
    if (!isDown && (this.#failed.length < 5 || this.#failed.every((other) => other === booking))) {
      return;
    }
    this.#vain = this.#vain === null ? 0 : this.#vain + 1;
    const delay = probeDelays[Math.min(this.#vain, 6)]?.[2] ?? 0;
    this.#earliestMs = nowMs + Math.max(delay, retryAfterMs ?? 0);
    this.#latestMs = nowMs + Math.max(1.1 * delay, retryAfterMs ?? 0);
  }

  check(breaker: Breaker, nowMs: number) {
    if (this.#vain === null) {
      const bookings = [...new Set(this.#failed)].slice(0, 2);
      expect(breaker).toEqual({ kind: 'closed', failures: this.#failed.length, bookings });
      expect(capacity(breaker, nowMs)).toBe(8);
      return;
    }
    expect(breaker).toMatchObject({ kind: 'open', probes: this.#vain });
    expect(capacity(breaker, Math.ceil(this.#earliestMs) - 1)).toBe(0);
    expect(capacity(breaker, Math.ceil(this.#latestMs))).toBe(1);
  }
}

describe('whatever happens to a PMS', () => {
  it('what is known of it is what its history says, also after a restart', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60, size: 'max' }), (happenings) => {
        const model = new Model();
        let breaker = CLOSED;
        let nowMs = NOW_MS;
        for (const event of happenings) {
          if (event.kind === 'pause') nowMs += event.milliseconds;
          else if (event.kind === 'answer') {
            breaker = CLOSED;
            model.answered();
          } else {
            const { booking, probe, random, retryAfterMs } = event;
            breaker = afterFailure(breaker, booking, probe, { nowMs, random, retryAfterMs });
            model.failed(booking, probe, nowMs, retryAfterMs);
          }
          model.check(breaker, nowMs);
          const kept: Breaker = JSON.parse(JSON.stringify(breaker));
          expect(kept).toEqual(breaker);
          breaker = kept;
        }
      }),
    );
  });
});

describe('the next probe of a PMS that is down', () => {
  const open = (probes: number, retryAfterMs: number | null = null) => {
    const lateness = { nowMs: NOW_MS, random: 0, retryAfterMs };
    let breaker = CLOSED;
    for (const booking of ['a', 'b', 'c', 'd', 'e']) {
      breaker = afterFailure(breaker, booking, false, lateness);
    }
    for (let probe = 0; probe < probes; probe += 1) {
      breaker = afterFailure(breaker, 'a', true, lateness);
    }
    return breaker;
  };

  it.each([
    ['stays where it is while it is due sooner anyway', 0, NOW_MS, 5 * SECOND_MS],
    ['comes 15 s after the last one', 8, NOW_MS + 1, 15 * SECOND_MS],
    ['comes at once when the last one is longer ago', 8, NOW_MS + 90_000, 90_000],
  ])('%s, when there is a new message', (_name, probes, nowMs, afterMs) => {
    expect(withEarlierProbe(open(probes), nowMs)).toMatchObject({ probeAtMs: NOW_MS + afterMs });
  });

  it('is not brought forward against the wish of the PMS', () => {
    const asked = open(3, 3_600 * SECOND_MS);
    expect(withEarlierProbe(asked, NOW_MS + 60_000)).toBe(asked);
  });

  it('comes at once when somebody knows that it is up', () => {
    expect(withProbeNow(open(8), NOW_MS + 1)).toMatchObject({ probeAtMs: NOW_MS + 1, probes: 8 });
  });

  it('is no matter while it is up', () => {
    expect(withEarlierProbe(CLOSED, NOW_MS)).toBe(CLOSED);
    expect(withProbeNow(CLOSED, NOW_MS)).toBe(CLOSED);
  });
});
