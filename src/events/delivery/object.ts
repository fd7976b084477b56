import { propertyTime, realTimeOf } from '../../core/propertyClock.ts';
import { Dispatcher, type DispatcherKind } from '../../delivery/object.ts';
import type {
  Attempted,
  DispatcherWork,
  DuePage,
  Outgoing,
  Recorded,
  Recording,
} from '../../delivery/outgoing.ts';
import type { Exchange } from '../../delivery/post.ts';
import { nextAttemptAtMs, UNSENT_WAIT_MS } from '../../delivery/rules/retries.ts';
import type { Database } from '../../platform/db/database.ts';
import { logWarning } from '../../platform/log.ts';
import type { WebhookEndpointRow } from '../../schema/eventTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { holdDeliveries, listActiveEndpoints } from '../endpoints/store.ts';
import { deliveryView } from '../views.ts';
import { isConfirmed, sendEvent, statusOf } from './send.ts';
import {
  type DueDelivery,
  deactivateEndpoint,
  promoteFirst,
  recordAttempt,
  selectDueDeliveries,
  selectDueOfLane,
  selectNextDueDelivery,
  selectPropertyOf,
  selectServed,
} from './store.ts';
import { eventDispatchers } from './stub.ts';

/** What an endpoint answers that wants no more. */
const GONE = 410;

/** Delivers events to one endpoint, so that one endpoint's trouble holds up no other. */
export class EventDispatcher extends Dispatcher<DueDelivery> {
  protected readonly kind: DispatcherKind<DueDelivery> = {
    receiverKey: 'endpointId',
    outgoing: (work) => new OutgoingEvents(work),
    about: eventDispatchers.about,
  };
}

interface Receiver {
  readonly endpoint: WebhookEndpointRow;
  readonly property: PropertyRow;
}

/** The events for one endpoint (interface: Deliveries). */
class OutgoingEvents implements Outgoing<DueDelivery> {
  readonly logged = { down: 'endpoint_down', up: 'endpoint_up' } as const;
  readonly host: string;
  readonly #work: DispatcherWork;
  #receiver: Receiver | null = null;

  constructor(work: DispatcherWork) {
    this.#work = work;
    this.host = work.receiver;
  }

  laneOf({ bookingReference, eventNumber }: DueDelivery): string {
    return JSON.stringify(bookingReference ?? eventNumber);
  }

  about({ bookingReference, endpointId: endpoint, eventId, propertyId: property }: DueDelivery) {
    return { property, booking: bookingReference ?? undefined, endpoint, eventId };
  }

  async readDue(nowMs: number, limit: number): Promise<DuePage<DueDelivery>> {
    const { receiver: endpointId } = this.#work;
    const database = await this.#home();
    const [[endpoint], [property], items, [next]] = await database.batch('d1.event.read', [
      selectServed(endpointId),
      selectPropertyOf(endpointId),
      selectDueDeliveries(this.#work, nowMs, limit),
      selectNextDueDelivery(this.#work, nowMs),
    ]);
    this.#receiver = endpoint && property ? { endpoint, property } : null;
    return {
      items,
      hasMore: items.length === limit,
      nextDueAtMs: typeof next?.inMs === 'number' ? nowMs + next.inMs : null,
    };
  }

  /** The database where the endpoint's property lives. An endpoint does not say whose it is. */
  async #home(): Promise<Database> {
    const { database, receiver } = this.#work;
    if (!database.isMany) return database;
    if (this.#receiver) return database.of(this.#receiver.property.id);
    const endpoint = await database.rowAnywhere('d1.event.read', selectServed(receiver));
    return endpoint ? database.of(endpoint.propertyId) : database;
  }

  async send(delivery: DueDelivery): Promise<Attempted<DueDelivery> | null> {
    const receiver = this.#receiver;
    if (receiver === null) return null;
    const sent = { eventId: delivery.eventId, body: deliveryView(delivery) };
    const exchange = await sendEvent(this.#work, receiver.endpoint, sent);
    if (exchange !== null && isConfirmed(exchange)) {
      return {
        kind: 'confirmed',
        retryAfterMs: null,
        record: (how) => this.#confirm(delivery, receiver, exchange, how),
      };
    }
    return {
      kind:
        exchange === null ? 'unsent' : exchange.kind === 'answered' ? 'unconfirmed' : 'unreachable',
      retryAfterMs: exchange?.retryAfterMs ?? null,
      record: (how) => this.#fail(delivery, receiver, exchange, how),
    };
  }

  async #confirm(
    delivery: DueDelivery,
    { property }: Receiver,
    exchange: Exchange,
    { timing }: Recording,
  ): Promise<Recorded<DueDelivery>> {
    const database = this.#work.database.of(property.id).patient;
    const nowMs = propertyTime(property, timing.nowMs);
    const [, , [next]] = await database.batch('d1.event.deliver', [
      recordAttempt(delivery, {
        status: 'Confirmed',
        attempts: delivery.attempts + 1,
        dueAtMs: null,
        lastStatus: statusOf(exchange),
        lastError: null,
        completedAtMs: nowMs,
      }),
      promoteFirst(delivery, nowMs),
      selectDueOfLane(delivery, nowMs),
    ]);
    return { next: next ?? null, againAtMs: null };
  }

  async #fail(
    delivery: DueDelivery,
    { property }: Receiver,
    exchange: Exchange | null,
    { isFailedProbe, timing }: Recording,
  ): Promise<Recorded<DueDelivery>> {
    const { nowMs: realMs } = timing;
    const nowMs = propertyTime(property, realMs);
    // What has no secret to be signed with was not attempted.
    const isUncounted = isFailedProbe || exchange === null;
    const attempts = delivery.attempts + (isUncounted ? 0 : 1);
    const isGone = exchange !== null && statusOf(exchange) === GONE;
    const againAtMs = isUncounted
      ? nowMs + (exchange === null ? UNSENT_WAIT_MS : 0)
      : nextAttemptAtMs({ attempts, refusals: 0 }, false, { ...timing, nowMs });
    const isDead = againAtMs === null && !isGone;
    const { receiver: id } = this.#work;
    // An endpoint that is gone is deactivated: what waits for it is kept.
    const gone = [deactivateEndpoint(id), holdDeliveries(id), listActiveEndpoints(id)];
    await this.#work.database.of(property.id).patient.batch('d1.event.deliver', [
      recordAttempt(delivery, {
        status: isDead ? 'Dead' : 'Pending',
        attempts,
        dueAtMs: isGone ? null : againAtMs,
        lastStatus: exchange && statusOf(exchange),
        lastError: reasonOf(exchange),
        completedAtMs: null,
      }),
      ...(isGone ? gone : []),
    ]);
    if (isGone) logWarning('endpoint_gone', this.about(delivery));
    if (isDead) logWarning('event_dead', { ...this.about(delivery), type: delivery.type });
    const isOver = isGone || againAtMs === null;
    return { next: null, againAtMs: isOver ? null : realTimeOf(property, againAtMs, realMs) };
  }
}

/** Why an attempt failed, for people. */
function reasonOf(exchange: Exchange | null): string {
  if (exchange === null) return "the endpoint's secret can no longer be decrypted";
  return exchange.kind === 'answered' ? `HTTP ${exchange.answer.status}` : exchange.reason;
}
