import { type Failure, failure } from '../../../core/failure.ts';
import { err, ok, type Result, refuse } from '../../../core/result.ts';
import { type BookingState, bookingCancelled, cardInUse } from '../../../records/bookings/rules.ts';
import { whyNotActive, whyTooMuch } from '../../../records/cards/rules/virtual.ts';
import { CARD_OF_FORMER_ACCOUNT, isOfFormerAccount } from '../../../records/cards/rules.ts';
import type { BookingTotals } from '../../../records/history/sums.ts';
import type { Priced } from '../../../records/properties/rules/takenPrice.ts';
import { brandName } from '../../../records/properties/rules.ts';
import type { CardRow } from '../../../schema/cardTables.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
import { type ChargePrice, priceCharge } from '../../pricing/fees.ts';
import { quotedPrice } from '../../pricing/repricing.ts';
import type { SealedQuote } from '../quoteToken.ts';
import {
  type BookingToCharge,
  type CardToCharge,
  cardExpired,
  type PaymentRequest,
  TOKEN_NOT_FOUND,
} from '../rules.ts';
import { amountFor, type DecidedAmount, guardsOf, scheduledWarnings } from './overcharge.ts';

/** A charge, a hold or a schedule that is asked for. */
export interface ChargeRequest extends PaymentRequest {
  readonly kind: TransactionRow['kind'];
  /** Whether to take what is due, at most: a schedule when it fires, everything else now. */
  readonly limitToDue: boolean;
  /** When a schedule is charged or a hold ends; null for a charge. */
  readonly time: { readonly atMs: number } | null;
  /** The total that the payer agreed to, fees included; null where they were shown none. */
  readonly agreedMinor: number | null;
}

/** All that a payment is decided on, read before. */
export interface ChargeFacts<Card = CardRow> {
  readonly state: BookingToCharge<Card>;
  /** The card that the request names; null if it does not exist. */
  readonly requestedCard: Card | null;
  /** What is paid and open; null if nothing depends on it. */
  readonly totals: BookingTotals | null;
  /** The quote to charge exactly; null if the request names none. */
  readonly quoted: QuoteToUse | null;
  /** The failure of a payment like an earlier one; null if there is none, or if the caller wants another. */
  readonly duplicate: Failure | null;
  readonly nowMs: number;
  /** The acquirer takes multiples of this. */
  readonly stepMinor: number;
}

/** A quote that a payment names: null if its id is none. Payments of a booking follow each other, so it is used once. */
interface QuoteToUse {
  readonly quote: SealedQuote | null;
  readonly isUsed: boolean;
}

/** A payment that can be made: its card, its price, and how its amount came about. */
export interface DecidedCharge<Card = CardRow> extends ChargePrice {
  readonly card: Card;
  readonly amount: DecidedAmount;
}

/**
 * Decides a payment: what create, schedule and the pre-authorization do, and what a quote says that they would do. A
 * cancelled booking may be charged at once (cancellation fees, no-shows), but takes no new schedule or hold. Failures of
 * the booking and its card come before those of the amount.
 */
export function decideCharge<Card extends CardToCharge>(
  request: ChargeRequest,
  facts: ChargeFacts<Card>,
): Result<DecidedCharge<Card>> {
  const { nowMs, state, stepMinor, totals } = facts;
  const { property, booking } = state;
  const unquoted = facts.quoted && checkQuote(facts.quoted, request, facts);
  if (unquoted) return err(unquoted);
  const chosen = chooseCard(request, facts);
  if (!chosen.ok) return chosen;
  const card = chosen.value;
  const amount = amountFor(property, booking, request, totals, stepMinor);
  const requestedMinor = amount.ok ? amount.value.requestedMinor : request.requestedMinor;
  const virtualCard = request.virtualCard || card.virtual !== null;
  const charged = { ...request, requestedMinor, virtualCard };
  const price = priceCharge(property, card, charged, { atMs: nowMs, stepMinor });
  if (!price.ok) return price;
  if (!amount.ok) return amount;
  const { quote = null } = facts.quoted ?? {};
  if (quote && !isQuotedPrice(quote, request, facts, { card, now: price.value.priced })) {
    return err(QUOTE_STALE);
  }
  if (request.agreedMinor !== null && request.agreedMinor !== price.value.priced.amountMinor) {
    return refuse('invalid_state', 'The fees have changed since the page showed them.');
  }
  const refused = whyNotOnCard(card, request, price.value.priced, booking) ?? facts.duplicate;
  if (refused) return err(refused);
  const warnings = [
    ...amount.value.warnings,
    ...scheduledWarnings(property, booking, charged, totals),
  ];
  return ok({ ...price.value, card, amount: { ...amount.value, warnings } });
}

/** Why a card may not be charged the amount: a schedule that takes what is due, at most, takes no more than is left later. */
function whyNotOnCard(
  card: CardToCharge,
  { kind, limitToDue }: ChargeRequest,
  { amountMinor }: Priced,
  booking: BookingState['booking'],
): Failure | null {
  return kind === 'schedule' && limitToDue ? null : whyTooMuch(card, amountMinor, booking);
}

const NO_CARD = failure('no_card', 'The booking has no card, and the request names none.');

/** The card that a payment is made on: the requested one, else the booking's card in use. */
function chooseCard<Card extends CardToCharge>(
  { cardToken, kind, time }: ChargeRequest,
  { nowMs, requestedCard, state }: ChargeFacts<Card>,
): Result<Card> {
  if (kind !== 'charge' && state.booking.status === 'cancelled') return err(bookingCancelled());
  const card = cardToken === null ? cardInUse(state) : requestedCard;
  // Erasing a booking's guest takes away its cards, whatever a caller still knows of them.
  const isNoneLeft = cardToken === null || state.booking.erasedAtMs !== null;
  if (card === null) return err(isNoneLeft ? NO_CARD : TOKEN_NOT_FOUND);
  if (isOfFormerAccount(state.property, card)) return err(CARD_OF_FORMER_ACCOUNT);
  if (cardExpired(card, state.property.timeZone, nowMs)) {
    return refuse('card_expired', 'The card has expired.');
  }
  const atMs = kind === 'schedule' ? (time?.atMs ?? nowMs) : nowMs;
  const notActive = whyNotActive(card, atMs, state.property);
  return notActive ? err(notActive) : ok(card);
}

/**
 * Checks that a payment may be made as it was quoted; null if so. A quote of something else is `quote_invalid`; one that
 * has ended, was used, or rests on what has changed since, is `quote_stale` (interface: Quotes).
 */
function checkQuote(
  { quote, isUsed }: QuoteToUse,
  request: ChargeRequest,
  { nowMs, requestedCard, state, totals }: ChargeFacts<CardToCharge>,
): Failure | null {
  const { booking, property } = state;
  const card = request.cardToken === null ? cardInUse(state) : requestedCard;
  const isOfThis =
    quote !== null &&
    quote.bookingReference === booking.reference &&
    quote.kind === request.kind &&
    quote.purpose === request.purpose &&
    quote.requestedMinor === request.requestedMinor &&
    quote.virtualCard === request.virtualCard &&
    isCardOf(quote, request, card);
  if (!isOfThis) {
    return failure('quote_invalid', 'The quote is of another payment. Nothing was charged.');
  }
  const isCurrent =
    !isUsed &&
    nowMs < quote.untilMs &&
    isSameCard(quote, card) &&
    quote.bookingStatus === booking.status &&
    quote.totalCostMinor === booking.totalCostMinor &&
    quote.guards === guardsOf(property) &&
    quote.paidMinor === totals?.paidMinor &&
    quote.uncertainMinor === totals.uncertainMinor;
  return isCurrent ? null : QUOTE_STALE;
}

/** Whether the request means the card that was quoted. If both leave it to the booking, its card may have changed. */
function isCardOf(quote: SealedQuote, request: ChargeRequest, card: CardToCharge | null): boolean {
  const { card: quoted, named } = quote;
  if (quoted?.token === null) return isSameCard(quote, card);
  const leftToBooking = request.cardToken === null && named === null;
  return leftToBooking || (quoted !== null && card?.token === quoted.token);
}

function isSameCard({ card: quoted }: SealedQuote, card: CardToCharge | null): boolean {
  if (card === null || quoted === null) return false;
  return quoted.token === null
    ? brandName(quoted.brand) === brandName(card.brand) &&
        quoted.funding === card.funding &&
        quoted.issuerCountry === card.issuerCountry
    : quoted.token === card.token;
}

/**
 * Whether the payment costs what was quoted: a schedule at its time, when it may cost less than now. The price differs if
 * a rule or a law has begun or ended since.
 */
function isQuotedPrice(
  quote: SealedQuote,
  request: ChargeRequest,
  { nowMs, state, stepMinor }: ChargeFacts<CardToCharge>,
  { card, now }: { readonly card: CardToCharge; readonly now: Priced },
): boolean {
  const { kind, time } = request;
  const virtualCard = request.virtualCard || card.virtual !== null;
  const atItsTime = { ...request, virtualCard, atMs: time?.atMs ?? nowMs };
  const price: Result<{ readonly priced: Priced }> =
    kind === 'schedule'
      ? quotedPrice(state.property, card, atItsTime, { nowMs, stepMinor })
      : ok({ priced: now });
  return (
    price.ok &&
    quote.cardFeeMinor === price.value.priced.cardFeeMinor &&
    quote.transactionFeeMinor === price.value.priced.transactionFeeMinor &&
    quote.requestedMinor === price.value.priced.requestedMinor
  );
}

const QUOTE_STALE = failure(
  'quote_stale',
  'The quote no longer holds. Nothing was charged; ask for another quote.',
);
