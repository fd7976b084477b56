import { z } from '@hono/zod-openapi';
import { capitalisedBrand } from '../../core/cardNumbers.ts';
import type { CardRow } from '../../schema/cardTables.ts';

/** What the acquirer tells of a card beyond its number (interface: The card object). */
const traits = {
  funding: z.enum(['credit', 'debit', 'prepaid', 'unknown']),
  issuerCountry: z
    .string()
    .nullable()
    .openapi({ example: 'AU', description: 'ISO 3166-1, two letters; null when not known' }),
};

/** A card as bookings show it (interface: The card object). */
export const cardSchema = z
  .object({
    cardHolderName: z.string(),
    cardNumber: z.string().openapi({ example: 'XXXX-XXXX-XXXX-X242' }),
    cardType: z.string().openapi({ example: 'Visa' }),
    cardExpiry: z.string().openapi({ example: '12/2030' }),
    token: z.string(),
    ...traits,
  })
  .openapi('Card');

export type CardView = z.infer<typeof cardSchema>;

/** The parts of a card that bookings show. */
export type ShownCard = Pick<
  CardRow,
  | 'token'
  | 'brand'
  | 'masked'
  | 'holderName'
  | 'expiryMonth'
  | 'expiryYear'
  | 'funding'
  | 'issuerCountry'
>;

/** A card as events show it: without its holder's name and its expiry. */
export const eventCardSchema = cardSchema
  .omit({ cardHolderName: true, cardExpiry: true })
  .openapi('EventCard');

/** The parts of a card that events show. */
export type EventCard = Omit<ShownCard, 'holderName' | 'expiryMonth' | 'expiryYear'>;

/** Shows a card in an event. */
export function eventCardView(card: EventCard): z.infer<typeof eventCardSchema> {
  return {
    cardNumber: card.masked,
    cardType: capitalisedBrand(card.brand),
    token: card.token,
    funding: card.funding,
    issuerCountry: card.issuerCountry,
  };
}

/** Shows a card of a booking. A dash replaces a missing holder. */
export function cardView(card: ShownCard): CardView {
  return {
    cardHolderName: card.holderName ?? '-',
    ...eventCardView(card),
    cardExpiry: `${String(card.expiryMonth).padStart(2, '0')}/${card.expiryYear}`,
  };
}

/** The parts of a card that transactions and refunds show. */
export type CardSummary = Pick<CardRow, 'token' | 'brand' | 'last4' | 'funding' | 'issuerCountry'>;

/** `cardDetails` of transactions and refunds (interface: The card object); null when a schedule has none. */
export const cardDetailsSchema = z
  .object({
    cardNumber: z.string().openapi({ example: '4242', description: 'The last four digits' }),
    cardType: z.string().openapi({ example: 'visa' }),
    currency: z.string().openapi({ example: 'AUD' }),
    token: z.string(),
    ...traits,
  })
  .nullable()
  .openapi('CardDetails');

export type CardDetailsView = z.infer<typeof cardDetailsSchema>;

/** A card as transactions and refunds show it. */
export function cardDetailsView(card: CardSummary | null, currency: string): CardDetailsView {
  if (card === null) return null;
  const { token, brand, last4, funding, issuerCountry } = card;
  return { cardNumber: last4, cardType: brand, currency, token, funding, issuerCountry };
}
