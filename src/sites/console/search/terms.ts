import { typedAmount } from '../../../core/typedAmount.ts';

/** What a text that was typed to find a booking may mean. Undefined where it cannot mean that. */
export interface SearchTerms {
  /** The beginning of a reference, a last name or an e-mail address, or a PMS's confirmation number. */
  readonly text: string;
  readonly last4: string | undefined;
  /** The amounts that may have been charged, in minor units. */
  readonly amountsMinor: readonly number[];
  /** The id of a charge or refund. */
  readonly moneyId: number | undefined;
}

/** Reads what was typed at a property with this currency; null if nothing was. */
export function termsOf(typed: string, currency: string): SearchTerms | null {
  const text = typed.trim().replaceAll(/\s+/g, ' ');
  if (text === '') return null;
  return {
    text: lastName(text),
    last4: /^\d{4}$/.test(text) ? text : undefined,
    amountsMinor: amountsOf(text, currency),
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

/** What amounts were typed: both, where it could be two. */
function amountsOf(text: string, currency: string): readonly number[] {
  const typed = typedAmount(text, currency);
  if (typed.ok) return typed.value > 0 ? [typed.value] : [];
  const doubt = typed.error;
  return doubt.kind === 'unreadable' ? [] : [doubt.decimalMinor, doubt.thousandsMinor];
}
