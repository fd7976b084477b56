import { Big } from 'big.js';
import { storedExponent } from '../../../../core/money.ts';

/** An amount of the facts as a bank reads it, with all its currency's decimals: `AUD 80.50`. */
export function amountText({
  amount,
  currency,
}: Readonly<{ amount: number; currency: string }>): string {
  return `${currency} ${new Big(amount).toFixed(storedExponent(currency))}`;
}
