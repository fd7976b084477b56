import type { BookingState } from '../bookings/rules.ts';
import { selectBooking } from '../bookings/store.ts';
import type { Database } from '../db/database.ts';
import type { CardRow, RefundRow, TransactionRow } from '../db/schema.ts';
import { type Balance, balanceOf } from '../payments/balance.ts';
import { selectTransactionCards, selectTransactions } from '../payments/store.ts';
import { selectRefunds } from '../refunds/store.ts';

/** Everything that a guest's page shows of a booking. */
export interface Account {
  readonly state: BookingState;
  /** Oldest first. */
  readonly transactions: readonly TransactionRow[];
  readonly refunds: readonly RefundRow[];
  /** The cards that the transactions were made with, whether or not they are attached. */
  readonly usedCards: readonly CardRow[];
  readonly balance: Balance;
}

/** Reads a booking's account in one round trip; null when there is no such booking. */
export async function readAccount(
  database: Database,
  propertyId: string,
  reference: string,
): Promise<Account | null> {
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
  const balance = balanceOf(booking.totalCostMinor, transactions, refunds);
  return { state: { property, booking, cards }, transactions, refunds, usedCards, balance };
}
