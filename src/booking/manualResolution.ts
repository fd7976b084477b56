import { type Failure, failure, fieldFailure, fieldIssue } from '../core/failure.ts';
import { err, ok, type Result, refuse } from '../core/result.ts';
import { HOUR_MS } from '../core/time.ts';
import type { CertainOutcome, PaymentRecord, PaymentReport } from '../gateways/gateway.ts';
import { approval, rejection } from '../gateways/rules/outcome.ts';
import {
  applyOutcome,
  type GatewayOperation,
  isCertain,
  lookUp,
  type OperationRow,
} from '../money/gateway/operation.ts';
import { abandon } from '../money/gateway/resolve.ts';
import { readPayment } from '../money/payments/correct.ts';
import { transactionOperation } from '../money/payments/gatewayOperation.ts';
import { cardOf, readTransaction } from '../money/payments/loadTransaction.ts';
import { TRANSACTION_NOT_FOUND, wrongState } from '../money/payments/rules.ts';
import { loadRefund, refundOperation } from '../money/refunds/gatewayOperation.ts';
import { type CallerKey, keptOnce } from '../operation/idempotency.ts';
import { type BookingWork, bookingState, type GatewayOperationKind } from '../operation/work.ts';
import { uncertain } from '../records/bookings/rules.ts';
import type { RefundRow, TransactionRow } from '../schema/moneyTables.ts';

/** The outcome that an administrator sets if the gateway cannot report one (interface: Resolve an operation). */
export interface Override {
  readonly id: number;
  readonly outcome: 'Accepted' | 'Declined' | 'Failed';
  /** The acquirer's id of what was accepted, so that it can be refunded; only the sandbox needs none. */
  readonly gatewayReference?: string | undefined;
  readonly reason: string;
  /** The key of the form that asks for it; the interface has none. */
  readonly caller?: CallerKey;
}

/** The operation's status after the resolution. */
export interface Resolved {
  readonly id: number;
  readonly status: string;
}

/** How long after an operation was last sent it cannot be resolved by hand: it may still be under way. */
const SETTLING_MS = HOUR_MS;

/** Resolves an operation by hand, once for each key. */
export function resolveOnce(work: BookingWork, override: Override): Promise<Result<Resolved>> {
  return keptOnce(work, override.caller ?? null, () => resolveManually(work, override));
}

/**
 * Ends an operation in `Processing` with the outcome that an administrator sets. The service asks the gateway once more
 * first: a certain answer from the gateway wins, and the administrator gets an error if it differs from theirs.
 */
async function resolveManually(work: BookingWork, override: Override): Promise<Result<Resolved>> {
  // An administrator looks at what D1 has.
  work.memory.forget();
  const state = await bookingState(work);
  const row = await readTransaction(work, { id: override.id });
  if (!state) return err(TRANSACTION_NOT_FOUND);
  if (row) {
    if (row.status !== 'Processing') return err(wrongState('transaction', row));
    const card = await cardOf(work, state, row);
    return resolve(work, transactionOperation(work, { state, row, card }), override);
  }
  const subject = await loadRefund(work, override.id);
  if (!subject) return err(TRANSACTION_NOT_FOUND);
  if (subject.refund.status !== 'Processing') return err(wrongState('refund', subject.refund));
  return resolve(work, refundOperation(work, subject), override);
}

async function resolve<Row extends OperationRow & (TransactionRow | RefundRow)>(
  work: BookingWork,
  operation: GatewayOperation<Row>,
  override: Override,
): Promise<Result<Resolved>> {
  const lacking = lacksReference(work, override);
  if (lacking) return err(lacking);
  const sentAtMs = operation.row.sentAtMs ?? operation.askedAtMs;
  if (work.now() - sentAtMs < SETTLING_MS) {
    return err(refused('It was sent less than an hour ago and may still be under way.'));
  }
  const found = await lookUp(work, operation.lookUpRequest);
  if (isCertain(found)) {
    const after = await applyOutcome(work, operation, found);
    return answer(override, after.status, found.kind === kindOf(override));
  }
  // While the guest can confirm it at their bank, no word but the gateway's can be the last.
  if (found.kind === 'open') {
    const after = await abandon(work, operation, found);
    return answer(override, after.status, after.status === override.outcome);
  }
  if (found.kind === 'absent' && override.outcome === 'Accepted') {
    return err(refused('The gateway certainly has no such operation.'));
  }
  const set = await outcomeOf(work, operation, override);
  if (!set.ok) return set;
  const why = `by hand: ${override.reason}`;
  const after = await applyOutcome(work, operation, set.value, why);
  return answer(override, after.status, true);
}

/** An accepted charge without the acquirer's id could never be refunded. */
function lacksReference(work: BookingWork, override: Override): Failure | null {
  const needs = override.outcome === 'Accepted' && work.gateway.traits.needsReference;
  if (!needs || override.gatewayReference !== undefined) return null;
  const message = "is required: the gateway's id of the payment or refund";
  return fieldFailure([fieldIssue('gatewayReference', 'required', message)]);
}

/**
 * The outcome that the administrator sets. If they name a payment, the acquirer's record of it has to agree, as far as
 * the acquirer answers.
 */
async function outcomeOf<Row extends OperationRow>(
  work: BookingWork,
  operation: GatewayOperation<Row>,
  { gatewayReference, outcome, reason }: Override,
): Promise<Result<CertainOutcome>> {
  switch (outcome) {
    case 'Accepted':
      return accepted(work, operation, gatewayReference ?? null);
    case 'Declined':
      return ok({ kind: 'declined', declineCode: 'resolved_by_hand', retryable: false });
    case 'Failed':
      return ok(rejection(reason));
  }
}

/** What the acquirer's record of a named payment has to be, by the kind of the operation; refunds have records of their own. */
const STATUS_OF: Readonly<Partial<Record<GatewayOperationKind, PaymentRecord['status']>>> = {
  charge: 'taken',
  capture: 'taken',
  authorize: 'held',
};

async function accepted<Row extends OperationRow>(
  work: BookingWork,
  { kind, lookUpRequest }: GatewayOperation<Row>,
  gatewayReference: string | null,
): Promise<Result<CertainOutcome>> {
  const { gatewayReference: of, gatewayToken, idempotencyKey, reference } = lookUpRequest;
  const status = STATUS_OF[kind];
  if (gatewayReference === null) return ok(approval(null));
  if (kind === 'refund') {
    const report = await readPayment(work, of ?? '', gatewayToken);
    return acceptedRefund(report, gatewayReference, idempotencyKey);
  }
  if (status === undefined) return ok(approval(gatewayReference));
  const report = await readPayment(work, gatewayReference, gatewayToken);
  if (report.kind === 'unknown') return ok(approval(gatewayReference));
  if (report.kind === 'absent' || report.payment.status !== status) {
    return err(refused(`The gateway has no such payment that was ${status}.`));
  }
  const { about, askedMinor, atMs, takenMinor } = report.payment;
  if (about !== null && about.reference !== reference) {
    return err(refused('The gateway took this payment for another charge.'));
  }
  const amountMinor = status === 'taken' ? takenMinor : askedMinor;
  return ok(approval(gatewayReference, { amountMinor, atMs }));
}

/** A refund that the acquirer has on record for the charge, and not for another refund of this service. */
function acceptedRefund(
  report: PaymentReport,
  id: string,
  key: string | null,
): Result<CertainOutcome> {
  if (report.kind === 'unknown') return ok(approval(id));
  const refunds = report.kind === 'payment' ? report.payment.refunds : [];
  const refund = refunds.find((one) => one.id === id);
  if (!refund || refund.status === 'failed') {
    return err(refused('The gateway has no such refund of this charge.'));
  }
  const { amountMinor, atMs, idempotencyKey, status } = refund;
  if (idempotencyKey !== null && idempotencyKey !== key) {
    return err(refused('The gateway made this refund for another one.'));
  }
  return ok(approval(id, { amountMinor, atMs, pending: status === 'pending' }));
}

function kindOf({ outcome }: Override): CertainOutcome['kind'] {
  const kinds = { Accepted: 'approved', Declined: 'declined', Failed: 'rejected' } as const;
  return kinds[outcome];
}

/** Answers with the new status, or with an error if the gateway reported another outcome than the administrator. */
function answer(override: Override, status: string, agreed: boolean): Result<Resolved> {
  if (status === 'Processing') return err(uncertain());
  if (agreed) return ok({ id: override.id, status });
  return refuse('invalid_state', `The gateway reported the outcome: the operation is ${status}.`);
}

function refused(why: string): Failure {
  return failure('invalid_state', `The operation is Processing. ${why}`);
}
