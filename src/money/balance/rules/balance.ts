import type { Standing } from '../../../operation/work.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
import { dueOf } from './due.ts';

/** The sums of a charge's rows in the journal, in minor units. A charge that was not taken has none. */
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
export type OpenAmounts = Pick<Standing, 'scheduledMinor' | 'uncertainMinor' | 'heldMinor'>;

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

/** The sums of a booking's payments, from the journal and what is open. */
export function standingOf(totals: readonly ChargeTotals[], open: OpenAmounts): Standing {
  const counted = totals.filter(({ purpose }) => purpose !== 'Bond').map(shareOf);
  const bonds = totals.filter(({ purpose }) => purpose === 'Bond').map(shareOf);
  return {
    ...open,
    paidMinor: sum(counted.map(({ paidMinor }) => paidMinor)),
    refundedMinor: sum(counted.map(({ refundedMinor }) => refundedMinor)),
    waivedMinor: sum(counted.map(({ waivedMinor }) => waivedMinor)),
    disputedMinor: sum(counted.map(({ disputedMinor }) => disputedMinor)),
    bondsMinor: sum(bonds.map(({ paidMinor }) => paidMinor)),
  };
}

/** The columns of a transaction that what is open depends on. */
export type Movement = Pick<
  TransactionRow,
  'status' | 'purpose' | 'requestedMinor' | 'captureRequestedMinor' | 'pendingOperation'
>;

/** What of a booking's transactions is open. The schema keeps the same for each instant (parts: The journal). */
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
  return balanceOf(totalCostMinor, standingOf(totals, openAmountsOf(movements)));
}

/** What a charge adds to the balance, in minor units without fees. */
export type Share = Pick<Standing, 'paidMinor' | 'refundedMinor' | 'disputedMinor' | 'waivedMinor'>;

/**
 * What a charge adds to the balance. The total cost does not include fees, so fees are given back last: a refund first,
 * then a dispute, takes from what the charge brought without them. Refunds that lower the price come last of all.
 */
export function shareOf(totals: Omit<ChargeTotals, 'transactionId' | 'purpose'>): Share {
  const { takenMinor, feeMinor, refundedMinor, disputedMinor, waivedMinor } = totals;
  const broughtMinor = takenMinor - feeMinor;
  const keptMinor = Math.max(0, broughtMinor - refundedMinor);
  const paidMinor = Math.max(0, keptMinor - disputedMinor);
  const withoutWaivedMinor = Math.max(0, broughtMinor - refundedMinor + waivedMinor);
  return {
    paidMinor,
    disputedMinor: keptMinor - paidMinor,
    refundedMinor: broughtMinor - keptMinor,
    waivedMinor: withoutWaivedMinor - keptMinor,
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
