import { MINUTE_MS, SECOND_MS } from '../core/time.ts';
import { logError } from '../platform/log.ts';
import { Backlog } from './backlog.ts';
import type { Breaker } from './breaker.ts';
import { type Attempt, ReceiverHealth } from './health.ts';
import type { Attempted, Outgoing } from './outgoing.ts';
import type { RetryTiming } from './retries.ts';

/** How much one run sends: each takes a few queries, and the platform allows 1,000 per invocation. */
const MOST_PER_RUN = 150;

/** How long one run lasts, well within the platform's limit. */
const LONGEST_RUN_MS = 5 * MINUTE_MS;

/** How long a dispatcher pauses after a failed write to D1. */
const DATABASE_PAUSE_MS = 5 * SECOND_MS;

/** What a run needs. */
export interface DispatchWork<Item> {
  readonly outgoing: Outgoing<Item>;
  /** Real time; while a property's clock is being advanced, what that shows. */
  now(): number;
  /** A random number from 0 to 1. */
  random(): number;
  /** Stores the breaker for the next run. */
  keepBreaker(breaker: Breaker): Promise<void>;
}

/**
 * One run of what goes to one receiver (pms: Delivery and retries). It sends what is due, several bookings at once and of
 * each booking one at a time, until nothing is due or a limit of the run is reached.
 */
export class Dispatch<Item> {
  readonly #work: DispatchWork<Item>;
  readonly #outgoing: Outgoing<Item>;
  readonly #backlog: Backlog<Item>;
  readonly #health: ReceiverHealth;
  readonly #startedAtMs: number;
  /** What is under way, by booking. */
  readonly #underWay = new Map<string, Promise<void>>();
  #started = 0;
  /** Set when D1 fails: the run then ends, and the next one starts at this time at the earliest. */
  #pauseUntilMs: number | null = null;
  #notified = Promise.withResolvers<void>();

  constructor(work: DispatchWork<Item>, breaker: Breaker) {
    this.#work = work;
    this.#outgoing = work.outgoing;
    this.#backlog = new Backlog(work.outgoing);
    this.#health = new ReceiverHealth(work.outgoing, breaker, (changed) =>
      work.keepBreaker(changed),
    );
    this.#startedAtMs = work.now();
  }

  /** How many attempts this run has made. */
  get attempts(): number {
    return this.#started;
  }

  /** Until when nothing is sent: the receiver is down, or D1 failed. It may have passed. */
  get heldUntilMs(): number {
    return Math.max(this.#health.probeAtMs, this.#pauseUntilMs ?? 0);
  }

  /** Makes a running dispatch look for something new. */
  notify(): void {
    this.#backlog.refresh();
    this.#notified.resolve();
  }

  /** Sends what is due; returns when to run again, or null if nothing is waiting. */
  async run(): Promise<number | null> {
    for (;;) {
      await this.#startDue();
      if (this.#underWay.size === 0) break;
      this.#notified = Promise.withResolvers();
      await Promise.race([...this.#underWay.values(), this.#notified.promise]);
    }
    return this.#nextRunAtMs();
  }

  async #startDue(): Promise<void> {
    while (this.#hasCapacity()) {
      const item = await this.#backlog.take(this.#work.now(), this.#underWay.keys());
      if (item === undefined) return;
      this.#start(item);
    }
  }

  #hasCapacity(): boolean {
    const nowMs = this.#work.now();
    const isOver = this.#started === MOST_PER_RUN || nowMs - this.#startedAtMs > LONGEST_RUN_MS;
    if (isOver || this.#pauseUntilMs !== null) return false;
    return this.#underWay.size < this.#health.capacity(nowMs);
  }

  #start(item: Item): void {
    this.#started += 1;
    const lane = this.#outgoing.laneOf(item);
    const sent = this.#send(item, { lane, isProbe: this.#health.isDown }).catch(
      (error: unknown) => {
        // If D1 missed the confirmation, it is sent again.
        this.#pauseUntilMs = this.#work.now() + DATABASE_PAUSE_MS;
        logError('dispatch_failed', error, this.#outgoing.about(item));
      },
    );
    this.#underWay.set(
      lane,
      sent.finally(() => this.#underWay.delete(lane)),
    );
  }

  async #send(item: Item, attempt: Attempt): Promise<void> {
    const attempted = await this.#outgoing.send(item);
    if (attempted === null) return;
    await this.#health.record(attempted.kind, attempt, this.#timing(attempted));
    const isFailedProbe =
      attempted.kind === 'unreachable' && attempt.isProbe && this.#health.isDown;
    const timing = this.#timing(attempted);
    const { next, againAtMs } = await attempted.record({ isFailedProbe, timing });
    if (againAtMs !== null) this.#backlog.expectAt(againAtMs);
    // The booking's next one goes out at once; but while the receiver is down, other bookings come first.
    if (next !== null && !isFailedProbe) this.#backlog.putFirst(next);
  }

  #timing({ retryAfterMs }: Attempted<Item>): RetryTiming {
    return { nowMs: this.#work.now(), random: this.#work.random(), retryAfterMs };
  }

  #nextRunAtMs(): number | null {
    const nowMs = this.#work.now();
    const isCutShort = this.#backlog.mayHaveMore || this.#pauseUntilMs !== null;
    const wantedMs = isCutShort ? nowMs : this.#backlog.nextDueAtMs;
    if (wantedMs === null) return null;
    return Math.max(wantedMs, this.heldUntilMs, nowMs + 1);
  }
}
