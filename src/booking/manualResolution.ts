import { type Failure, failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { CertainOutcome, LookUp } from '../gateways/gateway.ts';
import { approval, rejection } from '../gateways/outcome.ts';
import {
  applyOutcome,
  type GatewayOperation,
  isCertain,
  lookUp,
  type OperationRow,
} from '../money/gateway/operation.ts';
import { mayResend } from '../money/gateway/statusChecks.ts';
import { transactionOperation } from '../money/payments/gatewayOperation.ts';
import { cardByToken } from '../money/payments/loadTransaction.ts';
import { transactionNotFound, wrongState } from '../money/payments/rules.ts';
import { selectTransaction } from '../money/payments/store.ts';
import { refundOperation } from '../money/refunds/gatewayOperation.ts';
import { loadRefund } from '../money/refunds/loadRefund.ts';
import { type BookingWork, bookingState } from '../operation/work.ts';
import type { RefundRow, TransactionRow } from '../platform/db/moneyTables.ts';
import { uncertain } from '../records/bookings/rules.ts';

/** The outcome that an administrator sets if the gateway cannot report one (interface: Resolve an operation). */
export interface Override {
  readonly id: number;
  readonly outcome: 'Accepted' | 'Declined' | 'Failed';
  readonly reason: string;
}

/** The operation's status after the resolution. */
export interface Resolved {
  readonly id: number;
  readonly status: string;
}

/**
 * Ends an operation in `Processing` with the outcome that an administrator sets. The service asks the gateway once more
 * first: a certain answer from the gateway wins, and the administrator gets an error if it differs from theirs.
 */
export async function resolveManually(
  work: BookingWork,
  override: Override,
): Promise<Result<Resolved, Failure>> {
  const state = await bookingState(work);
  const { queries } = work.database;
  const [[row]] = await work.database.batch('d1.transaction.read', [
    selectTransaction(queries, work.propertyId, work.reference, { id: override.id }),
  ]);
  if (!state) return err(transactionNotFound());
  if (row) {
    if (row.status !== 'Processing') return err(wrongState('transaction', row));
    const card = row.cardToken === null ? null : await cardByToken(work, state, row.cardToken);
    return resolve(work, transactionOperation(work, { state, row, card }), override);
  }
  const subject = await loadRefund(work, { id: override.id });
  if (!subject) return err(transactionNotFound());
  if (subject.refund.status !== 'Processing') return err(wrongState('refund', subject.refund));
  return resolve(work, refundOperation(work, subject), override);
}

async function resolve<Row extends OperationRow & (TransactionRow | RefundRow)>(
  work: BookingWork,
  operation: GatewayOperation<Row>,
  override: Override,
): Promise<Result<Resolved, Failure>> {
  const found = await lookUp(work, operation);
  const decided = decide(found, override, operation.askedAtMs, work.now());
  if (!decided.ok) return decided;
  const { outcome, why } = decided.value;
  const after = await applyOutcome(work, operation, outcome, why);
  return answer(outcome, override, after.status, why);
}

interface Decided {
  readonly outcome: CertainOutcome;
  /** The reason for the audit trail; undefined if the gateway itself gave the outcome. */
  readonly why?: string;
}

/** Takes the gateway's answer if it has one, else the administrator's. Fails while the gateway may still answer. */
function decide(
  found: LookUp,
  override: Override,
  askedAtMs: number,
  nowMs: number,
): Result<Decided, Failure> {
  if (found.kind === 'unknown' && mayResend(askedAtMs, nowMs)) {
    return err(
      failure(
        'invalid_state',
        'The operation is Processing. The gateway did not answer, but may still report the outcome. Try again later.',
      ),
    );
  }
  return isCertain(found)
    ? ok({ outcome: found })
    : ok({ outcome: outcomeOf(override), why: `by hand: ${override.reason}` });
}

function outcomeOf({ outcome, reason }: Override): CertainOutcome {
  switch (outcome) {
    case 'Accepted':
      return approval(null);
    case 'Declined':
      return { kind: 'declined', declineCode: 'resolved_by_hand', retryable: false };
    case 'Failed':
      return rejection(reason);
  }
}

/** Answers with the new status, or with an error if the gateway reported another outcome than the administrator. */
function answer(
  outcome: CertainOutcome,
  override: Override,
  status: string,
  why: string | undefined,
): Result<Resolved, Failure> {
  if (status === 'Processing') return err(uncertain());
  const agreed = why !== undefined || outcome.kind === outcomeOf(override).kind;
  if (agreed) return ok({ id: override.id, status });
  return err(
    failure('invalid_state', `The gateway reported the outcome: the operation is ${status}.`),
  );
}
