import { DurableObject } from 'cloudflare:workers';
import { requireConfig } from '../config.ts';
import { hex } from '../core/ids.ts';
import { SECOND_MS } from '../core/time.ts';
import type { BookingRow } from '../db/bookingTables.ts';
import type { CardRow } from '../db/cardTables.ts';
import { Database } from '../db/database.ts';
import { DatabaseUnavailable } from '../db/errors.ts';
import type { Env } from '../env.ts';
import { selectGateway } from '../gateways/select.ts';
import { type Answered, answered, type CallerKey } from '../idempotency/actions.ts';
import { Alarm } from '../io/alarm.ts';
import { Crossings } from '../io/crossings.ts';
import { moneyIds } from '../io/ids.ts';
import { aboutBooking, logError, logNotice } from '../io/log.ts';
import { countOperation } from '../io/metrics.ts';
import { announceMessage } from '../outbox/stub.ts';
import { create, type PaymentCommand } from '../payments/create.ts';
import type { FollowUpCommand } from '../payments/find.ts';
import { type GuestPaymentCommand, payAsGuest } from '../payments/guestPayment.ts';
import { SAFETY_NET_MS } from '../payments/inquiries.ts';
import { type CaptureCommand, capture, release } from '../payments/preAuthorizations.ts';
import { type CancelledSchedules, cancelSchedule, cancelSchedules } from '../payments/schedules.ts';
import type { TransactionAnswer } from '../payments/views.ts';
import type { RefundsAnswer } from '../refunds/answer.ts';
import { type RefundCommand, refund } from '../refunds/refund.ts';
import { attachCard, revokeLinks, saveBooking } from './actions.ts';
import { type Served, serveNext } from './due.ts';
import { KeyedRequests } from './keyed.ts';
import { lookAgain, type NewsOf, recordDispute } from './lookAgain.ts';
import { BookingQueue } from './queue.ts';
import { type Address, type Reply, refusal } from './reply.ts';
import { type Resolved, resolveByHand, type Verdict } from './resolveByHand.ts';
import { type BookingDetails, type BookingState, busy, uncertain } from './rules.ts';
import { BookingMemory, type BookingWork, type GatewayAnswer } from './work.ts';

/** The calls of a booking's object, as the Worker makes them. */
export interface BookingCalls {
  saveBooking(
    address: Address,
    details: BookingDetails,
    currency: string,
  ): Promise<Reply<BookingState>>;
  attachCard(address: Address, card: CardRow): Promise<Reply<CardRow>>;
  revokeLinks(address: Address): Promise<Reply<BookingRow>>;
  pay(address: Address, command: PaymentCommand): Promise<Reply<TransactionAnswer>>;
  payAsGuest(address: Address, command: GuestPaymentCommand): Promise<Reply<TransactionAnswer>>;
  capture(address: Address, command: CaptureCommand): Promise<Reply<TransactionAnswer>>;
  release(address: Address, command: FollowUpCommand): Promise<Reply<TransactionAnswer>>;
  cancelSchedule(address: Address, command: FollowUpCommand): Promise<Reply<TransactionAnswer>>;
  cancelSchedules(address: Address, caller: CallerKey | null): Promise<Reply<CancelledSchedules>>;
  refund(address: Address, command: RefundCommand): Promise<Reply<RefundsAnswer>>;
  /** An acquirer has news of an operation: it is asked how that stands. */
  lookAgain(address: Address, news: NewsOf): Promise<Reply<null>>;
  /** An acquirer tells of a dispute: it is asked how that stands. */
  recordDispute(
    address: Address,
    reference: string,
    disputeId: string,
    account: string | null,
  ): Promise<Reply<null>>;
  resolveByHand(address: Address, verdict: Verdict): Promise<Reply<Resolved>>;
  wake(address: Address): Promise<void>;
}

/** How many due things one alarm deals with; the next alarm goes on at once. */
const MOST_PER_ALARM = 50;

/** The storage key of the object's own address. */
const ADDRESS = 'address';

/**
 * One booking: the only writer of its money rows. It does one operation at a time, keeps nothing that
 * D1 does not have, and its alarm serves whatever is due first.
 */
export class BookingObject extends DurableObject<Env> implements BookingCalls {
  readonly #queue = new BookingQueue(() => this.ctx.abort('an operation never ended'));
  readonly #memory = new BookingMemory();
  readonly #alarm: Alarm;
  readonly #keyed = new KeyedRequests();
  #inUse = false;

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

  revokeLinks(address: Address): Promise<Reply<BookingRow>> {
    return this.#inTurn(address, async (work) => answered(work, await revokeLinks(work)));
  }

  pay(address: Address, command: PaymentCommand): Promise<Reply<TransactionAnswer>> {
    return this.#money(address, command.caller, (work) => create(work, command));
  }

  payAsGuest(address: Address, command: GuestPaymentCommand): Promise<Reply<TransactionAnswer>> {
    return this.#money(address, command.caller, (work) => payAsGuest(work, command));
  }

  capture(address: Address, command: CaptureCommand): Promise<Reply<TransactionAnswer>> {
    return this.#money(address, command.caller, (work) => capture(work, command));
  }

  release(address: Address, command: FollowUpCommand): Promise<Reply<TransactionAnswer>> {
    return this.#money(address, command.caller, (work) => release(work, command));
  }

  cancelSchedule(address: Address, command: FollowUpCommand): Promise<Reply<TransactionAnswer>> {
    return this.#money(address, command.caller, (work) => cancelSchedule(work, command));
  }

  cancelSchedules(address: Address, caller: CallerKey | null): Promise<Reply<CancelledSchedules>> {
    return this.#money(address, caller, (work) => cancelSchedules(work, caller));
  }

  refund(address: Address, command: RefundCommand): Promise<Reply<RefundsAnswer>> {
    return this.#money(address, command.caller, (work) => refund(work, command));
  }

  lookAgain(address: Address, news: NewsOf): Promise<Reply<null>> {
    return this.#inTurn(address, async (work) => answered(work, await lookAgain(work, news)));
  }

  recordDispute(
    address: Address,
    reference: string,
    disputeId: string,
    account: string | null,
  ): Promise<Reply<null>> {
    return this.#inTurn(address, async (work) =>
      answered(work, await recordDispute(work, reference, disputeId, account)),
    );
  }

  resolveByHand(address: Address, verdict: Verdict): Promise<Reply<Resolved>> {
    return this.#inTurn(address, async (work) =>
      answered(work, await resolveByHand(work, verdict)),
    );
  }

  /** Called by the sweep when something is overdue: does it, and mends the alarm. */
  async wake(address: Address): Promise<void> {
    await this.#serveDue(address);
  }

  override async alarm(): Promise<void> {
    const requestId = crypto.randomUUID();
    let address: Address | undefined;
    try {
      await this.#alarm.at(new Crossings(), Date.now() + SAFETY_NET_MS);
      address = await this.ctx.storage.get<Address>(ADDRESS);
      if (address) await this.#serveDue({ ...address, requestId });
    } catch (error) {
      // An alarm that throws six times is dropped for good; this one has set its successor already.
      logError('alarm_failed', error, address && aboutBooking({ ...address, requestId }));
    }
  }

  /**
   * Does what is due, one thing a turn, so that requests come in between. The next alarm is set first: should
   * this be cut off, it goes on.
   */
  async #serveDue(address: Address): Promise<void> {
    const crossings = new Crossings();
    const queuedFor = new Set<string>();
    await this.#rememberAddress(address);
    await this.#alarm.at(crossings, Date.now() + SAFETY_NET_MS);
    let pauseMs = 1;
    let last = '';
    for (let done = 0; done < MOST_PER_ALARM; done += 1) {
      const turn = await this.#queue.run(async () => {
        const work = await this.#work({ ...address, actor: 'alarm' }, crossings, { queuedFor });
        const served = await serveNext(work, last);
        this.#announce(queuedFor);
        if (served.kind === 'nothing-due') await this.#rearm(crossings, served.nextAtMs);
        return served;
      });
      const served: Served = turn.kind === 'done' ? turn.value : { kind: 'stuck' };
      if (served.kind === 'nothing-due') return;
      if (served.kind === 'stuck') {
        // Somebody else's turn took long, or D1 takes nothing: later, not again and again.
        pauseMs = turn.kind === 'done' ? SAFETY_NET_MS : SECOND_MS;
        break;
      }
      last = served.what;
    }
    await this.#alarm.by(crossings, Date.now() + pauseMs, Date.now());
  }

  async #rearm(crossings: Crossings, nextAtMs: number | null): Promise<void> {
    if (nextAtMs === null) await this.#alarm.off(crossings);
    // Setting the alarm to now from within it would break the chain of alarms.
    else await this.#alarm.at(crossings, Math.max(nextAtMs, Date.now() + 1));
  }

  /** An operation that may carry an idempotency key. */
  #money<T>(
    address: Address,
    caller: CallerKey | null,
    operation: (work: BookingWork) => Promise<Answered<T>>,
  ): Promise<Reply<T>> {
    return this.#keyed.run(address, caller, () => this.#inTurn(address, operation));
  }

  /** Runs one operation when its turn comes. */
  async #inTurn<T>(
    address: Address,
    operation: (work: BookingWork) => Promise<Answered<T>>,
  ): Promise<Reply<T>> {
    const crossings = new Crossings();
    const trace = { mayBeRecorded: false };
    const queuedFor = new Set<string>();
    try {
      const turn = await this.#queue.run(async () => {
        if (await this.#isInUse()) await this.#alarm.repair(crossings, Date.now());
        return operation(await this.#work(address, crossings, { trace, queuedFor }));
      });
      const answer = turn.kind === 'done' ? turn.value : refusal<T>(address, busy());
      return { answered: answer, cost: crossings.cost() };
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      logError('d1_unavailable', error, aboutBooking(address));
      const failure = trace.mayBeRecorded ? uncertain() : busy();
      return { answered: refusal(address, failure), cost: crossings.cost() };
    } finally {
      this.#announce(queuedFor);
    }
  }

  /** Tells the dispatchers that messages were queued, beside the answer: one that is lost is made good by the sweep. */
  #announce(queuedFor: Set<string>): void {
    for (const pmsUrl of queuedFor) {
      this.ctx.waitUntil(announceMessage(this.env, pmsUrl));
    }
    queuedFor.clear();
  }

  /** The clock of every decision about this booking, in milliseconds. */
  now(): number {
    return Date.now();
  }

  async #work(
    address: Address,
    crossings: Crossings,
    {
      trace = { mayBeRecorded: false },
      queuedFor,
    }: Pick<BookingWork, 'queuedFor'> & Partial<Pick<BookingWork, 'trace'>>,
  ): Promise<BookingWork> {
    const config = await requireConfig(this.env);
    return {
      ...address,
      database: new Database(this.env.DB, crossings),
      crossings,
      gateway: selectGateway(config, this.env),
      keyring: config.keyring,
      memory: this.#memory,
      trace,
      queuedFor,
      ids: moneyIds,
      now: () => this.now(),
      observe: (seen) => this.#observe(address, seen),
      newReference: () => hex(crypto.getRandomValues(new Uint8Array(16))),
      wakeBy: async (atMs) => {
        await this.#rememberAddress(address);
        await this.#alarm.by(crossings, atMs, Date.now());
      },
    };
  }

  /** Counts what the gateway answered; what is not approved is also a line of the log. */
  #observe(address: Address, { operation, kind, outcome, ms }: GatewayAnswer): void {
    const declineCode = outcome.kind === 'declined' ? outcome.declineCode : null;
    const { METRICS, GATEWAY: gateway = 'sandbox' } = this.env;
    const { propertyId: property } = address;
    countOperation(METRICS, { property, gateway, kind, outcome: outcome.kind, declineCode, ms });
    if (outcome.kind === 'approved') return;
    const why = 'reason' in outcome ? outcome.reason : outcome.declineCode;
    logNotice(`operation_${outcome.kind}`, { ...aboutBooking(address), operation, kind, why, ms });
  }

  /** An alarm is not told which booking it is for, so an object that sets one keeps its own name. */
  async #rememberAddress({ propertyId, reference }: Address): Promise<void> {
    if (await this.#isInUse()) return;
    await this.ctx.storage.put(ADDRESS, { propertyId, reference });
    this.#inUse = true;
  }

  /** Whether this object ever had something to wake for; one that was only asked in vain stores nothing. */
  async #isInUse(): Promise<boolean> {
    this.#inUse ||= (await this.ctx.storage.get(ADDRESS)) !== undefined;
    return this.#inUse;
  }
}
