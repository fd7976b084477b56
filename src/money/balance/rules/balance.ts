import { standingOf } from '../../../records/history/rules/standing.ts';
import type { ChargeTotals, OpenAmounts, Standing } from '../../../records/history/sums.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
import { dueOf } from './due.ts';

/** A booking's balance, in minor units without fees (interface: Get the balance). */
export interface Balance extends Standing {
  readonly totalCostMinor: number;
  readonly dueMinor: number;
  /** `paidMinor` less the total cost; 0 if less was paid, or if the total cost is not known. */
  readonly overpaidMinor: number;
  /**
   * What a guest may pay now: `dueMinor` less `uncertainMinor` and `disputedMinor`. The guest paid what is disputed once;
   * the bank decides whether the property keeps it.
   */
  readonly payableMinor: number;
  /** What the page proposes to pay: `payableMinor` less `scheduledMinor`, which will be charged without the guest. */
  readonly proposedMinor: number;
}

/** Computes a booking's balance. A total cost of 0 is not known: then nothing is due or overpaid. */
export function balanceOf(totalCostMinor: number, standing: Standing): Balance {
  const { disputedMinor, paidMinor, scheduledMinor, uncertainMinor } = standing;
  const dueMinor = dueOf(totalCostMinor, standing);
  const payableMinor = Math.max(0, dueMinor - uncertainMinor - disputedMinor);
  return {
    ...standing,
    totalCostMinor,
    dueMinor,
    overpaidMinor: totalCostMinor === 0 ? 0 : Math.max(0, paidMinor - totalCostMinor),
    payableMinor,
    proposedMinor: Math.max(0, payableMinor - scheduledMinor),
  };
}

/** The columns of a transaction that what is open depends on. */
export type Movement = Pick<
  TransactionRow,
  'status' | 'purpose' | 'requestedMinor' | 'captureRequestedMinor' | 'pendingOperation'
>;

/** What of a booking's transactions is open. The history has the same for each instant (parts: The history). */
export function openAmountsOf(movements: readonly Movement[]): OpenAmounts {
  const counted = movements.filter(({ purpose }) => purpose !== 'Bond');
  const inState = (wanted: Movement['status']) =>
    sum(counted.filter(({ status }) => status === wanted).map((it) => it.requestedMinor));
  return {
    scheduledMinor: inState('Pending'),
    heldMinor: inState('Authorized'),
    uncertainMinor: sum(counted.map(uncertainOf)),
  };
}

/** A booking's balance, from all its transactions. */
export function balanceOfRows(
  totalCostMinor: number,
  movements: readonly Movement[],
  totals: readonly ChargeTotals[],
): Balance {
  return balanceOf(totalCostMinor, standingOf({ totals, open: openAmountsOf(movements) }));
}

/** What a charge or capture under way may have taken, in minor units without fees. */
export function uncertainOf(movement: Movement): number {
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
