import type { Stripe } from 'stripe';
import { factsOfLastDigits } from '../../core/cardNumbers.ts';
import type { CardReport, CardTraits, DescribedCard, Detachment } from '../vault.ts';
import { isMissing, unlessMissing } from './errors.ts';

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

/** The id of what Stripe names by its id, or shows whole. */
export function idOf(one: string | { readonly id: string } | null | undefined): string | null {
  return typeof one === 'string' ? one : (one?.id ?? null);
}

/** The request options for a connected account; none for the platform's own. */
export function accountOptions(account: string | null): Stripe.RequestOptions {
  return account === null ? {} : { stripeAccount: account };
}

/** Reads a stored card as Stripe knows it now. Throws if Stripe does not answer. */
export async function readCard(stripe: Stripe, gatewayToken: string): Promise<CardReport> {
  const { account, method: id } = partsOf(gatewayToken);
  const method = await unlessMissing(
    stripe.paymentMethods.retrieve(id, {}, accountOptions(account)),
  );
  if (!method?.card) return { kind: 'absent' };
  const { brand, last4, exp_month: expiryMonth, exp_year: expiryYear } = method.card;
  return { kind: 'card', brand, last4, expiryMonth, expiryYear };
}

/** Detaches a stored card from its customer, for good. Throws if Stripe does not say that it is detached. */
export async function detachCard(stripe: Stripe, gatewayToken: string): Promise<Detachment> {
  const { account, method: id } = partsOf(gatewayToken);
  const options = accountOptions(account);
  try {
    await stripe.paymentMethods.detach(id, {}, options);
  } catch (error) {
    if (isMissing(error)) return { kind: 'detached' };
    // Stripe refuses to detach twice, without a code of its own for that.
    const { customer } = await stripe.paymentMethods.retrieve(id, {}, options);
    if (customer !== null) throw error;
  }
  return { kind: 'detached' };
}

/** A card as Stripe describes it; null for a payment method that is none. */
export function describedCard(method: Stripe.PaymentMethod): DescribedCard | null {
  const { card, billing_details: holder } = method;
  if (!card) return null;
  return {
    facts: factsOfLastDigits(card.brand, card.last4),
    expiryMonth: card.exp_month,
    expiryYear: card.exp_year,
    holderName: holder.name,
    traits: traitsOf(method),
  };
}

/** What Stripe says of a card beyond its number. */
export function traitsOf({ card }: Stripe.PaymentMethod): CardTraits {
  return { funding: fundingOf(card?.funding), issuerCountry: card?.country ?? null };
}

function fundingOf(funding: string | undefined): CardTraits['funding'] {
  return funding === 'credit' || funding === 'debit' || funding === 'prepaid' ? funding : 'unknown';
}
