import { MINUTE_MS, SECOND_MS } from '../core/time.ts';
import { withTimeout } from '../core/timeout.ts';

/** How long an operation may wait for the ones before it (interface: Limits). */
export const LONGEST_WAIT_MS = 8 * SECOND_MS;

/** How long one operation may hold its turn. A call that never ends must not block its booking for ever. */
export const LONGEST_TURN_MS = 10 * MINUTE_MS;

/** How many operations may wait at once. */
export const LONGEST_QUEUE = 100;

/** The result of waiting for a turn: the operation's value, or that it never started. */
export type Turn<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'not-started' };

/**
 * Runs one booking's operations one after the other. A Durable Object takes other calls while one awaits I/O, so this
 * queue keeps them apart.
 */
export class BookingQueue {
  readonly #onStuck: () => void;
  #last: Promise<void> = Promise.resolve();
  /** How many operations run or wait. */
  #admitted = 0;
  /** When the running operation started; null while none runs. */
  #startedMs: number | null = null;

  /** The queue calls `onStuck` when a new operation finds one that has held its turn for over `LONGEST_TURN_MS`. */
  constructor(onStuck: () => void) {
    this.#onStuck = onStuck;
  }

  /** Runs an operation when its turn comes. It never starts if the wait is too long or too many operations wait. */
  async run<T>(operation: () => Promise<T>): Promise<Turn<T>> {
    if (this.#admitted > LONGEST_QUEUE) return { kind: 'not-started' };
    const before = this.#last;
    const mine = Promise.withResolvers<void>();
    this.#last = mine.promise;
    const alone = this.#admitted === 0;
    this.#admitted += 1;
    // Most operations find the queue empty and need no timer.
    if (!alone && !(await this.#myTurn(before))) {
      this.#admitted -= 1;
      // The next in line still waits for the running operation.
      void before.then(mine.resolve);
      return { kind: 'not-started' };
    }
    this.#startedMs = Date.now();
    try {
      return { kind: 'done', value: await operation() };
    } finally {
      this.#startedMs = null;
      this.#admitted -= 1;
      mine.resolve();
    }
  }

  #myTurn(before: Promise<void>): Promise<boolean> {
    const nowMs = Date.now();
    if (nowMs - (this.#startedMs ?? nowMs) > LONGEST_TURN_MS) this.#onStuck();
    return withTimeout(
      before.then(() => true),
      LONGEST_WAIT_MS,
      () => false,
    );
  }
}
