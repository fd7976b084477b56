import { DAY_MS } from '../../core/time.ts';
import type { DisputeRecord, PaymentRecord, RefundRecord } from '../gateway.ts';
import { type AcquirerOperation, originOf } from './operations.ts';

/** How long a dispute waits for an answer. */
const RESPONSE_MS = 7 * DAY_MS;

/** A charge or hold with what became of it. */
export interface AcquirerPayment {
  /** The charge or authorization itself. */
  readonly made: AcquirerOperation;
  /** What took the money: the charge, or the capture of a hold; null if nothing did. */
  readonly taken: AcquirerOperation | null;
  readonly release: AcquirerOperation | null;
  /** The refunds that left the acquirer, whether or not they failed since. */
  readonly refunds: readonly AcquirerOperation[];
  readonly disputes: readonly AcquirerOperation[];
}

/** A payment from all operations of it, oldest first; null if they lack the charge or authorization. */
export function paymentOf(operations: readonly AcquirerOperation[]): AcquirerPayment | null {
  const made = operations.find(({ kind }) => kind === 'charge' || kind === 'authorization');
  if (made === undefined) return null;
  const succeeded = operations.filter(({ status }) => status === 'succeeded');
  const taken = succeeded.find(({ kind }) => kind === 'charge' || kind === 'capture') ?? null;
  const release = succeeded.find(({ kind }) => kind === 'release') ?? null;
  const refunds = operations.filter(({ kind, movedMinor }) => kind === 'refund' && movedMinor < 0);
  const disputes = operations.filter(({ kind }) => kind === 'dispute');
  return { made, taken, release, refunds, disputes };
}

/** What a capture can still take or a release let go, in minor units. */
export function heldMinor({ made, taken, release }: AcquirerPayment): number {
  const holds = made.kind === 'authorization' && made.status === 'succeeded';
  return holds && taken === null && release === null ? made.amountMinor : 0;
}

/** What can still be refunded, in minor units. */
export function refundableMinor({ taken, refunds }: AcquirerPayment): number {
  const kept = refunds.filter(({ status }) => status === 'succeeded');
  return (taken?.amountMinor ?? 0) - sumOf(kept);
}

/** What can still be disputed, in minor units. A bank may dispute what was refunded, but nothing twice. */
export function disputableMinor({ taken, disputes }: AcquirerPayment): number {
  return (taken?.amountMinor ?? 0) - sumOf(disputes.filter((one) => !isWon(one)));
}

/** Whether a dispute is open or was lost. */
export function isDisputed({ disputes }: AcquirerPayment): boolean {
  return disputes.some((one) => !isWon(one));
}

function isWon({ dispute }: AcquirerOperation): boolean {
  return dispute?.closed?.status === 'won';
}

function sumOf(operations: readonly AcquirerOperation[]): number {
  return operations.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/** A payment as the gateway reports it. */
export function paymentRecordOf(payment: AcquirerPayment): PaymentRecord {
  const { made, taken, release, refunds } = payment;
  const last = taken ?? release ?? made;
  return {
    id: made.gatewayReference,
    gatewayReference: (taken ?? made).gatewayReference,
    status: statusOf(payment),
    about: originOf(made),
    idempotencyKey: made.idempotencyKey,
    currency: made.currency,
    askedMinor: made.amountMinor,
    takenMinor: taken?.amountMinor ?? 0,
    atMs: last.atMs,
    lapsesAtMs: heldMinor(payment) > 0 ? (made.lapsesAtMs ?? null) : null,
    refunds: refunds.map(refundRecordOf),
  };
}

function statusOf({ made, taken, release }: AcquirerPayment): PaymentRecord['status'] {
  if (taken) return 'taken';
  if (release) return 'released';
  if (made.status === 'pending') return 'open';
  return made.status === 'succeeded' ? 'held' : 'failed';
}

function refundRecordOf(refund: AcquirerOperation): RefundRecord {
  const { gatewayReference, status, idempotencyKey, amountMinor, movedMinor, atMs, code } = refund;
  return {
    id: gatewayReference,
    status: status === 'succeeded' ? 'succeeded' : 'failed',
    idempotencyKey,
    amountMinor,
    atMs,
    reason: code,
    moved: movedMinor < 0,
  };
}

/** A dispute as the gateway reports it. The sandbox charges nothing for one. */
export function disputeRecordOf(operation: AcquirerOperation): DisputeRecord {
  const { gatewayReference, currency, amountMinor, atMs, dispute } = operation;
  const closed = dispute?.closed ?? null;
  return {
    id: gatewayReference,
    status: closed?.status ?? 'needs_response',
    reason: dispute?.reason ?? '',
    currency,
    amountMinor,
    feeMinor: 0,
    fundsWithdrawn: closed?.status !== 'won',
    fundsReturned: closed?.status === 'won',
    openedAtMs: atMs,
    respondByMs: atMs + RESPONSE_MS,
    closedAtMs: closed?.atMs ?? null,
  };
}
