import type { Standing } from '../../../records/history/sums.ts';
import type { BookingRow } from '../../../schema/bookingTables.ts';

/** What is due of a total cost, in minor units: what is neither paid nor waived. */
export function dueOf(
  totalCostMinor: number,
  { paidMinor, waivedMinor }: Pick<Standing, 'paidMinor' | 'waivedMinor'>,
): number {
  return Math.max(0, totalCostMinor - paidMinor - waivedMinor);
}

/**
 * The total cost that a payment is compared with; 0 if it is not known. What takes what is due, at most, goes by the last
 * total that was known (interface: The guard).
 */
export function totalFor(
  { totalCostMinor, knownTotalMinor }: Pick<BookingRow, 'totalCostMinor' | 'knownTotalMinor'>,
  { limitToDue }: { readonly limitToDue: boolean },
): number {
  return totalCostMinor === 0 && limitToDue ? knownTotalMinor : totalCostMinor;
}

/** What a payment that somebody asks for may take: what is due less what is uncertain; null if the total is not known. */
export function openDueMinor(totalCostMinor: number, standing: Standing): number | null {
  if (totalCostMinor === 0) return null;
  return Math.max(0, dueOf(totalCostMinor, standing) - standing.uncertainMinor);
}

/** What a payment that nobody attends may take, as far as it is certain, and what of that is uncertain. */
export interface UnattendedDue {
  readonly certainMinor: number;
  readonly uncertainMinor: number;
}

/**
 * What a schedule or a recovery may take: what its guest disputes is left to the bank. Null if the total is not known.
 */
export function unattendedDue(totalCostMinor: number, standing: Standing): UnattendedDue | null {
  if (totalCostMinor === 0) return null;
  const { disputedMinor, uncertainMinor } = standing;
  const certainMinor = Math.max(0, dueOf(totalCostMinor, standing) - disputedMinor);
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
