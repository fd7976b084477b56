import { MINUTE_MS, SECOND_MS } from '../core/time.ts';
import type { Database } from '../db/database.ts';
import type { PropertyRow } from '../db/propertyTables.ts';
import { logError, logNotice } from '../io/log.ts';
import { afterFailure, type Breaker, CLOSED, roomFor } from './breaker.ts';
import { type Delivery, deliver, type Sending } from './deliver.ts';
import { nextTryAtMs } from './retries.ts';
import {
  confirmMessage,
  type DueMessage,
  type FailedTry,
  failMessage,
  keepConfirmationNumber,
  promoteNext,
  selectDue,
  selectHead,
  selectNextDue,
  selectPropertiesOfPms,
} from './store.ts';

/** How many messages one run sends: each takes a few queries, and an invocation may make 1,000. */
const MOST_PER_RUN = 150;

/** How many messages are read at once. */
const PAGE = 50;

/** How long one run goes on; the platform ends it some time after. */
const LONGEST_RUN_MS = 5 * MINUTE_MS;

/** How long is waited after D1 did not take what was to be written. */
const DATABASE_PAUSE_MS = 5 * SECOND_MS;

/** What a run works with. */
export interface DispatchWork extends Sending {
  readonly pmsUrl: string;
  readonly database: Database;
  now(): number;
  /** A random number from 0 to 1. */
  random(): number;
  /** Keeps what is known of the PMS, so that a restart does not forget it. */
  keepBreaker(breaker: Breaker): Promise<void>;
}

/**
 * One run of the outbox towards one PMS (decisions: section 9): sends what is due, several bookings at once and each
 * booking's messages in order, until nothing is due or there is no room.
 */
export class Dispatch {
  readonly #work: DispatchWork;
  readonly #startedAtMs: number;
  readonly #waiting: DueMessage[] = [];
  readonly #running = new Map<string, Promise<void>>();
  #properties = new Map<string, PropertyRow>();
  #breaker: Breaker;
  #left = MOST_PER_RUN;
  #allRead = false;
  #nextDueAtMs: number | null = null;
  #pauseUntilMs: number | null = null;
  #poked = Promise.withResolvers<void>();

  constructor(work: DispatchWork, breaker: Breaker) {
    this.#work = work;
    this.#breaker = breaker;
    this.#startedAtMs = work.now();
  }

  /** Tells a running dispatch that there may be something new. */
  poke(): void {
    this.#allRead = false;
    this.#poked.resolve();
  }

  /** Sends what is due; returns when to look again, or null when nothing waits. */
  async run(): Promise<number | null> {
    for (;;) {
      await this.#fill();
      if (this.#running.size === 0) break;
      this.#poked = Promise.withResolvers();
      await Promise.race([...this.#running.values(), this.#poked.promise]);
    }
    return this.#lookAgainAtMs();
  }

  async #fill(): Promise<void> {
    while (this.#hasRoom()) {
      if (this.#waiting.length === 0 && !this.#allRead) await this.#read();
      const message = this.#waiting.shift();
      if (message === undefined) return;
      this.#start(message);
    }
  }

  #hasRoom(): boolean {
    const nowMs = this.#work.now();
    const over = this.#left === 0 || nowMs - this.#startedAtMs > LONGEST_RUN_MS;
    if (over || this.#pauseUntilMs !== null) return false;
    return this.#running.size < roomFor(this.#breaker, nowMs);
  }

  async #read(): Promise<void> {
    const { database, pmsUrl } = this.#work;
    const { queries } = database;
    this.#allRead = true;
    const nowMs = this.#work.now();
    // What is under way now may be delivered before the answer comes, which does not know of it.
    const underWay = new Set(this.#running.keys());
    const [properties, due, [next]] = await database.batch('d1.outbox.read', [
      selectPropertiesOfPms(queries, pmsUrl),
      selectDue(queries, pmsUrl, nowMs, PAGE),
      selectNextDue(queries, pmsUrl, nowMs),
    ]);
    this.#properties = new Map(properties.map((property) => [property.id, property]));
    this.#nextDueAtMs = next?.dueAtMs ?? null;
    this.#waiting.push(...due.filter((message) => !underWay.has(bookingOf(message))));
    // A page that is full, and not all under way already, may have another behind it.
    if (due.length === PAGE && this.#waiting.length > 0) this.#allRead = false;
  }

  #start(message: DueMessage): void {
    const booking = bookingOf(message);
    this.#left -= 1;
    const sent = this.#send(message, this.#breaker.kind === 'open').catch((error: unknown) => {
      // Whether it was written that the message was delivered is not known: it is sent again.
      this.#pauseUntilMs = this.#work.now() + DATABASE_PAUSE_MS;
      const { bookingReference, messageId, propertyId: property } = message;
      logError('dispatch_failed', error, { property, booking: bookingReference, messageId });
    });
    this.#running.set(
      booking,
      sent.finally(() => this.#running.delete(booking)),
    );
  }

  async #send(message: DueMessage, probe: boolean): Promise<void> {
    const property = this.#properties.get(message.propertyId);
    if (!property) return;
    const delivery = await deliver(this.#work, property, message);
    await this.#learn(delivery, bookingOf(message), probe);
    if (delivery.kind === 'confirmed') await this.#confirm(message, delivery.confirmationNumber);
    else await this.#fail(message, delivery, probe);
  }

  async #learn(delivery: Delivery, booking: string, probe: boolean): Promise<void> {
    // Nothing was heard of the PMS.
    if (delivery.kind === 'unsent') return;
    const before = this.#breaker;
    this.#breaker =
      delivery.kind === 'unreachable'
        ? afterFailure(before, booking, probe, this.#lateness(delivery))
        : CLOSED;
    if (JSON.stringify(before) !== JSON.stringify(this.#breaker)) {
      if (before.kind !== this.#breaker.kind) this.#tell(this.#breaker);
      await this.#work.keepBreaker(this.#breaker);
    }
  }

  #tell({ kind }: Breaker): void {
    const host = new URL(this.#work.pmsUrl).host;
    logNotice(kind === 'open' ? 'pms_down' : 'pms_up', { host });
  }

  async #confirm(message: DueMessage, confirmationNumber: string | null): Promise<void> {
    const { database } = this.#work;
    const { queries } = database;
    const nowMs = this.#work.now();
    const { propertyId, bookingReference } = message;
    const kept = confirmationNumber ?? message.confirmationNumber;
    const results = await database.batch('d1.outbox.settle', [
      confirmMessage(queries, message, nowMs),
      promoteNext(queries, message, nowMs),
      ...(kept === message.confirmationNumber || kept === null
        ? []
        : [keepConfirmationNumber(queries, message, kept)]),
      selectHead(queries, propertyId, bookingReference, nowMs),
    ]);
    // The next message of this booking goes out at once: the booking's turn is kept.
    const [next] = results.at(-1) as DueMessage[];
    if (next) this.#waiting.unshift(next);
  }

  async #fail(
    message: DueMessage,
    delivery: Exclude<Delivery, { kind: 'confirmed' }>,
    probe: boolean,
  ): Promise<void> {
    const { database } = this.#work;
    const failed = failedTry(message, delivery, this.#breaker, probe, this.#lateness(delivery));
    if (failed.status === 'Dead') {
      const { bookingReference: reference, messageId, messageType, propertyId: property } = message;
      logNotice('message_dead', { property, booking: reference, messageId, messageType });
    }
    await database.batch('d1.outbox.settle', [failMessage(database.queries, message, failed)]);
    if (failed.dueAtMs !== null) {
      this.#nextDueAtMs = Math.min(this.#nextDueAtMs ?? failed.dueAtMs, failed.dueAtMs);
    }
  }

  #lateness(delivery: Delivery) {
    const retryAfterMs = delivery.kind === 'confirmed' ? null : delivery.retryAfterMs;
    return { nowMs: this.#work.now(), random: this.#work.random(), retryAfterMs };
  }

  #lookAgainAtMs(): number | null {
    const nowMs = this.#work.now();
    const cutShort = this.#waiting.length > 0 || !this.#allRead || this.#pauseUntilMs !== null;
    const wantedMs = cutShort ? nowMs : this.#nextDueAtMs;
    if (wantedMs === null) return null;
    const probeAtMs = this.#breaker.kind === 'open' ? this.#breaker.probeAtMs : 0;
    return Math.max(wantedMs, probeAtMs, this.#pauseUntilMs ?? 0, nowMs + 1);
  }
}

/**
 * What a try in vain changes. While the PMS is down nothing counts against a message: a probe in vain goes to the
 * end of the line, so that the next one is another booking's.
 */
function failedTry(
  message: DueMessage,
  delivery: Exclude<Delivery, { kind: 'confirmed' }>,
  breaker: Breaker,
  probe: boolean,
  lateness: Parameters<typeof nextTryAtMs>[1],
): FailedTry {
  const lastError = delivery.reason;
  if (delivery.kind === 'unreachable' && probe && breaker.kind === 'open') {
    return {
      status: 'Pending',
      attempts: message.attempts,
      dueAtMs: lateness.nowMs,
      lastError,
    };
  }
  const attempts = message.attempts + 1;
  const dueAtMs = nextTryAtMs(attempts, lateness);
  return { status: dueAtMs === null ? 'Dead' : 'Pending', attempts, dueAtMs, lastError };
}

function bookingOf({ propertyId, bookingReference }: DueMessage): string {
  return JSON.stringify([propertyId, bookingReference]);
}
