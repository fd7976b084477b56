import type { Failure } from '../../../core/failure.ts';
import { pick } from '../../../core/pick.ts';
import { ok, type Result } from '../../../core/result.ts';
import { cardInUse } from '../../../records/bookings/rules.ts';
import { NOT_VIRTUAL } from '../../../records/cards/rules/virtual.ts';
import type { BookingTotals } from '../../../records/history/sums.ts';
import type { PayingCard } from '../../../records/properties/rules/feeTerms.ts';
import { dueOf } from '../../balance/rules/balance.ts';
import { type PaymentToPrice, type QuotedPrice, quotedPrice } from '../../pricing/repricing.ts';
import {
  type BookingToCharge,
  type CardToCharge,
  cardExpired,
  type PaymentRequest,
} from '../rules.ts';
import { type ChargeFacts, decideCharge } from './decideCharge.ts';
import { dueAfterMinor, type PaymentWarning } from './overcharge.ts';

export type QuoteRequest = PaymentRequest & PaymentToPrice;

export interface QuoteFacts<Card>
  extends Pick<ChargeFacts<Card>, 'state' | 'requestedCard' | 'nowMs' | 'stepMinor'> {
  readonly totals: BookingTotals;
}

/** What a payment would come to, in minor units (interface: Quotes). */
export interface Quote extends Pick<QuotedPrice, 'priced' | 'rule' | 'law'> {
  readonly dueBeforeMinor: number;
  readonly dueAfterMinor: number;
  /** Why the booking's state does not allow it; null if it does. */
  readonly refusal: Failure | null;
  readonly warnings: readonly (PaymentWarning | 'card_expires_before_scheduled_time')[];
}

/** What is known of a card that is not there: no rule for a brand or an issuer fits it. */
const NO_CARD: PayingCard = { brand: 'unknown', funding: 'unknown', issuerCountry: null };

/**
 * Says what a payment would come to, by what makes it. Fails only where its fields are at fault, such as an amount that the
 * acquirer cannot take.
 */
export function quotePayment<Card extends CardToCharge>(
  request: QuoteRequest,
  facts: QuoteFacts<Card>,
): Result<Quote> {
  const { requestedCard, state, totals } = facts;
  const { atMs } = request;
  const payment = { ...request, limitToDue: false, time: { atMs }, agreedMinor: null };
  const decided = decideCharge(payment, { ...facts, quoted: null, duplicate: null });
  const card = requestedCard ?? cardInUse(state);
  const virtualCard = request.virtualCard || (card !== null && card.virtual !== null);
  const priced = { ...request, virtualCard };
  const price = quotedPrice(state.property, card ?? NO_CARD, priced, facts);
  if (!price.ok) return price;
  const amountWarnings = decided.ok ? decided.value.amount.warnings : [];
  const expires =
    request.kind === 'schedule' &&
    card !== null &&
    cardExpired(card, state.property.timeZone, request.atMs);
  const cardWarnings = expires ? (['card_expires_before_scheduled_time'] as const) : [];
  return ok({
    ...price.value,
    dueBeforeMinor: dueOf(state.booking.totalCostMinor, totals),
    dueAfterMinor: dueAfterMinor(state.booking, request, totals),
    refusal: decided.ok ? null : decided.error,
    warnings: [...amountWarnings, ...price.value.warnings, ...cardWarnings],
  });
}

/** The token of a card that is only described. No card has it. */
export const DESCRIBED = 'described';

/** A booking as if it used a card that is only described. What is not said of it is the card's in use. */
export function withDescribedCard(
  state: BookingToCharge<CardToCharge>,
  described: Partial<PayingCard>,
): BookingToCharge<CardToCharge> {
  const base = cardInUse(state) ?? NO_CARD;
  const card = {
    ...pick(base, 'brand', 'funding', 'issuerCountry'),
    ...described,
    token: DESCRIBED,
    expiryMonth: 12,
    expiryYear: 9999,
    gatewayAccount: state.property.merchantAccount,
    ...NOT_VIRTUAL,
  };
  return { ...state, booking: { ...state.booking, cardToken: DESCRIBED }, cards: [card] };
}
