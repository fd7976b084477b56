import { exponentOf } from '../../core/money.ts';

/** Currencies that Stripe counts in whole units. */
const WHOLE_UNITS = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '),
);

/** The number of decimals by which Stripe counts a currency: ISO 4217's, with Stripe's own exceptions. */
function stripeExponent(currency: string): number | null {
  if (WHOLE_UNITS.has(currency)) return 0;
  // Whole units by ISO 4217, but Stripe still counts these in hundredths.
  if (currency === 'ISK' || currency === 'UGX') return 2;
  return exponentOf(currency);
}

/**
 * An amount as Stripe counts it, from minor units of ISO 4217. Null for one that Stripe cannot take: finer than it
 * counts, or not a multiple of ten where a currency has three decimals.
 */
export function toStripeAmount(amountMinor: number, currency: string): number | null {
  const iso = exponentOf(currency);
  const stripe = stripeExponent(currency);
  if (iso === null || stripe === null) return null;
  const amount =
    stripe >= iso ? amountMinor * 10 ** (stripe - iso) : amountMinor / 10 ** (iso - stripe);
  const step = stripe === 3 ? 10 : 1;
  return Number.isSafeInteger(amount) && amount % step === 0 ? amount : null;
}

/** Minor units of ISO 4217 from an amount as Stripe counts it; null where that is no whole number of them. */
export function fromStripeAmount(amount: number, currency: string): number | null {
  const iso = exponentOf(currency);
  const stripe = stripeExponent(currency);
  if (iso === null || stripe === null) return null;
  const minor = iso >= stripe ? amount * 10 ** (iso - stripe) : amount / 10 ** (stripe - iso);
  return Number.isSafeInteger(minor) ? minor : null;
}
