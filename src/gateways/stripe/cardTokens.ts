import type { Stripe } from 'stripe';

/** Builds a card's token: account (empty for the platform's own), customer and payment method. */
export function tokenOf(account: string | null, customer: string, method: string): string {
  return `${account ?? ''}/${customer}/${method}`;
}

/** Splits a card's token into its parts. */
export function partsOf(gatewayToken: string): {
  readonly account: string | null;
  readonly customer: string;
  readonly method: string;
} {
  const [account = '', customer = '', method = ''] = gatewayToken.split('/');
  return { account: account === '' ? null : account, customer, method };
}

/** The request options for a connected account; none for the platform's own. */
export function accountOptions(account: string | null): Stripe.RequestOptions {
  return account === null ? {} : { stripeAccount: account };
}
