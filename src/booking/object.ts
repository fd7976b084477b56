import { DurableObject } from 'cloudflare:workers';
import { type Failure, internalFailure } from '../core/failure.ts';
import type { MoneyIds } from '../core/ids.ts';
import {
  clockOf,
  isReal,
  type PropertyClock,
  REAL_TIME,
  realTimeOf,
} from '../core/propertyClock.ts';
import { eventDispatchers } from '../events/delivery/stub.ts';
import type { Gateway } from '../gateways/gateway.ts';
import { selectGateway } from '../gateways/select.ts';
import { notifyMailer } from '../mails/stub.ts';
import { SAFETY_NET_MS } from '../money/gateway/rules/statusChecks.ts';
import type { Answered, CallerKey } from '../operation/idempotency.ts';
import { type CallContext, type Reply, refusal } from '../operation/reply.ts';
import {
  type BookingMemory,
  type BookingWork,
  type GatewayAnswer,
  usedOldState,
} from '../operation/work.ts';
import { type GatewayName, requireConfig } from '../platform/config.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import { DatabaseOverloaded, DatabaseUnavailable, PropertyMoving } from '../platform/db/errors.ts';
import type { Env } from '../platform/env.ts';
import { moneyIds, newMoneyIds, newReference } from '../platform/ids.ts';
import { aboutBooking, logError, logWarning } from '../platform/log.ts';
import { countOperation } from '../platform/metrics.ts';
import { Trace } from '../platform/trace.ts';
import { pmsDispatchers } from '../pms/outbox/stub.ts';
import { type BookingState, busy, moving, uncertain } from '../records/bookings/rules.ts';
import { selectClock } from '../records/properties/store.ts';
import { bookingClock } from './clock.ts';
import { GuestLane } from './guestLane.ts';
import { KeptMemory } from './keptMemory.ts';
import { endOf, nextWakeUp } from './nextDue.ts';
import { type AnswerOf, type CommandOf, type OperationName, operations } from './operations.ts';
import { processDue } from './processDue.ts';
import { BookingQueue } from './queue.ts';
import { RetriedInStorage } from './retriedCharges.ts';
import { pauseAfterRefusals } from './rules/refused.ts';
import { SingleFlight } from './singleFlight.ts';
import { WakeUps } from './wakeUps.ts';

/** What guests do: only so much of it may run or wait. */
const OF_GUESTS: ReadonlySet<OperationName> = new Set(['payAsGuest', 'followGuestPayment']);

/**
 * One booking: the only writer of its money rows. It runs one operation at a time, and its alarm processes whatever is
 * due. D1 has everything that the object holds in memory.
 */
export class BookingObject extends DurableObject<Env> {
  readonly #queue = new BookingQueue(() => this.ctx.abort('an operation never ended'));
  readonly #memory = new KeptMemory(this.ctx.storage);
  readonly #wakeUps = new WakeUps(this.ctx.storage);
  readonly #retried = new RetriedInStorage(this.ctx.storage);
  readonly #keyed = new SingleFlight();
  readonly #guests = new GuestLane();
  readonly #idsAhead = newMoneyIds();
  /** How often in a row D1 had too much waiting to do what was due. */
  #refusals = 0;

  /**
   * Does one operation when its turn comes. Requests with the key of a running one wait outside, where they cost nothing,
   * and share its answer.
   */
  perform<N extends OperationName>(
    name: N,
    context: CallContext,
    command: CommandOf<N>,
  ): Promise<Reply<AnswerOf<N>>> {
    const inTurn = () => this.#inTurn(context, (work) => operations[name](work, command));
    const run = () => (OF_GUESTS.has(name) ? this.#amongGuests(context, inTurn) : inTurn());
    const caller = callerOf(command);
    return caller ? this.#keyed.run(context, caller, run) : run();
  }

  /** Called by the sweep when something is overdue, and while the property's clock is being advanced. */
  async wake(context: CallContext): Promise<number> {
    return this.#processDue(context, true);
  }

  override async alarm(): Promise<void> {
    const requestId = crypto.randomUUID();
    let context: CallContext | null = null;
    try {
      await this.#wakeUps.at(new Trace(), Date.now() + SAFETY_NET_MS);
      const booking = await this.#wakeUps.booking();
      context = booking && { ...booking, requestId, actor: 'alarm' };
      if (context) await this.#processDue(context, false);
      this.#refusals = 0;
    } catch (error) {
      // The platform drops an alarm that throws six times. This one has already set the next alarm.
      logError('alarm_failed', error, context ? aboutBooking(context) : { requestId });
      if (context && error instanceof DatabaseOverloaded) await this.#comeBackSoon(context);
    }
  }

  /** Rings again within half a minute, at a random time: alarms that D1 refused together do not return together. */
  async #comeBackSoon(context: CallContext): Promise<void> {
    this.#refusals += 1;
    const atMs = Date.now() + pauseAfterRefusals(this.#refusals, Math.random());
    await this.#wakeUps.by(new Trace(), context, atMs);
  }

  #processDue(context: CallContext, isWoken: boolean): Promise<number> {
    const trace = new Trace();
    // Each turn reads the clock together with what is due.
    const clock = context.clock ?? REAL_TIME;
    const asAlarm = { ...context, actor: 'alarm', actorName: null, clock };
    return processDue(this.#wakeUps, trace, { ...context, isWoken }, (process) =>
      // A trace for each turn: what one has recorded, the next notifies nobody of.
      this.#queue.run(() => this.#withWork(asAlarm, new Trace(), process)),
    );
  }

  async #amongGuests<T>(
    context: CallContext,
    operation: () => Promise<Reply<T>>,
  ): Promise<Reply<T>> {
    const reply = await this.#guests.run(operation);
    return reply ?? { answered: refusal(context, busy()), cost: new Trace().cost() };
  }

  /** Runs one operation when its turn comes. */
  async #inTurn<T>(
    context: CallContext,
    operation: (work: BookingWork) => Promise<Answered<T>>,
  ): Promise<Reply<T>> {
    const trace = new Trace();
    try {
      const turn = await this.#queue.run(async () => {
        await this.#wakeUps.repair(trace);
        return this.#withWork(context, trace, operation);
      });
      const answer = turn.kind === 'done' ? turn.value : refusal<T>(context, busy());
      return { answered: answer, cost: trace.cost() };
    } catch (error) {
      return { answered: refusal(context, failureOf(context, trace, error)), cost: trace.cost() };
    }
  }

  /** Makes the work of one call and runs it, then notifies those who send the messages, events and mails of it. */
  async #withWork<T>(
    context: CallContext,
    trace: Trace,
    run: (work: BookingWork) => Promise<T>,
  ): Promise<T> {
    const work = await this.#work(context, trace);
    try {
      return await run(work);
    } finally {
      const kept = this.#memory.keep();
      // Where no alarm can be set, it keeps what it has.
      if (kept) await this.#wakeNext(work, kept).catch(() => undefined);
      // The answer does not wait for this. The sweep finds messages whose notification was lost.
      for (const pmsUrl of work.queuedFor) {
        this.ctx.waitUntil(pmsDispatchers.notifyOfNew(this.env, pmsUrl));
      }
      // What was recorded may be an event.
      for (const endpointId of trace.mayBeRecorded ? work.endpoints() : []) {
        this.ctx.waitUntil(eventDispatchers.notifyOfNew(this.env, endpointId));
      }
      if (work.queuedMails.size > 0) {
        this.ctx.waitUntil(notifyMailer(this.env, context.propertyId));
      }
    }
  }

  /** Sets the alarm for what is due next, in place of the one that an operation had in case it was cut off. */
  async #wakeNext(work: BookingWork, kept: BookingState): Promise<void> {
    const atMs = nextWakeUp(work);
    if (atMs === null) return work.wakeBy(endOf(kept));
    await this.#wakeUps.putOff(work.trace, work, atMs);
  }

  async #work(context: CallContext, trace: Trace): Promise<BookingWork> {
    const config = await requireConfig(this.env);
    const gateway = selectGateway(config, this.env);
    const memory = await this.#memory.recall();
    const database = openDatabase(this.env, trace, () => this.#memory.beforeWrite()).of(
      context.propertyId,
    );
    let clock = newerClock(
      memory,
      context.clock ?? (await currentClock(database, gateway, context)),
    );
    let endpoints = memory.state?.property.webhookEndpoints ?? [];
    return {
      ...context,
      actorName: context.actorName ?? null,
      database,
      trace,
      gateway,
      keyring: config.keyring,
      memory,
      bucket: this.env.EXPORTS,
      retried: this.#retried,
      queuedFor: new Set(),
      queuedMails: new Set(),
      ids: {
        next: (kind, nowMs) => this.#ids(clock).next(kind, nowMs),
        sequence: (nowMs) => this.#ids(clock).sequence(nowMs),
      },
      now: () => bookingClock.nowMs(context, clock),
      realTime: (atMs) => realTimeOf(clock, atMs, Date.now()),
      follow: (read) => {
        if (read.version < clock.version) return;
        clock = clockOf(read);
        endpoints = read.webhookEndpoints;
      },
      endpoints: () => endpoints,
      observe: (seen) => {
        this.#observe(context, gateway.name, seen);
      },
      newReference,
      wakeBy: (atMs) => this.#wakeUps.by(trace, context, realTimeOf(clock, atMs, Date.now())),
    };
  }

  /** The ids of a moved clock are ahead of all others: they come from a generator of their own. */
  #ids(clock: PropertyClock): MoneyIds {
    return isReal(clock) ? moneyIds : this.#idsAhead;
  }

  /** Counts the gateway's answer, and logs it unless it is an approval, or a question of the guest's bank. */
  #observe(
    context: CallContext,
    gateway: GatewayName,
    { operation, kind, outcome, ms }: GatewayAnswer,
  ): void {
    const declineCode = outcome.kind === 'declined' ? outcome.declineCode : null;
    const { propertyId: property } = context;
    countOperation(this.env.METRICS, {
      property,
      gateway,
      kind,
      outcome: outcome.kind,
      declineCode,
      ms,
    });
    if (outcome.kind === 'approved' || outcome.kind === 'open') return;
    const why = 'reason' in outcome ? outcome.reason : outcome.declineCode;
    logWarning(`operation_${outcome.kind}`, { ...aboutBooking(context), operation, kind, why, ms });
  }
}

/** The newer of two readings of the clock. A booking that was read before the clock was moved is read again. */
function newerClock(memory: BookingMemory, clock: PropertyClock): PropertyClock {
  const remembered = memory.state?.property;
  if (remembered && remembered.version >= clock.version) return clockOf(remembered);
  memory.forget();
  return clock;
}

function callerOf(command: CommandOf<OperationName>): CallerKey | null {
  return (command !== null && 'caller' in command && command.caller) || null;
}

/**
 * What a caller is told of an operation that threw. Where anything may be recorded, the outcome is unknown, whatever
 * went wrong. Otherwise nothing happened: the database was not there, other changes came in between each time, or the code
 * has a bug.
 */
function failureOf(context: CallContext, trace: Trace, error: unknown): Failure {
  const isOutage = error instanceof DatabaseUnavailable;
  logError(isOutage ? 'd1_unavailable' : 'operation_broke_off', error, aboutBooking(context));
  if (trace.mayBeRecorded) return uncertain();
  if (error instanceof PropertyMoving) return moving(error);
  return isOutage || usedOldState(error) ? busy() : internalFailure();
}

/** The property's clock, for a caller that did not read it. */
async function currentClock(
  database: Database,
  { traits }: Gateway,
  { propertyId }: CallContext,
): Promise<PropertyClock> {
  if (!traits.movesClocks) return REAL_TIME;
  const [[clock]] = await database.batch('d1.clock.read', [selectClock({ id: propertyId })]);
  return clock ?? REAL_TIME;
}
