import type { Stripe } from 'stripe';
import type { CardReport } from '../gateway.ts';
import { accountOptions, partsOf } from './cardTokens.ts';
import { isMissing } from './errors.ts';

/** Reads a stored card as Stripe knows it now. Throws if Stripe does not answer. */
export async function readCard(stripe: Stripe, gatewayToken: string): Promise<CardReport> {
  const { account, method: id } = partsOf(gatewayToken);
  try {
    const { card } = await stripe.paymentMethods.retrieve(id, {}, accountOptions(account));
    if (!card) return { kind: 'absent' };
    const { brand, last4, exp_month: expiryMonth, exp_year: expiryYear } = card;
    return { kind: 'card', brand, last4, expiryMonth, expiryYear };
  } catch (error) {
    if (isMissing(error)) return { kind: 'absent' };
    throw error;
  }
}
