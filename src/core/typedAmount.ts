import { exponentOf, toMinor } from './money.ts';

/** Digits with at most one decimal sign after them, and nothing else. */
const PLAIN = /^\d{1,12}(?:\.\d{1,6})?$/;

/**
 * Reads an amount as a person or a bank writes it, in minor units; null if it makes no sense. The decimal sign is a point
 * or a comma; the other one, spaces and apostrophes may stand between thousands. A single sign before three digits stands
 * between thousands, unless the currency has three decimals. A minus may come first or last. The amount may have the sign
 * of any currency, and the code of its own.
 */
export function typedAmount(text: string, currency: string): number | null {
  const exponent = exponentOf(currency);
  if (exponent === null) return null;
  // Japanese keyboards type wide digits and signs: they become ordinary ones.
  const bare = text
    .normalize('NFKC')
    .replaceAll(/[\s'’\p{Sc}]/gu, '')
    .replaceAll('−', '-')
    .replace(new RegExp(`^([-+]?)${currency}(?=[-\\d])|(?<=[-\\d])${currency}$`, 'i'), '$1');
  const [, before, figures = '', after] = /^([-+]?)([\d.,]+)(-?)$/.exec(bare) ?? [];
  if (before !== '' && after !== '') return null;
  const numeral = plainNumeral(figures, exponent);
  if (numeral === null || !PLAIN.test(numeral)) return null;
  const minor = toMinor(numeral, exponent, 0);
  if (!minor.ok) return null;
  return before === '-' || after === '-' ? -minor.value : minor.value;
}

/** The same number with a point as its decimal sign; null if its signs make no sense. */
function plainNumeral(text: string, exponent: number): string | null {
  const decimal = decimalSign(text, exponent);
  const at = decimal === null ? text.length : text.lastIndexOf(decimal);
  const whole = withoutGroups(text.slice(0, at));
  if (whole === null) return null;
  return decimal === null ? whole : `${whole}.${text.slice(at + 1)}`;
}

/** Which sign is the decimal one; null for none. */
function decimalSign(text: string, exponent: number): '.' | ',' | null {
  const [points, commas] = [text.split('.').length - 1, text.split(',').length - 1];
  if (points > 0 && commas > 0) return text.lastIndexOf('.') > text.lastIndexOf(',') ? '.' : ',';
  if (points + commas !== 1) return null;
  const isGroup = exponent < 3 && /^[1-9]\d{0,2}[.,]\d{3}$/.test(text);
  if (isGroup) return null;
  return points === 1 ? '.' : ',';
}

/** Whole digits without the signs between their thousands; null if these are anywhere else. */
function withoutGroups(text: string): string | null {
  const isGrouped = /^\d{1,3}(?:\.\d{3})+$|^\d{1,3}(?:,\d{3})+$/.test(text);
  if (isGrouped) return text.replaceAll(/[.,]/g, '');
  return /^\d*$/.test(text) ? text : null;
}
