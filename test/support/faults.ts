/** Faults at the places where the service leaves its own memory. */
import { abortAllDurableObjects, runInDurableObject } from 'cloudflare:test';
import { vi } from 'vitest';
import { bookingObject } from '../../src/booking/stub.ts';
import { sweepOverdue } from '../../src/booking/sweep.ts';
import { MINUTE_MS } from '../../src/core/time.ts';
import { type SpanName, Trace } from '../../src/platform/trace.ts';
import { atTime, testEnv } from './api.ts';
import { isLong, someOf } from './long.ts';
import { countedSpan as original } from './notifications.ts';
import { seed } from './seed.ts';

/**
 * How a crossing goes wrong:
 * - `crash before` / `crash after`: every object's memory is gone just before or just after the I/O;
 * - `fails`: the I/O is not done and throws;
 * - `answer lost`: the I/O is done, but throws as if it had not answered.
 */
export const faultKinds = ['crash before', 'crash after', 'fails', 'answer lost'] as const;

/**
 * The crossings at which a kind of fault is tried: some in the short form (long.ts). In the long form the first meets every
 * kind, and each other one kind, the next one the next; another seed turns them. `kinds` are those that are tried.
 */
export function placesOf<T>(
  kind: FaultKind,
  crossed: readonly T[],
  share?: number,
  kinds: readonly FaultKind[] = faultKinds,
): readonly T[] {
  if (!isLong) return someOf(crossed, share);
  const turn = kinds.indexOf(kind) + seed;
  return crossed.filter((_, at) => at === 0 || (at + turn) % kinds.length === 0);
}

/** `overloaded`: D1 refuses the batch before it runs, in Cloudflare's words. */
export type FaultKind = (typeof faultKinds)[number] | 'overloaded';

/** What D1 throws where too much waits. */
export const OVERLOADED = 'D1_ERROR: D1 DB is overloaded. Too many requests queued.';

/** What is thrown where the I/O is not done. */
const INSTEAD: Partial<Record<FaultKind, string>> = {
  fails: 'injected: the I/O failed',
  overloaded: OVERLOADED,
};

/** Where one operation crossed a boundary: the how-manieth crossing it was, and which. */
export interface Crossed {
  readonly index: number;
  readonly boundary: SpanName;
  /** The how-manieth crossing of this boundary it was: what happens in the background does not shift it. */
  readonly nth: number;
}

type Span = Trace['span'];

function intercept(replacement: (this: Trace, ...call: Parameters<Span>) => Promise<unknown>) {
  return vi.spyOn(Trace.prototype, 'span').mockImplementation(replacement);
}

/** The calls of objects that are under way. */
const objectCalls = new Set<symbol>();

async function callingObject<T>(call: () => Promise<T>): Promise<T> {
  const own = Symbol('call');
  objectCalls.add(own);
  try {
    return await call();
  } finally {
    objectCalls.delete(own);
  }
}

/** Runs something and tells every crossing it made, in order. */
export async function spansOf(run: () => Promise<unknown>): Promise<Crossed[]> {
  const seen: Crossed[] = [];
  const spy = intercept(function (this: Trace, boundary, io) {
    const nth = seen.filter((other) => other.boundary === boundary).length;
    seen.push({ index: seen.length, boundary, nth });
    return original.call(this, boundary, io);
  });
  try {
    await run();
  } finally {
    spy.mockRestore();
  }
  return seen;
}

/**
 * Runs something with one fault at one of its crossings, counted over all boundaries or of one boundary, and returns
 * what it answered; null when it threw or hung.
 */
export async function withFault<T>(
  place: number | Pick<Crossed, 'boundary' | 'nth'>,
  kind: FaultKind,
  run: () => Promise<T>,
): Promise<T | null> {
  // A call by an object that is gone never ends.
  objectCalls.clear();
  let crossing = 0;
  let crashed = false;
  let lastSignMs = 0;
  const cross = async (trace: Trace, ...[boundary, io]: Parameters<Span>) => {
    const crossed = () => original.call(trace, boundary, io);
    try {
      return await (boundary.startsWith('object.') ? callingObject(crossed) : crossed());
    } finally {
      lastSignMs = performance.now();
    }
  };
  const spy = intercept(async function (this: Trace, boundary, io) {
    const counted = typeof place === 'number' || boundary === place.boundary;
    const here = counted && crossing === (typeof place === 'number' ? place : place.nth);
    if (counted) crossing += 1;
    if (!here) return cross(this, boundary, io);
    const instead = INSTEAD[kind];
    if (instead) throw new Error(instead);
    if (kind !== 'crash before') await cross(this, boundary, io);
    if (kind === 'answer lost') throw new Error('injected: the answer is lost');
    crashed = true;
    return new Promise(() => undefined);
  });
  try {
    let ended = false;
    const running = run()
      .catch(() => null)
      .finally(() => {
        ended = true;
      });
    while (!ended && !crashed) await scheduler.wait(1);
    if (!crashed) return await running;
    // A run that waits for an object goes on when that is gone. It has to end here, or it moves the clock while the
    // booking recovers. A run that hangs in the Worker itself never ends.
    const patienceMs = objectCalls.size > 0 ? 2_000 : 100;
    await abortAllDurableObjects();
    lastSignMs = performance.now();
    while (!ended && performance.now() - lastSignMs < patienceMs) await scheduler.wait(5);
    return ended ? await running : null;
  } finally {
    spy.mockRestore();
  }
}

/** Lets time pass in the given steps and sweeps after each, as the Cron Trigger does: recovery without any alarm. */
export async function sweepAfter(...minutes: number[]): Promise<void> {
  await sweepFrom(Date.now(), ...minutes);
}

/** Like {@link sweepAfter}, but from some time on. */
export async function sweepFrom(fromMs: number, ...minutes: number[]): Promise<void> {
  let atMs = fromMs;
  for (const step of minutes) {
    atMs += step * MINUTE_MS;
    await sweepAt(atMs);
  }
}

/** Sweeps at some time, as the Cron Trigger does: what is overdue by more than a minute is done. */
export async function sweepAt(atMs: number): Promise<void> {
  await atTime(atMs, () => sweepOverdue(testEnv, atMs));
}

/** Wakes one booking's object at some time: exactly what is due by then is done. */
export async function wakeAt(reference: string, atMs: number, propertyId = 'demo'): Promise<void> {
  const address = { propertyId, reference, requestId: 'test', actor: 'sweep' };
  const wake = () => bookingObject(testEnv, propertyId, reference).wake(address);
  await atTime(atMs, () => callingObject(wake));
}

/** Takes a booking's alarm off, as if the platform had lost it. */
export async function loseAlarm(reference: string, propertyId = 'demo'): Promise<void> {
  const stub = testEnv.BOOKINGS.getByName(JSON.stringify([propertyId, reference]));
  await runInDurableObject(stub, (_object, state) => state.storage.deleteAlarm());
}

/** When a booking's alarm is set to ring; Infinity when it is not set. */
export async function alarmOf(reference: string, propertyId = 'demo'): Promise<number> {
  const stub = testEnv.BOOKINGS.getByName(JSON.stringify([propertyId, reference]));
  const atMs = await runInDurableObject(stub, (_object, state) => state.storage.getAlarm());
  return atMs ?? Number.POSITIVE_INFINITY;
}

/**
 * Makes every crossing of some boundaries throw, after so many that did not, as long as the returned function is not
 * called.
 */
export function breakSpan(
  broken: SpanName | readonly SpanName[],
  after = 0,
  error = 'injected: out of reach',
): () => void {
  let left = after;
  const spy = intercept(function (this: Trace, crossed, io) {
    if (![broken].flat().includes(crossed)) return original.call(this, crossed, io);
    left -= 1;
    if (left < 0) return Promise.reject(new Error(error));
    return original.call(this, crossed, io);
  });
  return () => {
    spy.mockRestore();
  };
}

/** Does the I/O of one boundary but loses its answer, so many times. */
export function loseAnswers(boundary: SpanName, times: number): () => void {
  let left = times;
  const spy = intercept(async function (this: Trace, crossed, io) {
    const answer = await original.call(this, crossed, io);
    if (crossed !== boundary || left === 0) return answer;
    left -= 1;
    throw new Error('injected: the answer is lost');
  });
  return () => {
    spy.mockRestore();
  };
}

/** Does something once, just before a boundary is crossed for the first time. */
export function justBefore(boundary: SpanName, run: () => Promise<unknown>): () => void {
  let done = false;
  const spy = intercept(async function (this: Trace, crossed, io) {
    if (crossed === boundary && !done) {
      done = true;
      await run();
    }
    return original.call(this, crossed, io);
  });
  return () => {
    spy.mockRestore();
  };
}

/** Does something once, just after a boundary was crossed for the first time. */
export function justAfter(boundary: SpanName, run: () => Promise<unknown>): () => void {
  let done = false;
  const spy = intercept(async function (this: Trace, crossed, io) {
    const answer = await original.call(this, crossed, io);
    if (crossed === boundary && !done) {
      done = true;
      await run();
    }
    return answer;
  });
  return () => {
    spy.mockRestore();
  };
}
