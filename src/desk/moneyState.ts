import { isAtBank } from '../money/payments/rules.ts';
import type { BookingRow } from '../schema/bookingTables.ts';
import type { DisputeRow } from '../schema/disputeTables.ts';
import type { TransactionRow } from '../schema/moneyTables.ts';
import type { words } from './words.ts';

/** How a payment or a whole booking stands: each has a word, and pages show it by a colour and a shape. */
export type MoneyState = keyof typeof words.moneyStates;

type StatedPayment = Pick<
  TransactionRow,
  'amountMinor' | 'bankAskedAtMs' | 'id' | 'refundReservedMinor' | 'status'
>;

type StatedDispute = Pick<DisputeRow, 'status' | 'transactionId'>;

/** How a payment stands. A dispute that is open or lost counts before refunds. */
export function stateOfPayment(row: StatedPayment, disputes: readonly StatedDispute[]): MoneyState {
  switch (row.status) {
    case 'Accepted':
      return stateOfAccepted(row, disputes);
    case 'Pending':
      return 'scheduled';
    case 'Processing':
      return isAtBank(row) ? 'waiting' : 'unknown';
    case 'Authorized':
      return 'onHold';
    case 'Declined':
      return 'declined';
    case 'Failed':
      return 'failed';
    case 'Cancelled':
      return 'cancelled';
    case 'Released':
      return 'released';
    case 'Expired':
      return 'expired';
  }
}

function stateOfAccepted(
  { amountMinor, id, refundReservedMinor }: StatedPayment,
  disputes: readonly StatedDispute[],
): MoneyState {
  const own = disputes.filter(
    ({ status, transactionId }) => transactionId === id && status !== 'won',
  );
  if (own.some(({ status }) => status !== 'lost')) return 'disputed';
  if (own.length > 0) return 'lost';
  if (refundReservedMinor === 0) return 'paid';
  return refundReservedMinor < amountMinor ? 'partlyRefunded' : 'refunded';
}

/** The sums, in minor units, that a booking's state depends on. */
export interface StatedSums {
  readonly totalCostMinor: number;
  readonly dueMinor: number;
  readonly proposedMinor: number;
  readonly paidMinor: number;
  readonly overpaidMinor: number;
  readonly disputedMinor: number;
  readonly uncertainMinor: number;
}

/** How the money of a booking stands, what needs somebody first. Null where there is nothing to say: no price, and nothing paid. */
export function stateOfBooking(
  { status }: Pick<BookingRow, 'status'>,
  sums: StatedSums,
): MoneyState | null {
  if (sums.disputedMinor > 0) return 'disputed';
  if (sums.uncertainMinor > 0) return 'unknown';
  if (sums.overpaidMinor > 0) return 'overpaid';
  if (status === 'cancelled') return 'cancelled';
  if (sums.dueMinor === 0) return sums.totalCostMinor > 0 || sums.paidMinor > 0 ? 'paid' : null;
  if (sums.proposedMinor === 0) return 'scheduled';
  return sums.paidMinor > 0 ? 'partlyPaid' : 'due';
}
