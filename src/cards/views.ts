import { capitalisedBrand } from '../core/cardNumbers.ts';
import type { CardRow } from '../db/schema.ts';

/** A card as bookings show it (interface: 2.4, `payment`). */
export interface CardView {
  cardHolderName: string;
  cardNumber: string;
  cardType: string;
  cardExpiry: string;
  token: string;
}

/** A card as bookings show it; a dash stands for a holder that nobody named. */
export function cardView(card: CardRow): CardView {
  return {
    cardHolderName: card.holderName ?? '-',
    cardNumber: card.masked,
    cardType: capitalisedBrand(card.brand),
    cardExpiry: `${String(card.expiryMonth).padStart(2, '0')}/${card.expiryYear}`,
    token: card.token,
  };
}
