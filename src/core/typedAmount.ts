import { toMinor } from './money.ts';

/**
 * The minor units of an amount as a person or a bank writes it, in a currency with `exponent` decimals: with either
 * decimal sign, with thousands in groups, with a sign and with the code of its currency; null for anything else. Of
 * `1,234` three figures are a group, unless the currency has three decimals.
 */
export function typedAmount(text: string, exponent: number): number | null {
  const bare = text
    .replaceAll(/[\s'’]/g, '')
    .replaceAll('−', '-')
    .replace(/^([-+]?)[A-Za-z]{3}(?=[-\d])|(?<=[-\d])[A-Za-z]{3}$/, '$1');
  const [, before, figures = '', after] = /^([-+]?)([\d.,]+)(-?)$/.exec(bare) ?? [];
  if (before !== '' && after !== '') return null;
  const numeral = numeralOf(figures, exponent);
  if (numeral === null) return null;
  const minor = toMinor(numeral, exponent, 0);
  if (!minor.ok) return null;
  return before === '-' || after === '-' ? -minor.value : minor.value;
}

/** Figures as a decimal numeral with a point. */
function numeralOf(figures: string, exponent: number): string | null {
  if (/^\d{1,12}$/.test(figures)) return figures;
  const grouped = /^(\d{1,3})(?:([.,])\d{3})(?:\2\d{3})*(?:(?!\2)[.,](\d{1,6}))?$/.exec(figures);
  if (grouped && isGrouped(figures, exponent)) {
    const [, , sign = '', decimals = '0'] = grouped;
    const whole = figures.split(sign === '.' ? ',' : '.')[0] ?? '';
    return `${whole.replaceAll(sign, '')}.${decimals}`;
  }
  return /^\d{1,12}[.,]\d{1,6}$/.test(figures) ? figures.replace(',', '.') : null;
}

/** Whether a sign before three figures groups thousands: it may as well stand before three decimals. */
function isGrouped(figures: string, exponent: number): boolean {
  const signs = figures.replaceAll(/\d/g, '');
  return signs.length > 1 || (exponent !== 3 && !figures.startsWith('0'));
}
