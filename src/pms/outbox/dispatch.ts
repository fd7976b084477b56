import { propertyTime, realTimeOf } from '../../core/propertyClock.ts';
import { MINUTE_MS, SECOND_MS } from '../../core/time.ts';
import type { Database } from '../../platform/db/database.ts';
import type { PropertyRow } from '../../platform/db/propertyTables.ts';
import { logError, logWarning } from '../../platform/log.ts';
import { Backlog, bookingOf } from './backlog.ts';
import type { Breaker } from './breaker.ts';
import { type Delivery, deliver, type Sending } from './deliver.ts';
import { type Attempt, PmsHealth } from './health.ts';
import { nextAttemptAtMs, type RetryTiming } from './retries.ts';
import {
  confirmMessage,
  type DueMessage,
  type FailedAttempt,
  failMessage,
  keepConfirmationNumber,
  promoteNext,
  type Served,
  selectDueOfBooking,
} from './store.ts';

/** How many messages one run sends: each takes a few queries, and the platform allows 1,000 per invocation. */
const MOST_PER_RUN = 150;

/** How long one run lasts, well within the platform's limit. */
const LONGEST_RUN_MS = 5 * MINUTE_MS;

/** How long a dispatcher pauses after a failed write to D1. */
const DATABASE_PAUSE_MS = 5 * SECOND_MS;

/** What a run needs. */
export interface DispatchWork extends Sending, Served {
  readonly database: Database;
  /** Real time; while a property's clock is being advanced, what that shows. */
  now(): number;
  /** A random number from 0 to 1. */
  random(): number;
  /** Stores the breaker for the next run. */
  keepBreaker(breaker: Breaker): Promise<void>;
}

/** A delivery that did not succeed. */
type FailedDelivery = Exclude<Delivery, { kind: 'confirmed' }>;

/**
 * One run of the outbox for one PMS (pms: Delivery and retries). It sends the due messages, several bookings at once
 * and of each booking one at a time, until nothing is due or a limit of the run is reached.
 */
export class Dispatch {
  readonly #work: DispatchWork;
  readonly #backlog: Backlog;
  readonly #health: PmsHealth;
  readonly #startedAtMs: number;
  /** The messages under way, by booking. */
  readonly #underWay = new Map<string, Promise<void>>();
  #started = 0;
  /** Set when D1 fails: the run then ends, and the next one starts at this time at the earliest. */
  #pauseUntilMs: number | null = null;
  #notified = Promise.withResolvers<void>();

  constructor(work: DispatchWork, breaker: Breaker) {
    this.#work = work;
    this.#backlog = new Backlog(work.database, work);
    this.#health = new PmsHealth(work.pmsUrl, breaker, (changed) => work.keepBreaker(changed));
    this.#startedAtMs = work.now();
  }

  /** How many attempts this run has made. */
  get attempts(): number {
    return this.#started;
  }

  /** Until when nothing is sent: the PMS is down, or D1 failed. It may have passed. */
  get heldUntilMs(): number {
    return Math.max(this.#health.probeAtMs, this.#pauseUntilMs ?? 0);
  }

  /** Makes a running dispatch look for new messages. */
  notify(): void {
    this.#backlog.refresh();
    this.#notified.resolve();
  }

  /** Sends the due messages; returns when to run again, or null if nothing is waiting. */
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
      const message = await this.#backlog.take(this.#work.now(), this.#underWay.keys());
      if (message === undefined) return;
      this.#start(message);
    }
  }

  #hasCapacity(): boolean {
    const nowMs = this.#work.now();
    const isOver = this.#started === MOST_PER_RUN || nowMs - this.#startedAtMs > LONGEST_RUN_MS;
    if (isOver || this.#pauseUntilMs !== null) return false;
    return this.#underWay.size < this.#health.capacity(nowMs);
  }

  #start(message: DueMessage): void {
    this.#started += 1;
    const booking = bookingOf(message);
    const sent = this.#send(message, { booking, isProbe: this.#health.isDown }).catch(
      (error: unknown) => {
        // If D1 missed the confirmation, the message is sent again.
        this.#pauseUntilMs = this.#work.now() + DATABASE_PAUSE_MS;
        const { bookingReference, messageId, propertyId: property } = message;
        logError('dispatch_failed', error, { property, booking: bookingReference, messageId });
      },
    );
    this.#underWay.set(
      booking,
      sent.finally(() => this.#underWay.delete(booking)),
    );
  }

  async #send(message: DueMessage, attempt: Attempt): Promise<void> {
    const property = this.#backlog.propertyOf(message);
    if (!property) return;
    const delivery = await deliver(this.#work, property, message);
    await this.#health.record(delivery, attempt, this.#timing(delivery));
    if (delivery.kind === 'confirmed')
      await this.#confirm(message, property, delivery.confirmationNumber);
    else await this.#fail(message, property, delivery, attempt);
  }

  async #confirm(
    message: DueMessage,
    property: PropertyRow,
    confirmationNumber: string | null,
  ): Promise<void> {
    const { database } = this.#work;
    const { queries } = database;
    const nowMs = propertyTime(property, this.#work.now());
    const isNew = confirmationNumber !== null && confirmationNumber !== message.confirmationNumber;
    const results = await database.batch('d1.outbox.update', [
      confirmMessage(queries, message, nowMs),
      promoteNext(queries, message, nowMs),
      ...(isNew ? [keepConfirmationNumber(queries, message, confirmationNumber)] : []),
      selectDueOfBooking(queries, message, nowMs),
    ]);
    this.#continueWith(results.at(-1) as DueMessage[]);
  }

  /** Sends the booking's next message immediately. */
  #continueWith([next]: readonly DueMessage[]): void {
    if (next) this.#backlog.putFirst(next);
  }

  async #fail(
    message: DueMessage,
    property: PropertyRow,
    delivery: FailedDelivery,
    { isProbe }: Attempt,
  ): Promise<void> {
    const { database } = this.#work;
    const realMs = this.#work.now();
    const nowMs = propertyTime(property, realMs);
    const { isDown } = this.#health;
    const isFailedProbe = delivery.kind === 'unreachable' && isProbe && isDown;
    const failed = isFailedProbe
      ? requeuedProbe(message, delivery, nowMs)
      : countedAttempt(message, delivery, { ...this.#timing(delivery), nowMs });
    if (failed.status === 'Dead') {
      const { bookingReference: reference, messageId, messageType, propertyId: property } = message;
      logWarning('message_dead', { property, booking: reference, messageId, messageType });
    }
    if (failed.dueAtMs !== null) {
      this.#backlog.expectAt(realTimeOf(property, failed.dueAtMs, realMs));
    }
    const { queries } = database;
    // Money does not wait for a message about the stay that the PMS has answered.
    const isFirstAnswer = failed.answeredAtMs !== message.answeredAtMs;
    const results = await database.batch('d1.outbox.update', [
      failMessage(queries, message, failed),
      ...(isFirstAnswer ? [promoteNext(queries, message, nowMs)] : []),
      selectDueOfBooking(queries, message, nowMs),
    ]);
    // While the PMS is down, other bookings come first.
    if (!isFailedProbe) this.#continueWith(results.at(-1) as DueMessage[]);
  }

  #timing(delivery: Delivery): RetryTiming {
    const retryAfterMs = delivery.kind === 'confirmed' ? null : delivery.retryAfterMs;
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

/**
 * Moves a failed probe to the end of the queue, so that the next probe is another booking's. It does not count as an
 * attempt, because the PMS is down.
 */
function requeuedProbe(
  message: DueMessage,
  { reason }: FailedDelivery,
  nowMs: number,
): FailedAttempt {
  const { attempts, refusals, answeredAtMs } = message;
  return {
    status: 'Pending',
    attempts,
    refusals,
    answeredAtMs,
    dueAtMs: nowMs,
    lastError: reason,
  };
}

/** Counts a failed attempt: the message is sent again later, or is dead. */
function countedAttempt(
  message: DueMessage,
  { kind, reason }: FailedDelivery,
  timing: RetryTiming,
): FailedAttempt {
  const wasRefused = kind === 'refused';
  const attempts = message.attempts + 1;
  const refusals = message.refusals + (wasRefused ? 1 : 0);
  const dueAtMs = nextAttemptAtMs({ attempts, refusals }, wasRefused, timing);
  return {
    status: dueAtMs === null ? 'Dead' : 'Pending',
    attempts,
    refusals,
    answeredAtMs: message.answeredAtMs ?? (wasRefused ? timing.nowMs : null),
    dueAtMs,
    lastError: reason,
  };
}
