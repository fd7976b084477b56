import { exponentOf } from '../../core/money.ts';

/** Currencies whose amounts Stripe counts in whole units. */
const WHOLE_UNITS = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '),
);

/** In currencies with three decimals, the last one of an amount at Stripe is 0. */
const THREE_DECIMAL_STEP = 10;

/** The decimals of a currency after ISO 4217, and at Stripe, which has exceptions of its own; null for an unknown one. */
function decimalsOf(currency: string): { readonly iso: number; readonly stripe: number } | null {
  const iso = exponentOf(currency);
  if (iso === null) return null;
  if (WHOLE_UNITS.has(currency)) return { iso, stripe: 0 };
  // Whole units by ISO 4217, but Stripe still counts these in hundredths.
  return { iso, stripe: currency === 'ISK' || currency === 'UGX' ? 2 : iso };
}

/**
 * Converts minor units of ISO 4217 to Stripe's units. Null for an amount that Stripe does not support: it has more
 * decimals than Stripe counts or, in a currency with three decimals, is not a multiple of ten.
 */
export function toStripeAmount(amountMinor: number, currency: string): number | null {
  const decimals = decimalsOf(currency);
  if (decimals === null) return null;
  const { iso, stripe } = decimals;
  const amount =
    stripe >= iso ? amountMinor * 10 ** (stripe - iso) : amountMinor / 10 ** (iso - stripe);
  const step = stripe === 3 ? THREE_DECIMAL_STEP : 1;
  return Number.isSafeInteger(amount) && amount % step === 0 ? amount : null;
}

/** Converts Stripe's units of a currency, as Stripe writes it, to minor units of ISO 4217; null if that is no whole number. */
export function fromStripeAmount(amount: number, currency: string): number | null {
  const decimals = decimalsOf(currency.toUpperCase());
  if (decimals === null) return null;
  const { iso, stripe } = decimals;
  const minor = iso >= stripe ? amount * 10 ** (iso - stripe) : amount / 10 ** (stripe - iso);
  return Number.isSafeInteger(minor) ? minor : null;
}

/** The same for what is surely a whole number of minor units. Throws if it is not. */
export function minorOf(amount: number, currency: string): number {
  const minor = fromStripeAmount(amount, currency);
  if (minor === null) throw new Error(`an amount in ${currency} has no minor units`);
  return minor;
}

/**
 * The step of the amounts that Stripe takes, in minor units of ISO 4217: 10 in currencies with three decimals, 100 where
 * ISO counts in hundredths but Stripe in whole units, else 1.
 */
export function stripeStepMinor(currency: string): number {
  const { iso, stripe } = decimalsOf(currency) ?? { iso: 0, stripe: 0 };
  return stripe === 3 ? THREE_DECIMAL_STEP : 10 ** Math.max(0, iso - stripe);
}
