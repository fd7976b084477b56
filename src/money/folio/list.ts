import { err, ok, type Result } from '../../core/result.ts';
import { selectDisputesOfBooking } from '../../operation/shownStore.ts';
import type { Database } from '../../platform/db/database.ts';
import { pageFound } from '../../platform/db/narrow.ts';
import { type Page, type Part, shownPage } from '../../platform/db/page.ts';
import type { PaymentFilter } from '../../records/archive/store.ts';
import { bookingNotFound } from '../../records/bookings/rules.ts';
import type { BookingName } from '../../records/bookings/store.ts';
import type { CardSummary } from '../../records/cards/views.ts';
import type { DisputeRow } from '../../schema/disputeTables.ts';
import { TRANSACTION_NOT_FOUND } from '../payments/rules.ts';
import { selectBookingOf, selectListed } from '../payments/store.ts';
import type { ShownTransaction } from '../payments/views.ts';
import { selectBookingOfRefund, selectShownRefunds } from '../refunds/store.ts';
import type { ShownRefund } from '../refunds/views.ts';
import { type ListedTransactionView, listedView } from './listedView.ts';
import {
  type FoundTransaction,
  selectDisputesOf,
  selectOfProperty,
  selectRefundsOf,
} from './propertyStore.ts';

/** All transactions of a booking with their refunds, oldest first (interface: List transactions). One round trip. */
export async function listTransactions(
  database: Database,
  propertyId: string,
  reference: string,
): Promise<Result<ListedTransactionView[]>> {
  const [rows, refunds, disputes] = await database.batch('d1.transactions.read', [
    selectListed({ propertyId, reference }),
    selectShownRefunds({ propertyId, reference }),
    selectDisputesOfBooking(propertyId, reference),
  ]);
  if (rows.length === 0) return err(bookingNotFound());
  const show = viewsWith(refunds, disputes);
  return ok(
    rows.flatMap(({ transaction, card, timeZone }) =>
      transaction === null ? [] : [show(transaction, card, timeZone)],
    ),
  );
}

/** Makes the views of listed transactions, each with its own of some refunds and disputes. */
function viewsWith(refunds: readonly ShownRefund[], disputes: readonly DisputeRow[]) {
  return (transaction: ShownTransaction, card: CardSummary | null, timeZone: string) => {
    const own = refunds.filter(({ transactionId }) => transactionId === transaction.id);
    // A charge can have several disputes: lists show the one that was opened last.
    const dispute = disputes.findLast(({ transactionId }) => transactionId === transaction.id);
    return listedView(transaction, card, own, dispute ?? null, timeZone);
  };
}

/** One transaction of a booking with its refunds (interface: Get a transaction). One round trip. */
export async function getTransaction(
  database: Database,
  propertyId: string,
  reference: string,
  chargeId: number,
): Promise<Result<ListedTransactionView>> {
  const all = await listTransactions(database, propertyId, reference);
  if (!all.ok) return all;
  const found = all.value.find((transaction) => transaction.id === chargeId);
  return found ? ok(found) : err(TRANSACTION_NOT_FOUND);
}

/** Finds the booking of a transaction or refund of any property by its id, which is unique in the deployment. */
export async function findBookingOf(database: Database, id: number): Promise<BookingName | null> {
  const named = selectBookingOf(id).unionAll(selectBookingOfRefund(id));
  return (await database.rowAnywhere('d1.place.read', named)) ?? null;
}

/**
 * Lists a property's transactions with their refunds, the newest first (interface: List a property's transactions). Two
 * round trips.
 */
export async function listOfProperty(
  database: Database,
  { id: propertyId, timeZone }: { readonly id: string; readonly timeZone: string },
  filter: PaymentFilter,
  part: Part & { readonly nowMs: number },
): Promise<Page<ListedTransactionView>> {
  const found = await database.batch(
    'd1.transactions.read',
    selectOfProperty(propertyId, filter, part),
  );
  const page = pageFound<FoundTransaction>(found, part.limit, ({ transaction }) => [
    transaction.createdAtMs,
    transaction.id,
  ]);
  const references = [...new Set(page.rows.map(({ transaction }) => transaction.bookingReference))];
  const [refunds, disputes] = await database.batch('d1.transactions.read', [
    selectRefundsOf(propertyId, references),
    selectDisputesOf(propertyId, references),
  ]);
  const show = viewsWith(refunds, disputes);
  return shownPage(page, ({ transaction, card }) => show(transaction, card, timeZone));
}
