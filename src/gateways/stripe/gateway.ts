import type { Stripe } from 'stripe';
import { MINUTE_MS, SECOND_MS } from '../../core/time.ts';
import { withinDeadline } from '../deadline.ts';
import type {
  CardEntry,
  DisputeReport,
  FollowUpRequest,
  Gateway,
  Inquiry,
  LookUp,
  MoneyRequest,
  Outcome,
  VaultOutcome,
} from '../gateway.ts';
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
  refusalOf,
} from './outcomes.ts';

/** How far Stripe's clock may be from ours, and how many payments of a customer are looked through. */
const CLOCK_SLACK_MS = 5 * MINUTE_MS;
const MOST_LOOKED_AT = 100;

/**
 * The gateway that talks to Stripe. A card is a PaymentMethod of a Customer of its own, set up to be charged while its
 * holder is away; `gatewayToken` names both. What was sent under which key stands in the payment's metadata.
 */
export class StripeGateway implements Gateway {
  readonly name = 'stripe';
  readonly #stripe: Stripe;

  constructor(stripe: Stripe) {
    this.#stripe = stripe;
  }

  /** Hands a number to Stripe itself: only accounts that are allowed to may; the others use Stripe's own form. */
  async tokenize(card: CardEntry, account: string | null): Promise<VaultOutcome> {
    const vaulted = await withinDeadline(this.#vault(card, account));
    return vaulted.kind === 'unknown' ? { kind: 'refused', reason: vaulted.reason } : vaulted;
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
        ? { kind: 'vaulted', gatewayToken: tokenOf(account, customer.id, method.id) }
        : { kind: 'refused', reason: `the card is ${setup.status}` };
    } catch (error) {
      return { kind: 'refused', reason: refusalOf(error) };
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
    if (amount === null) return Promise.resolve(finerThanStripe());
    return this.#ask(async () => {
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
    return this.#ask(async () => {
      const { paymentIntents } = this.#stripe;
      const intent = await paymentIntents.cancel(request.gatewayReference, {}, optionsOf(request));
      return outcomeOfRelease(checked(intent));
    });
  }

  refund(request: FollowUpRequest): Promise<Outcome> {
    const amount = toStripeAmount(request.amountMinor, request.currency);
    if (amount === null) return Promise.resolve(finerThanStripe());
    return this.#ask(async () => {
      const refund = await this.#stripe.refunds.create(
        { payment_intent: request.gatewayReference, amount, metadata: metadataOf(request) },
        optionsOf(request),
      );
      return outcomeOfRefund(checked(refund));
    });
  }

  /** What became of an operation, by Stripe's own records; whoever sends it again under its key gets the same answer. */
  lookUp(inquiry: Inquiry): Promise<LookUp> {
    return withinDeadline<LookUp>(
      this.#find(inquiry).catch((error: unknown) => unknownOf(outcomeOfError(error))),
    );
  }

  accountOf(gatewayToken: string): string | null {
    return partsOf(gatewayToken).account;
  }

  /** A dispute with the payment that it is about, as both stand now. */
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

  async #find(inquiry: Inquiry): Promise<LookUp> {
    switch (inquiry.kind) {
      case 'charge':
      case 'authorization':
        return this.#findPayment(inquiry);
      case 'capture':
        return this.#findCapture(inquiry);
      case 'release':
        return this.#findRelease(inquiry);
      case 'refund':
        return this.#findRefund(inquiry);
    }
  }

  /** By the customer's own payments of that time: a list is never behind, as a search is. */
  async #findPayment(inquiry: Inquiry): Promise<LookUp> {
    const { gatewayToken, idempotencyKey, kind, sinceMs } = inquiry;
    const { account, customer } = partsOf(gatewayToken);
    const since = Math.floor((sinceMs - CLOCK_SLACK_MS) / SECOND_MS);
    const list = await this.#stripe.paymentIntents.list(
      {
        customer,
        created: { gte: since },
        limit: MOST_LOOKED_AT,
        expand: ['data.latest_charge'],
      },
      accountOptions(account),
    );
    const found = list.data.find(({ metadata }) => metadata['key'] === idempotencyKey);
    if (found) return kind === 'charge' ? outcomeOfCharge(found) : outcomeOfAuthorization(found);
    return list.has_more ? unknownOf(null) : { kind: 'absent' };
  }

  async #findCapture(inquiry: Inquiry): Promise<LookUp> {
    const intent = await this.#retrieve(inquiry);
    if (intent.status === 'requires_capture') return { kind: 'absent' };
    return outcomeOfCharge(intent);
  }

  async #findRelease(inquiry: Inquiry): Promise<LookUp> {
    const intent = await this.#retrieve(inquiry);
    if (intent.status === 'requires_capture') return { kind: 'absent' };
    return outcomeOfRelease(intent);
  }

  async #findRefund(inquiry: Inquiry): Promise<LookUp> {
    const list = await this.#stripe.refunds.list(
      { payment_intent: inquiry.gatewayReference ?? '', limit: MOST_LOOKED_AT },
      accountOptions(partsOf(inquiry.gatewayToken).account),
    );
    const found = list.data.find(({ metadata }) => metadata?.['key'] === inquiry.idempotencyKey);
    if (found) return outcomeOfRefund(found);
    return list.has_more ? unknownOf(null) : { kind: 'absent' };
  }

  async #retrieve({ gatewayReference, gatewayToken }: Inquiry): Promise<Stripe.PaymentIntent> {
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
    if (amount === null) return Promise.resolve(finerThanStripe());
    const { customer, method } = partsOf(request.gatewayToken);
    return this.#ask(async () => {
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

  #ask(request: () => Promise<Outcome>): Promise<Outcome> {
    return withinDeadline<Outcome>(request().catch(outcomeOfError));
  }
}

function optionsOf({ idempotencyKey, gatewayToken }: MoneyRequest): Stripe.RequestOptions {
  return { idempotencyKey, ...accountOptions(partsOf(gatewayToken).account) };
}

/** An answer that is none, such as an error page with status 200 or 500, says nothing of what was done. */
function checked<T extends { readonly id?: string; readonly status?: string | null }>(
  answer: T,
): T {
  const { id, status } = answer;
  if (typeof id !== 'string' || typeof status !== 'string') throw new Error('no answer of Stripe');
  return answer;
}

function finerThanStripe(): Outcome {
  return { kind: 'refused', reason: 'Stripe does not take such an amount' };
}

function unknownOf(outcome: Outcome | null): LookUp {
  return { kind: 'unknown', reason: outcome === null ? 'there are too many' : reasonOf(outcome) };
}
