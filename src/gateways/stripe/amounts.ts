import { exponentOf } from '../../core/money.ts';

/** Currencies whose amounts Stripe counts in whole units. */
const WHOLE_UNITS = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '),
);

/** In currencies with three decimals, the last one of an amount at Stripe is 0. */
const THREE_DECIMAL_STEP = 10;

/** The decimals of a currency at Stripe: those of ISO 4217, with Stripe's own exceptions. */
function stripeExponent(currency: string): number | null {
  if (WHOLE_UNITS.has(currency)) return 0;
  // Whole units by ISO 4217, but Stripe still counts these in hundredths.
  if (currency === 'ISK' || currency === 'UGX') return 2;
  return exponentOf(currency);
}

/**
 * Converts minor units of ISO 4217 to Stripe's units. Null for an amount that Stripe does not support: it has more
 * decimals than Stripe counts or, in a currency with three decimals, is not a multiple of ten.
 */
export function toStripeAmount(amountMinor: number, currency: string): number | null {
  const iso = exponentOf(currency);
  const stripe = stripeExponent(currency);
  if (iso === null || stripe === null) return null;
  const amount =
    stripe >= iso ? amountMinor * 10 ** (stripe - iso) : amountMinor / 10 ** (iso - stripe);
  const step = stripe === 3 ? THREE_DECIMAL_STEP : 1;
  return Number.isSafeInteger(amount) && amount % step === 0 ? amount : null;
}

/** Converts Stripe's units to minor units of ISO 4217; null if the result is not a whole number. */
export function fromStripeAmount(amount: number, currency: string): number | null {
  const iso = exponentOf(currency);
  const stripe = stripeExponent(currency);
  if (iso === null || stripe === null) return null;
  const minor = iso >= stripe ? amount * 10 ** (iso - stripe) : amount / 10 ** (stripe - iso);
  return Number.isSafeInteger(minor) ? minor : null;
}

/**
 * The step of the amounts that Stripe takes, in minor units of ISO 4217: 10 in currencies with three decimals, 100 where
 * ISO counts in hundredths but Stripe in whole units, else 1.
 */
export function stripeStepMinor(currency: string): number {
  const iso = exponentOf(currency);
  const stripe = stripeExponent(currency);
  if (iso === null || stripe === null) return 1;
  return stripe === 3 ? THREE_DECIMAL_STEP : 10 ** Math.max(0, iso - stripe);
}
