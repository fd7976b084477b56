import { DurableObject } from 'cloudflare:workers';
import { cardFacts, factsOfLastDigits } from '../../core/cardNumbers.ts';
import type {
  DisputeReport,
  LookUp,
  Outcome,
  PaymentDisputes,
  PaymentOutcome,
  PaymentReport,
} from '../../gateways/gateway.ts';
import type { DisputePage, MovementPage, MovementQuery } from '../../gateways/movements.ts';
import { approval, rejection, temporaryRejection } from '../../gateways/rules/outcome.ts';
import type {
  KeptCard,
  SandboxAnswer,
  SandboxApi,
  SandboxLookUp,
  SandboxRequest,
} from '../../gateways/sandbox.ts';
import type { CardEntry, CardReport, Detachment } from '../../gateways/vault.ts';
import type { Env } from '../../platform/env.ts';
import {
  actOnDashboard,
  type Changed,
  closedDispute,
  type DashboardAction,
  type DashboardOutcome,
  endDispute,
  openDispute,
} from './dashboard.ts';
import { AcquirerLedger, tokenIn, type VaultedCard } from './ledger.ts';
import {
  type AcquirerOperation,
  type BankStepShown,
  beginsPayment,
  endOpen,
  type LedgerEntry,
  newId,
  newOperation,
  originOf,
  type SequencedOperation,
  shownAtBank,
} from './operations.ts';
import { NEVER, outcomeFor, outcomeOf } from './outcomes.ts';
import {
  type AcquirerDispute,
  decisionBy,
  disputeRecordOf,
  isOpen,
  movementOf,
  paymentRecordOf,
  refundedInquiries,
  withdrawnMinor,
} from './payments.ts';
import {
  type Judgement,
  judge,
  NOT_AUTHENTICATED,
  type Outage,
  readIn,
  requestedIn,
  SUCCEEDED,
  type Subject,
} from './rules/judge.ts';
import { behaviourOf, traitsOf } from './rules/testCards.ts';
import { AT_ONCE_MS, serviceAsReceiver, WebhookQueue } from './webhooks.ts';

/** For how many years an issuer renews a card. */
const RENEWED_FOR_YEARS = 5;

/** What the gateway learns where the answer is lost. An error would print a stack, as if it were a fault. */
const LOST = { kind: 'unknown', reason: 'the sandbox lost the answer' } as const;

/**
 * An acquirer for development and tests (interface: Sandbox). It keeps a vault, idempotency keys and a ledger in its
 * own storage, so that tests can crash it and the service separately.
 */
export class SandboxAcquirer extends DurableObject<Env> implements SandboxApi {
  readonly #ledger = new AcquirerLedger(this.ctx.storage.sql);
  readonly #webhooks = new WebhookQueue(this.ctx.storage);
  readonly #receiver = serviceAsReceiver(this.env);

  override async alarm(): Promise<void> {
    await this.#webhooks.deliver(this.#receiver, Date.now());
  }

  /** Delivers what is due, and what an operation just caused: a frozen clock does not wait for alarms. */
  async deliverNow(): Promise<void> {
    await this.#webhooks.deliver(this.#receiver, Date.now() + AT_ONCE_MS);
  }

  /** A card that an account keeps, by its own id; null if that account has none. */
  async kept(id: string, account: string | null): Promise<KeptCard | null> {
    const card = this.#ledger.vaulted(tokenIn(account, id));
    return card === null || card.isDetached ? null : keptCard(card);
  }

  /** Detaches a card: it is charged no more, and stays known for refunds. */
  async detach(token: string): Promise<Detachment> {
    this.#ledger.detachCard(token);
    return { kind: 'detached' };
  }

  /** Stores a card's brand, last four digits, expiry and test behaviour, but neither its number nor its CVV. */
  async vault(card: CardEntry, account: string | null = null): Promise<KeptCard> {
    const kept: VaultedCard = {
      token: tokenIn(account, newId('vault_')),
      brand: cardFacts(card.number)?.brand ?? 'unknown',
      last4: card.number.slice(-4),
      expiryMonth: card.expiryMonth,
      expiryYear: card.expiryYear,
      behaviour: behaviourOf(card.number, card.activeFromMs),
      traits: traitsOf(card.number),
    };
    this.#ledger.keepCard(kept);
    return keptCard(kept);
  }

  /** A stored card as its issuer has it now. One that was renewed in place outlives its printed expiry. */
  async card(token: string): Promise<CardReport> {
    const card = this.#ledger.vaulted(token);
    if (card === null || card.isDetached) return { kind: 'absent' };
    const { brand, last4, expiryMonth, expiryYear, behaviour } = card;
    const years = behaviour.kind === 'renewed' ? RENEWED_FOR_YEARS : 0;
    return { kind: 'card', brand, last4, expiryMonth, expiryYear: expiryYear + years };
  }

  /**
   * Executes a request once per idempotency key; a repeated key returns the recorded outcome. {@link LOST} for a test
   * card that loses the answer.
   */
  async perform(request: SandboxRequest): Promise<PaymentOutcome> {
    const outage = this.#ledger.outageOf(request.propertyId);
    if (outage) return requestedIn(outage);
    const recorded = this.#ledger.find(request.idempotencyKey);
    if (recorded) return outcomeFor(recorded, request);

    const subject = this.#subject(request);
    const behaviour = subject?.behaviour;
    if (subject?.remainingMinor === null && behaviour?.kind === 'too-many-requests') {
      const refused = this.#ledger.countRefusal(subject.vaultToken, behaviour.refusals);
      if (refused) return temporaryRejection('too_many_requests', behaviour.retryAfterMs);
    }
    const loses =
      behaviour?.kind === 'answer-lost' && this.#ledger.firstLoss(request.idempotencyKey);
    if (loses && !behaviour.executes) return LOST;

    const isGuestThere = request.returnUrl !== null;
    const judged = { ...request, isGuestThere, ownTimeMs: Date.now() };
    const operation = this.#record(request, judge(judged, subject), subject);
    if (operation.kind === 'refund') this.#endInquiries(operation.subject, operation.atMs, true);
    if (loses) return LOST;
    if (behaviour?.kind === 'disputed') this.#disputeAtOnce(operation, behaviour.reason);
    if (behaviour?.kind === 'slow') await scheduler.wait(behaviour.delayMs);
    return outcomeOf(operation);
  }

  /** The outcome recorded under a key; without a key, of a charge that was taken for a reference under any. */
  async lookUp({ idempotencyKey, kind, propertyId, reference }: SandboxLookUp): Promise<LookUp> {
    const unknown = this.#unreadable(propertyId);
    if (unknown) return unknown;
    const recorded =
      idempotencyKey === null
        ? this.#ledger.takenFor(reference)
        : this.#ledger.find(idempotencyKey);
    if (recorded === null) return { kind: 'absent' };
    return recorded.kind === kind ? outcomeOf(recorded) : NEVER;
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
    this.#notify({ kind: 'payment', id: ended.gatewayReference });
    return shownAtBank(ended);
  }

  /** Cancels an open payment, and returns what became of it; null if there is no such payment. */
  async abandon(gatewayReference: string): Promise<PaymentOutcome | null> {
    const payment = this.#ledger.operation(gatewayReference);
    if (payment === null) return null;
    const outage = this.#ledger.outageOf(payment.propertyId);
    if (outage) return readIn(outage);
    const ended = endOpen(payment, NOT_AUTHENTICATED, payment.atMs);
    if (ended) this.#ledger.end(ended);
    return outcomeOf(ended ?? payment);
  }

  /** Everything recorded of a payment. `id` is that of its charge, hold or capture. */
  async payment(id: string): Promise<PaymentReport> {
    const payment = this.#ledger.payment(id);
    if (payment === null) return { kind: 'absent' };
    const names = [payment.made, payment.taken].map((one) => one?.gatewayReference);
    const found: PaymentReport = names.includes(id)
      ? { kind: 'payment', payment: paymentRecordOf(payment) }
      : { kind: 'absent' };
    return this.#unreadable(payment.made.propertyId) ?? found;
  }

  /** A dispute, once what its bank decided by `askedAtMs` is recorded. */
  async dispute(id: string, askedAtMs: number | null): Promise<DisputeReport> {
    const before = this.#disputeOf(id);
    const decision = before && askedAtMs !== null ? decisionBy(before, askedAtMs) : null;
    if (before && decision) endDispute(this.#ledger, before, decision);
    const found = decision ? this.#disputeOf(id) : before;
    const about = found && originOf(found.opened);
    if (!found) return { kind: 'absent' };
    const payment = found.opened.payment ?? found.opened.subject;
    const report: DisputeReport = about
      ? { kind: 'dispute', dispute: disputeRecordOf(found), about, payment }
      : { kind: 'absent' };
    return this.#unreadable(found.opened.propertyId) ?? report;
  }

  /** Takes an answer to a dispute, once; a repeated key gets the first outcome. An inquiry cannot be accepted. */
  async answerDispute(sent: SandboxAnswer): Promise<Outcome> {
    const { answer: kind, askedAtMs: atMs, disputeId, idempotencyKey: key, propertyId } = sent;
    const outage = this.#ledger.outageOf(propertyId);
    if (outage) return requestedIn(outage);
    const dispute = this.#disputeOf(disputeId);
    if (dispute === null) return rejection('no_such_object');
    const { opened } = dispute;
    if (opened.dispute.answer?.key === key) return approval(disputeId);
    if (!isOpen(dispute) || opened.dispute.answer) return rejection('dispute_not_to_be_answered');
    if (kind === 'acceptance' && withdrawnMinor(dispute) === 0) return rejection('inquiry');
    const answered = { ...opened, dispute: { ...opened.dispute, answer: { kind, key, atMs } } };
    this.#ledger.change(answered);
    if (kind === 'acceptance') {
      endDispute(this.#ledger, { ...dispute, opened: answered }, { status: 'lost', atMs });
    }
    return approval(disputeId);
  }

  /** The disputes of a payment. `id` is that of its charge, hold or capture. */
  async disputesOf(id: string): Promise<PaymentDisputes> {
    const payment = this.#ledger.payment(id);
    const disputes = payment?.disputes.map(disputeRecordOf) ?? [];
    return this.#unreadable(payment?.made.propertyId ?? '') ?? { kind: 'disputes', disputes };
  }

  /** A page of the inquiries of all properties, by time. */
  async inquiries(query: MovementQuery): Promise<DisputePage> {
    const { operations, nextCursor } = this.#ledger.page('inquiries', query);
    const disputes = operations.map((one) => ({ id: one.gatewayReference, about: originOf(one) }));
    return { kind: 'page', disputes, nextCursor };
  }

  /** A page of the movements of money of all properties, by time. */
  async movements(query: MovementQuery): Promise<MovementPage> {
    const { operations, nextCursor } = this.#ledger.page('movements', query);
    return { kind: 'page', movements: operations.map(movementOf), nextCursor };
  }

  /**
   * What a person does on the acquirer's dashboard. `atMs` is when, by the property's clock; `notify` says whether the
   * acquirer sends an event of it.
   */
  async act(action: DashboardAction, atMs: number, notify: boolean): Promise<DashboardOutcome> {
    const outcome = actOnDashboard(this.#ledger, action, atMs);
    if (outcome.kind !== 'done') return outcome;
    if (notify) this.#notify(outcome.changed);
    if (action.action === 'refund') this.#endInquiries(action.payment, atMs, notify);
    return outcome;
  }

  /** Begins an outage for a property, in place of an earlier one; null ends it. */
  async setOutage(propertyId: string, outage: Outage | null): Promise<void> {
    this.#ledger.setOutage(propertyId, outage);
  }

  /** Everything recorded, oldest first; only one booking reference's when one is given. */
  async ledger(bookingReference: string | null): Promise<LedgerEntry[]> {
    return this.#ledger.entries(bookingReference);
  }

  /** The operations that moved money, after a sequence number, oldest first, at most `limit`. */
  async movementsAfter(sequence: number, limit: number): Promise<SequencedOperation[]> {
    return this.#ledger.movementsAfter(sequence, limit);
  }

  /** The outcome of a request that only reads during an outage that fails these too; null otherwise. */
  #unreadable(propertyId: string): ReturnType<typeof readIn> | null {
    const outage = this.#ledger.outageOf(propertyId);
    return outage?.lookUps ? readIn(outage) : null;
  }

  #disputeOf(id: string): AcquirerDispute | null {
    const disputes = this.#ledger.payment(id)?.disputes ?? [];
    return disputes.find(({ opened }) => opened.gatewayReference === id) ?? null;
  }

  #subject({ kind, subject }: SandboxRequest): Subject | null {
    return beginsPayment(kind) ? this.#ledger.card(subject) : this.#ledger.earlier(subject, kind);
  }

  #record(
    { askedAtMs, returnUrl, ...request }: SandboxRequest,
    judgement: Judgement,
    subject: Subject | null,
  ): AcquirerOperation {
    const earlier = beginsPayment(request.kind) ? null : this.#ledger.operation(request.subject);
    const holds =
      judgement.status === 'succeeded' && request.kind === 'authorization' && subject !== null;
    const opens = judgement.status === 'pending' && returnUrl !== null;
    const facts = {
      ...request,
      payment: earlier?.payment ?? null,
      vaultToken: subject?.vaultToken ?? null,
      atMs: askedAtMs,
      ...(holds && { lapsesAtMs: askedAtMs + subject.holdLifeMs }),
      ...(opens && { bankStep: { id: newId('', 24), returnUrl } }),
    };
    const operation = newOperation(facts, judgement);
    this.#ledger.record(operation);
    return operation;
  }

  /** The cardholder disputes the whole of what was just taken. */
  #disputeAtOnce({ movedMinor, gatewayReference, atMs }: AcquirerOperation, reason: string): void {
    const payment = this.#ledger.payment(gatewayReference);
    if (movedMinor <= 0 || payment === null) return;
    const facts = { kind: 'dispute', amountMinor: movedMinor, atMs } as const;
    const opened = openDispute(this.#ledger, payment, facts, reason);
    this.#notify({ kind: 'dispute', id: opened.gatewayReference });
  }

  /** A refund ends an inquiry about what it gives back. */
  #endInquiries(id: string, atMs: number, notify: boolean): void {
    const payment = this.#ledger.paymentBy(id);
    for (const { opened } of payment ? refundedInquiries(payment) : []) {
      this.#ledger.change(closedDispute(opened, 'won', atMs));
      if (notify) this.#notify({ kind: 'dispute', id: opened.gatewayReference });
    }
  }

  #notify(changed: Changed): void {
    this.#webhooks.add({ ...changed, account: null }, Date.now());
  }
}

function keptCard(card: VaultedCard): KeptCard {
  const { brand, last4, expiryMonth, expiryYear, token, traits } = card;
  const facts = factsOfLastDigits(brand, last4);
  return {
    gatewayToken: token,
    card: { facts, expiryMonth, expiryYear, holderName: null, traits },
  };
}
