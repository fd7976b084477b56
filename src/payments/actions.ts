import { bookingNotFound } from '../bookings/rules.ts';
import type { Failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { Database } from '../db/database.ts';
import { readHistory } from './history.ts';
import { transactionNotFound } from './rules.ts';
import { type ListedTransactionView, listedView } from './views.ts';

/** All transactions of a booking with their refunds, oldest first (interface: 4.4). One round trip. */
export async function listTransactions(
  database: Database,
  propertyId: string,
  reference: string,
): Promise<Result<ListedTransactionView[], Failure>> {
  const history = await readHistory(database, propertyId, reference);
  if (history === null) return err(bookingNotFound());
  const { state, transactions, refunds, usedCards } = history;
  return ok(
    transactions.map((row) => {
      const card = usedCards.find((candidate) => candidate.token === row.cardToken) ?? null;
      const own = refunds.filter((refund) => refund.transactionId === row.id);
      return listedView(row, card, own, state.property.timeZone);
    }),
  );
}

/** One transaction of a booking with its refunds (decisions: section 5). One round trip. */
export async function getTransaction(
  database: Database,
  propertyId: string,
  reference: string,
  chargeId: number,
): Promise<Result<ListedTransactionView, Failure>> {
  const all = await listTransactions(database, propertyId, reference);
  if (!all.ok) return all;
  const found = all.value.find((transaction) => transaction.id === chargeId);
  return found ? ok(found) : err(transactionNotFound());
}
