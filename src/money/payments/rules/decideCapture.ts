import type { Failure } from '../../../core/failure.ts';
import { ok, type Result } from '../../../core/result.ts';
import type { BookingState } from '../../../records/bookings/rules.ts';
import type { Standing } from '../../../records/history/sums.ts';
import type { PayingCard } from '../../../records/properties/rules/feeTerms.ts';
import type { Priced } from '../../../records/properties/rules/takenPrice.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
import { type PricingMoment, surchargeWarnings } from '../../pricing/surcharge.ts';
import { priceCapture } from '../rules.ts';
import { amountToCapture } from './overcharge.ts';

/** What a capture takes, and what its caller is warned of. */
export interface DecidedCapture {
  readonly priced: Priced;
  readonly warnings: TransactionRow['warnings'];
}

/**
 * Decides what a capture takes of a hold (interface: Charge a pre-authorization): what is asked for, or less where the
 * guard refuses more than is due. `askedMinor` is without fees, null for the whole hold; `standing` is null where it does
 * not matter.
 */
export function decideCapture(
  { property, booking }: Pick<BookingState, 'property' | 'booking'>,
  { row, card }: { readonly row: TransactionRow; readonly card: PayingCard },
  askedMinor: number | null,
  standing: Standing | null,
  moment: PricingMoment,
): Result<DecidedCapture, Failure> {
  const asked = priceCapture(property, card, row, askedMinor, moment);
  if (!asked.ok) return asked;
  const { requestedMinor } = asked.value;
  const payment = { purpose: row.purpose, requestedMinor };
  const taken = amountToCapture(property, booking, payment, standing, moment.stepMinor);
  if (!taken.ok) return taken;
  const priced = priceCapture(property, card, row, taken.value.requestedMinor, moment);
  if (!priced.ok) return priced;
  const warnings = [
    ...taken.value.warnings,
    ...surchargeWarnings(property, card, priced.value, moment),
  ];
  return ok({ priced: priced.value, warnings });
}
