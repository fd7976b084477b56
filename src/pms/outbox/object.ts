import { propertyTime, realTimeOf } from '../../core/propertyClock.ts';
import { Dispatcher, type DispatcherKind } from '../../delivery/object.ts';
import type {
  Accounts,
  Attempted,
  DispatcherWork,
  DuePage,
  Outgoing,
  Recorded,
  Recording,
} from '../../delivery/outgoing.ts';
import { nextAttemptAtMs, type RetryTiming, UNSENT_WAIT_MS } from '../../delivery/rules/retries.ts';
import { logWarning } from '../../platform/log.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { type Delivery, deliver } from './deliver.ts';
import {
  type DueMessage,
  type FailedAttempt,
  keepConfirmationNumber,
  MOST_PROPERTIES,
  promoteNext,
  recordAttempt,
  selectDue,
  selectDueOfBooking,
  selectDueProperties,
  selectNextDue,
} from './store.ts';
import { pmsDispatchers } from './stub.ts';

/** A PMS's dispatcher: it sends the outbox to the address that it is named by. */
export class PmsDispatcher extends Dispatcher<DueMessage> {
  protected readonly kind: DispatcherKind<DueMessage> = {
    receiverKey: 'pmsUrl',
    outgoing: (work) => new OutgoingMessages(work),
    about: pmsDispatchers.about,
  };
}

type FailedDelivery = Exclude<Delivery, { kind: 'confirmed' }>;

/** The messages to one PMS (pms: Delivery and retries). */
class OutgoingMessages implements Outgoing<DueMessage> {
  readonly logged = { down: 'pms_down', up: 'pms_up' } as const;
  readonly host: string;
  /** A property's password is its own, also where several have one PMS. */
  readonly accounts: Accounts<DueMessage> = {
    of: ({ propertyId }) => propertyId,
    logged: { denied: 'pms_refuses_credentials', accepted: 'pms_accepts_credentials' },
  };
  readonly #work: DispatcherWork;
  #properties = new Map<string, PropertyRow>();

  constructor(work: DispatcherWork) {
    this.#work = work;
    this.host = new URL(work.receiver).host;
  }

  laneOf({ propertyId, bookingReference }: DueMessage): string {
    return JSON.stringify([propertyId, bookingReference]);
  }

  about({ bookingReference: booking, messageId, propertyId: property }: DueMessage) {
    return { property, booking, messageId };
  }

  async readDue(
    nowMs: number,
    limit: number,
    blocked: readonly string[],
  ): Promise<DuePage<DueMessage>> {
    const { database } = this.#work;
    const due = { ...this.#work, blocked };
    // The properties of one PMS may live in several databases.
    const found = await database.everyAnswering('d1.outbox.read', [
      selectDueProperties(due, nowMs),
      selectDue(due, nowMs, limit),
      selectNextDue(this.#work, nowMs),
    ]);
    const properties = found.flatMap(([own]) => own);
    this.#properties = new Map(properties.map((property) => [property.id, property]));
    const next = found.flatMap(([, , [first]]) => (first?.inMs == null ? [] : [first.inMs]));
    const items = found
      .flatMap(([, own]) => own)
      .toSorted((one, other) => (one.dueAtMs ?? 0) - (other.dueAtMs ?? 0));
    return {
      items: items.slice(0, limit),
      hasMore: found.some(
        ([own, messages]) => messages.length === limit || own.length === MOST_PROPERTIES,
      ),
      nextDueAtMs: next.length > 0 ? nowMs + Math.min(...next) : null,
    };
  }

  async send(message: DueMessage): Promise<Attempted<DueMessage> | null> {
    const property = this.#properties.get(message.propertyId);
    if (!property) return null;
    const delivery = await deliver(this.#work, property, message);
    if (delivery.kind === 'confirmed') {
      const { confirmationNumber } = delivery;
      return {
        kind: 'confirmed',
        retryAfterMs: null,
        record: ({ timing }) => this.#confirm(message, property, confirmationNumber, timing),
      };
    }
    return {
      kind: delivery.kind,
      retryAfterMs: delivery.retryAfterMs,
      record: (how) => this.#fail(message, property, delivery, how),
    };
  }

  async #confirm(
    message: DueMessage,
    property: PropertyRow,
    confirmationNumber: string | null,
    timing: RetryTiming,
  ): Promise<Recorded<DueMessage>> {
    const database = this.#work.database.of(property.id).patient;
    const nowMs = propertyTime(property, timing.nowMs);
    const isNew = confirmationNumber !== null && confirmationNumber !== message.confirmationNumber;
    const results = await database.batch('d1.outbox.update', [
      recordAttempt(message, {
        status: 'Confirmed',
        attempts: message.attempts + 1,
        dueAtMs: null,
        lastError: null,
        completedAtMs: nowMs,
      }),
      promoteNext(message, nowMs),
      ...(isNew ? [keepConfirmationNumber(message, confirmationNumber)] : []),
      selectDueOfBooking(message, nowMs),
    ]);
    return { next: firstOf(results.at(-1) as DueMessage[]), againAtMs: null };
  }

  async #fail(
    message: DueMessage,
    property: PropertyRow,
    delivery: FailedDelivery,
    { isFailedProbe, timing }: Recording,
  ): Promise<Recorded<DueMessage>> {
    const database = this.#work.database.of(property.id).patient;
    const { nowMs: realMs } = timing;
    const nowMs = propertyTime(property, realMs);
    const isUncounted = isFailedProbe || delivery.kind === 'unsent';
    const againAtMs = delivery.kind === 'unsent' ? nowMs + UNSENT_WAIT_MS : nowMs;
    const failed = isUncounted
      ? requeued(message, delivery, againAtMs)
      : countedAttempt(message, delivery, { ...timing, nowMs });
    if (failed.status === 'Dead') {
      const { messageType } = message;
      logWarning('message_dead', { ...this.about(message), messageType });
    }
    // Money does not wait for a message about the stay that the PMS has answered.
    const isFirstAnswer = failed.answeredAtMs !== message.answeredAtMs;
    const results = await database.batch('d1.outbox.update', [
      recordAttempt(message, failed),
      ...(isFirstAnswer ? [promoteNext(message, nowMs)] : []),
      selectDueOfBooking(message, nowMs),
    ]);
    return {
      next: firstOf(results.at(-1) as DueMessage[]),
      againAtMs: failed.dueAtMs === null ? null : realTimeOf(property, failed.dueAtMs, realMs),
    };
  }
}

function firstOf([next]: readonly DueMessage[]): DueMessage | null {
  return next ?? null;
}

/**
 * Moves a message to the end of the queue without counting an attempt: a failed probe, because the PMS is down, so that
 * the next probe is another booking's; and what the service could not send, because a key is missing.
 */
function requeued(message: DueMessage, { reason }: FailedDelivery, dueAtMs: number): FailedAttempt {
  const { attempts, refusals, answeredAtMs } = message;
  return { status: 'Pending', attempts, refusals, answeredAtMs, dueAtMs, lastError: reason };
}

/** Counts a failed attempt: the message is sent again later, or is dead. */
function countedAttempt(
  message: DueMessage,
  { kind, reason }: FailedDelivery,
  timing: RetryTiming,
): FailedAttempt {
  const wasRefused = kind === 'refused';
  const attempts = message.attempts + 1;
  const refusals = message.refusals + (wasRefused ? 1 : 0);
  const dueAtMs = nextAttemptAtMs({ attempts, refusals }, wasRefused, timing);
  return {
    status: dueAtMs === null ? 'Dead' : 'Pending',
    attempts,
    refusals,
    answeredAtMs: message.answeredAtMs ?? (wasRefused ? timing.nowMs : null),
    dueAtMs,
    lastError: reason,
  };
}
