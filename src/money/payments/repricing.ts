import type { TransactionRow } from '../../platform/db/moneyTables.ts';
import { NO_FEES, type PayingCard } from '../../records/properties/feeTerms.ts';
import type { JudgedProperty } from '../../records/properties/lawfulFees.ts';
import { termsColumns, termsOf } from './feeColumns.ts';
import { type Priced, price, withoutFees } from './fees.ts';
import {
  type PricedCharge,
  type PricingMoment,
  priceCharge,
  surchargeWarnings,
} from './surcharge.ts';

/** The columns that a new price changes of a scheduled charge. */
type Repriced = Partial<
  Priced & ReturnType<typeof termsColumns> & Pick<TransactionRow, 'warnings'>
>;

/** A scheduled charge with its price. */
type PricedSchedule = PricedCharge & Pick<TransactionRow, 'amountMinor' | 'warnings'>;

/**
 * What changes of a scheduled charge when it is charged: it takes the lower of its fee and the fee by the rules and the
 * law of that moment (interface: Fee rules). The requested amount stays the same.
 */
export function repriced(
  property: JudgedProperty,
  card: PayingCard,
  row: PricedSchedule,
  moment: PricingMoment,
): Repriced {
  const { requestedMinor } = row;
  const now = priceCharge(property, card, row, moment);
  const price = now.ok ? now.value : free(requestedMinor, moment.stepMinor);
  const isLower = price.priced.amountMinor < row.amountMinor;
  const charged = isLower ? price.priced : row;
  const others = row.warnings.filter((warning) => warning !== 'surcharge_not_allowed');
  const warnings = [...others, ...surchargeWarnings(property, card, charged, moment)];
  return {
    ...(isLower && { ...price.priced, ...termsColumns(price.terms) }),
    ...(warnings.join() !== row.warnings.join() && { warnings }),
  };
}

/** What changes of a schedule that takes less than was asked for, under the terms that it was priced with. */
export function limitedTo(
  row: TransactionRow,
  requestedMinor: number,
  stepMinor: number,
): Partial<Priced & Pick<TransactionRow, 'askedMinor'>> {
  if (requestedMinor === row.requestedMinor) return {};
  const limited = price(requestedMinor, termsOf(row), stepMinor);
  const priced = limited.ok ? limited.value : withoutFees(requestedMinor, stepMinor);
  return { ...priced, askedMinor: row.askedMinor ?? row.requestedMinor };
}

function free(requestedMinor: number, stepMinor: number) {
  return { priced: withoutFees(requestedMinor, stepMinor), terms: NO_FEES };
}
