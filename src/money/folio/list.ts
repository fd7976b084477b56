import type { Failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { selectDisputesOfBooking } from '../../operation/shownStore.ts';
import type { Database } from '../../platform/db/database.ts';
import { bookingNotFound } from '../../records/bookings/rules.ts';
import type { BookingName } from '../../records/bookings/store.ts';
import { transactionNotFound } from '../payments/rules.ts';
import { selectBookingOf, selectListed } from '../payments/store.ts';
import { selectBookingOfRefund, selectShownRefunds } from '../refunds/store.ts';
import { type ListedTransactionView, listedView } from './listedView.ts';

/** All transactions of a booking with their refunds, oldest first (interface: List transactions). One round trip. */
export async function listTransactions(
  database: Database,
  propertyId: string,
  reference: string,
): Promise<Result<ListedTransactionView[], Failure>> {
  const { queries } = database;
  const [rows, refunds, disputes] = await database.batch('d1.transactions.read', [
    selectListed(queries, { propertyId, reference }),
    selectShownRefunds(queries, { propertyId, reference }),
    selectDisputesOfBooking(queries, propertyId, reference),
  ]);
  if (rows.length === 0) return err(bookingNotFound());
  return ok(
    rows.flatMap(({ transaction, card, timeZone }) => {
      if (transaction === null) return [];
      const own = refunds.filter((refund) => refund.transactionId === transaction.id);
      // A charge can have several disputes: lists show the one that was opened last.
      const dispute = disputes.findLast(({ transactionId }) => transactionId === transaction.id);
      return [listedView(transaction, card, own, dispute ?? null, timeZone)];
    }),
  );
}

/** One transaction of a booking with its refunds (interface: Get a transaction). One round trip. */
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

/** Finds the booking of a transaction or refund of any property by its id, which is unique in the deployment. */
export async function findBookingOf(database: Database, id: number): Promise<BookingName | null> {
  const { queries } = database;
  const [[ofTransaction], [ofRefund]] = await database.batch('d1.place.read', [
    selectBookingOf(queries, id),
    selectBookingOfRefund(queries, id),
  ]);
  return ofTransaction ?? ofRefund ?? null;
}
