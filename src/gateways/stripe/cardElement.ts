import type { Stripe } from 'stripe';
import { SECOND_MS } from '../../core/time.ts';
import type {
  CardElement,
  ElementCardRequest,
  ElementOutcome,
  ElementPageParts,
  ReportedSetup,
  ReturnedFromBank,
} from '../cardElement.ts';
import { refusal } from '../vault.ts';
import { accountOptions, describedCard, idOf, tokenOf } from './cards.ts';
import { unlessMissing } from './errors.ts';
import { purposeMetadata, purposeOf } from './origin.ts';
import { bankUrlOf } from './outcomes.ts';
import { notSetUp, notVaulted, stored } from './vault.ts';

/** Stripe's script in the release that matches the client, and the sources that Stripe documents for its parts. */
const STRIPE_SCRIPT = 'https://js.stripe.com/endive/stripe.js';
const STRIPE_PARTS = 'https://js.stripe.com https://*.js.stripe.com';

/**
 * Stripe's Payment Element. Each card becomes a payment method of its own customer; the service confirms the setup.
 */
export class StripeCardElement implements CardElement {
  readonly gateway = 'stripe';
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
    return stored(this.#setUp(request).catch(notVaulted));
  }

  confirmed({ setup, account, linkId }: ReturnedFromBank): Promise<ElementOutcome> {
    return stored(this.#confirmedFor(setup, account, linkId).catch(notVaulted));
  }

  async setup(id: string, account: string | null): Promise<ReportedSetup | null> {
    const setup = await unlessMissing(this.#retrieve(id, account));
    const purpose = setup && purposeOf(setup.metadata);
    if (!purpose) return null;
    const atMs = setup.created * SECOND_MS;
    return { purpose, atMs, outcome: outcomeOfSetup(setup, account) };
  }

  async #setUp(request: ElementCardRequest): Promise<ElementOutcome> {
    const { account, attempt, confirmationToken, purpose, returnUrl } = request;
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
        metadata: purposeMetadata(purpose),
        expand: ['payment_method'],
      },
      { idempotencyKey: `${attempt}/setup`, ...options },
    );
    return outcomeOfSetup(setup, account);
  }

  async #confirmedFor(id: string, account: string | null, linkId: string): Promise<ElementOutcome> {
    const setup = await this.#retrieve(id, account);
    return setup.metadata?.['link'] === linkId
      ? outcomeOfSetup(setup, account)
      : { kind: 'refused', refusal: refusal('the card belongs to another link') };
  }

  #retrieve(id: string, account: string | null): Promise<Stripe.SetupIntent> {
    const expand = { expand: ['payment_method'] };
    return this.#stripe.setupIntents.retrieve(id, expand, accountOptions(account));
  }
}

function outcomeOfSetup(setup: Stripe.SetupIntent, account: string | null): ElementOutcome {
  const { customer, payment_method: method, status } = setup;
  const url = bankUrlOf(setup);
  if (status === 'requires_action' && url !== null) return { kind: 'bank', url };
  if (status !== 'succeeded') return notSetUp(setup);
  const card = typeof method === 'object' && method && describedCard(method);
  if (!card) return { kind: 'refused', refusal: refusal('the setup has no card') };
  const gatewayToken = tokenOf(account, idOf(customer) ?? '', idOf(method) ?? '');
  const agreement = setup.metadata?.['agreed'] ?? null;
  return { kind: 'vaulted', gatewayToken, card, agreement };
}
