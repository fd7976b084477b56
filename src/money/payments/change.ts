import type { Write } from '../../operation/draft.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { type TransactionTold, transactionEntry } from './entries.ts';
import type { TransactionChange } from './states.ts';
import { updateTransaction } from './store.ts';

/** The change of a transaction with its entry in the history. */
export function changeWrites(
  work: BookingWork,
  row: TransactionRow,
  change: TransactionChange,
  told: Pick<TransactionTold, 'why' | 'type' | 'card' | 'isQuiet'> = {},
): Write[] {
  const atMs = work.now();
  const stamped = { ...change, changedAtMs: atMs };
  return [
    updateTransaction(work.database.queries, row, stamped),
    transactionEntry(work, { ...told, atMs, before: row, after: changed(row, stamped) }),
  ];
}

/** The transaction after a change. */
export function changed(row: TransactionRow, change: TransactionChange): TransactionRow {
  return { ...row, ...change, version: row.version + 1 };
}
