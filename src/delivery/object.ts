import { DurableObject } from 'cloudflare:workers';
import { LruCache } from '../core/lruCache.ts';
import { MINUTE_MS, SECOND_MS } from '../core/time.ts';
import { Alarm } from '../platform/alarm.ts';
import { requireConfig } from '../platform/config.ts';
import { openDatabase } from '../platform/db/database.ts';
import type { Env } from '../platform/env.ts';
import { type About, logError } from '../platform/log.ts';
import { Trace } from '../platform/trace.ts';
import { dispatcherClock } from './clock.ts';
import { Dispatch } from './dispatch.ts';
import type { DispatcherWork, Outgoing } from './outgoing.ts';
import { ALL_CLOSED, type Breakers, withEarlierProbe, withProbeNow } from './rules/breaker.ts';

/** The remote calls of a dispatcher. `receiver` is what it sends to: a PMS's address, an endpoint's id. */
export interface DispatcherCalls {
  /** Makes the dispatcher look for something to send. */
  notify(receiver: string, why: NotifyReason): Promise<void>;
  /** Sends what is due of a property whose clock is being advanced and shows `atMs`. */
  sendAsOf(receiver: string, propertyId: string, atMs: number): Promise<SentAsOf>;
}

/** What was sent while a property's clock was frozen. */
export interface SentAsOf {
  readonly attempts: number;
  /** Until when nothing is sent because the receiver is down, by the property's clock. It may have passed. */
  readonly backoffUntilMs: number;
}

/**
 * Why a dispatcher is notified: something new was queued, something is overdue, or the receiver is known to be up, so that
 * the dispatcher tries it immediately.
 */
export type NotifyReason = 'message' | 'overdue' | 'up';

export interface DispatcherKind<Item> {
  readonly receiverKey: string;
  outgoing(work: DispatcherWork): Outgoing<Item>;
  /** What the log says of a receiver. */
  about(receiver: string): About;
}

/** When the alarm repeats a run that was cut off. */
const SAFETY_NET_MS = MINUTE_MS;

/** How many properties' advances remember the health of the receiver. A forgotten one counts as healthy. */
const MOST_ADVANCED = 1_000;

/** The storage keys of the receiver's breaker, and of those of its accounts. */
const BREAKER = 'breaker';
const ACCOUNTS = 'accounts';

/**
 * Sends what goes to one receiver, in its alarm. Its storage holds only which receiver that is, and its health; D1 holds
 * what is sent, its order and its attempts.
 */
export abstract class Dispatcher<Item> extends DurableObject<Env> implements DispatcherCalls {
  protected abstract readonly kind: DispatcherKind<Item>;
  readonly #alarm = new Alarm(this.ctx.storage);
  #running: Dispatch<Item> | null = null;
  /** Ends with the run of the alarm that is under way. */
  #ended: Promise<unknown> = Promise.resolve();
  /** The health of the receiver, by the clock of each property that is being advanced. */
  readonly #advanced = new LruCache<Breakers>(MOST_ADVANCED);
  #notified = false;

  async notify(receiver: string, why: NotifyReason): Promise<void> {
    const trace = new Trace();
    const nowMs = dispatcherClock.now();
    this.#notified = true;
    this.#running?.notify();
    await this.#storeReceiver(receiver);
    const known = await this.#breakers();
    const breakers = afterNotify(known, why, nowMs);
    if (breakers !== known) await this.#keepBreakers(trace, breakers);
    const { receiver: breaker } = breakers;
    const closedUntilMs = breaker.kind === 'open' ? breaker.probeAtMs : 0;
    await this.#alarm.by(trace, Math.max(closedUntilMs, nowMs + 1), nowMs);
  }

  override async alarm(): Promise<void> {
    const trace = new Trace();
    let receiver: string | undefined;
    try {
      this.#notified = false;
      await this.#alarm.at(trace, dispatcherClock.now() + SAFETY_NET_MS);
      receiver = await this.ctx.storage.get<string>(this.kind.receiverKey);
      const nextAtMs = receiver === undefined ? null : await this.#run(trace, receiver);
      // A notification during the run has already set an earlier alarm.
      if (this.#notified) return;
      if (nextAtMs === null) await this.#alarm.off(trace);
      else await this.#alarm.at(trace, nextAtMs);
    } catch (error) {
      // The platform drops an alarm that throws six times. This one has already set its successor.
      logError('dispatch_failed', error, receiver === undefined ? {} : this.kind.about(receiver));
      await this.#alarm.at(trace, dispatcherClock.now() + 5 * SECOND_MS).catch(() => undefined);
    }
  }

  async sendAsOf(receiver: string, propertyId: string, atMs: number): Promise<SentAsOf> {
    // A run that began before the clock was frozen may have something of the property under way.
    await this.#ended;
    const work = {
      outgoing: await this.#outgoing(new Trace(), receiver, propertyId),
      now: () => atMs,
      // Two plays of the same story come to the same times.
      random: () => 0,
      keepBreakers: async (breakers: Breakers) => this.#advanced.set(propertyId, breakers),
    };
    const dispatch = new Dispatch(work, this.#advanced.get(propertyId) ?? ALL_CLOSED);
    await dispatch.run();
    return { attempts: dispatch.attempts, backoffUntilMs: dispatch.backoffUntilMs };
  }

  async #run(trace: Trace, receiver: string): Promise<number | null> {
    const work = {
      outgoing: await this.#outgoing(trace, receiver, null),
      now: () => dispatcherClock.now(),
      random: () => Math.random(),
      keepBreakers: (breakers: Breakers) => this.#keepBreakers(trace, breakers),
    };
    const dispatch = new Dispatch(work, await this.#breakers());
    this.#running = dispatch;
    const run = dispatch.run();
    this.#ended = run.catch(() => undefined);
    try {
      return await run;
    } finally {
      this.#running = null;
    }
  }

  async #outgoing(
    trace: Trace,
    receiver: string,
    advanced: string | null,
  ): Promise<Outgoing<Item>> {
    const { keyring, local } = await requireConfig(this.env);
    const database = openDatabase(this.env, trace);
    return this.kind.outgoing({ receiver, advanced, keyring, local, trace, database });
  }

  async #breakers(): Promise<Breakers> {
    const { storage } = this.ctx;
    const [receiver, accounts] = await Promise.all([
      storage.get<Breakers['receiver']>(BREAKER),
      storage.get<Breakers['accounts']>(ACCOUNTS),
    ]);
    return {
      receiver: receiver ?? ALL_CLOSED.receiver,
      accounts: accounts ?? ALL_CLOSED.accounts,
    };
  }

  async #keepBreakers(trace: Trace, { accounts, receiver }: Breakers): Promise<void> {
    await trace.span('storage.breaker', () =>
      this.ctx.storage.put({ [BREAKER]: receiver, [ACCOUNTS]: accounts }),
    );
  }

  /** Stores the receiver, because an alarm gets no arguments. */
  async #storeReceiver(receiver: string): Promise<void> {
    const key = this.kind.receiverKey;
    const known = await this.ctx.storage.get<string>(key);
    if (known !== receiver) await this.ctx.storage.put(key, receiver);
  }
}

/** What is new may be of any account: it brings no probe of a denied one forward. */
function afterNotify(known: Breakers, why: NotifyReason, nowMs: number): Breakers {
  switch (why) {
    case 'message': {
      const receiver = withEarlierProbe(known.receiver, nowMs);
      return receiver === known.receiver ? known : { ...known, receiver };
    }
    case 'up':
      return {
        receiver: withProbeNow(known.receiver, nowMs),
        accounts: Object.fromEntries(
          Object.entries(known.accounts).map(([account, one]) => [
            account,
            withProbeNow(one, nowMs),
          ]),
        ),
      };
    case 'overdue':
      return known;
  }
}
