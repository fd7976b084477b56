import { DurableObject } from 'cloudflare:workers';
import { cardFacts } from '../../core/cardNumbers.ts';
import type { Env } from '../../platform/env.ts';
import type {
  CardEntry,
  DisputeReport,
  LookUp,
  MovementPage,
  MovementQuery,
  OperationKind,
  PaymentOutcome,
  PaymentReport,
} from '../gateway.ts';
import type { GatewayNews } from '../news.ts';
import { approval, rejection, temporaryRejection } from '../outcome.ts';
import { type BankStepShown, bankUrlOf, endOpen, shownAtBank } from './bankStep.ts';
import { actAtDesk, type DeskAct, type DeskNews, type DeskOutcome, openDispute } from './desk.ts';
import {
  ACQUIRERS_ERROR,
  type Judgement,
  judge,
  NOT_AUTHENTICATED,
  SUCCEEDED,
  type Subject,
} from './judge.ts';
import { AcquirerLedger } from './ledger.ts';
import { cursorAfter, MOVEMENTS_PER_PAGE, movementOf, positionOf } from './movements.ts';
import { AT_ONCE_MS, NewsQueue, type NewsReceiver } from './news.ts';
import {
  type AcquirerOperation,
  type LedgerEntry,
  movedBy,
  originOf,
  type SequencedOperation,
} from './operations.ts';
import { disputeRecordOf, paymentRecordOf } from './payments.ts';
import { newReference, newStepId, newVaultToken } from './reference.ts';
import { behaviourOf, holdLifeOf, traitsOf } from './testCards.ts';

/** A money request to the sandbox acquirer. */
export interface SandboxRequest {
  readonly kind: OperationKind;
  readonly idempotencyKey: string;
  readonly propertyId: string;
  readonly bookingReference: string;
  /** The service's reference of the transaction or refund. */
  readonly reference: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** A vault token for charges and authorizations, else the acquirer's reference of the earlier operation. */
  readonly subject: string;
  /** When the service asks: the acquirer judges and records by this time. */
  readonly askedAtMs: number;
  /** Where the bank sends a cardholder who is on a page; null if none is. */
  readonly returnUrl: string | null;
}

/**
 * An acquirer for development and tests (interface: Sandbox). It keeps a vault, idempotency keys and a ledger in its
 * own storage, so that tests can crash it and the service separately. Whoever deploys it says what receives its news.
 */
export abstract class SandboxAcquirer extends DurableObject<Env> implements NewsReceiver {
  readonly #ledger: AcquirerLedger;
  readonly #news: NewsQueue;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#ledger = new AcquirerLedger(ctx.storage.sql);
    this.#news = new NewsQueue(ctx.storage);
  }

  /** Tells this service of news. It is no part of what the service calls. */
  abstract receiveNews(news: GatewayNews): Promise<boolean>;

  /** Tells what is due. */
  override async alarm(): Promise<void> {
    await this.#news.tell(this, Date.now());
  }

  /** Tells what is due, and what an operation just caused: a clock that is being advanced does not wait for alarms. */
  async tellNow(): Promise<void> {
    await this.#news.tell(this, Date.now() + AT_ONCE_MS);
  }

  /** Stores a card's brand, last four digits, expiry and test behaviour, but neither its number nor its CVV. */
  async vault(card: CardEntry): Promise<string> {
    const token = newVaultToken();
    this.#ledger.keepCard({
      token,
      brand: cardFacts(card.number)?.brand ?? 'unknown',
      last4: card.number.slice(-4),
      expiryMonth: card.expiryMonth,
      expiryYear: card.expiryYear,
      behaviour: behaviourOf(card.number),
      holdLifeMs: holdLifeOf(traitsOf(card.number)),
    });
    return token;
  }

  /**
   * Executes a request once per idempotency key; a repeated key returns the recorded outcome. Throws for a test card
   * that loses the answer.
   */
  async perform(request: SandboxRequest): Promise<PaymentOutcome> {
    const recorded = this.#ledger.find(request.idempotencyKey);
    if (recorded) return sameRequest(recorded, request) ? outcomeOf(recorded) : mismatch();

    const subject = this.#subject(request);
    const behaviour = subject?.behaviour;
    if (subject?.remainingMinor === null && behaviour?.kind === 'too-many-requests') {
      const refused = this.#ledger.countRefusal(subject.vaultToken, behaviour.refusals);
      if (refused) return temporaryRejection('too_many_requests', behaviour.retryAfterMs);
    }
    const loses =
      behaviour?.kind === 'answer-lost' && this.#ledger.firstLoss(request.idempotencyKey);
    if (loses && !behaviour.executes) throw new Error('sandbox: the answer is lost');

    const judged = { ...request, isGuestThere: request.returnUrl !== null };
    const operation = this.#record(request, judge(judged, subject), subject);
    if (loses) throw new Error('sandbox: the answer is lost');
    if (behaviour?.kind === 'disputed') this.#disputeAtOnce(operation, behaviour.reason);
    if (behaviour?.kind === 'slow') await scheduler.wait(behaviour.delayMs);
    return outcomeOf(operation);
  }

  /** The outcome recorded under a key. */
  async lookUp(idempotencyKey: string): Promise<LookUp> {
    const recorded = this.#ledger.find(idempotencyKey);
    return recorded ? outcomeOf(recorded) : { kind: 'absent' };
  }

  /** A charge that was taken for a transaction of the service, under whichever key. */
  async lookUpTaken(reference: string): Promise<LookUp> {
    const taken = this.#ledger.takenFor(reference);
    return taken ? outcomeOf(taken) : { kind: 'absent' };
  }

  /** What the bank's page shows of a payment; null if there is no such page. */
  async bankStep(stepId: string): Promise<BankStepShown | null> {
    const payment = this.#ledger.atBank(stepId);
    return payment && shownAtBank(payment);
  }

  /**
   * The cardholder allows or refuses a payment on the bank's page; `atMs` is when, by the property's clock. Only the
   * first decision counts, and only while the payment is open. Null if there is no such page.
   */
  async decideAtBank(
    stepId: string,
    isAllowed: boolean,
    atMs: number,
  ): Promise<BankStepShown | null> {
    const payment = this.#ledger.atBank(stepId);
    if (payment === null) return null;
    const ended = endOpen(payment, isAllowed ? SUCCEEDED : NOT_AUTHENTICATED, atMs);
    if (ended === null) return shownAtBank(payment);
    this.#ledger.end(ended);
    this.#tell({ kind: 'payment', id: ended.gatewayReference });
    return shownAtBank(ended);
  }

  /** Cancels an open payment, and returns what became of it; null if there is no such payment. */
  async abandon(gatewayReference: string): Promise<PaymentOutcome | null> {
    const payment = this.#ledger.operation(gatewayReference);
    if (payment === null) return null;
    const ended = endOpen(payment, NOT_AUTHENTICATED, payment.atMs);
    if (ended) this.#ledger.end(ended);
    return outcomeOf(ended ?? payment);
  }

  /** Everything recorded of a payment. `id` is that of its charge, hold or capture. */
  async payment(id: string): Promise<PaymentReport> {
    const payment = this.#ledger.payment(id);
    const names = [payment?.made, payment?.taken].map((one) => one?.gatewayReference);
    return payment && names.includes(id)
      ? { kind: 'payment', payment: paymentRecordOf(payment) }
      : { kind: 'absent' };
  }

  /** The state of a dispute. */
  async dispute(id: string): Promise<DisputeReport> {
    const operation = this.#ledger.operation(id);
    const about = operation && originOf(operation);
    if (operation?.kind !== 'dispute' || !about) return { kind: 'absent' };
    const payment = operation.payment ?? operation.subject;
    return { kind: 'dispute', dispute: disputeRecordOf(operation), about, payment };
  }

  /** A page of the movements of money of all properties, by time. */
  async movements({ fromMs, toMs, cursor }: MovementQuery): Promise<MovementPage> {
    const after = positionOf(cursor);
    const found = this.#ledger.movementsBetween(fromMs, toMs, after, MOVEMENTS_PER_PAGE + 1);
    const page = found.slice(0, MOVEMENTS_PER_PAGE);
    const last = page.at(-1);
    const nextCursor = last && found.length > page.length ? cursorAfter(last) : null;
    return { kind: 'page', movements: page.map(movementOf), nextCursor };
  }

  /**
   * What a person does at the acquirer's own desk. `atMs` is when, by the property's clock; `notify` says whether the
   * acquirer tells of it.
   */
  async act(act: DeskAct, atMs: number, notify: boolean): Promise<DeskOutcome> {
    const outcome = actAtDesk(this.#ledger, act, atMs);
    if (outcome.kind === 'done' && notify) this.#tell(outcome.news);
    return outcome;
  }

  /** Everything recorded, oldest first; only one booking reference's when one is given. */
  async ledger(bookingReference: string | null): Promise<LedgerEntry[]> {
    return this.#ledger.entries(bookingReference);
  }

  /** The operations that moved money, after a sequence number, oldest first, at most `limit`. */
  async movementsAfter(sequence: number, limit: number): Promise<SequencedOperation[]> {
    return this.#ledger.movementsAfter(sequence, limit);
  }

  #subject(request: SandboxRequest): Subject | null {
    if (request.kind === 'charge' || request.kind === 'authorization') {
      return this.#ledger.card(request.subject);
    }
    return this.#ledger.earlier(request.subject, request.kind);
  }

  #record(
    { askedAtMs, returnUrl, ...request }: SandboxRequest,
    judgement: Judgement,
    subject: Subject | null,
  ): AcquirerOperation {
    const gatewayReference = newReference();
    const succeeded = judgement.status === 'succeeded';
    const isNew = request.kind === 'charge' || request.kind === 'authorization';
    const earlier = isNew ? null : this.#ledger.operation(request.subject);
    const holds = succeeded && request.kind === 'authorization' && subject !== null;
    const operation: AcquirerOperation = {
      ...request,
      gatewayReference,
      payment: isNew ? gatewayReference : (earlier?.payment ?? null),
      vaultToken: subject?.vaultToken ?? null,
      movedMinor: succeeded ? movedBy(request.kind, request.amountMinor) : 0,
      atMs: askedAtMs,
      ...judgement,
      ...(holds && { lapsesAtMs: askedAtMs + subject.holdLifeMs }),
    };
    if (judgement.status !== 'pending' || returnUrl === null) {
      this.#ledger.record(operation);
      return operation;
    }
    const step = { id: newStepId(), returnUrl };
    const open = { ...operation, bankStep: step };
    this.#ledger.recordOpen(open, step.id);
    return open;
  }

  /** The cardholder disputes the whole of what was just taken. */
  #disputeAtOnce({ movedMinor, gatewayReference, atMs }: AcquirerOperation, reason: string): void {
    const payment = this.#ledger.payment(gatewayReference);
    if (movedMinor <= 0 || payment === null) return;
    const opened = openDispute(this.#ledger, payment, movedMinor, reason, atMs);
    this.#tell({ kind: 'dispute', id: opened.gatewayReference });
  }

  #tell(news: DeskNews): void {
    this.#news.add({ ...news, account: null }, Date.now());
  }
}

function sameRequest(recorded: AcquirerOperation, request: SandboxRequest): boolean {
  return (
    recorded.kind === request.kind &&
    recorded.amountMinor === request.amountMinor &&
    recorded.currency === request.currency &&
    recorded.subject === request.subject
  );
}

function mismatch(): PaymentOutcome {
  return rejection('the idempotency key was used for another request');
}

function outcomeOf(operation: AcquirerOperation): PaymentOutcome {
  const code = operation.code ?? '';
  switch (operation.status) {
    case 'succeeded':
      return approval(operation.gatewayReference, {
        amountMinor: operation.amountMinor,
        atMs: operation.atMs,
        lapsesAtMs: operation.lapsesAtMs ?? null,
      });
    case 'pending':
      return {
        kind: 'open',
        gatewayReference: operation.gatewayReference,
        url: bankUrlOf(operation),
      };
    case 'declined':
      return { kind: 'declined', declineCode: code, retryable: operation.retryable };
    case 'failed':
      return code === ACQUIRERS_ERROR ? temporaryRejection(code) : rejection(code);
  }
}
