import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  BookingQueue,
  LONGEST_QUEUE,
  LONGEST_TURN_MS,
  LONGEST_WAIT_MS,
} from '../../src/booking/queue.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** An operation that says when it started, and ends when it is told to. */
function heldOperation() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const run = vi.fn(() => promise);
  return { run, resolve, reject };
}

/** Runs an operation that tells its name and takes no time. */
function named(name: string, started: string[]) {
  return async () => {
    started.push(name);
    return name;
  };
}

function pass(milliseconds: number): Promise<unknown> {
  return vi.advanceTimersByTimeAsync(milliseconds);
}

describe('a booking’s queue', () => {
  test('runs operations in the order of their calls and one at a time, however long each takes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(150), { minLength: 1, maxLength: 50 }), async (delays) => {
        const queue = new BookingQueue(() => undefined);
        const events: string[] = [];
        const turns = delays.map((delay, at) =>
          queue.run(async () => {
            events.push(`start ${at}`);
            await new Promise((resolve) => {
              setTimeout(resolve, delay);
            });
            events.push(`end ${at}`);
            return at;
          }),
        );
        await pass(delays.reduce((sum, delay) => sum + delay, 0) + delays.length);
        const done = await Promise.all(turns);
        expect(events).toEqual(delays.flatMap((_, at) => [`start ${at}`, `end ${at}`]));
        expect(done).toEqual(delays.map((_, value) => ({ kind: 'done', value })));
      }),
      { numRuns: 30 },
    );
  });

  test('gives each caller the value of its own operation, also when it fails', async () => {
    const queue = new BookingQueue(() => undefined);
    const started: string[] = [];
    const fails = queue.run(() => Promise.reject(new Error('the database is away')));
    const next = queue.run(named('next', started));
    await expect(fails).rejects.toThrow('the database is away');
    expect(await next).toEqual({ kind: 'done', value: 'next' });
  });

  test('lets the next one start when an operation throws before its first promise', async () => {
    const queue = new BookingQueue(() => undefined);
    const fails = queue.run(() => {
      throw new Error('at once');
    });
    await expect(fails).rejects.toThrow('at once');
    expect(await queue.run(async () => 1)).toEqual({ kind: 'done', value: 1 });
  });

  test('gives up on a waiter after 8 seconds, and never starts it afterwards', async () => {
    const queue = new BookingQueue(() => undefined);
    const held = heldOperation();
    const late = heldOperation();
    const first = queue.run(held.run);
    const second = queue.run(late.run);
    const answered = vi.fn(() => null);
    void second.then(answered);
    await pass(7_999);
    expect(answered).not.toHaveBeenCalled();
    await pass(1);
    expect(await second).toEqual({ kind: 'not-started' });
    held.resolve('held');
    expect(await first).toEqual({ kind: 'done', value: 'held' });
    await pass(60_000);
    expect(late.run).not.toHaveBeenCalled();
  });

  test('starts a waiter whose turn comes just in time, and lets it run as long as it needs', async () => {
    const queue = new BookingQueue(() => undefined);
    const held = heldOperation();
    const long = heldOperation();
    void queue.run(held.run);
    const second = queue.run(long.run);
    await pass(LONGEST_WAIT_MS - 1);
    held.resolve('held');
    await pass(0);
    expect(long.run).toHaveBeenCalledOnce();
    await pass(10 * LONGEST_WAIT_MS);
    long.resolve('long');
    expect(await second).toEqual({ kind: 'done', value: 'long' });
  });

  test('does not let the one behind a skipped waiter overtake the running operation', async () => {
    const queue = new BookingQueue(() => undefined);
    const held = heldOperation();
    const skipped = heldOperation();
    const behind = heldOperation();
    void queue.run(held.run);
    const second = queue.run(skipped.run);
    await pass(5_000);
    const third = queue.run(behind.run);
    await pass(3_000);
    expect(await second).toEqual({ kind: 'not-started' });
    await pass(4_000);
    expect(behind.run).not.toHaveBeenCalled();
    held.resolve('held');
    await pass(0);
    expect(behind.run).toHaveBeenCalledOnce();
    expect(skipped.run).not.toHaveBeenCalled();
    behind.resolve('behind');
    expect(await third).toEqual({ kind: 'done', value: 'behind' });
  });

  test('keeps the order behind several skipped waiters', async () => {
    const queue = new BookingQueue(() => undefined);
    const held = heldOperation();
    const started: string[] = [];
    void queue.run(held.run);
    const early = [queue.run(named('a', started)), queue.run(named('b', started))];
    await pass(6_000);
    const late = [queue.run(named('c', started)), queue.run(named('d', started))];
    await pass(2_000);
    held.resolve('held');
    expect(await Promise.all(early)).toEqual([{ kind: 'not-started' }, { kind: 'not-started' }]);
    await Promise.all(late);
    expect(started).toEqual(['c', 'd']);
  });

  test('refuses an operation at once when the queue is full, and takes more when it is shorter', async () => {
    const queue = new BookingQueue(() => undefined);
    const held = heldOperation();
    const started: string[] = [];
    void queue.run(held.run);
    await pass(0);
    const waiting = Array.from({ length: LONGEST_QUEUE }, (_, at) =>
      queue.run(named(`waiter ${at}`, started)),
    );
    expect(await queue.run(named('one too many', started))).toEqual({ kind: 'not-started' });
    held.resolve('held');
    const turns = await Promise.all(waiting);
    expect(turns.every((turn) => turn.kind === 'done')).toBe(true);
    expect(await queue.run(named('later', started))).toEqual({ kind: 'done', value: 'later' });
    expect(started).toHaveLength(LONGEST_QUEUE + 1);
    expect(started).not.toContain('one too many');
  });

  test('counts no waiter that gave up', async () => {
    const queue = new BookingQueue(() => undefined);
    const held = heldOperation();
    void queue.run(held.run);
    await pass(0);
    const gaveUp = Array.from({ length: LONGEST_QUEUE }, () => queue.run(async () => 'never'));
    await pass(LONGEST_WAIT_MS);
    expect(new Set((await Promise.all(gaveUp)).map((turn) => turn.kind))).toEqual(
      new Set(['not-started']),
    );
    const next = queue.run(async () => 'next');
    held.resolve('held');
    expect(await next).toEqual({ kind: 'done', value: 'next' });
  });

  test('starts only one of two that are asked for at once', async () => {
    const queue = new BookingQueue(() => undefined);
    const [first, second] = [heldOperation(), heldOperation()];
    void queue.run(first.run);
    void queue.run(second.run);
    await pass(0);
    expect([first, second].map(({ run }) => run.mock.calls.length)).toEqual([1, 0]);
  });

  test('calls onStuck when a new operation finds one that has run for more than ten minutes', async () => {
    const stuck = vi.fn(() => undefined);
    const queue = new BookingQueue(stuck);
    void queue.run(heldOperation().run);
    await pass(LONGEST_TURN_MS);
    await Promise.all([queue.run(named('early', [])), pass(LONGEST_WAIT_MS)]);
    expect(stuck).not.toHaveBeenCalled();
    void queue.run(named('late', []));
    expect(stuck).toHaveBeenCalledOnce();
  });

  test('does not take long waits for a long turn', async () => {
    const stuck = vi.fn(() => undefined);
    const queue = new BookingQueue(stuck);
    for (let turn = 0; turn < 3; turn += 1) {
      const held = heldOperation();
      const running = queue.run(held.run);
      await pass(LONGEST_TURN_MS);
      const next = queue.run(named('next', []));
      held.resolve('held');
      await Promise.all([running, next]);
    }
    expect(stuck).not.toHaveBeenCalled();
  });

  test('leaves no timer behind', async () => {
    const queue = new BookingQueue(() => undefined);
    await Promise.all([queue.run(async () => 1), queue.run(async () => 2)]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
