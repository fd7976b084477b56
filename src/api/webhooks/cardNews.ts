import type { BookingCall } from '../../booking/operations.ts';
import { type Failure, failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Gateway } from '../../gateways/gateway.ts';
import type { Origin } from '../../gateways/movements.ts';
import type { Database } from '../../platform/db/database.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import type { Trace } from '../../platform/trace.ts';
import { refreshLooseCard } from '../../records/cards/refreshLoose.ts';
import { selectByGatewayToken } from '../../records/cards/store.ts';
import { selectProperty } from '../../records/properties/store.ts';
import { selectBookingOfCard } from '../../records/recoveries/store.ts';
import type { CardRow } from '../../schema/cardTables.ts';

/** What news of a card is handled with. */
export interface CardNewsWork {
  readonly database: Database;
  readonly gateway: Gateway;
  readonly trace: Trace;
}

/** Calls the object of a booking; false if there is no such booking or card. */
export type CallBooking = (
  booking: Omit<Origin, 'reference'>,
  ...call: BookingCall
) => Promise<Result<boolean, Failure>>;

/** Takes over what the acquirer says of a card, for each property that keeps it (interface: Renewed cards). */
export async function handleCard(
  work: CardNewsWork,
  gatewayToken: string,
  callBooking: CallBooking,
): Promise<Result<boolean, Failure>> {
  const { database } = work;
  const [cards] = await database.batch('d1.card.find', [
    selectByGatewayToken(database.queries, gatewayToken),
  ]);
  for (const card of cards) {
    const handled = await handleOne(work, card, callBooking);
    if (!handled.ok) return handled;
  }
  return ok(cards.length > 0);
}

async function handleOne(
  work: CardNewsWork,
  card: CardRow,
  callBooking: CallBooking,
): Promise<Result<boolean, Failure>> {
  const { propertyId, token } = card;
  const bookingReference = card.bookingReference ?? (await bookingOf(work.database, card));
  if (bookingReference !== null) {
    return callBooking({ propertyId, bookingReference }, 'refreshCard', { token });
  }
  const [[property]] = await work.database.batch('d1.property.find', [
    selectProperty(work.database.queries, propertyId),
  ]);
  if (!property) return ok(false);
  const isKnown = await refreshLooseCard(
    { ...work, nowMs: propertyNow(property), timeZone: property.timeZone },
    card,
  );
  return isKnown ? ok(true) : err(failure('gateway_error', 'The gateway did not answer.'));
}

/** The booking of a charge that names a card without being the booking's; null if there is none. */
async function bookingOf(
  database: Database,
  { propertyId, token }: CardRow,
): Promise<string | null> {
  const [[found]] = await database.batch('d1.recovery.read', [
    selectBookingOfCard(database.queries, propertyId, token),
  ]);
  return found?.reference ?? null;
}
