import { Big } from 'big.js';
import currencyCodes from 'currency-codes';
import { err, ok, type Result } from './result.ts';

/** The largest amount of one operation, in minor units of its currency (interface: Amounts). */
export const MAX_AMOUNT_MINOR = 99_999_999_999;

const exponents = new Map(currencyCodes.data.map(({ code, digits }) => [code, digits]));

/** How far a request's decimal may be from a whole number of minor units, in minor units. */
const TOLERANCE_MINOR = new Big('0.0001');

/** Why a decimal is not an amount. */
export type AmountFault = 'amount_precision' | 'amount_out_of_range';

/**
 * The number of decimals of a currency after ISO 4217 (AUD 2, JPY 0, KWD 3), or null for a code that
 * ISO 4217 does not list.
 */
export function exponentOf(currency: string): number | null {
  return exponents.get(currency) ?? null;
}

/** The codes of ISO 4217 by their number of decimals. */
export function currenciesByExponent(): Map<number, string[]> {
  const grouped = new Map<number, string[]>();
  for (const { code, digits } of currencyCodes.data) {
    grouped.set(digits, [...(grouped.get(digits) ?? []), code]);
  }
  return grouped;
}

/**
 * Converts a request's amount to integer minor units. `amount` is a finite JSON number or a decimal numeral, with or
 * without a sign. Rounds away float noise up to 1e-4 of a minor unit; any larger fraction is `amount_precision`.
 */
export function toMinor(
  amount: number | string,
  exponent: number,
  lowestMinor: number,
  mostMinor: number = MAX_AMOUNT_MINOR,
): Result<number, AmountFault> {
  const numeral = typeof amount === 'string' ? amount.replace(/^\+/, '') : amount;
  const minor = new Big(numeral).times(new Big(10).pow(exponent));
  const whole = minor.round(0, Big.roundHalfUp);
  if (minor.minus(whole).abs().gt(TOLERANCE_MINOR)) return err('amount_precision');
  if (whole.lt(lowestMinor) || whole.gt(mostMinor)) return err('amount_out_of_range');
  // Not -0.
  return ok(whole.toNumber() || 0);
}

/** Minor units as the JSON number of an answer: 15464 with exponent 2 is 154.64, without float noise. */
export function toDecimal(minor: number, exponent: number): number {
  return Number(`${minor}e-${exponent}`);
}

/** A stored amount as a JSON number. Throws for an unknown currency, which property/put does not accept. */
export function storedDecimal(minor: number, currency: string): number {
  return toDecimal(minor, storedExponent(currency));
}

/** A stored amount as a decimal text with exactly its currency's decimals: 4000 AUD is `40.00`. */
export function decimalText(minor: number, currency: string): string {
  const exponent = storedExponent(currency);
  return new Big(`${minor}e-${exponent}`).toFixed(exponent);
}

/** The number of decimals of a stored currency. Throws for an unknown one, which property/put does not accept. */
export function storedExponent(currency: string): number {
  const exponent = exponentOf(currency);
  if (exponent === null) throw new Error('a stored currency is not in ISO 4217');
  return exponent;
}
