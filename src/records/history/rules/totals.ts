import { sumOf } from '../../../core/sum.ts';
import type { BookingTotals, ChargeTotals, OpenAmounts, Sums } from '../sums.ts';
import type { MoneyMoved, OpenChange } from './entry.ts';

export function bookingTotals({ totals, open }: Sums): BookingTotals {
  const counted = totals.filter(({ purpose }) => purpose !== 'Bond').map(shareOf);
  const bonds = totals.filter(({ purpose }) => purpose === 'Bond').map(shareOf);
  return {
    ...open,
    paidMinor: sumOf(counted, 'paidMinor'),
    refundedMinor: sumOf(counted, 'refundedMinor'),
    waivedMinor: sumOf(counted, 'waivedMinor'),
    disputedMinor: sumOf(counted, 'disputedMinor'),
    bondsMinor: sumOf(bonds, 'paidMinor'),
  };
}

export type ChargeSums = Omit<ChargeTotals, 'transactionId' | 'purpose'>;

/** What a charge adds to the balance, in minor units without fees. */
export type Share = Pick<
  BookingTotals,
  'paidMinor' | 'refundedMinor' | 'disputedMinor' | 'waivedMinor'
>;

/**
 * What a charge adds to the balance. The total cost does not include fees, so fees are given back last: a refund first,
 * then a dispute, takes from what the charge brought without them. Refunds that lower the price come last of all.
 */
export function shareOf(totals: ChargeSums): Share {
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

interface CountedCharge extends Pick<ChargeTotals, 'purpose'> {
  readonly id: number;
}

/** What sums need of a movement. */
type MovedAmounts = Pick<MoneyMoved, 'kind' | 'amountMinor' | 'feeMinor' | 'waivedMinor'>;

/** The money of an entry: what it moves of a charge, and what it opens or closes. */
export interface EntryMoney {
  readonly charge?: CountedCharge | undefined;
  readonly moved?: MovedAmounts | null;
  readonly open?: OpenChange | null;
}

/** The sums of a booking's history after one more entry. */
export function withEntry(sums: Sums, { charge, moved, open }: EntryMoney): Sums {
  return {
    totals: moved && charge ? withMoved(sums.totals, charge, moved) : sums.totals,
    open: open ? withOpen(sums.open, open) : sums.open,
  };
}

function withMoved(
  totals: readonly ChargeTotals[],
  { id, purpose }: CountedCharge,
  moved: MovedAmounts,
): readonly ChargeTotals[] {
  const known = totals.find(({ transactionId }) => transactionId === id);
  const before = known ?? { ...NOTHING_MOVED, transactionId: id, purpose };
  return [...totals.filter((one) => one !== known), afterMoved(before, moved)];
}

export const NOTHING_MOVED = {
  takenMinor: 0,
  feeMinor: 0,
  refundedMinor: 0,
  waivedMinor: 0,
  disputedMinor: 0,
};

/** The sums of a charge after one more movement. */
export function afterMoved<Totals extends ChargeSums>(totals: Totals, moved: MovedAmounts): Totals {
  const { amountMinor, feeMinor, kind, waivedMinor = 0 } = moved;
  switch (kind) {
    case 'charge':
    case 'capture':
    case 'correction':
      return {
        ...totals,
        takenMinor: totals.takenMinor + amountMinor,
        feeMinor: totals.feeMinor + feeMinor,
      };
    case 'refund':
    case 'reversal':
      return {
        ...totals,
        refundedMinor: totals.refundedMinor - amountMinor,
        waivedMinor: totals.waivedMinor + waivedMinor,
      };
    case 'chargeback':
    case 'chargeback_reversal':
      return { ...totals, disputedMinor: totals.disputedMinor - amountMinor };
  }
}

function withOpen(open: OpenAmounts, change: OpenChange): OpenAmounts {
  return {
    scheduledMinor: open.scheduledMinor + (change.scheduledMinor ?? 0),
    uncertainMinor: open.uncertainMinor + (change.uncertainMinor ?? 0),
    heldMinor: open.heldMinor + (change.heldMinor ?? 0),
    plannedMinor: open.plannedMinor + (change.plannedMinor ?? 0),
  };
}

/** What a booking is overpaid by, in minor units. */
export interface Overpaid {
  readonly totalCostMinor: number;
  readonly paidMinor: number;
}

/**
 * Whether an entry makes its booking overpaid, or more so: by a movement that adds to what is paid, or by a lower total.
 * Null if it does not. A total of 0 is not known.
 */
export function overpaidBy(
  before: Sums,
  after: Sums,
  {
    formerTotalMinor,
    totalCostMinor,
  }: { readonly formerTotalMinor: number; readonly totalCostMinor: number },
): Overpaid | null {
  const { paidMinor } = bookingTotals(after);
  if (totalCostMinor === 0 || paidMinor <= totalCostMinor) return null;
  const isLower = formerTotalMinor === 0 || totalCostMinor < formerTotalMinor;
  const isMore = isLower || paidMinor > bookingTotals(before).paidMinor;
  return isMore ? { totalCostMinor, paidMinor } : null;
}
