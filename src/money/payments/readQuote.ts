import type { Failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Database } from '../../platform/db/database.ts';
import { newReference } from '../../platform/ids.ts';
import { type BookingState, bookingNotFound, cardInUse } from '../../records/bookings/rules.ts';
import { type BookingName, readBooking } from '../../records/bookings/store.ts';
import type { PayingCard } from '../../records/properties/rules/feeTerms.ts';
import { readBalance } from '../balance/readBalance.ts';
import { refuseDuplicate } from './duplicates.ts';
import { cardToCharge } from './loadTransaction.ts';
import { QUOTE_LIFE_MS, type Quote, type QuoteRequest, quotePayment } from './quote.ts';
import { sealQuote } from './quoteSeal.ts';
import { type CardToCharge, tokenNotFound } from './rules.ts';

/** A quote that is asked for, with what is said of the card in place of the booking's. */
export interface QuoteCommand extends QuoteRequest {
  readonly described: Partial<PayingCard>;
}

/** What quotes are made with. It only reads. */
export interface QuoteWork {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly name: BookingName;
  readonly nowMs: number;
  /** The acquirer takes multiples of this. */
  readonly stepMinor: number;
}

/** A quote with its sealed id, and all reasons why the payment would be refused. */
export interface QuoteWithId extends Quote {
  readonly quoteId: string;
  readonly refusals: readonly Failure[];
  readonly untilMs: number;
}

/** Says what a payment of a booking would come to, and seals that (interface: Quotes). It writes nothing. */
export async function readQuote(
  work: QuoteWork,
  command: QuoteCommand,
): Promise<Result<QuoteWithId, Failure>> {
  const { database, name, nowMs, stepMinor } = work;
  const { propertyId, reference } = name;
  const { state } = await readBooking(database, 'd1.booking.read', propertyId, reference);
  const balance = await readBalance(database, name, null);
  if (!state || !balance.ok) return err(bookingNotFound());
  const booking = { database, propertyId, reference, now: () => nowMs };
  const named =
    command.cardToken === null ? null : await cardToCharge(booking, state, command.cardToken);
  if (command.cardToken !== null && named === null) return err(tokenNotFound());
  const { paidMinor, uncertainMinor } = balance.value;
  const facts = { named, standing: balance.value, nowMs, stepMinor };
  const described = withDescribedCard(state, command);
  const quote = quotePayment<CardToCharge>(command, { state: described, ...facts });
  if (!quote.ok) return quote;
  const card = named ?? cardInUse<CardToCharge>(described);
  const untilMs = nowMs + QUOTE_LIFE_MS;
  const { kind, purpose, requestedMinor, virtualCard, cardToken } = command;
  const like = card && { kind, purpose, askedMinor: requestedMinor, cardToken: card.token };
  const twin = like && (await refuseDuplicate(booking, state, like, null));
  const quoteId = await sealQuote(work.keyring, propertyId, {
    id: newReference(),
    bookingReference: reference,
    kind,
    purpose,
    requestedMinor,
    virtualCard,
    named: cardToken,
    card: card && sealedCard(card),
    cardFeeMinor: quote.value.priced.cardFeeMinor,
    transactionFeeMinor: quote.value.priced.transactionFeeMinor,
    bookingVersion: state.booking.version,
    propertyVersion: state.property.version,
    paidMinor,
    uncertainMinor,
    untilMs,
  });
  const refusals = [quote.value.refusal, twin].filter((one) => one !== null);
  return ok({ ...quote.value, quoteId, refusals, untilMs });
}

/** The token of a card that the request describes. No card has it. */
const DESCRIBED = 'described';

function sealedCard({ token, brand, funding, issuerCountry }: CardToCharge) {
  return { brand, funding, issuerCountry, token: token === DESCRIBED ? null : token };
}

/** The booking as if it used the card that the request describes. What is not said of it is the booking's card's. */
function withDescribedCard(state: BookingState, { described, cardToken }: QuoteCommand) {
  const says = Object.values(described).some((value) => value !== undefined);
  if (!says || cardToken !== null) return state;
  const base = cardInUse(state);
  const card: CardToCharge = {
    token: DESCRIBED,
    brand: described.brand ?? base?.brand ?? 'unknown',
    funding: described.funding ?? base?.funding ?? 'unknown',
    issuerCountry: described.issuerCountry ?? base?.issuerCountry ?? null,
    expiryMonth: 12,
    expiryYear: 9999,
    gatewayAccount: state.property.merchantAccount,
  };
  return { ...state, booking: { ...state.booking, cardToken: DESCRIBED }, cards: [card] };
}
