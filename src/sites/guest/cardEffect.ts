import { selectGateway } from '../../gateways/select.ts';
import type { AppContext } from '../../http/context.ts';
import { balanceOfRows } from '../../money/balance/rules/balance.ts';
import type { History } from '../../money/folio/history.ts';
import { priceOfNewCard } from '../../money/guest/rules/price.ts';
import { effectOfNewCard, type NewCardEffect } from '../../money/recovery/guestView.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { plannedMinor } from '../../records/plans/rules/follow.ts';

/** What a new card changes of a booking's charges, with the fee of each that it is charged at once. */
export interface PricedEffect {
  readonly moved: NewCardEffect['moved'];
  readonly charged: readonly (NewCardEffect['charged'][number] & {
    /** Minor units; null where the fee depends on the card. */
    readonly feeMinor: number | null;
  })[];
}

export function cardEffect(c: AppContext, history: History): PricedEffect {
  const { plan, state, totals, transactions } = history;
  const { booking, property } = state;
  const nowMs = propertyNow(property);
  const { charged, moved } = effectOfNewCard(history, nowMs);
  const stepMinor = selectGateway(c.get('config'), c.env).amountStepMinor(booking.currency);
  const { totalCostMinor } = booking;
  const balance = balanceOfRows(totalCostMinor, transactions, totals, plannedMinor(plan));
  const facts = { state, totals: balance, nowMs, stepMinor };
  const feeOf = (
    requestedMinor: number,
    purpose: NewCardEffect['charged'][number]['charge']['purpose'],
  ) => {
    const price = priceOfNewCard({ requestedMinor, purpose }, facts, null);
    return price.ok && price.value ? price.value.amountMinor - requestedMinor : null;
  };
  return {
    moved,
    charged: charged.map((one) => ({
      ...one,
      feeMinor: feeOf(one.amountMinor, one.charge.purpose),
    })),
  };
}
