import { type BookingModel, type Payment, refundsOf, sumOf as sumOfAmounts } from './state.ts';

/** What is owed of a booking (interface: Get the balance), in minor units without fees. */
export interface Balance {
  readonly paidMinor: number;
  readonly disputedMinor: number;
  readonly waivedMinor: number;
  /** What charges and captures under way may have taken. */
  readonly uncertainMinor: number;
  readonly scheduledMinor: number;
  readonly heldMinor: number;
  /** What is neither paid nor waived; 0 where the total is not known. */
  readonly dueMinor: number;
}

/** The balance as it is now, by the booking's total or another one. Bonds are no part of it. */
export function balanceOf(model: BookingModel, totalMinor = model.totalMinor): Balance {
  const counted = model.payments.filter(({ purpose }) => purpose !== 'Bond');
  const shares = counted.map((payment) => shareOf(model, payment));
  const inState = (wanted: Payment['status']) =>
    sumOf(counted.map((it) => (it.status === wanted ? it.requestedMinor : 0)));
  const paidMinor = sumOf(shares.map((share) => share.paidMinor));
  const waivedMinor = sumOf(shares.map((share) => share.waivedMinor));
  return {
    paidMinor,
    waivedMinor,
    disputedMinor: sumOf(shares.map((share) => share.disputedMinor)),
    uncertainMinor: sumOf(counted.map(uncertainOf)),
    scheduledMinor: inState('Pending'),
    heldMinor: inState('Authorized'),
    dueMinor: Math.max(0, totalMinor - paidMinor - waivedMinor),
  };
}

/** What is due less what is uncertain; null where the total is not known. */
export function openMinor(model: BookingModel, totalMinor = model.totalMinor): number | null {
  if (totalMinor === 0) return null;
  const { dueMinor, uncertainMinor } = balanceOf(model, totalMinor);
  return Math.max(0, dueMinor - uncertainMinor);
}

/**
 * The lesser of an amount and of what is due to what nobody attends: what its guest disputes is not. `wait` where only the
 * outcome of something uncertain says what that is.
 */
export function lesserOf(
  model: BookingModel,
  amountMinor: number,
  totalMinor = model.totalMinor,
): number | 'wait' {
  if (totalMinor === 0) return amountMinor;
  const { disputedMinor, dueMinor, uncertainMinor } = balanceOf(model, totalMinor);
  const certainMinor = Math.max(0, dueMinor - disputedMinor);
  const most = Math.min(amountMinor, certainMinor);
  const least = Math.min(amountMinor, Math.max(0, certainMinor - uncertainMinor));
  return most === least ? most : 'wait';
}

/** What a charge brought and is still there. Fees are given back last, and what the stay costs less by comes after all else. */
function shareOf(model: BookingModel, payment: Payment) {
  if (payment.status !== 'Accepted') return { paidMinor: 0, disputedMinor: 0, waivedMinor: 0 };
  const refunds = refundsOf(model, payment);
  const refundedMinor = sumOfAmounts(refunds);
  const waived = sumOfAmounts(refunds.filter((refund) => refund.waived));
  const broughtMinor = payment.requestedMinor;
  const withoutWaivedMinor = Math.max(0, broughtMinor - (refundedMinor - waived));
  const leftMinor = Math.max(0, broughtMinor - refundedMinor);
  const own = model.disputes.filter(({ charge }) => charge === payment.ref);
  const withdrawnMinor = sumOf(own.map((dispute) => dispute.withdrawnMinor));
  const paidMinor = Math.max(0, leftMinor - withdrawnMinor);
  return {
    paidMinor,
    disputedMinor: leftMinor - paidMinor,
    waivedMinor: withoutWaivedMinor - leftMinor,
  };
}

function uncertainOf({ requestedMinor, underWay }: Payment): number {
  if (underWay?.operation === 'charge') return requestedMinor;
  return underWay?.operation === 'capture'
    ? (underWay.captures?.requestedMinor ?? requestedMinor)
    : 0;
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}
