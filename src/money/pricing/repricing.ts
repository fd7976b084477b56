import { ok, type Result } from '../../core/result.ts';
import { NO_FEES, type PayingCard } from '../../records/properties/rules/feeTerms.ts';
import type { JudgedProperty } from '../../records/properties/rules/lawfulFees.ts';
import type { Priced } from '../../records/properties/rules/takenPrice.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import {
  type ChargePrice,
  type PricedCharge,
  type PricingMoment,
  price,
  priceCharge,
  surchargeWarnings,
  termsColumns,
  termsOf,
  withoutFees,
} from './fees.ts';

/** A payment that may be made. `atMs` is when it takes place: now, or the time of a schedule. */
export interface PaymentToPrice extends PricedCharge {
  readonly kind: TransactionRow['kind'];
  readonly atMs: number;
}

export type QuotedPrice = Pick<ChargePrice, 'priced' | 'rule' | 'law'> &
  Pick<TransactionRow, 'warnings'>;

/** The price that a quote says: that of the payment's time. A schedule takes the lower of its price now and then. */
export function quotedPrice(
  property: JudgedProperty,
  card: PayingCard,
  payment: PaymentToPrice,
  { nowMs, stepMinor }: Pick<PricingMoment, 'stepMinor'> & { readonly nowMs: number },
): Result<QuotedPrice> {
  const moment = { atMs: payment.atMs, stepMinor };
  const then = priceCharge(property, card, payment, moment);
  if (payment.kind !== 'schedule') return then;
  const now = priceCharge(property, card, payment, { atMs: nowMs, stepMinor });
  if (!now.ok) return now;
  const { rule, law } = then.ok ? then.value : now.value;
  const scheduled = { ...payment, ...now.value.priced, warnings: now.value.warnings };
  const { requestedMinor, transactionFeeMinor, cardFeeMinor, amountMinor, warnings } = {
    ...scheduled,
    ...repriced(property, card, scheduled, moment),
  };
  const priced = { requestedMinor, transactionFeeMinor, cardFeeMinor, amountMinor };
  return ok({ priced, warnings, rule, law });
}

/** The columns that a new price changes of a scheduled charge. */
type Repriced = Partial<
  Priced & ReturnType<typeof termsColumns> & Pick<TransactionRow, 'warnings'>
>;

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
  const free = { priced: withoutFees(requestedMinor, moment.stepMinor), terms: NO_FEES };
  const price = now.ok ? now.value : free;
  const isLower = price.priced.amountMinor < row.amountMinor;
  const charged = isLower ? price.priced : row;
  const others = row.warnings.filter((warning) => warning !== 'surcharge_not_allowed');
  const warnings = [...others, ...surchargeWarnings(property, card, charged, moment)];
  return {
    ...(isLower && { ...price.priced, ...termsColumns(price.terms) }),
    ...(warnings.join() !== row.warnings.join() && { warnings }),
  };
}

/**
 * The price of a part of what was scheduled, under the terms that it was priced with. Its card fee is never above the
 * scheduled one, wherever the acquirer's step rounds it.
 */
export function priceOfLess(
  row: TransactionRow,
  requestedMinor: number,
  stepMinor: number,
): Priced {
  const terms = termsOf(row);
  const scheduled = price(row.askedMinor ?? row.requestedMinor, terms, stepMinor);
  const scheduledFeeMinor = scheduled.ok ? scheduled.value.cardFeeMinor : row.cardFeeMinor;
  const maximumMinor = Math.min(terms.maximumMinor ?? scheduledFeeMinor, scheduledFeeMinor);
  const less = price(requestedMinor, { ...terms, maximumMinor }, stepMinor);
  return less.ok ? less.value : withoutFees(requestedMinor, stepMinor);
}

/** What changes of a schedule that takes less than was asked for. */
export function limitedTo(
  row: TransactionRow,
  requestedMinor: number,
  stepMinor: number,
): Partial<Priced & Pick<TransactionRow, 'askedMinor'>> {
  if (requestedMinor === row.requestedMinor) return {};
  const askedMinor = row.askedMinor ?? row.requestedMinor;
  return { ...priceOfLess(row, requestedMinor, stepMinor), askedMinor };
}
