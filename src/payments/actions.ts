import { bookingNotFound } from '../bookings/rules.ts';
import type { Failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { Database } from '../db/database.ts';
import { selectShownRefunds } from '../refunds/store.ts';
import { transactionNotFound } from './rules.ts';
import { selectListed } from './store.ts';
import { type ListedTransactionView, listedView } from './views.ts';

/** All transactions of a booking with their refunds, oldest first (interface: 4.4). One round trip. */
export async function listTransactions(
  database: Database,
  propertyId: string,
  reference: string,
): Promise<Result<ListedTransactionView[], Failure>> {
  const { queries } = database;
  const [rows, refunds] = await database.batch('d1.transactions.read', [
    selectListed(queries, propertyId, reference),
    selectShownRefunds(queries, propertyId, reference),
  ]);
  if (rows.length === 0) return err(bookingNotFound());
  return ok(
    rows.flatMap(({ transaction, card, timeZone }) => {
      if (transaction === null) return [];
      const own = refunds.filter((refund) => refund.transactionId === transaction.id);
      return [listedView(transaction, card, own, timeZone)];
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
