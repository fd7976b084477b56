import { appendAudit } from '../audit/store.ts';
import { auditEntry, type BookingWork } from '../bookings/work.ts';
import type { Statement } from '../db/database.ts';
import { certainlyRefused } from '../db/errors.ts';
import type { CardRow, TransactionRow } from '../db/schema.ts';
import type { CertainOutcome, Outcome } from '../gateways/gateway.ts';
import { completeKey } from '../idempotency/actions.ts';
import { nextInquiryAtMs, settledCharge } from './rules.ts';
import { selectTransaction, updateTransaction } from './store.ts';
import { chargeAnswer } from './views.ts';

/** Asks the gateway for a recorded charge. The request is made from the row alone, so that sending it again sends the same. */
export function sendCharge(
  work: BookingWork,
  row: TransactionRow,
  card: CardRow,
): Promise<Outcome> {
  return work.crossings.cross('gateway.charge', () =>
    work.gateway.charge({
      idempotencyKey: row.gatewayKey ?? row.reference,
      propertyId: row.propertyId,
      bookingReference: row.bookingReference,
      reference: row.reference,
      amountMinor: row.amountMinor,
      currency: row.currency,
      gatewayToken: card.gatewayToken,
    }),
  );
}

/**
 * Writes a certain outcome, with its audit entry and the caller's kept answer, and returns the row as D1
 * has it. When D1 does not say whether it committed, the row is read back; when that fails too, it
 * stays `Processing`, and the alarm finds the outcome out again.
 */
export async function settle(
  work: BookingWork,
  row: TransactionRow,
  card: CardRow,
  timeZone: string,
  outcome: CertainOutcome,
): Promise<TransactionRow> {
  const change = settledCharge(outcome, work.now());
  const settled: TransactionRow = { ...row, ...change, version: row.version + 1 };
  const { queries } = work.database;
  const statements: [Statement, ...Statement[]] = [
    updateTransaction(queries, row, change),
    appendAudit(
      queries,
      auditEntry(work, {
        subject: `charge ${row.id}`,
        from: row.status,
        to: settled.status,
        detail: outcome.kind === 'declined' ? outcome.declineCode : undefined,
      }),
    ),
  ];
  if (row.idempotencyKey !== null) {
    const caller = { operation: 'create' as const, key: row.idempotencyKey };
    statements.push(completeKey(work, caller, chargeAnswer(settled, card, timeZone)));
  }
  try {
    await work.database.batch('d1.charge.settle', statements);
    return settled;
  } catch (error) {
    // Refused: the row had been settled already, by an earlier try whose answer was lost.
    return certainlyRefused(error) ? readBack(work, row) : awaitInquiry(work, row);
  }
}

/** Leaves an outcome unknown for now, and sees to it that the alarm asks for it. */
export async function awaitInquiry(
  work: BookingWork,
  row: TransactionRow,
): Promise<TransactionRow> {
  const dueAtMs = nextInquiryAtMs(row.inquiries, work.now());
  await work.wakeBy(dueAtMs);
  const change = { dueAtMs, inquiries: row.inquiries + 1 };
  try {
    await work.database.batch('d1.due.postpone', [
      updateTransaction(work.database.queries, row, change),
    ]);
    return { ...row, ...change, version: row.version + 1 };
  } catch {
    // The time that stands in D1 is kept: the alarm comes a little later, or earlier.
    return row;
  }
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
