import { capitalisedBrand } from '../core/cardNumbers.ts';
import type { CardRow } from '../db/cardTables.ts';

/** A card as bookings show it (interface: 2.4, `payment`). */
export interface CardView {
  cardHolderName: string;
  cardNumber: string;
  cardType: string;
  cardExpiry: string;
  token: string;
}

/** The parts of a card that bookings show. */
export type ShownCard = Pick<
  CardRow,
  'token' | 'brand' | 'masked' | 'holderName' | 'expiryMonth' | 'expiryYear'
>;

/** A card as bookings show it; a dash stands for a holder that nobody named. */
export function cardView(card: ShownCard): CardView {
  return {
    cardHolderName: card.holderName ?? '-',
    cardNumber: card.masked,
    cardType: capitalisedBrand(card.brand),
    cardExpiry: `${String(card.expiryMonth).padStart(2, '0')}/${card.expiryYear}`,
    token: card.token,
  };
}

/** The parts of a card that transactions and refunds show. */
export type CardFace = Pick<CardRow, 'token' | 'brand' | 'last4'>;

/** `cardDetails` of transactions and refunds (interface: 2.3). */
export interface CardDetailsView {
  cardNumber: string;
  cardType: string;
  currency: string;
  token: string;
}

/** A card as transactions and refunds show it; null when a schedule has none. */
export function cardDetailsView(card: CardFace | null, currency: string): CardDetailsView | null {
  if (card === null) return null;
  return { cardNumber: card.last4, cardType: card.brand, currency, token: card.token };
}
