import type { Gateway } from '../../gateways/gateway.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { plannedMinor } from '../../records/plans/rules/follow.ts';
import { balanceOfRows } from '../balance/rules/balance.ts';
import type { History } from '../folio/history.ts';
import { effectOfNewCard, type NewCardEffect } from '../recovery/guestView.ts';
import { priceOfNewCard } from './rules/price.ts';

/** What a new card changes of a booking's charges, with the fee of each that it is charged at once. */
export interface PricedEffect {
  readonly moved: NewCardEffect['moved'];
  readonly charged: readonly (NewCardEffect['charged'][number] & {
    /** Minor units; null where the fee depends on the card. */
    readonly feeMinor: number | null;
  })[];
}

/** What a new card changes of a booking, as its guest sees it. */
export function cardEffect(gateway: Gateway, history: History): PricedEffect {
  const { plan, state, totals, transactions } = history;
  const { booking, property } = state;
  const nowMs = propertyNow(property);
  const { charged, moved } = effectOfNewCard(history, nowMs);
  const stepMinor = gateway.amountStepMinor(booking.currency);
  const { totalCostMinor } = booking;
  const balance = balanceOfRows(totalCostMinor, transactions, totals, plannedMinor(plan));
  const facts = { state, totals: balance, nowMs, stepMinor };
  return {
    moved,
    charged: charged.map((one) => {
      const { amountMinor: requestedMinor, charge } = one;
      const price = priceOfNewCard({ requestedMinor, purpose: charge.purpose }, facts, null);
      const feeMinor = price.ok && price.value ? price.value.amountMinor - requestedMinor : null;
      return { ...one, feeMinor };
    }),
  };
}
