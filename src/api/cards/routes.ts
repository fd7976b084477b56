import type { Failure } from '../../core/failure.ts';
import { andThen, err, ok, type Result } from '../../core/result.ts';
import { selectGateway } from '../../gateways/select.ts';
import type { AppContext, CallerProperty } from '../../http/context.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { bookingNotFound } from '../../records/bookings/rules.ts';
import { readBooking } from '../../records/bookings/store.ts';
import { takeOverCard, vaultCard } from '../../records/cards/actions.ts';
import { insertCard } from '../../records/cards/store.ts';
import { cardSchema, cardView } from '../../records/cards/views.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import { callBookingOf } from '../calls.ts';
import { type TokenizeBody, tokenizeBody } from './schemas.ts';

/** The card operations (interface: Cards). */
export function registerCards(api: Api): void {
  propertyOperation(api, {
    path: '/payment/v1/tokenize',
    summary: 'Tokenize card details, and attach the card to a booking',
    scope: 'cards',
    body: ({ times }) => tokenizeBody(times.now),
    answer: { card: cardSchema },
    problems: [
      'booking_not_found',
      'card_declined',
      'card_expired',
      'card_of_former_account',
      'gateway_error',
    ],
    handle: async ({ c, body, property }) => {
      const { reference } = body;
      if (reference !== undefined && !(await bookingExists(c, property, reference))) {
        return err(bookingNotFound());
      }
      const vaulted = await cardOf(c, property, body);
      if (!vaulted.ok) return vaulted;
      const stored = await storeCard(c, property, reference, vaulted.value);
      return andThen(stored, (card) => ok({ card: cardView(card) }));
    },
  });
}

function cardOf(
  c: AppContext,
  property: CallerProperty,
  { reference, gatewayToken, cardNumber, cardExpiry, cardHolderName, cvv }: TokenizeBody,
): Promise<Result<CardRow, Failure>> {
  const work = {
    gateway: selectGateway(c.get('config'), c.env),
    isPresent: false,
    trace: c.get('trace'),
    about: { requestId: c.get('requestId'), property: property.id, booking: reference },
  };
  const kept = {
    propertyId: property.id,
    enteredBy: 'api',
    enteredToPay: false,
    requestId: null,
    createdAtMs: propertyNow(property),
  } as const;
  const account = property.gatewayAccount;
  if (gatewayToken !== undefined) return takeOverCard(work, gatewayToken, account, kept);
  if (!cardNumber || !cardExpiry) throw new Error('a body without a card was accepted');
  const { number, facts } = cardNumber;
  const entry = {
    number,
    expiryMonth: cardExpiry.month,
    expiryYear: cardExpiry.year,
    holderName: cardHolderName ?? null,
    cvv: cvv ?? null,
  };
  return vaultCard(work, entry, facts, account, kept);
}

/** The route checks this before it sends the card to the vault: a mistyped reference leaves no card there. */
async function bookingExists(
  c: AppContext,
  property: CallerProperty,
  reference: string,
): Promise<boolean> {
  const { state } = await readBooking(c.get('database'), 'd1.booking.read', property.id, reference);
  return state !== null;
}

async function storeCard(
  c: AppContext,
  property: CallerProperty,
  reference: string | undefined,
  card: CardRow,
): Promise<Result<CardRow, Failure>> {
  if (reference === undefined) {
    const database = c.get('database');
    await database.batch('d1.card.save', [insertCard(database.queries, card)]);
    return ok(card);
  }
  const { answer } = await callBookingOf(c, property, reference, 'attachCard', { card });
  return answer;
}
