import { type Finds, openDatabase } from '../platform/db/database.ts';
import type { Env } from '../platform/env.ts';
import { type About, logError } from '../platform/log.ts';
import { objectNamed } from '../platform/objects.ts';
import { Trace } from '../platform/trace.ts';
import { Coalescing } from './coalesce.ts';
import type { Dispatcher, DispatcherCalls, NotifyReason, SentAsOf } from './object.ts';

/** How many dispatchers one sweep notifies; the next sweep continues. */
const MOST_PER_SWEEP = 200;

/** The dispatchers of one kind, each named by its receiver. */
export class Dispatchers {
  readonly #namespaceOf: (env: Env) => DurableObjectNamespace;
  /** What the log says of a receiver. */
  readonly about: (receiver: string) => About;
  readonly #notifications = new Coalescing();

  constructor(
    namespaceOf: (env: Env) => DurableObjectNamespace,
    about: (receiver: string) => About,
  ) {
    this.#namespaceOf = namespaceOf;
    this.about = about;
  }

  /**
   * Notifies a dispatcher of something new. One call covers all that this isolate queues for the receiver within a few
   * milliseconds. If the call is lost, the sweep finds what it was about.
   */
  async notifyOfNew(env: Env, receiver: string): Promise<void> {
    if (!this.#notifications.isFirst(receiver)) return;
    await this.#call(env, new Trace(), receiver, async (dispatcher) => {
      await this.#notifications.wait(receiver);
      await dispatcher.notify(receiver, 'message');
    });
  }

  /** Notifies a dispatcher that something is overdue, or that the receiver is up. */
  notify(
    env: Env,
    trace: Trace,
    receiver: string,
    why: Exclude<NotifyReason, 'message'>,
  ): Promise<void> {
    return this.#call(env, trace, receiver, (dispatcher) => dispatcher.notify(receiver, why));
  }

  /**
   * Notifies those who have something overdue, in one database or any: alarms and notifications can get lost. Returns how
   * many.
   */
  async sweep(
    env: Env,
    overdue: (limit: number) => Finds<{ readonly receiver: string | null }>,
    of?: string,
  ): Promise<number> {
    const trace = new Trace();
    const database = openDatabase(env, trace).limitedTo(of);
    const found = await database.everyAnswering('d1.sweep.read', [overdue(MOST_PER_SWEEP)]);
    const rows = found.flat(2);
    const receivers = [...new Set(rows.flatMap(({ receiver }) => receiver ?? []))];
    await Promise.all(receivers.map((one) => this.notify(env, trace, one, 'overdue')));
    return receivers.length;
  }

  /** Sends what is due of a property whose clock is being advanced and shows `atMs`. */
  sendAsOf(
    env: Env,
    trace: Trace,
    receiver: string,
    propertyId: string,
    atMs: number,
  ): Promise<SentAsOf> {
    return trace.span('object.dispatcher', () =>
      this.#dispatcherOf(env, receiver).sendAsOf(receiver, propertyId, atMs),
    );
  }

  /** A failure is only logged, because the sweep repeats the notification. */
  async #call(
    env: Env,
    trace: Trace,
    receiver: string,
    notify: (dispatcher: DispatcherCalls) => Promise<void>,
  ): Promise<void> {
    try {
      await trace.span('object.dispatcher', () => notify(this.#dispatcherOf(env, receiver)));
    } catch (error) {
      logError('notify_failed', error, this.about(receiver));
    }
  }

  #dispatcherOf(env: Env, receiver: string): DispatcherCalls {
    const namespace = this.#namespaceOf(env) as DurableObjectNamespace<Dispatcher<unknown>>;
    return objectNamed(env, namespace, receiver);
  }
}
