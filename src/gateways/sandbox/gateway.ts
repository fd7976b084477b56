import type { Env } from '../../platform/env.ts';
import { withinDeadline } from '../deadline.ts';
import type {
  CardEntry,
  CardPaymentRequest,
  DisputePage,
  DisputeReport,
  FollowUpRequest,
  Gateway,
  LookUp,
  LookUpRequest,
  MoneyRequest,
  MovementPage,
  MovementQuery,
  OperationKind,
  Outcome,
  PaymentOutcome,
  PaymentReport,
  VaultOutcome,
} from '../gateway.ts';
import { refusal } from '../refusal.ts';
import type { SandboxAcquirer } from './acquirer.ts';
import { traitsOf } from './testCards.ts';

/** A stub of the deployment's one sandbox acquirer. Make one for each call: a stub that threw stays broken. */
export function sandboxAcquirer(env: Env): DurableObjectStub<SandboxAcquirer> {
  return (env.SANDBOX_GATEWAY as DurableObjectNamespace<SandboxAcquirer>).getByName('acquirer');
}

/** The gateway to the sandbox acquirer. */
export class SandboxGateway implements Gateway {
  readonly name = 'sandbox';
  readonly #env: Env;

  constructor(env: Env) {
    this.#env = env;
  }

  /** All properties share the sandbox's one account. */
  accountOf(): null {
    return null;
  }

  amountStepMinor(): number {
    return 1;
  }

  payment(id: string): Promise<PaymentReport> {
    return withinDeadline<PaymentReport>(sandboxAcquirer(this.#env).payment(id));
  }

  dispute(id: string): Promise<DisputeReport> {
    return withinDeadline<DisputeReport>(sandboxAcquirer(this.#env).dispute(id));
  }

  /** None: every dispute of the sandbox withdraws its funds, so that the movements have it. */
  async disputes(): Promise<DisputePage> {
    return { kind: 'page', disputes: [], nextCursor: null };
  }

  /** The movements of all properties: they share one account. */
  movements(query: MovementQuery): Promise<MovementPage> {
    return withinDeadline<MovementPage>(sandboxAcquirer(this.#env).movements(query));
  }

  async tokenize(card: CardEntry): Promise<VaultOutcome> {
    const vaulted = await withinDeadline(sandboxAcquirer(this.#env).vault(card));
    return typeof vaulted === 'string'
      ? { kind: 'vaulted', gatewayToken: vaulted, traits: traitsOf(card.number) }
      : { kind: 'refused', refusal: refusal('the vault did not answer') };
  }

  charge(request: CardPaymentRequest): Promise<PaymentOutcome> {
    return this.#perform('charge', request, request.gatewayToken, request.returnUrl);
  }

  authorize(request: CardPaymentRequest): Promise<PaymentOutcome> {
    return this.#perform('authorization', request, request.gatewayToken, request.returnUrl);
  }

  async abandon(id: string): Promise<PaymentOutcome> {
    const ended = await withinDeadline<PaymentOutcome | null>(
      sandboxAcquirer(this.#env).abandon(id),
    );
    return ended ?? { kind: 'unknown', reason: 'there is no such payment' };
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

  lookUp({ idempotencyKey, reference }: LookUpRequest): Promise<LookUp> {
    const acquirer = sandboxAcquirer(this.#env);
    return withinDeadline<LookUp>(
      idempotencyKey === null ? acquirer.lookUpTaken(reference) : acquirer.lookUp(idempotencyKey),
    );
  }

  /** No cardholder is there for what follows a payment. */
  async #followUp(kind: OperationKind, request: FollowUpRequest): Promise<Outcome> {
    const outcome = await this.#perform(kind, request, request.gatewayReference, null);
    return outcome.kind === 'open' ? { kind: 'unknown', reason: 'the payment is open' } : outcome;
  }

  #perform(
    kind: OperationKind,
    request: MoneyRequest,
    subject: string,
    returnUrl: string | null,
  ): Promise<PaymentOutcome> {
    const { idempotencyKey, propertyId, bookingReference, reference } = request;
    const { amountMinor, currency, askedAtMs } = request;
    return withinDeadline<PaymentOutcome>(
      sandboxAcquirer(this.#env).perform({
        kind,
        idempotencyKey,
        propertyId,
        bookingReference,
        reference,
        amountMinor,
        currency,
        subject,
        askedAtMs,
        returnUrl,
      }),
    );
  }
}
