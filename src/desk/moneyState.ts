import { localDate } from '../core/time.ts';
import { bankStepUntilMs, isAtBank } from '../money/payments/rules.ts';
import { propertyNow } from '../platform/propertyNow.ts';
import type { BookingRow } from '../schema/bookingTables.ts';
import type { DisputeRow } from '../schema/disputeTables.ts';
import type { TransactionRow } from '../schema/moneyTables.ts';
import type { BookingFile } from './bookingFile.ts';
import { day, instant, money } from './format.ts';
import { declineCopy, words } from './words.ts';

/** How a payment or a whole booking stands: each has a word, and pages show it by a colour and a shape. */
export type MoneyState = keyof typeof words.moneyStates;

type StatedPayment = Pick<
  TransactionRow,
  'amountMinor' | 'bankAskedAtMs' | 'id' | 'refundReservedMinor' | 'status'
>;

type StatedDispute = Pick<DisputeRow, 'status' | 'transactionId'>;

/** How a payment stands. A dispute that is open or lost counts before refunds. */
export function stateOfPayment(row: StatedPayment, disputes: readonly StatedDispute[]): MoneyState {
  if (row.status === 'Accepted') return stateOfAccepted(row, disputes);
  if (row.status === 'Processing') return isAtBank(row) ? 'waiting' : 'unknown';
  return STATES[row.status];
}

const STATES = {
  Pending: 'scheduled',
  Authorized: 'onHold',
  Declined: 'declined',
  Failed: 'failed',
  Cancelled: 'cancelled',
  Released: 'released',
  Expired: 'expired',
} as const;

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

type Stated = Pick<BookingFile, 'disputes' | 'state'>;

/** How a payment stands in words, with a reason, an amount or a deadline where there is one. */
export function paymentStateCopy(row: TransactionRow, { disputes, state }: Stated): string {
  const { states, moneyStates } = words;
  const { timeZone } = state.property;
  const reason = declineCopy(row.declineCode);
  const shown = stateOfPayment(row, disputes);
  switch (shown) {
    case 'declined':
      return states.declined({ reason });
    case 'failed':
      return states.failed;
    case 'scheduled':
      return row.attempts > 0 ? states.scheduledAgain({ reason }) : states.scheduled;
    case 'partlyRefunded':
      return states.partlyRefunded({ amount: money(row.refundReservedMinor, row.currency) });
    case 'disputed':
      return disputeCopy(row, { disputes, state });
    case 'onHold':
      return row.expiresAtMs === null
        ? moneyStates.onHold
        : states.held({ time: instant(row.expiresAtMs, timeZone) });
    case 'waiting': {
      const untilMs = bankStepUntilMs(state, row, 0);
      return untilMs === 0
        ? moneyStates.unknown
        : states.waiting({ time: instant(untilMs, timeZone) });
    }
    default:
      return moneyStates[shown];
  }
}

/** The open dispute of a payment that has to be answered first, and until when. */
function disputeCopy({ id }: Pick<TransactionRow, 'id'>, { disputes, state }: Stated): string {
  const { states } = words;
  const { timeZone } = state.property;
  const open = disputes.filter(
    ({ status, transactionId }) => transactionId === id && status === 'needs_response',
  );
  const [first] = open.toSorted((one, two) => (one.respondByMs ?? 0) - (two.respondByMs ?? 0));
  if (!first) return states.answered;
  const { respondByMs, stage } = first;
  const dayOf = (atMs: number) => ({ time: day(localDate(atMs, timeZone)) });
  const isOver = respondByMs !== null && respondByMs < propertyNow(state.property);
  const until = isOver ? states.overdue : states.answerBy;
  const what = respondByMs === null ? states.noDeadline : until(dayOf(respondByMs));
  return stage === 'inquiry' ? states.inquiry({ what }) : what;
}
