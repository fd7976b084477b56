import type { Failure } from '../../core/failure.ts';
import { ok, type Result } from '../../core/result.ts';
import { cardInUse } from '../../records/bookings/rules.ts';
import type { Standing } from '../../records/history/sums.ts';
import { LIVES } from '../../records/keyring/lives.ts';
import type { PayingCard } from '../../records/properties/rules/feeTerms.ts';
import type { Priced } from '../../records/properties/rules/takenPrice.ts';
import { dueOf } from '../balance/rules/due.ts';
import { repriced } from '../pricing/repricing.ts';
import { type ChargePrice, type PricingMoment, priceCharge } from '../pricing/surcharge.ts';
import { decidePayment } from './rules/decidePayment.ts';
import { dueAfterMinor, type PaymentWarning } from './rules/overcharge.ts';
import {
  type BookingToCharge,
  type CardToCharge,
  cardExpired,
  type PaymentRequest,
} from './rules.ts';

/** How long a quote can be charged. */
export const QUOTE_LIFE_MS = LIVES.quote;

/** A payment that may be made. `atMs` is when it takes place: now, or the time of a schedule. */
export interface QuoteRequest extends PaymentRequest {
  readonly kind: 'charge' | 'authorization' | 'schedule';
  readonly atMs: number;
}

/** What a quote is made from. */
export interface QuoteFacts<Card> {
  readonly state: BookingToCharge<Card>;
  /** The card that the request names; null if it names none. */
  readonly named: Card | null;
  readonly standing: Standing;
  readonly nowMs: number;
  readonly stepMinor: number;
}

/** What a payment would come to, in minor units (interface: Quotes). */
export interface Quote extends Pick<ChargePrice, 'rule' | 'law'> {
  readonly priced: Priced;
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
  { state, named, standing, nowMs, stepMinor }: QuoteFacts<Card>,
): Result<Quote, Failure> {
  const facts = { named, standing, nowMs, stepMinor };
  const decided = decidePayment(state, { ...request, limitToDue: false }, facts);
  const card = named ?? cardInUse(state);
  const price = quotedPrice(state, card, request, { nowMs, stepMinor });
  if (!price.ok) return price;
  const amountWarnings = decided.ok ? decided.value.amount.warnings : [];
  return ok({
    ...price.value,
    dueBeforeMinor: dueOf(state.booking.totalCostMinor, standing),
    dueAfterMinor: dueAfterMinor(state.booking, request, standing),
    refusal: decided.ok ? null : decided.error,
    warnings: [...amountWarnings, ...price.value.warnings, ...expiryWarning(state, card, request)],
  });
}

/** A price with what it comes from, and what it is warned of. */
type QuotedPrice = Pick<ChargePrice, 'priced' | 'rule' | 'law'> & {
  readonly warnings: readonly PaymentWarning[];
};

/** The price that a quote says: that of the payment's time. A schedule takes the lower of its price now and then. */
export function quotedPrice(
  { property }: Pick<BookingToCharge<CardToCharge>, 'property'>,
  card: CardToCharge | null,
  request: QuoteRequest,
  { nowMs, stepMinor }: { readonly nowMs: number } & Pick<PricingMoment, 'stepMinor'>,
): Result<QuotedPrice, Failure> {
  const paying = card ?? NO_CARD;
  const moment = { atMs: request.atMs, stepMinor };
  const then = priceCharge(property, paying, request, moment);
  if (request.kind !== 'schedule') return then;
  const now = priceCharge(property, paying, request, { atMs: nowMs, stepMinor });
  if (!now.ok) return now;
  const { priced, warnings } = now.value;
  const made = { ...request, ...priced, warnings };
  const { requestedMinor, transactionFeeMinor, cardFeeMinor, amountMinor, ...fired } = {
    ...made,
    ...repriced(property, paying, made, moment),
  };
  return ok({
    priced: { requestedMinor, transactionFeeMinor, cardFeeMinor, amountMinor },
    warnings: fired.warnings,
    rule: then.ok ? then.value.rule : now.value.rule,
    law: then.ok ? then.value.law : now.value.law,
  });
}

function expiryWarning(
  { property }: BookingToCharge<CardToCharge>,
  card: CardToCharge | null,
  { kind, atMs }: QuoteRequest,
): Quote['warnings'] {
  const expires = kind === 'schedule' && card && cardExpired(card, property.timeZone, atMs);
  return expires ? ['card_expires_before_scheduled_time'] : [];
}
