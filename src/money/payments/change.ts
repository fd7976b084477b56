import { auditEntry, type BookingWork } from '../../operation/work.ts';
import type { Statement } from '../../platform/db/database.ts';
import { appendAudit } from '../../records/audit/store.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import type { TransactionChange } from './states.ts';
import { updateTransaction } from './store.ts';

/** The statements that change a transaction and append the audit entry. */
export function changeStatements(
  work: BookingWork,
  row: TransactionRow,
  change: TransactionChange,
  why?: string,
): [Statement, ...Statement[]] {
  const { queries } = work.database;
  return [
    updateTransaction(queries, row, { ...change, changedAtMs: work.now() }),
    appendAudit(
      queries,
      auditEntry(work, {
        subject: `charge ${row.id}`,
        from: row.status,
        to: change.status ?? row.status,
        detail: why,
      }),
    ),
  ];
}

/** The transaction after a change. */
export function changed(row: TransactionRow, change: TransactionChange): TransactionRow {
  return { ...row, ...change, version: row.version + 1 };
}
