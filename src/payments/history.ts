import type { BookingState } from '../bookings/rules.ts';
import { selectBooking } from '../bookings/store.ts';
import type { CardRow } from '../db/cardTables.ts';
import type { Database } from '../db/database.ts';
import type { RefundRow, TransactionRow } from '../db/moneyTables.ts';
import { selectRefunds } from '../refunds/store.ts';
import { selectTransactionCards, selectTransactions } from './store.ts';

/** A booking with all that was, is or will be moved for it. */
export interface History {
  readonly state: BookingState;
  /** Oldest first. */
  readonly transactions: readonly TransactionRow[];
  readonly refunds: readonly RefundRow[];
  /** The cards that the transactions were made with, whether or not they are attached. */
  readonly usedCards: readonly CardRow[];
}

/** Reads a booking's history in one round trip; null when there is no such booking. */
export async function readHistory(
  database: Database,
  propertyId: string,
  reference: string,
): Promise<History | null> {
  const { queries } = database;
  const [[property], [booking], cards, transactions, usedCards, refunds] = await database.batch(
    'd1.transactions.read',
    [
      ...selectBooking(queries, propertyId, reference),
      selectTransactions(queries, propertyId, reference),
      selectTransactionCards(queries, propertyId, reference),
      selectRefunds(queries, propertyId, reference),
    ],
  );
  if (!property || !booking) return null;
  return { state: { property, booking, cards }, transactions, refunds, usedCards };
}
