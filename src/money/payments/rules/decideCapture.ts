import { err, ok, type Result, refuse } from '../../../core/result.ts';
import type { BookingState } from '../../../records/bookings/rules.ts';
import type { BookingTotals } from '../../../records/history/sums.ts';
import type { PayingCard } from '../../../records/properties/rules/feeTerms.ts';
import type { JudgedProperty } from '../../../records/properties/rules/lawfulFees.ts';
import type { Priced } from '../../../records/properties/rules/takenPrice.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
import {
  type PricingMoment,
  price,
  priceUnderLaw,
  surchargeWarnings,
  termsOf,
  withoutFees,
} from '../../pricing/fees.ts';
import { wrongKind, wrongState } from '../rules.ts';
import { amountToCapture } from './overcharge.ts';

export interface DecidedCapture {
  readonly priced: Priced;
  readonly warnings: TransactionRow['warnings'];
}

/**
 * Decides what a capture takes of a hold (interface: Charge a pre-authorization): what is asked for, or less where the
 * guard refuses more than is due. `askedMinor` is without fees, null for the whole hold; `totals` is null where it does
 * not matter.
 */
export function decideCapture(
  { property, booking }: Pick<BookingState, 'property' | 'booking'>,
  { row, card }: { readonly row: TransactionRow; readonly card: PayingCard },
  askedMinor: number | null,
  totals: BookingTotals | null,
  moment: PricingMoment,
): Result<DecidedCapture> {
  const asked = priceCapture(property, card, row, askedMinor, moment);
  if (!asked.ok) return asked;
  const { requestedMinor } = asked.value;
  const payment = { purpose: row.purpose, requestedMinor };
  const taken = amountToCapture(property, booking, payment, totals, moment.stepMinor);
  if (!taken.ok) return taken;
  const priced = priceCapture(property, card, row, taken.value.requestedMinor, moment);
  if (!priced.ok) return priced;
  const warnings = [
    ...taken.value.warnings,
    ...surchargeWarnings(property, card, priced.value, moment),
  ];
  return ok({ priced: priced.value, warnings });
}

/**
 * Prices the capture of a hold. The fees are computed on the captured amount, under the terms that the hold was priced
 * with, so that no capture can exceed the hold; the law of the moment may lower them.
 */
export function priceCapture(
  property: JudgedProperty,
  card: PayingCard,
  hold: TransactionRow,
  askedMinor: number | null,
  { atMs: nowMs, stepMinor }: PricingMoment,
): Result<Priced> {
  if (hold.kind !== 'authorization') {
    return err(wrongKind('a pre-authorization'));
  }
  const lapsed = hold.expiresAtMs !== null && nowMs >= hold.expiresAtMs;
  if (hold.status === 'Expired' || (hold.status === 'Authorized' && lapsed)) {
    return refuse('preauth_expired', 'The pre-authorization has expired.');
  }
  if (hold.status !== 'Authorized') return err(wrongState('pre-authorization', hold));
  const requestedMinor = askedMinor ?? hold.requestedMinor;
  if (requestedMinor > hold.requestedMinor) {
    return refuse('capture_exceeds_authorization', 'The amount is more than was authorized.');
  }
  const terms = termsOf(hold);
  const plain = price(requestedMinor, terms, stepMinor);
  if (!plain.ok) return plain;
  const lawful = priceUnderLaw(property, card, requestedMinor, terms, { atMs: nowMs, stepMinor });
  return ok(lawful.ok ? lawful.value.priced : withoutFees(requestedMinor, stepMinor));
}
