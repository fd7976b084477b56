import { decimalText, exponentOf, MAX_AMOUNT_MINOR, toMinor } from './money.ts';
import { err, ok, type Result } from './result.ts';

/** Digits with at most one decimal sign after them, and nothing else. */
const PLAIN = /^\d{1,15}(?:\.\d{1,6})?$/;

/** A text that is no amount, or that could be two: decimals, or thousands of a currency with three decimals. */
export type AmountDoubt =
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'ambiguous'; readonly decimalMinor: number; readonly thousandsMinor: number };

const UNREADABLE = { kind: 'unreadable' } as const;

/**
 * Reads an amount as a person or a bank writes it, in minor units. The decimal sign is a point or a comma; the other one,
 * spaces and apostrophes may stand between thousands. A single sign before three digits stands between thousands; with
 * three decimals nobody knows, and it is ambiguous. A minus may come first or last. The amount may have the sign of any
 * currency, and the code of its own. `mostMinor` is the largest amount that is none too much.
 */
export function typedAmount(
  text: string,
  currency: string,
  mostMinor: number = MAX_AMOUNT_MINOR,
): Result<number, AmountDoubt> {
  const exponent = exponentOf(currency);
  if (exponent === null) return err(UNREADABLE);
  // Japanese keyboards type wide digits and signs: they become ordinary ones.
  const bare = text
    .normalize('NFKC')
    .replaceAll(/[\s'’円圆元원\p{Sc}]|^Rp\.?|R(?=\$)/gu, '')
    .replaceAll('−', '-')
    .replace(new RegExp(`^([-+]?)${currency}(?=[-\\d])|(?<=[-\\d])${currency}$`, 'i'), '$1');
  const [, before, figures = '', after] = /^([-+]?)([\d.,]+)(-?)$/.exec(bare) ?? [];
  if (before !== '' && after !== '') return err(UNREADABLE);
  const sign = before === '-' || after === '-' ? -1 : 1;
  const readAs = (numeral: string | null) => {
    const minor =
      numeral !== null && PLAIN.test(numeral)
        ? toMinor(numeral, exponent, 0, mostMinor)
        : err(UNREADABLE);
    return minor.ok ? sign * minor.value : null;
  };
  if (exponent >= 3 && isOneGroup(figures)) {
    const decimalMinor = readAs(figures.replace(',', '.'));
    const thousandsMinor = readAs(figures.replace(/[.,]/, ''));
    return decimalMinor === null || thousandsMinor === null
      ? err(UNREADABLE)
      : err({ kind: 'ambiguous', decimalMinor, thousandsMinor });
  }
  const minor = readAs(plainNumeral(figures));
  return minor === null ? err(UNREADABLE) : ok(minor);
}

/**
 * An amount as {@link typedAmount} reads it back, such as `1234.50`. Where three decimals could be taken for thousands,
 * they lose their zeros or get another one.
 */
export function typableAmount(minor: number, currency: string): string {
  const text = decimalText(minor, currency);
  if (!isOneGroup(text)) return text;
  const short = text.replace(/\.?0+$/, '');
  return isOneGroup(short) ? `${short}0` : short;
}

/** Whether a sign stands before three digits at the end, after what a group of thousands may begin with. */
function isOneGroup(figures: string): boolean {
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(figures);
}

/** The same number with a point as its decimal sign; null if its signs make no sense. */
function plainNumeral(text: string): string | null {
  const decimal = decimalSign(text);
  const at = decimal === null ? text.length : text.lastIndexOf(decimal);
  const whole = withoutGroups(text.slice(0, at));
  if (whole === null) return null;
  return decimal === null ? whole : `${whole}.${text.slice(at + 1)}`;
}

function decimalSign(text: string): '.' | ',' | null {
  const [points, commas] = [text.split('.').length - 1, text.split(',').length - 1];
  if (points > 0 && commas > 0) return text.lastIndexOf('.') > text.lastIndexOf(',') ? '.' : ',';
  if (points + commas !== 1) return null;
  if (isOneGroup(text)) return null;
  return points === 1 ? '.' : ',';
}

/** Whole digits without the signs between their thousands; null if these are anywhere else. */
function withoutGroups(text: string): string | null {
  const isGrouped = /^\d{1,3}(?:\.\d{3})+$|^\d{1,3}(?:,\d{3})+$/.test(text);
  if (isGrouped) return text.replaceAll(/[.,]/g, '');
  return /^\d*$/.test(text) ? text : null;
}
