import currencyCodes from 'currency-codes';

/** The descriptions that distinguish money which comes back from a refund with the wrong sign. */
const REVERSALS = ['Reversal of failed refund', 'Chargeback reversed'];

/** A payment with this description is a difference, of either sign. */
const CORRECTION = 'Correction of the amount';

interface Amounts {
  readonly Type: 'Payment' | 'Refund';
  readonly Currency: string;
  readonly CardFee: string;
  readonly TransactionFee: string;
  readonly AmountNet: string;
  readonly AmountGross: string;
  readonly Description: string;
}

/** The faults of well-formed amounts: decimals, sum and sign. */
export function moneyFaults(data: Amounts): [string, string][] {
  const known = currencyCodes.code(data.Currency);
  if (known?.code !== data.Currency) return [['Currency', 'is not a currency of ISO 4217']];
  const names = ['CardFee', 'TransactionFee', 'AmountNet', 'AmountGross'] as const;
  const unfit = names.filter((name) => decimalsOf(data[name]) !== known.digits);
  if (unfit.length > 0) {
    return unfit.map((name) => [
      name,
      `does not have the ${known.digits} decimals of its currency`,
    ]);
  }
  const fees = minor(data.CardFee) + minor(data.TransactionFee);
  const gross = minor(data.AmountGross);
  if (minor(data.AmountNet) !== gross - fees) {
    return [['AmountNet', 'is not AmountGross without the fees']];
  }
  if (data.Type === 'Payment' && data.Description === CORRECTION) return [];
  const negative = names.filter((name) => data[name].startsWith('-'));
  const isReversal = data.Type === 'Refund' && REVERSALS.includes(data.Description);
  if (isReversal && gross > 0n) return [['AmountGross', 'has the wrong sign']];
  return isReversal ? [] : negative.map((name) => [name, 'has the wrong sign']);
}

function decimalsOf(amount: string): number {
  return amount.split('.')[1]?.length ?? 0;
}

function minor(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}
