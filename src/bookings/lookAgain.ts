import { appendAudit } from '../audit/store.ts';
import type { Failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { Dispute } from '../gateways/gateway.ts';
import { serveTransaction } from '../payments/due.ts';
import { transactionNotFound } from '../payments/rules.ts';
import { selectTransaction, updateTransaction } from '../payments/store.ts';
import { failRefundLate, findRefund, lookUpRefund, resolveRefund } from '../refunds/settle.ts';
import { selectRefunds } from '../refunds/store.ts';
import { bookingNotFound, uncertain } from './rules.ts';
import { auditEntry, type BookingWork, bookingState } from './work.ts';

/** What an acquirer has news of, by our reference of the transaction or refund. */
export interface NewsOf {
  readonly kind: 'payment' | 'refund';
  readonly reference: string;
}

/**
 * Asks the acquirer at once about an operation that it has news of: an outcome that is unknown is settled without waiting
 * for the alarm, and a refund that was made may have failed since. What is known already stays as it is.
 */
export async function lookAgain(
  work: BookingWork,
  { kind, reference }: NewsOf,
): Promise<Result<null, Failure>> {
  const found = kind === 'payment' ? await payment(work, reference) : await refund(work, reference);
  return found ? ok(null) : err(transactionNotFound());
}

async function payment(work: BookingWork, reference: string): Promise<boolean> {
  // Read afresh: it rests on the booking and the property as they are now.
  work.memory.state = null;
  const state = await bookingState(work);
  const row = state && (await readTransaction(work, reference));
  if (!state || !row) return false;
  if (row.status === 'Processing') await serveTransaction(work, state, row);
  return true;
}

async function refund(work: BookingWork, reference: string): Promise<boolean> {
  const { database, propertyId, reference: booking } = work;
  const [all] = await database.batch('d1.refund.read', [
    selectRefunds(database.queries, propertyId, booking),
  ]);
  const row = all.find((one) => one.reference === reference);
  if (!row) return false;
  if (row.status === 'Processing') await resolveRefund(work, row);
  if (row.status === 'Refunded') {
    const found = await findRefund(work, row.id);
    const now = found && (await lookUpRefund(work, row, found.charge));
    if (now?.kind === 'refused') await failRefundLate(work, row.id, now.reason);
  }
  return true;
}

/**
 * Notes on a charge what the cardholder's bank disputes, as the acquirer says that it stands now (decisions:
 * section 12). Told again, it changes nothing.
 */
export async function recordDispute(
  work: BookingWork,
  reference: string,
  disputeId: string,
  account: string | null,
): Promise<Result<null, Failure>> {
  const state = await bookingState(work);
  if (!state) return err(bookingNotFound());
  const row = await readTransaction(work, reference);
  if (!row) return err(transactionNotFound());
  const report = await work.crossings.cross('gateway.dispute', () =>
    work.gateway.dispute(disputeId, account),
  );
  if (report.kind === 'unknown') return err(uncertain());
  if (report.kind === 'absent') return err(transactionNotFound());
  const { dispute } = report;
  if (isSame(row.dispute, dispute)) return ok(null);
  const { queries } = work.database;
  const from = row.dispute?.id === dispute.id ? row.dispute.status : null;
  const subject = `charge ${row.id} dispute ${dispute.id}`;
  await work.database.batch('d1.dispute.save', [
    updateTransaction(queries, row, { dispute }),
    appendAudit(
      queries,
      auditEntry(work, { subject, from, to: dispute.status, detail: dispute.reason }),
    ),
  ]);
  return ok(null);
}

function isSame(known: Dispute | null, told: Dispute): boolean {
  return (
    known?.id === told.id && known.status === told.status && known.amountMinor === told.amountMinor
  );
}

async function readTransaction(work: BookingWork, own: string) {
  const { database, propertyId, reference } = work;
  const [[row]] = await database.batch('d1.transaction.read', [
    selectTransaction(database.queries, propertyId, reference, { reference: own }),
  ]);
  return row ?? null;
}
