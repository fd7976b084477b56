import { pick } from '../core/pick.ts';
import type { Env } from '../platform/env.ts';
import { withinDeadline } from './deadline.ts';
import type {
  CardPaymentRequest,
  DisputeReport,
  DisputeRequest,
  EvidenceRequest,
  FollowUpRequest,
  Gateway,
  LookUp,
  LookUpRequest,
  MoneyRequest,
  OperationKind,
  Outcome,
  PaymentDisputes,
  PaymentOutcome,
  PaymentReport,
} from './gateway.ts';
import type { DisputePage, MovementPage, MovementQuery } from './movements.ts';
import { isAnswer, outcomeOfAnswer } from './rules/disputeAnswer.ts';
import { ofFollowUp, unknown } from './rules/outcome.ts';
import {
  type CardEntry,
  type CardReport,
  type DescribedCard,
  type Detachment,
  refusal,
  type TakeOverOutcome,
  type VaultOutcome,
} from './vault.ts';

export interface KeptCard {
  readonly gatewayToken: string;
  readonly card: DescribedCard;
}

export interface SandboxRequest
  extends Omit<MoneyRequest, 'gatewayToken' | 'description' | 'statementName'> {
  readonly kind: OperationKind;
  /** A vault token for charges and authorizations, else the acquirer's reference of the earlier operation. */
  readonly subject: string;
  /** Where the bank sends a cardholder who is on a page; null if none is. */
  readonly returnUrl: string | null;
}

export interface SandboxLookUp
  extends Pick<LookUpRequest, 'idempotencyKey' | 'propertyId' | 'reference'> {
  readonly kind: OperationKind;
}

/** An answer to a dispute: evidence that tells of a stay that happened, or of none; or its acceptance. */
export interface SandboxAnswer
  extends Pick<DisputeRequest, 'disputeId' | 'idempotencyKey' | 'askedAtMs' | 'propertyId'> {
  readonly answer: 'stay' | 'no-stay' | 'acceptance';
}

/** What the sandbox acquirer answers, over RPC. An outage answers anything with an unknown outcome. */
export interface SandboxApi {
  card(gatewayToken: string): Promise<CardReport>;
  detach(gatewayToken: string): Promise<Detachment>;
  payment(id: string): Promise<PaymentReport>;
  dispute(id: string, askedAtMs: number | null): Promise<DisputeReport>;
  answerDispute(answer: SandboxAnswer): Promise<Outcome>;
  disputesOf(payment: string): Promise<PaymentDisputes>;
  inquiries(query: MovementQuery): Promise<DisputePage>;
  movements(query: MovementQuery): Promise<MovementPage>;
  vault(card: CardEntry, account: string | null): Promise<KeptCard>;
  kept(id: string, account: string | null): Promise<KeptCard | null>;
  abandon(id: string): Promise<PaymentOutcome | null>;
  perform(request: SandboxRequest): Promise<PaymentOutcome>;
  lookUp(asked: SandboxLookUp): Promise<LookUp>;
}

export class SandboxGateway implements Gateway {
  readonly name = 'sandbox';
  readonly traits = { accounts: 'one', movesClocks: true, needsReference: false } as const;
  readonly #env: Env;

  constructor(env: Env) {
    this.#env = env;
  }

  /** All properties share the sandbox's one account. */
  accountOf(): null {
    return null;
  }

  pageOfPayment(): null {
    return null;
  }

  amountStepMinor(): number {
    return 1;
  }

  card(gatewayToken: string): Promise<CardReport> {
    return this.#ask((acquirer) => acquirer.card(gatewayToken));
  }

  detach(gatewayToken: string): Promise<Detachment> {
    return this.#ask((acquirer) => acquirer.detach(gatewayToken));
  }

  payment(id: string): Promise<PaymentReport> {
    return this.#ask((acquirer) => acquirer.payment(id));
  }

  dispute(id: string, _account?: string | null, askedAtMs?: number): Promise<DisputeReport> {
    return this.#ask((acquirer) => acquirer.dispute(id, askedAtMs ?? null));
  }

  /** The sandbox reads no texts and no documents: whether the stay happened decides. */
  submitEvidence(request: EvidenceRequest): Promise<Outcome> {
    return this.#answer(request, request.stayHappened ? 'stay' : 'no-stay');
  }

  keepDocument(): Promise<null> {
    return Promise.resolve(null);
  }

  acceptDispute(request: DisputeRequest): Promise<Outcome> {
    return this.#answer(request, 'acceptance');
  }

  disputesOf(payment: string): Promise<PaymentDisputes> {
    return this.#ask((acquirer) => acquirer.disputesOf(payment));
  }

  /** The inquiries: every other dispute of the sandbox withdraws its funds, so that the movements have it. */
  disputes(query: MovementQuery): Promise<DisputePage> {
    return this.#ask((acquirer) => acquirer.inquiries(query));
  }

  /** The movements of all properties: they share one account. */
  movements(query: MovementQuery): Promise<MovementPage> {
    return this.#ask((acquirer) => acquirer.movements(query));
  }

  async tokenize(card: CardEntry, account: string | null): Promise<VaultOutcome> {
    const vaulted = await this.#ask((acquirer) => acquirer.vault(card, account));
    return 'gatewayToken' in vaulted
      ? { kind: 'vaulted', gatewayToken: vaulted.gatewayToken, traits: vaulted.card.traits }
      : { kind: 'refused', refusal: refusal('the vault did not answer') };
  }

  async takeOver(id: string, account: string | null): Promise<TakeOverOutcome> {
    const kept = await this.#ask((acquirer) => acquirer.kept(id, account));
    if (kept === null) return { kind: 'absent', refusal: refusal('the account has no such card') };
    return 'gatewayToken' in kept
      ? { kind: 'vaulted', ...kept }
      : { kind: 'refused', refusal: refusal(kept.reason) };
  }

  charge(request: CardPaymentRequest): Promise<PaymentOutcome> {
    return this.#perform('charge', request, request.gatewayToken, request.returnUrl);
  }

  authorize(request: CardPaymentRequest): Promise<PaymentOutcome> {
    return this.#perform('authorization', request, request.gatewayToken, request.returnUrl);
  }

  async abandon(id: string): Promise<PaymentOutcome> {
    const ended = await this.#ask((acquirer) => acquirer.abandon(id));
    return ended ?? unknown('there is no such payment');
  }

  capture(request: FollowUpRequest): Promise<Outcome> {
    return this.#followUp('capture', request);
  }

  release(request: FollowUpRequest): Promise<Outcome> {
    return this.#followUp('release', request);
  }

  refund(request: FollowUpRequest): Promise<Outcome> {
    return this.#followUp('refund', request);
  }

  async lookUp(request: LookUpRequest): Promise<LookUp> {
    const { gatewayReference, idempotencyKey, kind, propertyId, reference } = request;
    if (isAnswer(kind)) return outcomeOfAnswer(kind, await this.dispute(gatewayReference ?? ''));
    const asked = { idempotencyKey, kind, propertyId, reference };
    return this.#ask((acquirer) => acquirer.lookUp(asked));
  }

  #answer(
    { askedAtMs, disputeId, idempotencyKey, propertyId }: DisputeRequest,
    answer: SandboxAnswer['answer'],
  ): Promise<Outcome> {
    const sent = { askedAtMs, disputeId, idempotencyKey, propertyId, answer };
    return this.#ask((acquirer) => acquirer.answerDispute(sent));
  }

  async #followUp(kind: OperationKind, request: FollowUpRequest): Promise<Outcome> {
    return ofFollowUp(await this.#perform(kind, request, request.gatewayReference, null));
  }

  #perform(
    kind: OperationKind,
    request: MoneyRequest,
    subject: string,
    returnUrl: string | null,
  ): Promise<PaymentOutcome> {
    const own = pick(request, 'idempotencyKey', 'propertyId', 'bookingReference', 'reference');
    const money = pick(request, 'amountMinor', 'currency', 'askedAtMs');
    const sent = { ...own, ...money, kind, subject, returnUrl };
    return this.#ask((acquirer) => acquirer.perform(sent));
  }

  /** Makes a stub for each call: one that threw stays broken. */
  #ask<T>(send: (acquirer: SandboxApi) => Promise<T>) {
    // The room of the sandbox stands above this one: a stub has the methods of the object that it leads to.
    const stub = this.#env.SANDBOX_GATEWAY.getByName('acquirer') as unknown as SandboxApi;
    return withinDeadline<T>(send(stub));
  }
}
