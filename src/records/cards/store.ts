import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { type Database, queries } from '../../platform/db/database.ts';
import { type CardRow, cards } from '../../schema/cardTables.ts';
import type { CardUse } from './rules/virtual.ts';
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
  change:
    | CardRenewal
    | Pick<CardRow, 'removedAtMs'>
    | Pick<CardRow, 'enteredToPay'>
    | Pick<CardRow, 'autoChargeId'>
    | Pick<CardRow, 'dueAtMs'>,
) {
  return queries
    .update(cards)
    .set(change)
    .where(and(eq(cards.propertyId, propertyId), eq(cards.token, token)));
}

/** Adds what was done with a card to its sums, if it is a virtual one. */
export function countUse(propertyId: string, token: string, use: CardUse) {
  return queries
    .update(cards)
    .set({
      takenMinor: sql`${cards.takenMinor} + ${use.takenMinor}`,
      heldMinor: sql`${cards.heldMinor} + ${use.heldMinor}`,
      refundedMinor: sql`${cards.refundedMinor} + ${use.refundedMinor}`,
    })
    .where(and(eq(cards.propertyId, propertyId), eq(cards.token, token), isNotNull(cards.virtual)));
}

/** The condition that a virtual card's sums are as they were read: a payment that is decided on them rests on that. */
export function hasUse({ token, takenMinor, heldMinor, refundedMinor }: CardRow) {
  return sql`EXISTS (SELECT 1 FROM ${cards} WHERE ${cards.token} = ${token}
    AND ${cards.takenMinor} = ${takenMinor} AND ${cards.heldMinor} = ${heldMinor} AND ${cards.refundedMinor} = ${refundedMinor})`;
}

/** Selects the cards that the acquirer knows by this token: a card can be kept for several properties. */
export function selectByGatewayToken(gatewayToken: string) {
  return queries.select().from(cards).where(eq(cards.gatewayToken, gatewayToken));
}
