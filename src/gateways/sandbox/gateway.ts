import type { Env } from '../../env.ts';
import { withinDeadline } from '../deadline.ts';
import type {
  CardEntry,
  DisputeReport,
  FollowUpRequest,
  Gateway,
  Inquiry,
  LookUp,
  MoneyRequest,
  OperationKind,
  Outcome,
  VaultOutcome,
} from '../gateway.ts';
import type { SandboxAcquirer } from './acquirer.ts';

/** The one sandbox acquirer of a deployment. A stub is made for each call: one that threw is of no use again. */
export function sandboxAcquirer(env: Env): DurableObjectStub<SandboxAcquirer> {
  return env.SANDBOX_GATEWAY.getByName('acquirer');
}

/** The gateway that talks to the sandbox acquirer, as an adapter for a real one talks over the network. */
export class SandboxGateway implements Gateway {
  readonly name = 'sandbox';
  readonly #env: Env;

  constructor(env: Env) {
    this.#env = env;
  }

  /** The sandbox has one account for everybody. */
  accountOf(): null {
    return null;
  }

  /** Nobody disputes what a sandbox charges. */
  dispute(): Promise<DisputeReport> {
    return Promise.resolve({ kind: 'absent' });
  }

  async tokenize(card: CardEntry): Promise<VaultOutcome> {
    const vaulted = await withinDeadline(sandboxAcquirer(this.#env).vault(card));
    return typeof vaulted === 'string'
      ? { kind: 'vaulted', gatewayToken: vaulted }
      : { kind: 'refused', reason: 'the vault did not answer' };
  }

  charge(request: MoneyRequest): Promise<Outcome> {
    return this.#perform('charge', request, request.gatewayToken);
  }

  authorize(request: MoneyRequest): Promise<Outcome> {
    return this.#perform('authorization', request, request.gatewayToken);
  }

  capture(request: FollowUpRequest): Promise<Outcome> {
    return this.#perform('capture', request, request.gatewayReference);
  }

  release(request: FollowUpRequest): Promise<Outcome> {
    return this.#perform('release', request, request.gatewayReference);
  }

  refund(request: FollowUpRequest): Promise<Outcome> {
    return this.#perform('refund', request, request.gatewayReference);
  }

  lookUp(inquiry: Inquiry): Promise<LookUp> {
    return withinDeadline<LookUp>(sandboxAcquirer(this.#env).lookUp(inquiry.idempotencyKey));
  }

  #perform(kind: OperationKind, request: MoneyRequest, subject: string): Promise<Outcome> {
    const { idempotencyKey, propertyId, bookingReference, amountMinor, currency } = request;
    return withinDeadline<Outcome>(
      sandboxAcquirer(this.#env).perform({
        kind,
        idempotencyKey,
        propertyId,
        bookingReference,
        amountMinor,
        currency,
        subject,
      }),
    );
  }
}
