import { type Failure, failure } from '../../core/failure.ts';
import { storedDecimal } from '../../core/money.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Standing } from '../../operation/work.ts';
import type { BookingRow } from '../../platform/db/bookingTables.ts';
import type { TransactionRow } from '../../platform/db/moneyTables.ts';
import type { PropertyRow } from '../../platform/db/propertyTables.ts';

/** What the caller is told beside a transaction. */
export type PaymentWarning = TransactionRow['warnings'][number];

/** What is due less what is uncertain, in minor units; null if the booking's total is not known. */
export function openDueMinor(
  { totalCostMinor }: Pick<BookingRow, 'totalCostMinor'>,
  { paidMinor, uncertainMinor }: Standing,
): number | null {
  if (totalCostMinor === 0) return null;
  return Math.max(0, totalCostMinor - paidMinor - uncertainMinor);
}

/** Whether the property's guard compares a payment of this purpose with what is due (interface: The guard). */
export function isGuarded(
  { overchargeGuard }: Pick<PropertyRow, 'overchargeGuard'>,
  purpose: TransactionRow['purpose'],
): boolean {
  return overchargeGuard !== 'off' && (purpose === 'Deposit' || purpose === 'Balance');
}

/** Judges an amount by what is due: nothing to say, a warning, or a refusal, as the property wants. */
export function judge(
  property: Pick<PropertyRow, 'overchargeGuard' | 'currency'>,
  purpose: TransactionRow['purpose'],
  requestedMinor: number,
  dueMinor: number | null,
): Result<readonly PaymentWarning[], Failure> {
  if (!isGuarded(property, purpose) || dueMinor === null || requestedMinor <= dueMinor) {
    return ok([]);
  }
  return property.overchargeGuard === 'refuse'
    ? err(exceedsDue(dueMinor, property.currency))
    : ok(['exceeds_due']);
}

/** The failure of a payment of more than is due. */
export function exceedsDue(dueMinor: number, currency: string): Failure {
  return failure('amount_exceeds_due', 'The amount is more than is due. Nothing was charged.', {
    due: storedDecimal(dueMinor, currency),
  });
}

/** What is paid and under way once a payment has its outcome: `accepted`, `ended` without a charge, or not known yet. */
export function standingAfter(
  { paidMinor, uncertainMinor }: Standing,
  { kind, purpose, requestedMinor }: Pick<TransactionRow, 'kind' | 'purpose' | 'requestedMinor'>,
  outcome: 'accepted' | 'ended',
): Standing {
  const brought = kind === 'charge' && purpose !== 'Bond' && outcome === 'accepted';
  return { paidMinor: paidMinor + (brought ? requestedMinor : 0), uncertainMinor };
}
