import { and, eq } from 'drizzle-orm';
import { type Database, queries } from '../../platform/db/database.ts';
import { type CardRow, cards } from '../../schema/cardTables.ts';
import type { CardRenewal } from './rules.ts';

export function insertCard(row: CardRow) {
  return queries.insert(cards).values(row);
}

/** Finds a property's card by its token, attached to a booking or not, or removed; null when there is none. */
export async function findCard(
  database: Database,
  propertyId: string,
  token: string,
): Promise<CardRow | null> {
  const [[card]] = await database.batch('d1.card.find', [
    queries
      .select()
      .from(cards)
      .where(and(eq(cards.propertyId, propertyId), eq(cards.token, token))),
  ]);
  return card ?? null;
}

/** Changes a card: its issuer renewed it, its guest paid with it or removed it. Its row stays, for what was charged on it. */
export function updateCard(
  { propertyId, token }: Pick<CardRow, 'propertyId' | 'token'>,
  change: CardRenewal | Pick<CardRow, 'removedAtMs'> | Pick<CardRow, 'enteredToPay'>,
) {
  return queries
    .update(cards)
    .set(change)
    .where(and(eq(cards.propertyId, propertyId), eq(cards.token, token)));
}

/** Selects the cards that the acquirer knows by this token: a card can be kept for several properties. */
export function selectByGatewayToken(gatewayToken: string) {
  return queries.select().from(cards).where(eq(cards.gatewayToken, gatewayToken));
}
