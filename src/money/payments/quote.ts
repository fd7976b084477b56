import type { Failure } from '../../core/failure.ts';
import type { PropertyClock } from '../../core/propertyClock.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { selectGateway } from '../../gateways/select.ts';
import type { Config } from '../../platform/config.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Env } from '../../platform/env.ts';
import { newReference } from '../../platform/ids.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { bookingNotFound, cardInUse } from '../../records/bookings/rules.ts';
import { type BookingName, selectBooking } from '../../records/bookings/store.ts';
import { bookingTotals } from '../../records/history/rules/totals.ts';
import { knownHistory, selectHistory } from '../../records/history/sumsStore.ts';
import { LIVES } from '../../records/keyring/lives.ts';
import type { PayingCard } from '../../records/properties/rules/feeTerms.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { balanceOf } from '../balance/rules/balance.ts';
import { refuseDuplicate } from './charge.ts';
import { cardToCharge } from './loadTransaction.ts';
import { sealQuote } from './quoteToken.ts';
import { guardsOf } from './rules/overcharge.ts';
import {
  DESCRIBED,
  type Quote,
  type QuoteRequest,
  quotePayment,
  withDescribedCard,
} from './rules/quotePayment.ts';
import { type CardToCharge, TOKEN_NOT_FOUND } from './rules.ts';

/** A requested quote, and the card that the request describes in place of the booking's. */
export interface QuoteCommand extends QuoteRequest {
  readonly described: Partial<PayingCard>;
}

export interface QuoteWork {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly name: BookingName;
  readonly nowMs: number;
  /** The acquirer takes multiples of this. */
  readonly stepMinor: number;
}

/** What a quote of a booking is worked out with, at what its property's clock shows now. */
export function quoteWork(
  {
    config,
    database,
    env,
  }: { readonly config: Config; readonly database: Database; readonly env: Env },
  property: Pick<PropertyRow, 'id' | 'currency'> & Omit<PropertyClock, 'version'>,
  reference: string,
): QuoteWork {
  return {
    database,
    keyring: config.keyring,
    name: { propertyId: property.id, reference },
    nowMs: propertyNow(property),
    stepMinor: selectGateway(config, env).amountStepMinor(property.currency),
  };
}

/** A quote with its sealed id, and all reasons why the payment would be refused. */
export interface QuoteWithId extends Quote {
  readonly quoteId: string;
  /** The card that pays; null for none. */
  readonly cardToken: string | null;
  readonly refusals: readonly Failure[];
  readonly untilMs: number;
}

/** Says what a payment of a booking would come to, and seals that (interface: Quotes). It writes nothing. */
export async function readQuote(
  work: QuoteWork,
  command: QuoteCommand,
): Promise<Result<QuoteWithId>> {
  const { database, name, nowMs, stepMinor } = work;
  const { propertyId, reference } = name;
  const [[property], [found], cards, ...sums] = await database.batch('d1.booking.read', [
    ...selectBooking(propertyId, reference),
    ...selectHistory(name),
  ]);
  if (!property || !found) return err(bookingNotFound());
  const state = { property, booking: found, cards };
  const balance = balanceOf(found.totalCostMinor, bookingTotals(knownHistory(...sums)));
  const booking = { database, propertyId, reference, now: () => nowMs };
  const requestedCard =
    command.cardToken === null ? null : await cardToCharge(booking, state, command.cardToken);
  if (command.cardToken !== null && requestedCard === null) return err(TOKEN_NOT_FOUND);
  const { paidMinor, uncertainMinor } = balance;
  const { described } = command;
  const isDescribed = command.cardToken === null && Object.keys(described).length > 0;
  const quotedState = isDescribed ? withDescribedCard(state, described) : state;
  const quote = quotePayment<CardToCharge>(command, {
    state: quotedState,
    requestedCard,
    totals: balance,
    nowMs,
    stepMinor,
  });
  if (!quote.ok) return quote;
  const card = requestedCard ?? cardInUse<CardToCharge>(quotedState);
  const untilMs = nowMs + LIVES.quote;
  const { kind, purpose, requestedMinor, virtualCard, cardToken } = command;
  const like = card && { kind, purpose, askedMinor: requestedMinor, cardToken: card.token };
  const duplicate = like && (await refuseDuplicate(booking, state.property, like, null));
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
    bookingStatus: found.status,
    totalCostMinor: found.totalCostMinor,
    guards: guardsOf(property),
    paidMinor,
    uncertainMinor,
    untilMs,
  });
  const refusals = [quote.value.refusal, duplicate].filter((one) => one !== null);
  return ok({ ...quote.value, quoteId, cardToken: card?.token ?? null, refusals, untilMs });
}

function sealedCard({ token, brand, funding, issuerCountry }: CardToCharge) {
  return { brand, funding, issuerCountry, token: token === DESCRIBED ? null : token };
}
