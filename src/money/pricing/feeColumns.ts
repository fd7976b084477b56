import type { FeeTerms } from '../../records/properties/rules/feeTerms.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';

/** The columns of a transaction that hold the terms of its card fee. */
export function termsColumns(terms: FeeTerms) {
  return {
    feeBasisPoints: terms.cardFeeBasisPoints,
    feeMethod: terms.method,
    feeMaximumMinor: terms.maximumMinor,
  };
}

/** The fee terms that a transaction was priced with. */
export function termsOf(row: TransactionRow): FeeTerms {
  return {
    cardFeeBasisPoints: row.feeBasisPoints,
    method: row.feeMethod,
    maximumMinor: row.feeMaximumMinor,
    transactionFeeMinor: row.transactionFeeMinor,
  };
}
