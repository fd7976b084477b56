import { DurableObject } from 'cloudflare:workers';
import { LruCache } from '../../core/lruCache.ts';
import { MINUTE_MS, SECOND_MS } from '../../core/time.ts';
import { Alarm } from '../../platform/alarm.ts';
import { requireConfig } from '../../platform/config.ts';
import { Database } from '../../platform/db/database.ts';
import type { Env } from '../../platform/env.ts';
import { logError } from '../../platform/log.ts';
import { Trace } from '../../platform/trace.ts';
import { type Breaker, CLOSED, withEarlierProbe, withProbeNow } from './breaker.ts';
import { dispatcherClock } from './clock.ts';
import { Dispatch } from './dispatch.ts';

/** The remote calls of a PMS's dispatcher. */
export interface DispatcherCalls {
  /** Makes the dispatcher look for messages to send. */
  notify(pmsUrl: string, why: NotifyReason): Promise<void>;
  /** Sends what is due of a property whose clock is being advanced and stands at `atMs`. */
  sendAsOf(pmsUrl: string, propertyId: string, atMs: number): Promise<SentAsOf>;
}

/** What was sent while a property's clock stood. */
export interface SentAsOf {
  readonly attempts: number;
  /** Until when nothing is sent because the PMS is down, by the property's clock. It may have passed. */
  readonly heldUntilMs: number;
}

/**
 * Why a dispatcher is notified: a new message was queued, a message is overdue, or the PMS is known to be up, so that
 * the dispatcher tries it immediately.
 */
export type NotifyReason = 'message' | 'overdue' | 'up';

/** When the alarm repeats a run that was cut off. */
const SAFETY_NET_MS = MINUTE_MS;

/** How many properties' advances remember the health of the PMS. A forgotten one counts as healthy. */
const MOST_ADVANCED = 1_000;

/** The storage keys of the PMS's address and of its breaker. */
const PMS_URL = 'pmsUrl';
const BREAKER = 'breaker';

/**
 * Sends the outbox to one PMS, in its alarm. Its storage holds only the PMS's address and health; D1 holds the
 * messages, their order and their attempts.
 */
export class PmsDispatcher extends DurableObject<Env> implements DispatcherCalls {
  readonly #alarm: Alarm;
  #running: Dispatch | null = null;
  /** Ends with the run of the alarm that is under way. */
  #ended: Promise<unknown> = Promise.resolve();
  /** The health of the PMS, by the clock of each property that is being advanced. */
  readonly #advanced = new LruCache<Breaker>(MOST_ADVANCED);
  #notified = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#alarm = new Alarm(ctx.storage);
  }

  async notify(pmsUrl: string, why: NotifyReason): Promise<void> {
    const trace = new Trace();
    const nowMs = dispatcherClock.now();
    this.#notified = true;
    this.#running?.notify();
    await this.#storeUrl(pmsUrl);
    const known = await this.#breaker();
    const breaker = afterNotify(known, why, nowMs);
    if (breaker !== known) await this.#keepBreaker(trace, breaker);
    const closedUntilMs = breaker.kind === 'open' ? breaker.probeAtMs : 0;
    await this.#alarm.by(trace, Math.max(closedUntilMs, nowMs + 1), nowMs);
  }

  override async alarm(): Promise<void> {
    const trace = new Trace();
    let pmsUrl: string | undefined;
    try {
      this.#notified = false;
      await this.#alarm.at(trace, dispatcherClock.now() + SAFETY_NET_MS);
      pmsUrl = await this.ctx.storage.get<string>(PMS_URL);
      const nextAtMs = pmsUrl === undefined ? null : await this.#run(trace, pmsUrl);
      // A notification during the run has already set an earlier alarm.
      if (this.#notified) return;
      if (nextAtMs === null) await this.#alarm.off(trace);
      else await this.#alarm.at(trace, nextAtMs);
    } catch (error) {
      // The platform drops an alarm that throws six times. This one has already set its successor.
      logError('dispatch_failed', error, { host: pmsUrl && new URL(pmsUrl).host });
      await this.#alarm.at(trace, dispatcherClock.now() + 5 * SECOND_MS).catch(() => undefined);
    }
  }

  async sendAsOf(pmsUrl: string, propertyId: string, atMs: number): Promise<SentAsOf> {
    // A run that began before the clock stood may have messages of the property under way.
    await this.#ended;
    const work = {
      ...(await this.#sending(new Trace(), pmsUrl)),
      advanced: propertyId,
      now: () => atMs,
      // Two plays of the same story come to the same times.
      random: () => 0,
      keepBreaker: async (breaker: Breaker) => this.#advanced.set(propertyId, breaker),
    };
    const dispatch = new Dispatch(work, this.#advanced.get(propertyId) ?? CLOSED);
    await dispatch.run();
    return { attempts: dispatch.attempts, heldUntilMs: dispatch.heldUntilMs };
  }

  async #run(trace: Trace, pmsUrl: string): Promise<number | null> {
    const work = {
      ...(await this.#sending(trace, pmsUrl)),
      advanced: null,
      now: () => dispatcherClock.now(),
      random: () => Math.random(),
      keepBreaker: (breaker: Breaker) => this.#keepBreaker(trace, breaker),
    };
    const dispatch = new Dispatch(work, await this.#breaker());
    this.#running = dispatch;
    const run = dispatch.run();
    this.#ended = run.catch(() => undefined);
    try {
      return await run;
    } finally {
      this.#running = null;
    }
  }

  async #sending(trace: Trace, pmsUrl: string) {
    const { keyring, local } = await requireConfig(this.env);
    return { pmsUrl, keyring, local, trace, database: new Database(this.env.DB, trace) };
  }

  async #breaker(): Promise<Breaker> {
    return (await this.ctx.storage.get<Breaker>(BREAKER)) ?? CLOSED;
  }

  async #keepBreaker(trace: Trace, breaker: Breaker): Promise<void> {
    await trace.span('storage.breaker', () => this.ctx.storage.put(BREAKER, breaker));
  }

  /** Stores the address, because an alarm gets no arguments. */
  async #storeUrl(pmsUrl: string): Promise<void> {
    const known = await this.ctx.storage.get<string>(PMS_URL);
    if (known !== pmsUrl) await this.ctx.storage.put(PMS_URL, pmsUrl);
  }
}

function afterNotify(known: Breaker, why: NotifyReason, nowMs: number): Breaker {
  switch (why) {
    case 'message':
      return withEarlierProbe(known, nowMs);
    case 'up':
      return withProbeNow(known, nowMs);
    case 'overdue':
      return known;
  }
}
