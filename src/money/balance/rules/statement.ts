import { shareOf } from '../../../records/history/rules/totals.ts';
import type { ChargeTotals } from '../../../records/history/sums.ts';
import { type Balance, known } from './balance.ts';

/**
 * What a guest's page adds up, in minor units: `stay - waived + fees - charged + refunded + disputed` is
 * `due - overpaid`.
 */
export interface Statement {
  /** The booking's total cost; null if it is not known. */
  readonly stayMinor: number | null;
  /** By how much the stay costs less, as far as that is not paid. */
  readonly waivedMinor: number;
  /** Card fees that the guest bears: those that were charged, less those that were given back or are disputed. */
  readonly feesMinor: number;
  /** What was taken from cards, fees included. */
  readonly chargedMinor: number;
  readonly refundedMinor: number;
  readonly disputedMinor: number;
  readonly dueMinor: number;
  readonly overpaidMinor: number;
}

/** Makes the statement of a booking (interface: What the page proposes). Bonds are no part of it. */
export function statementOf(totals: readonly ChargeTotals[], balance: Balance): Statement {
  const { dueMinor, overpaidMinor, totalCostMinor } = balance;
  const counted = totals.filter(({ purpose }) => purpose !== 'Bond');
  const chargedMinor = sum(counted.map(({ takenMinor }) => takenMinor));
  const refundedMinor = sum(counted.map((one) => one.refundedMinor));
  const disputedMinor = sum(counted.map((one) => one.disputedMinor));
  const paidMinor = sum(counted.map((one) => shareOf(one).paidMinor));
  const leftMinor = chargedMinor - refundedMinor - disputedMinor - paidMinor;
  // A bank may withdraw more than a refund left of its charge: the line shows no more than was left.
  const beyondMinor = Math.max(0, -leftMinor);
  return {
    stayMinor: known(totalCostMinor),
    waivedMinor: Math.max(0, totalCostMinor - paidMinor) - dueMinor,
    feesMinor: leftMinor + beyondMinor,
    chargedMinor,
    refundedMinor,
    disputedMinor: disputedMinor - beyondMinor,
    dueMinor,
    overpaidMinor,
  };
}

function sum(amountsMinor: readonly number[]): number {
  return amountsMinor.reduce((total, amountMinor) => total + amountMinor, 0);
}
