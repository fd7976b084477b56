import { MINUTE_MS, SECOND_MS } from '../core/time.ts';

/** How long an operation may wait for the ones before it (decisions: section 3, `busy`). */
export const LONGEST_WAIT_MS = 8 * SECOND_MS;

/** How long one operation may hold its turn: a call that never ends must not block its booking for ever. */
export const LONGEST_TURN_MS = 10 * MINUTE_MS;

/** How many operations may wait at once. */
export const LONGEST_QUEUE = 100;

/** What became of an operation that asked for its turn. */
export type Turn<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'not-started' };

/**
 * One booking's operations, one after the other. Awaiting I/O lets other calls into a Durable Object,
 * so only a queue of its own keeps them apart.
 */
export class BookingQueue {
  readonly #onStuck: () => void;
  #last: Promise<void> = Promise.resolve();
  /** How many operations run or wait. */
  #asked = 0;
  /** When the operation began that runs now; null while none does. */
  #startedMs: number | null = null;

  /** `onStuck` is called when another operation, such as the alarm's, finds that one holds its turn for longer than any can take. */
  constructor(onStuck: () => void) {
    this.#onStuck = onStuck;
  }

  /** Runs an operation when its turn comes; it is not started at all when that takes too long or too many wait. */
  async run<T>(operation: () => Promise<T>): Promise<Turn<T>> {
    if (this.#asked > LONGEST_QUEUE) return { kind: 'not-started' };
    const before = this.#last;
    const mine = Promise.withResolvers<void>();
    this.#last = mine.promise;
    const alone = this.#asked === 0;
    this.#asked += 1;
    // Most are alone, and need no timer.
    if (!alone && !(await this.#myTurn(before))) {
      this.#asked -= 1;
      // Whoever comes next still waits for the operation that is running.
      void before.then(mine.resolve);
      return { kind: 'not-started' };
    }
    this.#startedMs = Date.now();
    try {
      return { kind: 'done', value: await operation() };
    } finally {
      this.#startedMs = null;
      this.#asked -= 1;
      mine.resolve();
    }
  }

  #myTurn(before: Promise<void>): Promise<boolean> {
    const nowMs = Date.now();
    if (nowMs - (this.#startedMs ?? nowMs) > LONGEST_TURN_MS) this.#onStuck();
    return withinTime(before, LONGEST_WAIT_MS);
  }
}

/** Whether a promise resolves before the time is over. */
export async function withinTime(
  promise: Promise<unknown>,
  milliseconds: number,
): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const over = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  try {
    return await Promise.race([promise.then(() => true), over]);
  } finally {
    clearTimeout(timer);
  }
}
