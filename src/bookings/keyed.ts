import { SECOND_MS } from '../core/time.ts';
import { type CallerKey, keyReused } from '../idempotency/actions.ts';
import { Crossings } from '../io/crossings.ts';
import { withinTime } from './queue.ts';
import { type Address, type Reply, refusal } from './reply.ts';
import { stillRunning } from './rules.ts';

/** How long a request waits for the first one with its key (decisions: section 4). */
const LONGEST_JOIN_MS = 25 * SECOND_MS;

interface Running<T = unknown> {
  readonly request: string;
  readonly reply: Promise<Reply<T>>;
}

/** The requests with an idempotency key that are running in one booking's object. */
export class KeyedRequests {
  readonly #running = new Map<string, Running>();

  /** Runs an operation; a request with the key of a running one waits for that one's answer instead. */
  async run<T>(
    address: Address,
    caller: CallerKey | null,
    operation: () => Promise<Reply<T>>,
  ): Promise<Reply<T>> {
    if (caller === null) return operation();
    const name = `${caller.operation} ${caller.key}`;
    const request = JSON.stringify(caller.request);
    // One operation's requests all answer alike: the key's name begins with the operation.
    const running = this.#running.get(name) as Running<T> | undefined;
    if (running) return join(address, running, request);
    const reply = operation();
    this.#running.set(name, { request, reply });
    try {
      return await reply;
    } finally {
      this.#running.delete(name);
    }
  }
}

async function join<T>(address: Address, running: Running<T>, request: string): Promise<Reply<T>> {
  const cost = new Crossings().cost();
  if (running.request !== request) return { answered: refusal(address, keyReused()), cost };
  if (!(await withinTime(running.reply, LONGEST_JOIN_MS))) {
    return { answered: refusal(address, stillRunning()), cost };
  }
  const { answered: first } = await running.reply;
  const given = first.answer.ok || first.answer.error.code !== 'busy';
  return { answered: { ...first, replayed: given }, cost };
}
