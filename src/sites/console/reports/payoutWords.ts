import type { DisbursementItemRow, DisbursementRow } from '../../../schema/disbursementTables.ts';

/** The states of a payout. */
export const payoutStatusCopy = {
  not_paid_out: 'Collecting',
  in_transit: 'On its way',
  paid_out: 'Paid out',
  failed: 'Failed',
} as const satisfies Record<DisbursementRow['status'], string>;

/** What an item of a payout is. */
export const categoryCopy = {
  sale: 'Payment',
  refund: 'Refund',
  dispute: 'Dispute',
  refund_failure: 'Refund that failed',
  adjustment: 'Adjustment',
} as const satisfies Record<DisbursementItemRow['category'], string>;
