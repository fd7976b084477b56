import type { Failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { LookUp } from '../gateways/gateway.ts';
import { recordDispute } from '../money/disputes/record.ts';
import { applyOutcome, isCertain, lookUp } from '../money/gateway/operation.ts';
import { transactionOperation } from '../money/payments/gatewayOperation.ts';
import { cardByToken } from '../money/payments/loadTransaction.ts';
import { transactionNotFound } from '../money/payments/rules.ts';
import { selectTransaction } from '../money/payments/store.ts';
import { failRefundLate } from '../money/refunds/failLate.ts';
import { refundOperation } from '../money/refunds/gatewayOperation.ts';
import { loadRefund } from '../money/refunds/loadRefund.ts';
import { type BookingWork, bookingState } from '../operation/work.ts';
import type { CardRow } from '../platform/db/cardTables.ts';
import { uncertain } from '../records/bookings/rules.ts';

/** The operation that an acquirer reports news of: our reference of it, and the account that reports it. */
export interface ReportedOperation {
  readonly kind: 'payment' | 'refund';
  readonly reference: string;
  readonly account: string | null;
  /** The acquirer's id of the payment that the news is about. */
  readonly payment?: string;
}

/**
 * Asks the acquirer at once for the outcome of an operation that it reports news of. This ends an operation in
 * `Processing` before its alarm, and finds a completed refund that has failed since. Other final states stay as they
 * are. If the acquirer gives no certain answer, the result is `outcome_unknown`, so that it reports the news again; the
 * alarm keeps its time.
 */
export async function refreshFromGateway(
  work: BookingWork,
  reported: ReportedOperation,
): Promise<Result<null, Failure>> {
  const found =
    reported.kind === 'payment'
      ? await refreshPayment(work, reported)
      : await refreshRefund(work, reported);
  if (found === null) return err(transactionNotFound());
  return found.kind === 'unknown' ? err(uncertain()) : ok(null);
}

/** The acquirer's answer, or `known` if the outcome was final before. */
type Refreshed = LookUp | { readonly kind: 'known' };

async function refreshPayment(
  work: BookingWork,
  { account, reference }: ReportedOperation,
): Promise<Refreshed | null> {
  const subject = await findCharge(work, reference, account);
  if (subject === null) return null;
  if (subject.row.status !== 'Processing') return { kind: 'known' };
  const operation = transactionOperation(work, subject);
  const found = await lookUp(work, operation);
  if (isCertain(found)) await applyOutcome(work, operation, found);
  return found;
}

async function refreshRefund(
  work: BookingWork,
  { account, reference }: ReportedOperation,
): Promise<Refreshed | null> {
  work.memory.state = null;
  const subject = await loadRefund(work, { reference });
  if (subject === null || !isOn(work, subject.card, account)) return null;
  const { status } = subject.refund;
  if (status === 'Failed') return { kind: 'known' };
  const operation = refundOperation(work, subject);
  const found = await lookUp(work, operation);
  if (status === 'Processing' && isCertain(found)) await applyOutcome(work, operation, found);
  if (status === 'Refunded' && found.kind === 'rejected') {
    await failRefundLate(work, subject, found.reason);
  }
  return found;
}

/** Saves a dispute on its charge, in the state that the acquirer reports now (interface: Disputes). */
export async function refreshDispute(
  work: BookingWork,
  reference: string,
  disputeId: string,
  account: string | null,
): Promise<Result<null, Failure>> {
  const charge = await findCharge(work, reference, account);
  if (charge === null) return err(transactionNotFound());
  const report = await work.trace.span('gateway.dispute', () =>
    work.gateway.dispute(disputeId, account),
  );
  if (report.kind === 'unknown') return err(uncertain());
  if (report.kind === 'absent') return err(transactionNotFound());
  await recordDispute(work, charge, report.dispute);
  return ok(null);
}

/** A charge with its card, read afresh from D1; null if this account has no such charge. */
async function findCharge(work: BookingWork, own: string, account: string | null) {
  work.memory.state = null;
  const state = await bookingState(work);
  if (!state) return null;
  const { database, propertyId, reference } = work;
  const [[row]] = await database.batch('d1.transaction.read', [
    selectTransaction(database.queries, propertyId, reference, { reference: own }),
  ]);
  const card = row?.cardToken ? await cardByToken(work, state, row.cardToken) : null;
  return row && card && isOn(work, card, account) ? { state, row, card } : null;
}

/** Whether a card is on this account. News from another account is ignored: its owner can report anything. */
function isOn(work: BookingWork, card: CardRow | null, account: string | null): boolean {
  return card !== null && work.gateway.accountOf(card.gatewayToken) === account;
}
