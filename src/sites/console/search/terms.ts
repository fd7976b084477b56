import { toMinor } from '../../../core/money.ts';

/** What a text that was typed to find a booking may mean. Undefined where it cannot mean that. */
export interface SearchTerms {
  /** The beginning of a reference, a last name or an e-mail address, or a PMS's confirmation number. */
  readonly text: string;
  readonly last4: string | undefined;
  /** An amount that was charged, in minor units. */
  readonly amountMinor: number | undefined;
  /** The id of a charge or refund. */
  readonly moneyId: number | undefined;
}

/** Reads what was typed, for a currency with `exponent` decimals; null if nothing was. */
export function termsOf(typed: string, exponent: number): SearchTerms | null {
  const text = typed.trim().replaceAll(/\s+/g, ' ');
  if (text === '') return null;
  return {
    text: lastName(text),
    last4: /^\d{4}$/.test(text) ? text : undefined,
    amountMinor: amountOf(text, exponent),
    moneyId: /^\d{5,16}$/.test(text) ? Number(text) : undefined,
  };
}

/** Of a first and a last name, the last one finds the guest. */
function lastName(text: string): string {
  const isName = /^\p{L}[\p{L}\p{M}'’.-]* (?:[\p{L}\p{M}'’.-]+ )*\p{L}[\p{L}\p{M}'’.-]*$/u.test(
    text,
  );
  return isName ? (text.split(' ').at(-1) ?? text) : text;
}

/** An amount with a point or a comma before its decimals, with or without the currency's code. */
function amountOf(text: string, exponent: number): number | undefined {
  const figures = /^(?:[A-Za-z]{3} ?)?(\d{1,12}(?:[.,]\d{1,6})?)(?: ?[A-Za-z]{3})?$/.exec(
    text,
  )?.[1];
  if (figures === undefined) return undefined;
  const minor = toMinor(figures.replace(',', '.'), exponent, 1);
  return minor.ok ? minor.value : undefined;
}
