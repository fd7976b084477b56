import type { Stripe } from 'stripe';
import { MINUTE_MS, SECOND_MS } from '../../core/time.ts';
import { withinDeadline } from '../deadline.ts';
import type {
  CardEntry,
  DisputeReport,
  FollowUpRequest,
  Gateway,
  LookUp,
  LookUpRequest,
  MoneyRequest,
  MovementPage,
  Outcome,
  PaymentReport,
  VaultOutcome,
} from '../gateway.ts';
import { rejection } from '../outcome.ts';
import { refusal } from '../refusal.ts';
import { toStripeAmount } from './amounts.ts';
import { accountOptions, partsOf, tokenOf } from './cardTokens.ts';
import { disputeOfError, reportOf } from './disputes.ts';
import { metadataOf } from './origin.ts';
import {
  outcomeOfAuthorization,
  outcomeOfCharge,
  outcomeOfError,
  outcomeOfRefund,
  outcomeOfRelease,
  reasonOf,
  rejectionReason,
} from './outcomes.ts';

/** How far Stripe's clock may differ from ours. */
const CLOCK_SLACK_MS = 5 * MINUTE_MS;

/** How many payments or refunds one look-up lists: the most that Stripe returns at once. */
const LIST_LIMIT = 100;

/**
 * The gateway to Stripe. Each card is a PaymentMethod of its own Customer, set up for charges while the cardholder is
 * away; `gatewayToken` names both. The metadata of a payment or refund holds its idempotency key for look-ups.
 */
export class StripeGateway implements Gateway {
  readonly name = 'stripe';
  readonly #stripe: Stripe;

  constructor(stripe: Stripe) {
    this.#stripe = stripe;
  }

  amountStepMinor(): number {
    return 1;
  }

  payment(): Promise<PaymentReport> {
    return Promise.resolve({ kind: 'unknown', reason: 'not known' });
  }

  movements(): Promise<MovementPage> {
    return Promise.resolve({ kind: 'unknown', reason: 'not known' });
  }

  /** Sends the card number to Stripe's API, which Stripe must have allowed for the account. Others use its form. */
  async tokenize(card: CardEntry, account: string | null): Promise<VaultOutcome> {
    const vaulted = await withinDeadline(this.#vault(card, account));
    return vaulted.kind === 'unknown'
      ? { kind: 'refused', refusal: refusal(vaulted.reason) }
      : vaulted;
  }

  async #vault(card: CardEntry, account: string | null): Promise<VaultOutcome> {
    const options = accountOptions(account);
    try {
      const method = await this.#stripe.paymentMethods.create(
        {
          type: 'card',
          card: {
            number: card.number,
            exp_month: card.expiryMonth,
            exp_year: card.expiryYear,
            ...(card.cvv !== null && { cvc: card.cvv }),
          },
          ...(card.holderName !== null && { billing_details: { name: card.holderName } }),
        },
        options,
      );
      const customer = await this.#stripe.customers.create({}, options);
      const setup = await this.#stripe.setupIntents.create(
        {
          customer: customer.id,
          payment_method: method.id,
          usage: 'off_session',
          confirm: true,
          allowed_payment_method_types: ['card'],
        },
        options,
      );
      return setup.status === 'succeeded'
        ? {
            kind: 'vaulted',
            gatewayToken: tokenOf(account, customer.id, method.id),
            traits: { funding: 'unknown', issuerCountry: null },
          }
        : { kind: 'refused', refusal: refusal(`the card setup is ${setup.status}`) };
    } catch (error) {
      return { kind: 'refused', refusal: refusal(rejectionReason(error)) };
    }
  }

  charge(request: MoneyRequest): Promise<Outcome> {
    return this.#pay(request, 'automatic', outcomeOfCharge);
  }

  authorize(request: MoneyRequest): Promise<Outcome> {
    return this.#pay(request, 'manual', outcomeOfAuthorization);
  }

  capture(request: FollowUpRequest): Promise<Outcome> {
    const amount = toStripeAmount(request.amountMinor, request.currency);
    if (amount === null) return Promise.resolve(unsupportedAmount());
    return this.#send(async () => {
      const params = {
        amount_to_capture: amount,
        metadata: { captureKey: request.idempotencyKey },
      };
      const { paymentIntents } = this.#stripe;
      const intent = await paymentIntents.capture(
        request.gatewayReference,
        params,
        optionsOf(request),
      );
      return outcomeOfCharge(checked(intent));
    });
  }

  release(request: FollowUpRequest): Promise<Outcome> {
    return this.#send(async () => {
      const { paymentIntents } = this.#stripe;
      const intent = await paymentIntents.cancel(request.gatewayReference, {}, optionsOf(request));
      return outcomeOfRelease(checked(intent));
    });
  }

  refund(request: FollowUpRequest): Promise<Outcome> {
    const amount = toStripeAmount(request.amountMinor, request.currency);
    if (amount === null) return Promise.resolve(unsupportedAmount());
    return this.#send(async () => {
      const refund = await this.#stripe.refunds.create(
        { payment_intent: request.gatewayReference, amount, metadata: metadataOf(request) },
        optionsOf(request),
      );
      return outcomeOfRefund(checked(refund));
    });
  }

  /** Reads the outcome of an operation from Stripe's records. */
  lookUp(lookUpRequest: LookUpRequest): Promise<LookUp> {
    return withinDeadline<LookUp>(
      this.#find(lookUpRequest).catch((error: unknown) => unknownOf(outcomeOfError(error))),
    );
  }

  accountOf(gatewayToken: string): string | null {
    return partsOf(gatewayToken).account;
  }

  dispute(id: string, account: string | null): Promise<DisputeReport> {
    return withinDeadline<DisputeReport>(
      this.#retrieveDispute(id, account).catch((error: unknown) => disputeOfError(error)),
    );
  }

  async #retrieveDispute(id: string, account: string | null): Promise<DisputeReport> {
    const expand = { expand: ['payment_intent'] };
    const dispute = await this.#stripe.disputes.retrieve(id, expand, accountOptions(account));
    return reportOf(dispute);
  }

  async #find(lookUpRequest: LookUpRequest): Promise<LookUp> {
    switch (lookUpRequest.kind) {
      case 'charge':
      case 'authorization':
        return this.#findPayment(lookUpRequest);
      case 'capture':
        return this.#findCapture(lookUpRequest);
      case 'release':
        return this.#findRelease(lookUpRequest);
      case 'refund':
        return this.#findRefund(lookUpRequest);
    }
  }

  /** Lists the customer's payments since then: Stripe's lists are always current, its search index may lag. */
  async #findPayment(lookUpRequest: LookUpRequest): Promise<LookUp> {
    const { gatewayToken, idempotencyKey, kind, sinceMs } = lookUpRequest;
    const { account, customer } = partsOf(gatewayToken);
    const since = Math.floor((sinceMs - CLOCK_SLACK_MS) / SECOND_MS);
    const list = await this.#stripe.paymentIntents.list(
      {
        customer,
        created: { gte: since },
        limit: LIST_LIMIT,
        expand: ['data.latest_charge'],
      },
      accountOptions(account),
    );
    const found = list.data.find(({ metadata }) => metadata['key'] === idempotencyKey);
    if (found) return kind === 'charge' ? outcomeOfCharge(found) : outcomeOfAuthorization(found);
    return list.has_more ? unknownOf(null) : { kind: 'absent' };
  }

  async #findCapture(lookUpRequest: LookUpRequest): Promise<LookUp> {
    const intent = await this.#retrieve(lookUpRequest);
    if (intent.status === 'requires_capture') return { kind: 'absent' };
    return outcomeOfCharge(intent);
  }

  async #findRelease(lookUpRequest: LookUpRequest): Promise<LookUp> {
    const intent = await this.#retrieve(lookUpRequest);
    if (intent.status === 'requires_capture') return { kind: 'absent' };
    return outcomeOfRelease(intent);
  }

  async #findRefund(lookUpRequest: LookUpRequest): Promise<LookUp> {
    const list = await this.#stripe.refunds.list(
      { payment_intent: lookUpRequest.gatewayReference ?? '', limit: LIST_LIMIT },
      accountOptions(partsOf(lookUpRequest.gatewayToken).account),
    );
    const found = list.data.find(
      ({ metadata }) => metadata?.['key'] === lookUpRequest.idempotencyKey,
    );
    if (found) return outcomeOfRefund(found);
    return list.has_more ? unknownOf(null) : { kind: 'absent' };
  }

  async #retrieve({
    gatewayReference,
    gatewayToken,
  }: LookUpRequest): Promise<Stripe.PaymentIntent> {
    const { paymentIntents } = this.#stripe;
    const options = accountOptions(partsOf(gatewayToken).account);
    return checked(await paymentIntents.retrieve(gatewayReference ?? '', {}, options));
  }

  #pay(
    request: MoneyRequest,
    captureMethod: 'automatic' | 'manual',
    read: (intent: Stripe.PaymentIntent) => Outcome,
  ): Promise<Outcome> {
    const amount = toStripeAmount(request.amountMinor, request.currency);
    if (amount === null) return Promise.resolve(unsupportedAmount());
    const { customer, method } = partsOf(request.gatewayToken);
    return this.#send(async () => {
      const intent = await this.#stripe.paymentIntents.create(
        {
          amount,
          currency: request.currency.toLowerCase(),
          customer,
          payment_method: method,
          allowed_payment_method_types: ['card'],
          off_session: true,
          confirm: true,
          capture_method: captureMethod,
          error_on_requires_action: true,
          metadata: metadataOf(request),
          expand: ['latest_charge'],
        },
        optionsOf(request),
      );
      return read(checked(intent));
    });
  }

  #send(request: () => Promise<Outcome>): Promise<Outcome> {
    return withinDeadline<Outcome>(request().catch(outcomeOfError));
  }
}

function optionsOf({ idempotencyKey, gatewayToken }: MoneyRequest): Stripe.RequestOptions {
  return { idempotencyKey, ...accountOptions(partsOf(gatewayToken).account) };
}

/** Throws for an answer that is not a Stripe object, such as an error page: it leaves the outcome unknown. */
function checked<T extends { readonly id?: string; readonly status?: string | null }>(
  answer: T,
): T {
  const { id, status } = answer;
  if (typeof id !== 'string' || typeof status !== 'string')
    throw new Error('Stripe sent an invalid response');
  return answer;
}

function unsupportedAmount(): Outcome {
  return rejection('Stripe does not support this amount');
}

function unknownOf(outcome: Outcome | null): LookUp {
  return {
    kind: 'unknown',
    reason: outcome === null ? 'too many records to search' : reasonOf(outcome),
  };
}
