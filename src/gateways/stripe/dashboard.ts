import { partsOf } from './cards.ts';

/** The page of a payment in Stripe's Dashboard, of the account that its card belongs to; `isTest` is its test mode's. */
export function dashboardPage(id: string, gatewayToken: string, isTest: boolean): string {
  const place = [partsOf(gatewayToken).account, isTest && 'test', 'payments', id];
  return `https://dashboard.stripe.com/${place.filter(Boolean).join('/')}`;
}
