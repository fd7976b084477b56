import { DurableObject } from 'cloudflare:workers';
import { requireConfig } from '../config.ts';
import type { Failure } from '../core/failure.ts';
import { MoneyIds } from '../core/ids.ts';
import { err } from '../core/result.ts';
import { SECOND_MS } from '../core/time.ts';
import { Database } from '../db/database.ts';
import { DatabaseUnavailable, describeError } from '../db/errors.ts';
import type { CardRow } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { selectGateway } from '../gateways/select.ts';
import { type Answered, answered, type CallerKey, keyReused } from '../idempotency/actions.ts';
import { type Cost, Crossings } from '../io/crossings.ts';
import { type ChargeCommand, charge } from '../payments/charge.ts';
import { resolveDue } from '../payments/resolve.ts';
import { SAFETY_NET_MS } from '../payments/rules.ts';
import type { TransactionView } from '../payments/views.ts';
import { attachCard, saveBooking } from './actions.ts';
import { Alarm } from './alarm.ts';
import { BookingQueue, withinTime } from './queue.ts';
import { type BookingDetails, type BookingState, busy } from './rules.ts';
import { BookingMemory, type BookingWork } from './work.ts';

/** Whose booking is meant, and who asks. */
export interface Address {
  readonly propertyId: string;
  readonly reference: string;
  readonly requestId: string;
  readonly actor: string;
}

/** What every call answers: the operation's answer and what it cost. */
export interface Reply<T> {
  readonly answered: Answered<T>;
  readonly cost: Cost;
}

/** The calls of a booking's object, as the Worker makes them. */
export interface BookingCalls {
  saveBooking(
    address: Address,
    details: BookingDetails,
    currency: string,
  ): Promise<Reply<BookingState>>;
  attachCard(address: Address, card: CardRow): Promise<Reply<CardRow>>;
  charge(address: Address, command: ChargeCommand): Promise<Reply<TransactionView>>;
  wake(address: Address): Promise<void>;
}

/** How long a request waits for the first one with its key (decisions: section 4). */
const LONGEST_JOIN_MS = 25 * SECOND_MS;

/** The storage key of the object's own address. */
const ADDRESS = 'address';

interface Running {
  readonly request: string;
  readonly reply: Promise<Reply<unknown>>;
}

/**
 * One booking: the only writer of its money rows. It does one operation at a time, keeps nothing that
 * D1 does not have, and its alarm serves whatever is due first.
 */
export class BookingObject extends DurableObject<Env> implements BookingCalls {
  readonly #queue = new BookingQueue();
  readonly #memory = new BookingMemory();
  readonly #ids = new MoneyIds(() => crypto.getRandomValues(new Uint16Array(1))[0] as number);
  readonly #alarm: Alarm;
  readonly #running = new Map<string, Running>();
  #addressKept = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#alarm = new Alarm(ctx.storage);
  }

  saveBooking(
    address: Address,
    details: BookingDetails,
    currency: string,
  ): Promise<Reply<BookingState>> {
    return this.#inTurn(address, async (work) =>
      answered(work, await saveBooking(work, details, currency)),
    );
  }

  attachCard(address: Address, card: CardRow): Promise<Reply<CardRow>> {
    return this.#inTurn(address, async (work) => answered(work, await attachCard(work, card)));
  }

  charge(address: Address, command: ChargeCommand): Promise<Reply<TransactionView>> {
    return this.#onceAtATime(address, command.caller, () =>
      this.#inTurn(address, (work) => charge(work, command)),
    );
  }

  /** Called by the sweep when something is overdue: does it, and mends the alarm. */
  async wake(address: Address): Promise<void> {
    await this.#rememberAddress(address);
    await this.#serveDue(address);
  }

  override async alarm(): Promise<void> {
    try {
      const address = await this.ctx.storage.get<Address>(ADDRESS);
      if (address) await this.#serveDue({ ...address, requestId: crypto.randomUUID() });
    } catch (error) {
      // An alarm that throws six times is dropped for good; this one has set its successor already.
      console.error(JSON.stringify({ event: 'alarm_failed', error: describeError(error) }));
    }
  }

  async #serveDue(address: Address): Promise<void> {
    const crossings = new Crossings();
    await this.#alarm.at(crossings, Date.now() + SAFETY_NET_MS);
    const turn = await this.#queue.run(async () => {
      const nextAtMs = await resolveDue(
        await this.#work({ ...address, actor: 'alarm' }, crossings),
      );
      if (nextAtMs === null) await this.#alarm.off(crossings);
      // Setting the alarm to now from within it would break the chain of alarms.
      else await this.#alarm.at(crossings, Math.max(nextAtMs, Date.now() + 1));
    });
    if (turn.kind === 'not-started') await this.#alarm.at(crossings, Date.now() + SECOND_MS);
  }

  /** Lets a request with the key of a running one wait for that one's answer. */
  async #onceAtATime<T>(
    address: Address,
    caller: CallerKey | null,
    operation: () => Promise<Reply<T>>,
  ): Promise<Reply<T>> {
    if (caller === null) return operation();
    const name = `${caller.operation} ${caller.key}`;
    const request = JSON.stringify(caller.request);
    const running = this.#running.get(name) as (Running & { reply: Promise<Reply<T>> }) | undefined;
    if (running) return joined(address, running, request);
    const reply = operation();
    this.#running.set(name, { request, reply });
    try {
      return await reply;
    } finally {
      this.#running.delete(name);
    }
  }

  /** Runs one operation when its turn comes. */
  async #inTurn<T>(
    address: Address,
    operation: (work: BookingWork) => Promise<Answered<T>>,
  ): Promise<Reply<T>> {
    const crossings = new Crossings();
    try {
      const turn = await this.#queue.run(async () => {
        await this.#rememberAddress(address);
        return operation(await this.#work(address, crossings));
      });
      const answer = turn.kind === 'done' ? turn.value : refusal<T>(address, busy());
      return { answered: answer, cost: crossings.cost() };
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      console.error(JSON.stringify({ event: 'd1_unavailable', error: describeError(error) }));
      return { answered: refusal(address, busy()), cost: crossings.cost() };
    }
  }

  async #work(address: Address, crossings: Crossings): Promise<BookingWork> {
    const config = await requireConfig(this.env);
    return {
      ...address,
      database: new Database(this.env.DB, crossings),
      crossings,
      gateway: selectGateway(config, this.env),
      keyring: config.keyring,
      memory: this.#memory,
      ids: this.#ids,
      now: () => Date.now(),
      wakeBy: (atMs) => this.#alarm.by(crossings, atMs, Date.now()),
    };
  }

  /** An alarm is not told which booking it is for, so the object keeps its own name. */
  async #rememberAddress({ propertyId, reference }: Address): Promise<void> {
    if (this.#addressKept) return;
    const kept = await this.ctx.storage.get(ADDRESS);
    if (kept === undefined) await this.ctx.storage.put(ADDRESS, { propertyId, reference });
    this.#addressKept = true;
  }
}

async function joined<T>(
  address: Address,
  running: { readonly request: string; readonly reply: Promise<Reply<T>> },
  request: string,
): Promise<Reply<T>> {
  const nothing = new Crossings().cost();
  if (running.request !== request) {
    return { answered: refusal(address, keyReused()), cost: nothing };
  }
  if (!(await withinTime(running.reply, LONGEST_JOIN_MS))) {
    return { answered: refusal(address, busy()), cost: nothing };
  }
  const { answered: first } = await running.reply;
  return { answered: { ...first, replayed: true }, cost: nothing };
}

function refusal<T>(address: Address, failure: Failure): Answered<T> {
  return { answer: err(failure), requestId: address.requestId, replayed: false };
}
