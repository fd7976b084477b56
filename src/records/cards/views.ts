import { z } from '@hono/zod-openapi';
import { capitalisedBrand } from '../../core/cardNumbers.ts';
import { storedDecimal } from '../../core/money.ts';
import { pick } from '../../core/pick.ts';
import { offsetTimestamp } from '../../core/time.ts';
import { named, shownTime } from '../../platform/views.ts';
import { type CardRow, cards } from '../../schema/cardTables.ts';
import { type CardUse, remainingOf, type ShownIn } from './rules/virtual.ts';

/** What a virtual card may be charged, and what of it is left (interface: Virtual cards). */
const virtualCardSchema = named('VirtualCard', {
  activeFrom: shownTime.describe('from when it is charged'),
  activeUntil: shownTime.nullable().describe('until when it is charged; null: no end is known'),
  limit: z.number().nullable().describe('the most that it takes; null: no limit is known'),
  channel: z.string().nullable().describe('who gave it, as the client said'),
  autoCharge: z.boolean().describe('whether what is due is charged by itself'),
  remaining: z
    .number()
    .nullable()
    .describe('what of `limit` is neither taken nor held, with what was refunded; null without'),
});

/** What the acquirer tells of a card beyond its number (interface: The card object). */
const traits = {
  funding: z
    .enum(['credit', 'debit', 'prepaid', 'unknown'])
    .describe('what the gateway tells of the card'),
  issuerCountry: z
    .string()
    .nullable()
    .openapi({ example: 'AU' })
    .describe('where its bank is, as ISO 3166-1; null when the gateway does not tell'),
  virtualCard: virtualCardSchema.optional().describe('of a virtual card only'),
};

type VirtualTraits = Pick<CardRow, 'virtual' | keyof CardUse>;

/** What only a virtual card shows; nothing for any other. */
function virtualTraits(card: VirtualTraits, { currency, timeZone }: ShownIn) {
  const { virtual } = card;
  if (virtual === null) return {};
  const { activeFromMs, activeUntilMs, autoCharge, channel, limitMinor } = virtual;
  const amount = (minor: number | null) => (minor === null ? null : storedDecimal(minor, currency));
  const virtualCard: z.infer<typeof virtualCardSchema> = {
    activeFrom: offsetTimestamp(activeFromMs, timeZone),
    activeUntil: activeUntilMs === null ? null : offsetTimestamp(activeUntilMs, timeZone),
    limit: amount(limitMinor),
    channel,
    autoCharge,
    remaining: amount(remainingOf(card)),
  };
  return { virtualCard };
}

/** A card as bookings show it (interface: The card object). */
export const cardSchema = named('Card', {
  cardHolderName: z.string().describe('`-` when unknown'),
  cardNumber: z
    .string()
    .openapi({ example: 'XXXX-XXXX-XXXX-X242' })
    .describe('masked, with the last three digits: `XXXX-XXXX-XXXX-X242`'),
  cardType: z.string().openapi({ example: 'Visa' }).describe('`Visa`, `Mastercard`, `Amex`, …'),
  cardExpiry: z.string().openapi({ example: '12/2030' }).describe('`MM/YYYY`'),
  token: z.string().describe('names the card in other operations'),
  ...traits,
});

/** The columns of a virtual card that answers show. */
export const virtualColumns = pick(cards, 'virtual', 'takenMinor', 'heldMinor', 'refundedMinor');

/** The columns of a card that answers show. */
export const shownCardColumns = {
  ...pick(cards, 'token', 'brand', 'masked', 'holderName', 'expiryMonth', 'expiryYear', 'funding'),
  issuerCountry: cards.issuerCountry,
  ...virtualColumns,
};

export type ShownCard = Pick<CardRow, keyof typeof shownCardColumns>;

/** A card as events show it: without its holder's name and its expiry. */
export const eventCardSchema = cardSchema
  .omit({ cardHolderName: true, cardExpiry: true })
  .openapi('EventCard');

export type EventCard = Omit<ShownCard, 'holderName' | 'expiryMonth' | 'expiryYear'>;

export function eventCardView(card: EventCard, shown: ShownIn): z.infer<typeof eventCardSchema> {
  return {
    cardNumber: card.masked,
    cardType: capitalisedBrand(card.brand),
    ...pick(card, 'token', 'funding', 'issuerCountry'),
    ...virtualTraits(card, shown),
  };
}

/** Shows a card of a booking. A dash replaces a missing holder. */
export function cardView(card: ShownCard, shown: ShownIn): z.infer<typeof cardSchema> {
  return {
    cardHolderName: card.holderName ?? '-',
    ...eventCardView(card, shown),
    cardExpiry: `${String(card.expiryMonth).padStart(2, '0')}/${card.expiryYear}`,
  };
}

/** The parts of a card that transactions and refunds show. */
export type CardSummary = VirtualTraits &
  Pick<CardRow, 'token' | 'brand' | 'last4' | 'funding' | 'issuerCountry'>;

/** `cardDetails` of transactions and refunds (interface: The card object); null when a schedule has none. */
export const cardDetailsSchema = z
  .object({
    cardNumber: z.string().openapi({ example: '4242' }).describe('the last four digits'),
    cardType: z.string().openapi({ example: 'visa' }).describe('`visa`, `mastercard`, `amex`, …'),
    currency: z.string().openapi({ example: 'AUD' }).describe('ISO 4217 code'),
    token: z.string().describe('names the card in other operations'),
    ...traits,
  })
  .nullable()
  .openapi('CardDetails', { description: 'the card; null for a schedule without one' });

/** A card as transactions and refunds show it. */
export function cardDetailsView(
  card: CardSummary | null,
  shown: ShownIn,
): z.infer<typeof cardDetailsSchema> {
  if (card === null) return null;
  const { token, brand, last4, funding, issuerCountry } = card;
  const { currency } = shown;
  const facts = { cardNumber: last4, cardType: brand, currency, token, funding, issuerCountry };
  return { ...facts, ...virtualTraits(card, shown) };
}
