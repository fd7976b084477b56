import type { TransactionRow } from '../../schema/moneyTables.ts';

/** The sums of a charge's movements, in minor units. A charge that was not taken has none. */
export interface ChargeTotals extends Pick<TransactionRow, 'purpose'> {
  readonly transactionId: number;
  /** What was taken from the card, fees included, and the fees in it. */
  readonly takenMinor: number;
  readonly feeMinor: number;
  /** What was given back, fees included, and what of that lowers the price of the stay. */
  readonly refundedMinor: number;
  readonly waivedMinor: number;
  /** What the acquirer holds back for disputes, fees included. */
  readonly disputedMinor: number;
}

/** What a booking has open, in minor units without fees. Bonds are left out. */
export interface OpenAmounts {
  /** What is `Pending`, and what is `Authorized`. */
  readonly scheduledMinor: number;
  readonly heldMinor: number;
  /** What charges and captures in `Processing` may have taken. */
  readonly uncertainMinor: number;
  /** What the parts of its plan lack that are still to be charged. */
  readonly plannedMinor: number;
}

/** What a booking's history comes to: the sums of each charge, and what is open. */
export interface Sums {
  readonly totals: readonly ChargeTotals[];
  readonly open: OpenAmounts;
}

/** The last entry of a booking's history: 0 and 0 before the first. */
export interface LastEntry {
  readonly sequence: number;
  readonly atMs: number;
}

export interface KnownHistory extends Sums {
  readonly last: LastEntry;
}

export const NO_SUMS: Sums = {
  totals: [],
  open: { scheduledMinor: 0, heldMinor: 0, uncertainMinor: 0, plannedMinor: 0 },
};

/** The sums of a booking's payments, in minor units without fees. Only `bondsMinor` counts Bonds. */
export interface BookingTotals extends OpenAmounts {
  /** What accepted charges brought, less what was given back or is withdrawn for disputes. */
  readonly paidMinor: number;
  readonly refundedMinor: number;
  readonly disputedMinor: number;
  /** Of what was given back: by how much the stay costs less. */
  readonly waivedMinor: number;
  readonly bondsMinor: number;
}
