import { DurableObject } from 'cloudflare:workers';
import { requireConfig } from '../config.ts';
import { MINUTE_MS, SECOND_MS } from '../core/time.ts';
import { Database } from '../db/database.ts';
import type { Env } from '../env.ts';
import { Alarm } from '../io/alarm.ts';
import { Crossings } from '../io/crossings.ts';
import { logError } from '../io/log.ts';
import { type Breaker, CLOSED, hurried, probedNow } from './breaker.ts';
import { Dispatch } from './dispatch.ts';

/** The calls of a PMS's dispatcher, as others make them. */
export interface DispatcherCalls {
  /** There may be something to send. */
  poke(pmsUrl: string, why: PokeReason): Promise<void>;
}

/**
 * Why a dispatcher is poked: a new message was queued, something is overdue, or somebody knows that the PMS is up,
 * so that it is tried at once.
 */
export type PokeReason = 'message' | 'overdue' | 'up';

/** When a run that was cut off is done again. */
const SAFETY_NET_MS = MINUTE_MS;

/** The storage keys of the address that is served, and of what is known of the PMS there. */
const PMS_URL = 'pmsUrl';
const BREAKER = 'breaker';

/**
 * Sends the outbox to one PMS, by its alarm. It keeps only what it knows of the PMS's health; the messages, their
 * order and their tries are in D1.
 */
export class PmsDispatcher extends DurableObject<Env> implements DispatcherCalls {
  readonly #alarm: Alarm;
  #running: Dispatch | null = null;
  #poked = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#alarm = new Alarm(ctx.storage);
  }

  async poke(pmsUrl: string, why: PokeReason): Promise<void> {
    const crossings = new Crossings();
    const nowMs = this.now();
    this.#poked = true;
    this.#running?.poke();
    await this.#remember(pmsUrl);
    const known = await this.#breaker();
    const breaker = afterPoke(known, why, nowMs);
    if (breaker !== known) await this.#keepBreaker(crossings, breaker);
    const closedUntilMs = breaker.kind === 'open' ? breaker.probeAtMs : 0;
    await this.#alarm.by(crossings, Math.max(closedUntilMs, nowMs + 1), nowMs);
  }

  override async alarm(): Promise<void> {
    const crossings = new Crossings();
    let pmsUrl: string | undefined;
    try {
      this.#poked = false;
      await this.#alarm.at(crossings, this.now() + SAFETY_NET_MS);
      pmsUrl = await this.ctx.storage.get<string>(PMS_URL);
      const nextAtMs = pmsUrl === undefined ? null : await this.#run(crossings, pmsUrl);
      // Poked meanwhile: the alarm is set already, for earlier.
      if (this.#poked) return;
      if (nextAtMs === null) await this.#alarm.off(crossings);
      else await this.#alarm.at(crossings, nextAtMs);
    } catch (error) {
      // An alarm that throws six times is dropped for good; this one has set its successor already.
      logError('dispatch_failed', error, { host: pmsUrl && new URL(pmsUrl).host });
      await this.#alarm.at(crossings, this.now() + 5 * SECOND_MS).catch(() => undefined);
    }
  }

  /** The clock of every decision here, in milliseconds. */
  now(): number {
    return Date.now();
  }

  async #run(crossings: Crossings, pmsUrl: string): Promise<number | null> {
    const { keyring, local } = await requireConfig(this.env);
    const work = {
      pmsUrl,
      keyring,
      local,
      crossings,
      database: new Database(this.env.DB, crossings),
      now: () => this.now(),
      random: () => Math.random(),
      keepBreaker: (breaker: Breaker) => this.#keepBreaker(crossings, breaker),
    };
    this.#running = new Dispatch(work, await this.#breaker());
    try {
      return await this.#running.run();
    } finally {
      this.#running = null;
    }
  }

  async #breaker(): Promise<Breaker> {
    return (await this.ctx.storage.get<Breaker>(BREAKER)) ?? CLOSED;
  }

  async #keepBreaker(crossings: Crossings, breaker: Breaker): Promise<void> {
    await crossings.cross('storage.breaker', () => this.ctx.storage.put(BREAKER, breaker));
  }

  /** An alarm is not told which PMS it is for. */
  async #remember(pmsUrl: string): Promise<void> {
    const known = await this.ctx.storage.get<string>(PMS_URL);
    if (known !== pmsUrl) await this.ctx.storage.put(PMS_URL, pmsUrl);
  }
}

function afterPoke(known: Breaker, why: PokeReason, nowMs: number): Breaker {
  switch (why) {
    case 'message':
      return hurried(known, nowMs);
    case 'up':
      return probedNow(known, nowMs);
    case 'overdue':
      return known;
  }
}
