import { type Failure, failure } from '../../../core/failure.ts';
import type { Standing } from '../../../records/history/sums.ts';
import type { Priced } from '../../../records/properties/rules/takenPrice.ts';
import { brandName } from '../../../records/properties/rules.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
import type { SealedQuote } from '../quoteSeal.ts';
import type { BookingToCharge, CardToCharge, PaymentRequest } from '../rules.ts';

/** A payment that is to be made as it was quoted. */
type QuotedRequest = PaymentRequest & Pick<TransactionRow, 'kind'>;

/** What the payment meets now. */
export interface PresentFacts {
  /** Null if the booking has none, and the request names none that exists. */
  readonly card: CardToCharge | null;
  readonly standing: Standing;
  readonly nowMs: number;
}

/**
 * Whether a payment may be made as it was quoted; null if so. A quote of something else is `quote_invalid`; one that has
 * ended, or rests on what has changed since, is `quote_stale` (interface: Quotes).
 */
export function checkQuote(
  quote: SealedQuote,
  { booking, property }: Pick<BookingToCharge<CardToCharge>, 'booking' | 'property'>,
  request: QuotedRequest,
  { card, standing, nowMs }: PresentFacts,
): Failure | null {
  const isOfThis =
    quote.bookingReference === booking.reference &&
    quote.kind === request.kind &&
    quote.purpose === request.purpose &&
    quote.requestedMinor === request.requestedMinor &&
    quote.virtualCard === request.virtualCard &&
    isCardOf(quote, request, card);
  if (!isOfThis) return quoteInvalid();
  const isCurrent =
    nowMs < quote.untilMs &&
    isSameCard(quote, card) &&
    quote.bookingVersion === booking.version &&
    quote.propertyVersion === property.version &&
    quote.paidMinor === standing.paidMinor &&
    quote.uncertainMinor === standing.uncertainMinor;
  return isCurrent ? null : quoteStale();
}

/** Whether a price is the quoted one. It differs if a rule or a law has begun or ended since. */
export function isQuotedPrice(quote: SealedQuote, priced: Priced): boolean {
  return (
    quote.cardFeeMinor === priced.cardFeeMinor &&
    quote.transactionFeeMinor === priced.transactionFeeMinor &&
    quote.requestedMinor === priced.requestedMinor
  );
}

/** Whether the request means the card that was quoted. If both leave it to the booking, its card may have changed. */
function isCardOf(quote: SealedQuote, request: QuotedRequest, card: CardToCharge | null): boolean {
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

/** The failure of a quote of something else, and of a text that is no quote. */
export function quoteInvalid(): Failure {
  return failure('quote_invalid', 'The quote is of another payment. Nothing was charged.');
}

/** The failure of a quote that has ended, was used, or rests on what has changed. */
export function quoteStale(): Failure {
  return failure(
    'quote_stale',
    'The quote no longer holds. Nothing was charged; ask for another quote.',
  );
}
