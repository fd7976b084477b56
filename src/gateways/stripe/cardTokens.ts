import type { Stripe } from 'stripe';

/** A card's token: the account that it belongs to, empty for the platform's own, its customer and itself. */
export function tokenOf(account: string | null, customer: string, method: string): string {
  return `${account ?? ''}/${customer}/${method}`;
}

/** The parts of a card's token. */
export function partsOf(gatewayToken: string): {
  readonly account: string | null;
  readonly customer: string;
  readonly method: string;
} {
  const [account = '', customer = '', method = ''] = gatewayToken.split('/');
  return { account: account === '' ? null : account, customer, method };
}

/** What makes a request one of a connected account; nothing for the platform's own. */
export function accountOptions(account: string | null): Stripe.RequestOptions {
  return account === null ? {} : { stripeAccount: account };
}
