import type { CardElement } from '../../gateways/cardElement.ts';
import { selectCardElement } from '../../gateways/select.ts';
import type { AppContext } from '../../http/context.ts';
import { type PaymentChoice, paymentChoices } from '../../money/guest/rules/choices.ts';
import { guestCards } from '../../money/guest/rules.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import { NEW_CARD, type PayForm } from './payForm.ts';
import { type Quote, quoteOf } from './quote.ts';
import type { Folio } from './readFolio.ts';

/** What the booking's page offers to pay, and with what. */
export interface Offer {
  readonly choices: readonly PaymentChoice[];
  /** The guest's own cards that can be charged. */
  readonly cards: readonly CardRow[];
  /** The acquirer's own form for new cards; null where it is ours. */
  readonly element: CardElement | null;
  /** What is selected when the page opens. */
  readonly selected: Pick<PayForm, 'amount' | 'card' | 'cardExpiry' | 'cardHolderName' | 'choice'>;
  /** The price of what is selected; null where that is not known. */
  readonly quote: Quote | null;
}

/** Makes the offer of a booking's page; `sent` is what a guest who sees it again has sent. */
export function offerOf(c: AppContext, folio: Folio, sent: PayForm | null): Offer {
  const { asked, balance, state } = folio;
  const nowMs = propertyNow(state.property);
  const choices = paymentChoices(balance, state.booking.firstNightCostMinor, asked);
  const cards = guestCards(state, nowMs);
  const selected = {
    choice: sent?.choice ?? choices[0]?.name ?? 'other',
    amount: sent?.amount ?? '',
    card: sent?.card ?? cards[0]?.token ?? NEW_CARD,
    cardExpiry: sent?.cardExpiry ?? '',
    cardHolderName: sent?.cardHolderName ?? '',
  };
  const card = cards.find(({ token }) => token === selected.card) ?? null;
  const quote = quoteOf(c, folio, { ...selected, brand: null }, card);
  return {
    choices,
    cards,
    element: selectCardElement(c.get('config')),
    selected,
    quote: quote.ok ? quote.value : null,
  };
}
