import { remainingOf, whyNotActive, whyTooMuch } from '../../../records/cards/rules/virtual.ts';
import type { CardRow } from '../../../schema/cardTables.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import type { PricingMoment } from '../../pricing/fees.ts';
import { cancellation, type FiringEnd, refusedByCard } from './firing.ts';

/** What a schedule takes from its card, in minor units without fees, or its end. */
export type FiringOnCard = { readonly kind: 'take'; readonly requestedMinor: number } | FiringEnd;

/**
 * What a schedule takes from its card when it fires (interface: Virtual cards): all of `requestedMinor` from any but a
 * virtual card. A virtual card refuses what is not in its time, and more than remains on it. A schedule that takes what is due,
 * at most, takes what remains; where nothing remains, it is cancelled. A part of a plan is declined then: it is still to be paid.
 */
export function amountOnCard(
  card: CardRow,
  { currency, limitToDue, planId }: Pick<TransactionRow, 'currency' | 'limitToDue' | 'planId'>,
  requestedMinor: number,
  { timeZone }: Pick<PropertyRow, 'timeZone'>,
  { atMs, stepMinor }: PricingMoment,
): FiringOnCard {
  const notActive = whyNotActive(card, atMs, { timeZone });
  if (notActive) return refusedByCard(notActive, atMs);
  const tooMuch = whyTooMuch(card, requestedMinor, { currency });
  if (tooMuch === null) return { kind: 'take', requestedMinor };
  if (!limitToDue) return refusedByCard(tooMuch, atMs);
  const remainingMinor = remainingOf(card) ?? requestedMinor;
  const leftMinor = Math.floor(remainingMinor / stepMinor) * stepMinor;
  if (leftMinor > 0) return { kind: 'take', requestedMinor: leftMinor };
  return planId === null
    ? cancellation(atMs, 'nothing remains on the virtual card')
    : refusedByCard(tooMuch, atMs);
}
