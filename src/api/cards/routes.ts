import { callBooking } from '../../booking/stub.ts';
import type { Failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { selectGateway } from '../../gateways/select.ts';
import { callContext } from '../../http/callContext.ts';
import type { AppContext, CallerProperty } from '../../http/context.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import { typedCard } from '../../http/typedCard.ts';
import type { CardRow } from '../../platform/db/cardTables.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { bookingNotFound } from '../../records/bookings/rules.ts';
import { readBooking } from '../../records/bookings/store.ts';
import { vaultCard } from '../../records/cards/actions.ts';
import { insertCard } from '../../records/cards/store.ts';
import { cardView } from '../../records/cards/views.ts';
import { tokenizeAnswer } from './schemas.ts';

/** The card operations (interface: Cards). */
export function registerCards(api: Api): void {
  propertyOperation(
    api,
    {
      path: '/payment/v1/tokenize',
      summary: 'Tokenize card details, and attach the card to a booking',
      scope: 'cards',
      body: ({ times }) => typedCard(times.now),
      answer: tokenizeAnswer,
      problems: ['booking_not_found', 'card_declined', 'card_expired', 'gateway_error'],
    },
    async ({ c, body, property }) => {
      const { reference } = body;
      if (reference !== undefined && !(await bookingExists(c, property, reference))) {
        return err(bookingNotFound());
      }
      const vaulted = await vaultCard(
        {
          gateway: selectGateway(c.get('config'), c.env),
          isPresent: false,
          trace: c.get('trace'),
          about: { requestId: c.get('requestId'), property: property.id, booking: reference },
        },
        {
          number: body.number,
          expiryMonth: body.expiry.month,
          expiryYear: body.expiry.year,
          holderName: body.cardHolderName ?? null,
          cvv: body.cvv ?? null,
        },
        body.facts,
        property.gatewayAccount,
        {
          propertyId: property.id,
          enteredBy: 'api',
          requestId: null,
          createdAtMs: propertyNow(property),
        },
      );
      if (!vaulted.ok) return vaulted;
      const stored = await storeCard(c, property, reference, vaulted.value);
      return stored.ok ? ok({ success: true, card: cardView(stored.value) }) : stored;
    },
  );
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
  const context = callContext(c, property, reference);
  const attached = await callBooking(c.env, c.get('trace'), context, (booking) =>
    booking.attachCard(context, card),
  );
  return attached.answer;
}
