import { bookingNotFound } from '../bookings/rules.ts';
import { selectBooking } from '../bookings/store.ts';
import type { Failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { Database } from '../db/database.ts';
import { selectRefunds } from '../refunds/store.ts';
import { transactionNotFound } from './rules.ts';
import { selectTransactionCards, selectTransactions } from './store.ts';
import { type ListedTransactionView, listedView } from './views.ts';

/** All transactions of a booking with their refunds, oldest first (interface: 4.4). One round trip. */
export async function listTransactions(
  database: Database,
  propertyId: string,
  reference: string,
): Promise<Result<ListedTransactionView[], Failure>> {
  const { queries } = database;
  const [[property], [booking], , rows, rowCards, refunds] = await database.batch(
    'd1.transactions.read',
    [
      ...selectBooking(queries, propertyId, reference),
      selectTransactions(queries, propertyId, reference),
      selectTransactionCards(queries, propertyId, reference),
      selectRefunds(queries, propertyId, reference),
    ],
  );
  if (!property || !booking) return err(bookingNotFound());
  return ok(
    rows.map((row) => {
      const card = rowCards.find((candidate) => candidate.token === row.cardToken) ?? null;
      const own = refunds.filter((refund) => refund.transactionId === row.id);
      return listedView(row, card, own, property.timeZone);
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
