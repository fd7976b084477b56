import { type AmountDoubt, typableAmount } from '../../core/typedAmount.ts';
import { words } from '../../desk/words.ts';

/** Asks which of two amounts was typed, in texts that are one of them only. */
export function whichAmount(
  { decimalMinor, thousandsMinor }: Extract<AmountDoubt, { readonly kind: 'ambiguous' }>,
  currency: string,
): string {
  const small = typableAmount(decimalMinor, currency);
  return words.amounts.which({ small, large: typableAmount(thousandsMinor, currency) });
}
