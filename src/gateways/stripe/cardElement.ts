import type { Stripe } from 'stripe';
import { factsOfLastDigits } from '../../core/cardNumbers.ts';
import type {
  CardElement,
  ElementCard,
  ElementCardRequest,
  ElementOutcome,
  ElementPageParts,
  ReturnedFromBank,
} from '../cardElement.ts';
import { withinDeadline } from '../deadline.ts';
import { accountOptions, tokenOf } from './cardTokens.ts';
import { rejectionReason } from './outcomes.ts';

/** Stripe's script in the release that matches the client, and the sources that Stripe documents for its parts. */
const STRIPE_SCRIPT = 'https://js.stripe.com/endive/stripe.js';
const STRIPE_PARTS = 'https://js.stripe.com https://*.js.stripe.com';

/**
 * Stripe's Payment Element. Each card becomes a payment method of its own customer; the service confirms the setup.
 */
export class StripeCardElement implements CardElement {
  readonly page: ElementPageParts;
  readonly #stripe: Stripe;

  constructor(stripe: Stripe, publishableKey: string) {
    this.#stripe = stripe;
    this.page = {
      scripts: [STRIPE_SCRIPT, '/guest/element.js'],
      publishableKey,
      scriptSources: STRIPE_PARTS,
      frameSources: `${STRIPE_PARTS} https://hooks.stripe.com`,
      connectSources: 'https://api.stripe.com',
    };
  }

  keep(request: ElementCardRequest): Promise<ElementOutcome> {
    return certain(this.#setUp(request));
  }

  confirmed({ setup, account, linkId }: ReturnedFromBank): Promise<ElementOutcome> {
    return certain(this.#retrieve(setup, account, linkId));
  }

  async #setUp(request: ElementCardRequest): Promise<ElementOutcome> {
    const { account, attempt, confirmationToken, linkId, returnUrl } = request;
    const options = accountOptions(account);
    const customer = await this.#stripe.customers.create(
      {},
      { idempotencyKey: `${attempt}/customer`, ...options },
    );
    const setup = await this.#stripe.setupIntents.create(
      {
        customer: customer.id,
        confirmation_token: confirmationToken,
        confirm: true,
        usage: 'off_session',
        allowed_payment_method_types: ['card'],
        return_url: returnUrl,
        // Without this, Stripe's script would have to open the bank's page, but the guest has left its page by now.
        use_stripe_sdk: false,
        metadata: { link: linkId },
        expand: ['payment_method'],
      },
      { idempotencyKey: `${attempt}/setup`, ...options },
    );
    return outcomeOfSetup(setup, account);
  }

  async #retrieve(id: string, account: string | null, linkId: string): Promise<ElementOutcome> {
    const expand = { expand: ['payment_method'] };
    const setup = await this.#stripe.setupIntents.retrieve(id, expand, accountOptions(account));
    if (setup.metadata?.['link'] !== linkId)
      return { kind: 'rejected', reason: 'the card belongs to another link' };
    return outcomeOfSetup(setup, account);
  }
}

/** Storing a card charges nothing, so a card with an unknown outcome can safely count as rejected. */
async function certain(call: Promise<ElementOutcome>): Promise<ElementOutcome> {
  const answered = call.catch(
    (error: unknown): ElementOutcome => ({
      kind: 'rejected',
      reason: rejectionReason(error),
    }),
  );
  const outcome = await withinDeadline(answered);
  return outcome.kind === 'unknown' ? { kind: 'rejected', reason: outcome.reason } : outcome;
}

function outcomeOfSetup(setup: Stripe.SetupIntent, account: string | null): ElementOutcome {
  const { customer, next_action: next, payment_method: method, status } = setup;
  const url = next?.redirect_to_url?.url;
  if (status === 'requires_action' && url?.startsWith('https://')) return { kind: 'bank', url };
  const card = typeof method === 'object' && method !== null ? cardOf(method) : null;
  if (status !== 'succeeded' || card === null || typeof method !== 'object' || method === null) {
    return { kind: 'rejected', reason: `the card setup is ${status}` };
  }
  const customerId = typeof customer === 'string' ? customer : (customer?.id ?? '');
  return { kind: 'vaulted', gatewayToken: tokenOf(account, customerId, method.id), card };
}

function cardOf({ card, billing_details: holder }: Stripe.PaymentMethod): ElementCard | null {
  if (!card) return null;
  return {
    facts: factsOfLastDigits(card.brand, card.last4),
    expiryMonth: card.exp_month,
    expiryYear: card.exp_year,
    holderName: holder.name,
  };
}
