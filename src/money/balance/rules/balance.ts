import { sumOf } from '../../../core/sum.ts';
import { bookingTotals, shareOf } from '../../../records/history/rules/totals.ts';
import type { BookingTotals, ChargeTotals, OpenAmounts } from '../../../records/history/sums.ts';
import type { BookingRow } from '../../../schema/bookingTables.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';

/** A booking's balance, in minor units without fees (interface: Get the balance). */
export interface Balance extends BookingTotals {
  readonly totalCostMinor: number;
  readonly dueMinor: number;
  /** `paidMinor` less the total cost; 0 if less was paid, or if the total cost is not known. */
  readonly overpaidMinor: number;
  /**
   * What a guest may pay now: `dueMinor` less `uncertainMinor` and `disputedMinor`. The guest paid what is disputed once;
   * the bank decides whether the property keeps it.
   */
  readonly payableMinor: number;
  /** What the page proposes to pay: `payableMinor` less `scheduledMinor` and `plannedMinor`, which are charged without them. */
  readonly proposedMinor: number;
}

/** Computes a booking's balance. Where the total cost is not known, nothing is due or overpaid. */
export function balanceOf(totalCostMinor: number, totals: BookingTotals): Balance {
  const { disputedMinor, paidMinor, plannedMinor, scheduledMinor, uncertainMinor } = totals;
  const dueMinor = dueOf(totalCostMinor, totals);
  const payableMinor = Math.max(0, dueMinor - uncertainMinor - disputedMinor);
  return {
    ...totals,
    totalCostMinor,
    dueMinor,
    overpaidMinor: known(totalCostMinor) === null ? 0 : Math.max(0, paidMinor - totalCostMinor),
    payableMinor,
    proposedMinor: Math.max(0, payableMinor - scheduledMinor - plannedMinor),
  };
}

/** The columns of a transaction that what is open depends on. */
export type Movement = Pick<
  TransactionRow,
  'status' | 'purpose' | 'requestedMinor' | 'captureRequestedMinor' | 'pendingOperation' | 'planId'
>;

/**
 * What of a booking's transactions is open. The history has the same for each instant (parts: The history). What a part of
 * a plan lacks is planned, also while its charge waits for another attempt.
 */
export function openAmountsOf(movements: readonly Movement[]): Omit<OpenAmounts, 'plannedMinor'> {
  const counted = movements.filter(({ purpose }) => purpose !== 'Bond');
  const inState = (wanted: Movement['status']) => counted.filter(({ status }) => status === wanted);
  return {
    scheduledMinor: sumOf(
      inState('Pending').filter(({ planId }) => planId === null),
      'requestedMinor',
    ),
    heldMinor: sumOf(inState('Authorized'), 'requestedMinor'),
    uncertainMinor: counted.reduce((sum, movement) => sum + uncertainOf(movement), 0),
  };
}

/** A booking's balance, from all its transactions, and from what its plan is still to charge. */
export function balanceOfRows(
  totalCostMinor: number,
  movements: readonly Movement[],
  totals: readonly ChargeTotals[],
  plannedMinor = 0,
): Balance {
  const open = { ...openAmountsOf(movements), plannedMinor };
  return balanceOf(totalCostMinor, bookingTotals({ totals, open }));
}

/** What a charge or capture under way may have taken, in minor units without fees. */
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

/** What is due of a total cost, in minor units: what is neither paid nor waived. */
export function dueOf(
  totalCostMinor: number,
  { paidMinor, waivedMinor }: Pick<BookingTotals, 'paidMinor' | 'waivedMinor'>,
): number {
  return Math.max(0, totalCostMinor - paidMinor - waivedMinor);
}

/** A total cost in minor units; null where it is not known, which a booking's row has as 0. */
export function known(totalCostMinor: number): number | null {
  return totalCostMinor === 0 ? null : totalCostMinor;
}

/**
 * The total cost that a payment is compared with; null if it is not known. What takes what is due, at most, goes by the last
 * total that was known (interface: The guard).
 */
export function totalFor(
  { totalCostMinor, knownTotalMinor }: Pick<BookingRow, 'totalCostMinor' | 'knownTotalMinor'>,
  { limitToDue }: { readonly limitToDue: boolean },
): number | null {
  return known(totalCostMinor) ?? (limitToDue ? known(knownTotalMinor) : null);
}

/** What a payment that somebody asks for may take: what is due less what is uncertain; null if the total is not known. */
export function openDueMinor(totalCostMinor: number | null, totals: BookingTotals): number | null {
  if (totalCostMinor === null) return null;
  return Math.max(0, dueOf(totalCostMinor, totals) - totals.uncertainMinor);
}

/** What a payment that nobody attends may take, as far as it is certain, and what of that is uncertain. */
interface UnattendedDue {
  readonly certainMinor: number;
  readonly uncertainMinor: number;
}

/**
 * What a schedule or a recovery may take: what its guest disputes is left to the bank. Null if the total is not known.
 */
export function unattendedDue(
  totalCostMinor: number | null,
  totals: BookingTotals,
): UnattendedDue | null {
  if (totalCostMinor === null) return null;
  const { disputedMinor, uncertainMinor } = totals;
  const certainMinor = Math.max(0, dueOf(totalCostMinor, totals) - disputedMinor);
  return { certainMinor, uncertainMinor };
}

/**
 * The lesser of an amount and of what is due, in minor units: 0 if nothing is. Null if only the outcome of what is
 * uncertain says which it is: then the payment waits for that.
 */
export function lesserOf(amountMinor: number, due: UnattendedDue | null): number | null {
  if (due === null) return amountMinor;
  const atMostMinor = Math.min(amountMinor, due.certainMinor);
  const atLeastMinor = Math.min(amountMinor, Math.max(0, due.certainMinor - due.uncertainMinor));
  return atLeastMinor === atMostMinor ? atMostMinor : null;
}

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
  const chargedMinor = sumOf(counted, 'takenMinor');
  const refundedMinor = sumOf(counted, 'refundedMinor');
  const disputedMinor = sumOf(counted, 'disputedMinor');
  const paidMinor = sumOf(counted.map(shareOf), 'paidMinor');
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
