import type { TransactionRow } from '../../../../schema/moneyTables.ts';

/** A payment that the same card made before. */
export type EarlierPayment = Pick<
  TransactionRow,
  'id' | 'amountMinor' | 'bookingReference' | 'completedAtMs' | 'currency'
>;

/** The latest of some payments, the latest first. */
export function latestOf(found: readonly EarlierPayment[], most: number): EarlierPayment[] {
  const at = ({ completedAtMs }: EarlierPayment) => completedAtMs ?? 0;
  return found.toSorted((one, other) => at(other) - at(one) || other.id - one.id).slice(0, most);
}
