import type { RefundRow, TransactionRow } from '../db/moneyTables.ts';

/** A transaction as far as what is owed depends on it. */
export type Movement = Pick<
  TransactionRow,
  'id' | 'status' | 'purpose' | 'requestedMinor' | 'captureRequestedMinor' | 'pendingOperation'
>;

/** What a booking's money comes to for its guest, in minor units (decisions: section 7). */
export interface Balance {
  /** Accepted charges without their fees, other than bonds, less what of those was given back. */
  readonly paidMinor: number;
  /** What is left of the total cost; 0 when more was paid. */
  readonly dueMinor: number;
  /** What is being charged, of which nobody knows yet whether it was. */
  readonly uncertainMinor: number;
  /** What a guest may pay now: what is due, less what may be paid already. */
  readonly payableMinor: number;
  /** What will be charged without anybody's doing, without fees. */
  readonly scheduledMinor: number;
  /** What was given back, fees included. */
  readonly refundedMinor: number;
}

/** Reckons what is due: `refunds` are those of `movements`. */
export function balanceOf(
  totalCostMinor: number,
  movements: readonly Movement[],
  refunds: readonly Pick<RefundRow, 'transactionId' | 'status' | 'amountMinor'>[],
): Balance {
  const counted = movements.filter(({ purpose }) => purpose !== 'Bond');
  const paidMinor = sum(
    counted.map((movement) => {
      if (movement.status !== 'Accepted') return 0;
      const own = refunds.filter(
        ({ transactionId, status }) => transactionId === movement.id && status === 'Refunded',
      );
      // Fees are given back last: they are no part of what was owed.
      const returned = sum(own.map(({ amountMinor }) => amountMinor));
      return Math.max(0, movement.requestedMinor - returned);
    }),
  );
  const uncertainMinor = sum(counted.map(uncertainOf));
  const dueMinor = Math.max(0, totalCostMinor - paidMinor);
  return {
    paidMinor,
    dueMinor,
    uncertainMinor,
    payableMinor: Math.max(0, dueMinor - uncertainMinor),
    scheduledMinor: sum(
      counted.map(({ status, requestedMinor }) => (status === 'Pending' ? requestedMinor : 0)),
    ),
    refundedMinor: sum(
      refunds.map(({ status, amountMinor }) => (status === 'Refunded' ? amountMinor : 0)),
    ),
  };
}

function uncertainOf(movement: Movement): number {
  switch (movement.pendingOperation) {
    case 'charge':
      return movement.requestedMinor;
    case 'capture':
      return movement.captureRequestedMinor ?? movement.requestedMinor;
    default:
      return 0;
  }
}

function sum(amountsMinor: readonly number[]): number {
  return amountsMinor.reduce((total, amountMinor) => total + amountMinor, 0);
}
