import { bookingNotFound } from '../bookings/rules.ts';
import { readBooking } from '../bookings/store.ts';
import { callBooking } from '../bookings/stub.ts';
import type { Failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { CardRow } from '../db/cardTables.ts';
import { selectGateway } from '../gateways/select.ts';
import { addressOf } from '../http/caller.ts';
import type { AppContext, CallerProperty } from '../http/context.ts';
import { type Api, propertyOperation } from '../http/operation.ts';
import { vaultCard } from './actions.ts';
import { tokenizeAnswer, tokenizeBody } from './schemas.ts';
import { insertCard } from './store.ts';
import { cardView } from './views.ts';

/** The card operations (decisions: section 6). */
export function registerCards(api: Api): void {
  propertyOperation(
    api,
    {
      path: '/payment/v1/tokenize',
      summary: 'Tokenize card details, and attach the card to a booking',
      scope: 'cards',
      body: () => tokenizeBody,
      answer: tokenizeAnswer,
      problems: ['booking_not_found', 'card_expired', 'gateway_error'],
    },
    async ({ c, body, property }) => {
      const { reference } = body;
      if (reference !== undefined && !(await bookingExists(c, property, reference))) {
        return err(bookingNotFound());
      }
      const vaulted = await vaultCard(
        selectGateway(c.get('config'), c.env),
        c.get('crossings'),
        {
          number: body.number,
          expiryMonth: body.expiry.month,
          expiryYear: body.expiry.year,
          holderName: body.cardHolderName ?? null,
          cvv: body.cvv ?? null,
        },
        body.facts,
        property.gatewayAccount,
        { propertyId: property.id, enteredBy: 'api', requestId: null, createdAtMs: Date.now() },
      );
      if (!vaulted.ok) return vaulted;
      const kept = await keepCard(c, property, reference, vaulted.value);
      return kept.ok ? ok({ success: true, card: cardView(kept.value) }) : kept;
    },
  );
}

/** Asked before the card goes to the vault, so that a mistyped reference leaves nothing there. */
async function bookingExists(
  c: AppContext,
  property: CallerProperty,
  reference: string,
): Promise<boolean> {
  const { state } = await readBooking(c.get('database'), 'd1.booking.read', property.id, reference);
  return state !== null;
}

async function keepCard(
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
  const address = addressOf(c, property, reference);
  const attached = await callBooking(c.env, c.get('crossings'), address, (booking) =>
    booking.attachCard(address, card),
  );
  return attached.answer;
}
