import type { RefundRow, TransactionRow } from '../../platform/db/moneyTables.ts';

/** The columns of a transaction that the balance depends on. */
export type Movement = Pick<
  TransactionRow,
  'id' | 'status' | 'purpose' | 'requestedMinor' | 'captureRequestedMinor' | 'pendingOperation'
>;

/** A booking's balance as its guest sees it, in minor units (interface: Balance). */
export interface Balance {
  /** Accepted charges other than bonds, without fees and less their refunds. */
  readonly paidMinor: number;
  /** The total cost less `paidMinor`; 0 if more was paid. */
  readonly dueMinor: number;
  /** Charges and captures whose outcome is not known yet. */
  readonly uncertainMinor: number;
  /** What a guest may pay now: `dueMinor` less `uncertainMinor`. */
  readonly payableMinor: number;
  /** Pending scheduled charges, without fees. */
  readonly scheduledMinor: number;
  /** Completed refunds of all charges, fees included. */
  readonly refundedMinor: number;
}

/** Computes a booking's balance from its total cost, its transactions and their refunds. */
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
      // A refund returns fees last: the total cost does not include them.
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
