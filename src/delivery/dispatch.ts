import { earlierOf, MINUTE_MS, SECOND_MS } from '../core/time.ts';
import { logError } from '../platform/log.ts';
import { Backlog } from './backlog.ts';
import { type Attempt, ReceiverHealth } from './health.ts';
import type { Attempted, Outgoing } from './outgoing.ts';
import type { Breakers } from './rules/breaker.ts';
import type { RetryTiming } from './rules/retries.ts';

/** How much one run sends: each takes a few queries, and the platform allows 1,000 per invocation. */
const MOST_PER_RUN = 150;

/** How long one run lasts, well within the platform's limit. */
const LONGEST_RUN_MS = 5 * MINUTE_MS;

/** How long a dispatcher pauses after a failed write to D1. */
const DATABASE_PAUSE_MS = 5 * SECOND_MS;

export interface DispatchWork<Item> {
  readonly outgoing: Outgoing<Item>;
  /** Real time; while a property's clock is being advanced, what that shows. */
  now(): number;
  /** A random number from 0 to 1. */
  random(): number;
  /** Stores the breakers for the next run. */
  keepBreakers(breakers: Breakers): Promise<void>;
}

/** What is under way: whose credentials it has, and the promise of its end. */
interface UnderWay {
  readonly account: string | null;
  readonly done: Promise<void>;
}

/**
 * One run of what goes to one receiver (pms: Delivery and retries). It sends what is due, several bookings at once and of
 * each booking one at a time, until nothing is due or a limit of the run is reached.
 */
export class Dispatch<Item> {
  readonly #work: DispatchWork<Item>;
  readonly #backlog: Backlog<Item>;
  readonly #health: ReceiverHealth;
  readonly #startedAtMs: number;
  readonly #underWay = new Map<string, UnderWay>();
  #started = 0;
  /** Set when D1 fails: the run then ends, and the next one starts at this time at the earliest. */
  #pauseUntilMs: number | null = null;
  #notified = Promise.withResolvers<void>();

  constructor(work: DispatchWork<Item>, breakers: Breakers) {
    this.#work = work;
    this.#backlog = new Backlog(work.outgoing);
    this.#health = new ReceiverHealth(work.outgoing, breakers, (changed) =>
      work.keepBreakers(changed),
    );
    this.#startedAtMs = work.now();
  }

  /** How many attempts this run has made. */
  get attempts(): number {
    return this.#started;
  }

  /** Until when nothing is sent of one account: the receiver is down or denies it, or D1 failed. It may have passed. */
  get backoffUntilMs(): number {
    const { lastAccountProbeAtMs, probeAtMs } = this.#health;
    return Math.max(probeAtMs, lastAccountProbeAtMs, this.#pauseUntilMs ?? 0);
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
      const sent = [...this.#underWay.values()].map(({ done }) => done);
      await Promise.race([...sent, this.#notified.promise]);
    }
    return this.#nextRunAtMs();
  }

  async #startDue(): Promise<void> {
    while (this.#hasCapacity()) {
      const item = await this.#backlog.take(this.#work.now(), {
        lanes: this.#underWay.keys(),
        blocked: (nowMs) => this.#health.blocked(nowMs, this.#accountsUnderWay()),
      });
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

  #accountsUnderWay(): (string | null)[] {
    return [...this.#underWay.values()].map(({ account }) => account);
  }

  #start(item: Item): void {
    this.#started += 1;
    const lane = this.#work.outgoing.laneOf(item);
    const account = this.#work.outgoing.accounts?.of(item) ?? null;
    const attempt = { lane, account, isProbe: this.#health.isProbe(account) };
    const sent = this.#send(item, attempt).catch((error: unknown) => {
      // If D1 missed the confirmation, it is sent again.
      this.#pauseUntilMs = this.#work.now() + DATABASE_PAUSE_MS;
      logError('dispatch_failed', error, this.#work.outgoing.about(item));
    });
    const done = sent.finally(() => this.#underWay.delete(lane));
    this.#underWay.set(lane, { account, done });
  }

  async #send(item: Item, attempt: Attempt): Promise<void> {
    const attempted = await this.#work.outgoing.send(item);
    if (attempted === null) return;
    const { kind } = attempted;
    const isFailedProbe = await this.#health.record(kind, attempt, this.#timing(attempted));
    // What waited for the probe is due now.
    if (attempt.isProbe && !isFailedProbe) this.#backlog.refresh();
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
    const { nextDueAtMs } = this.#backlog;
    const probeAtMs = this.#health.nextAccountProbeAtMs(nowMs);
    const wantedMs = isCutShort ? nowMs : earlierOf(nextDueAtMs, probeAtMs);
    if (wantedMs === null) return null;
    return Math.max(wantedMs, this.#health.probeAtMs, this.#pauseUntilMs ?? 0, nowMs + 1);
  }
}
