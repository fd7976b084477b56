import type { Database } from '../../platform/db/database.ts';
import { type Key, type Part, pageOf } from '../../platform/db/page.ts';
import { type TransactionRow, transactions } from '../../schema/moneyTables.ts';
import { type ListedTransactionView, listedView } from './listedView.ts';
import {
  selectDisputesOf,
  selectOfPurpose,
  selectRefundsOf,
  type TransactionFilter,
} from './propertyStore.ts';

/** A page of transactions. `next` is the key of its last one; null on the last page. */
interface TransactionPage {
  readonly transactions: ListedTransactionView[];
  readonly next: Key | null;
}

/**
 * Lists a property's transactions with their refunds, the newest first (interface: List a property's transactions). Two
 * round trips. The index has each purpose in the order of the list: so a page reads a page of each, whatever the
 * property has.
 */
export async function listOfProperty(
  database: Database,
  { id: propertyId, timeZone }: { readonly id: string; readonly timeZone: string },
  filter: TransactionFilter & { readonly purpose?: TransactionRow['purpose'] | undefined },
  part: Part & { readonly nowMs: number },
): Promise<TransactionPage> {
  const { queries } = database;
  const [first, ...others] = (
    filter.purpose === undefined ? transactions.purpose.enumValues : [filter.purpose]
  ).map((purpose) => selectOfPurpose(queries, propertyId, purpose, filter, part));
  if (!first) return { transactions: [], next: null };
  const found = (await database.batch('d1.transactions.read', [first, ...others]))
    .flat()
    .toSorted(
      ({ transaction: a }, { transaction: b }) => b.createdAtMs - a.createdAtMs || b.id - a.id,
    );
  const page = pageOf(found, part.limit, ({ transaction: { createdAtMs, id } }) => [
    createdAtMs,
    id,
  ]);
  const references = [...new Set(page.rows.map(({ transaction }) => transaction.bookingReference))];
  const [refunds, disputes] = await database.batch('d1.transactions.read', [
    selectRefundsOf(queries, propertyId, references),
    selectDisputesOf(queries, propertyId, references),
  ]);
  return {
    transactions: page.rows.map(({ transaction, card }) => {
      const own = refunds.filter(({ transactionId }) => transactionId === transaction.id);
      const dispute = disputes.findLast(({ transactionId }) => transactionId === transaction.id);
      return listedView(transaction, card, own, dispute ?? null, timeZone);
    }),
    next: page.next,
  };
}
