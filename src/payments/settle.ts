import { moveOfBooking } from '../applications/store.ts';
import { appendAudit } from '../audit/store.ts';
import type { BookingState } from '../bookings/rules.ts';
import { auditEntry, type BookingWork } from '../bookings/work.ts';
import type { CardRow } from '../db/cardTables.ts';
import type { Statement } from '../db/database.ts';
import { certainlyRefused } from '../db/errors.ts';
import type { TransactionRow } from '../db/moneyTables.ts';
import type { CertainOutcome } from '../gateways/gateway.ts';
import { completeKey } from '../idempotency/actions.ts';
import type { IdempotentOperation } from '../idempotency/store.ts';
import { queueMessage } from '../outbox/queue.ts';
import { paymentMessage } from '../pms/messages.ts';
import { nextInquiryAtMs } from './inquiries.ts';
import { type PendingOperation, settlement, type TransactionChange } from './states.ts';
import { selectTransaction, updateTransaction } from './store.ts';
import { outcomeAnswer } from './views.ts';

/**
 * Writes a certain outcome, with its audit entry, the PMS's message and the caller's kept answer, and returns the row
 * as D1 has it.
 * When D1 does not say whether it committed, the row stays `Processing` for all that is known here, and the
 * alarm finds the outcome out again.
 */
export async function settle(
  work: BookingWork,
  state: BookingState,
  row: TransactionRow,
  card: CardRow | null,
  outcome: CertainOutcome,
  why?: string,
): Promise<TransactionRow> {
  const change = settlement(state, row, outcome, work.now());
  const settled = changed(row, change);
  const statements = changeStatements(work, row, change, why ?? reasonOf(outcome));
  if (settled.status === 'Accepted') {
    statements.push(...causedBy(work, settled));
    const message = paymentMessage({ ...state, card }, settled);
    statements.push(...queueMessage(work, state.property, message));
  }
  const operation = answeredOperation(row.pendingOperation);
  if (row.idempotencyKey !== null && operation !== null) {
    const answer = outcomeAnswer(settled, outcome, card, state.property.timeZone);
    statements.push(completeKey(work, { operation, key: row.idempotencyKey }, answer));
  }
  // Should this fail, the sweep comes a little later than the alarm would have.
  if (settled.dueAtMs !== null) await work.wakeBy(settled.dueAtMs).catch(() => undefined);
  try {
    await work.database.batch('d1.transaction.settle', statements);
    return settled;
  } catch (error) {
    // Refused: the row had been settled already, by an earlier try whose answer was lost.
    return certainlyRefused(error) ? readBack(work, row) : awaitInquiry(work, row);
  }
}

/** An accepted deposit holds the place that its booking's applicant applied for. */
function causedBy(work: BookingWork, { purpose }: TransactionRow): Statement[] {
  if (purpose !== 'Deposit') return [];
  return [moveOfBooking(work.database.queries, work, 'Held', work.now())];
}

/** The statements of a change of a transaction, with its audit entry when its state changes. */
export function changeStatements(
  work: BookingWork,
  row: TransactionRow,
  change: TransactionChange,
  why?: string,
): [Statement, ...Statement[]] {
  const { queries } = work.database;
  return [
    updateTransaction(queries, row, change),
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

/** The row as it is after a change. */
export function changed(row: TransactionRow, change: TransactionChange): TransactionRow {
  return { ...row, ...change, version: row.version + 1 };
}

/** Leaves an outcome unknown for now, and sees to it that the alarm asks for it. */
export async function awaitInquiry(
  work: BookingWork,
  row: TransactionRow,
): Promise<TransactionRow> {
  const dueAtMs = nextInquiryAtMs(row.inquiries, work.now());
  const change = { dueAtMs, inquiries: row.inquiries + 1 };
  try {
    await work.wakeBy(dueAtMs);
    await work.database.batch('d1.transaction.postpone', [
      updateTransaction(work.database.queries, row, change),
    ]);
    return changed(row, change);
  } catch {
    // The time that stands in D1 is kept: somebody looks a little later, or earlier.
    return row;
  }
}

/** Which caller's operation waits for what is under way; null for what the service does by itself. */
function answeredOperation(pending: PendingOperation | null): IdempotentOperation | null {
  switch (pending) {
    case 'charge':
    case 'authorize':
      return 'create';
    case 'capture':
      return 'charge-pre-auth';
    case 'release':
      return 'cancel-pre-auth';
    default:
      return null;
  }
}

/** What the audit trail says of an outcome. */
export function reasonOf(outcome: CertainOutcome): string | undefined {
  if (outcome.kind === 'declined') return outcome.declineCode;
  return outcome.kind === 'refused' ? outcome.reason : undefined;
}

async function readBack(work: BookingWork, row: TransactionRow): Promise<TransactionRow> {
  try {
    const [[current]] = await work.database.batch('d1.transaction.read', [
      selectTransaction(work.database.queries, work.propertyId, work.reference, { id: row.id }),
    ]);
    return current ?? row;
  } catch {
    return row;
  }
}
