import type { TransactionRow } from '../../platform/db/moneyTables.ts';

/** The columns of a transaction that the balance depends on. */
export type Movement = Pick<
  TransactionRow,
  'id' | 'status' | 'purpose' | 'requestedMinor' | 'captureRequestedMinor' | 'pendingOperation'
>;

/** The sums of a charge's rows in the journal, in minor units. A charge that was not taken has none. */
export interface ChargeTotals {
  readonly transactionId: number;
  /** What was taken from the card, fees included, and the fees in it. */
  readonly takenMinor: number;
  readonly feeMinor: number;
  /** What was given back, fees included. */
  readonly refundedMinor: number;
  /** What the acquirer holds back for disputes, fees included. */
  readonly disputedMinor: number;
}

/** A booking's balance as its guest sees it, in minor units (interface: What the page proposes). */
export interface Balance {
  /** What charges other than bonds brought, without fees, less what was given back or is withdrawn for disputes. */
  readonly paidMinor: number;
  /** What is withdrawn for disputes of these charges, without fees. */
  readonly disputedMinor: number;
  /** The total cost less `paidMinor`; 0 if more was paid. */
  readonly dueMinor: number;
  /** `paidMinor` less the total cost; 0 if less was paid, or if the total cost is not known. */
  readonly overpaidMinor: number;
  /** Charges and captures whose outcome is not known yet. */
  readonly uncertainMinor: number;
  /**
   * What a guest may pay now: `dueMinor` less `uncertainMinor` and `disputedMinor`. The guest paid what is disputed once;
   * the bank decides whether the property keeps it.
   */
  readonly payableMinor: number;
  /** Pending scheduled charges, without fees. */
  readonly scheduledMinor: number;
  /** What the page proposes to pay: `payableMinor` less `scheduledMinor`, which will be charged without the guest. */
  readonly proposedMinor: number;
  /** Completed refunds of all charges, fees included. */
  readonly refundedMinor: number;
}

/** Computes a booking's balance from its total cost, its transactions and their sums in the journal. */
export function balanceOf(
  totalCostMinor: number,
  movements: readonly Movement[],
  totals: readonly ChargeTotals[],
): Balance {
  const counted = movements.filter(({ purpose }) => purpose !== 'Bond');
  const ids = new Set(counted.map(({ id }) => id));
  const shares = totals.filter(({ transactionId }) => ids.has(transactionId)).map(shareOf);
  const paidMinor = sum(shares.map((share) => share.paidMinor));
  const disputedMinor = sum(shares.map((share) => share.disputedMinor));
  const uncertainMinor = sum(counted.map(uncertainOf));
  const scheduledMinor = sum(
    counted.map(({ status, requestedMinor }) => (status === 'Pending' ? requestedMinor : 0)),
  );
  const dueMinor = Math.max(0, totalCostMinor - paidMinor);
  const payableMinor = Math.max(0, dueMinor - uncertainMinor - disputedMinor);
  return {
    paidMinor,
    disputedMinor,
    dueMinor,
    overpaidMinor: overpaidOf(totalCostMinor, paidMinor),
    uncertainMinor,
    payableMinor,
    scheduledMinor,
    proposedMinor: Math.max(0, payableMinor - scheduledMinor),
    refundedMinor: sum(totals.map(({ refundedMinor }) => refundedMinor)),
  };
}

/** What was paid beyond the total cost. A total cost of 0 is not known: then nothing is overpaid. */
export function overpaidOf(totalCostMinor: number, paidMinor: number): number {
  return totalCostMinor === 0 ? 0 : Math.max(0, paidMinor - totalCostMinor);
}

/** What is `Processing`, whatever the acquirer was asked to do, in minor units without fees. Bonds are left out. */
export function processingOf(movements: readonly Movement[]): number {
  return sum(
    movements
      .filter(({ status, purpose }) => status === 'Processing' && purpose !== 'Bond')
      .map(({ captureRequestedMinor, requestedMinor }) => captureRequestedMinor ?? requestedMinor),
  );
}

/** What a schedule would charge. */
type Scheduled = Pick<Movement, 'id' | 'status' | 'purpose' | 'requestedMinor'> &
  Pick<TransactionRow, 'scheduledAtMs'>;

/**
 * The schedules that a payment of this amount makes too much, the latest first: without them, what stays scheduled is no
 * more than what is then due. A guest who pays this pays instead of them (interface: Paying).
 */
export function schedulesToReplace<Row extends Scheduled>(
  rows: readonly Row[],
  { dueMinor, uncertainMinor, scheduledMinor }: Balance,
  requestedMinor: number,
): Row[] {
  let tooMuchMinor = scheduledMinor - Math.max(0, dueMinor - uncertainMinor - requestedMinor);
  return rows
    .filter(({ status, purpose }) => status === 'Pending' && purpose !== 'Bond')
    .toSorted((a, b) => (b.scheduledAtMs ?? 0) - (a.scheduledAtMs ?? 0) || b.id - a.id)
    .filter((row) => {
      const isTooMuch = tooMuchMinor > 0;
      if (isTooMuch) tooMuchMinor -= row.requestedMinor;
      return isTooMuch;
    });
}

/** What a charge adds to the balance, in minor units without fees. */
export interface Share {
  readonly paidMinor: number;
  readonly disputedMinor: number;
  readonly refundedMinor: number;
}

/**
 * What a charge adds to the balance. The total cost does not include fees, so fees are given back last: a refund first,
 * then a dispute, takes from what the charge brought without them.
 */
export function shareOf(totals: Omit<ChargeTotals, 'transactionId'>): Share {
  const { takenMinor, feeMinor, refundedMinor, disputedMinor } = totals;
  const broughtMinor = takenMinor - feeMinor;
  const keptMinor = Math.max(0, broughtMinor - refundedMinor);
  const paidMinor = Math.max(0, keptMinor - disputedMinor);
  return {
    paidMinor,
    disputedMinor: keptMinor - paidMinor,
    refundedMinor: broughtMinor - keptMinor,
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
