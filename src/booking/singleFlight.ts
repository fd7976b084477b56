import { SECOND_MS } from '../core/time.ts';
import { withTimeout } from '../core/timeout.ts';
import type { CallerKey } from '../operation/idempotency.ts';
import { type CallContext, type Reply, refusal } from '../operation/reply.ts';
import { Trace } from '../platform/trace.ts';
import { stillRunning } from '../records/bookings/rules.ts';

/** How long a request waits for the first one with its key (interface: Idempotency). */
const LONGEST_JOIN_MS = 25 * SECOND_MS;

interface Running<T = unknown> {
  readonly request: string;
  readonly reply: Promise<Reply<T>>;
}

/** The running requests of one booking that carry an idempotency key. */
export class SingleFlight {
  readonly #running = new Map<string, Running>();

  /**
   * Runs an operation. A request with the key of a running one waits for its answer instead. Another request with that
   * key waits too, and then decides for itself: the running one may not be the first with its key.
   */
  async run<T>(
    context: CallContext,
    caller: CallerKey,
    operation: () => Promise<Reply<T>>,
  ): Promise<Reply<T>> {
    const name = `${caller.operation} ${caller.key}`;
    const request = JSON.stringify(caller.request);
    // The cast is safe: `name` includes the operation, and all requests of one operation have one answer type.
    const running = this.#running.get(name) as Running<T> | undefined;
    if (running?.request === request) return join(context, running);
    if (running) {
      const ended = await withTimeout(
        running.reply.then(
          () => true,
          () => true,
        ),
        LONGEST_JOIN_MS,
        () => false,
      );
      if (ended) return this.run(context, caller, operation);
      return { answered: refusal(context, stillRunning()), cost: new Trace().cost() };
    }
    const reply = operation();
    this.#running.set(name, { request, reply });
    try {
      return await reply;
    } finally {
      this.#running.delete(name);
    }
  }
}

async function join<T>(context: CallContext, running: Running<T>): Promise<Reply<T>> {
  const cost = new Trace().cost();
  const reply = await withTimeout(running.reply, LONGEST_JOIN_MS, () => null);
  if (reply === null) return { answered: refusal(context, stillRunning()), cost };
  const { answered: first } = reply;
  const replayed = first.answer.ok || first.answer.error.code !== 'busy';
  return { answered: { ...first, replayed }, cost };
}
