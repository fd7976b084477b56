import { sumOf } from '../../core/sum.ts';
import { DAY_MS } from '../../core/time.ts';
import type { DisputeRecord, PaymentRecord, RefundRecord } from '../../gateways/gateway.ts';
import type { GatewayMovement } from '../../gateways/movements.ts';
import { type AcquirerOperation, type DisputeState, originOf, subjectOf } from './operations.ts';

/** How long a dispute waits for an answer. */
const RESPONSE_MS = 7 * DAY_MS;

/** How long the bank takes to decide about evidence. */
const DECISION_MS = 2 * DAY_MS;

/** A charge or hold with what became of it. */
export interface AcquirerPayment {
  readonly made: AcquirerOperation;
  /** What took the money: the charge, or the capture of a hold; null if nothing did. */
  readonly taken: AcquirerOperation | null;
  readonly release: AcquirerOperation | null;
  /** The refunds that left the acquirer, whether or not they failed since. */
  readonly refunds: readonly AcquirerOperation[];
  readonly disputes: readonly AcquirerDispute[];
}

export interface AcquirerDispute {
  /** What opened it: an inquiry, or a dispute at once. */
  readonly opened: AcquirerOperation & { readonly dispute: DisputeState };
  /** What it withdrew and gave back, oldest first; nothing for an inquiry. */
  readonly moved: readonly AcquirerOperation[];
}

/** A payment from all operations of it, oldest first; null if they lack the charge or authorization. */
export function paymentOf(operations: readonly AcquirerOperation[]): AcquirerPayment | null {
  const made = operations.find(({ kind }) => kind === 'charge' || kind === 'authorization');
  if (made === undefined) return null;
  const succeeded = operations.filter(({ status }) => status === 'succeeded');
  const taken = succeeded.find(({ kind }) => kind === 'charge' || kind === 'capture') ?? null;
  const release = succeeded.find(({ kind }) => kind === 'release') ?? null;
  const refunds = operations.filter(({ kind, movedMinor }) => kind === 'refund' && movedMinor < 0);
  const disputes = operations.flatMap((opened) => disputeOf(opened, operations) ?? []);
  return { made, taken, release, refunds, disputes };
}

/** The dispute that an operation opened, from all operations of its payment; null if it opened none. */
function disputeOf(
  opened: AcquirerOperation,
  operations: readonly AcquirerOperation[],
): AcquirerDispute | null {
  const { dispute, gatewayReference: id } = opened;
  if (dispute === undefined) return null;
  const moved = operations.filter(
    (one) => (one.kind === 'dispute' || one.kind === 'dispute_reversal') && subjectOf(one) === id,
  );
  return { opened: { ...opened, dispute }, moved };
}

/** What a dispute withdrew and did not give back, in minor units; 0 for an inquiry. */
export function withdrawnMinor({ moved }: AcquirerDispute): number {
  return -sumOf(moved, 'movedMinor');
}

export function isOpen({ opened }: AcquirerDispute): boolean {
  return opened.dispute.closed === null;
}

export function inquiriesOf({ disputes }: AcquirerPayment): AcquirerDispute[] {
  return disputes.filter((one) => isOpen(one) && one.moved.length === 0);
}

/** The open inquiries that refunds came up to since, or that nothing is left for. */
export function refundedInquiries(payment: AcquirerPayment): AcquirerDispute[] {
  const kept = payment.refunds.filter(({ status }) => status === 'succeeded');
  return inquiriesOf(payment).filter(({ opened }) => {
    const since = kept.filter(({ atMs }) => atMs >= opened.atMs);
    return refundableMinor(payment) === 0 || sumOf(since, 'amountMinor') >= opened.amountMinor;
  });
}

/** What a capture can still take or a release let go, in minor units. */
export function heldMinor({ made, taken, release }: AcquirerPayment): number {
  const holds = made.kind === 'authorization' && made.status === 'succeeded';
  return holds && taken === null && release === null ? made.amountMinor : 0;
}

/** What can still be refunded, in minor units. */
export function refundableMinor({ taken, refunds }: AcquirerPayment): number {
  const kept = refunds.filter(({ status }) => status === 'succeeded');
  return (taken?.amountMinor ?? 0) - sumOf(kept, 'amountMinor');
}

/** What can still be disputed, in minor units. A bank may dispute what was refunded, but nothing twice. */
export function disputableMinor({ taken, disputes }: AcquirerPayment): number {
  const claimed = disputes.map((one) =>
    one.opened.dispute.closed?.status === 'won' ? withdrawnMinor(one) : disputedMinor(one),
  );
  return (taken?.amountMinor ?? 0) - claimed.reduce((sum, minor) => sum + minor, 0);
}

/** The amount of a dispute: what it withdrew first, or what was inquired about. */
function disputedMinor({ moved: [withdrawn], opened }: AcquirerDispute): number {
  return (withdrawn ?? opened).amountMinor;
}

/** Whether funds are withdrawn for a dispute, or one was lost. */
export function isDisputed({ disputes }: AcquirerPayment): boolean {
  return disputes.some(
    (one) => withdrawnMinor(one) > 0 || one.opened.dispute.closed?.status === 'lost',
  );
}

export function paymentRecordOf(payment: AcquirerPayment): PaymentRecord {
  const { made, taken, release, refunds } = payment;
  const last = taken ?? release ?? made;
  return {
    id: made.gatewayReference,
    gatewayReference: (taken ?? made).gatewayReference,
    status: statusOf(payment),
    about: originOf(made),
    idempotencyKey: made.idempotencyKey,
    gatewayToken: made.vaultToken,
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
export function disputeRecordOf(of: AcquirerDispute): DisputeRecord {
  const { atMs, currency, dispute, gatewayReference } = of.opened;
  const { answer, closed, reason } = dispute;
  return {
    id: gatewayReference,
    status: closed?.status ?? (answer ? 'under_review' : 'needs_response'),
    reason,
    currency,
    amountMinor: disputedMinor(of),
    feeMinor: 0,
    movements: of.moved.map((one) => ({ amountMinor: one.movedMinor, atMs: one.atMs })),
    openedAtMs: atMs,
    respondByMs: atMs + RESPONSE_MS,
    closedAtMs: closed?.atMs ?? null,
    ...(answer && { answer: answer.kind === 'acceptance' ? 'acceptance' : 'evidence' }),
  };
}

/**
 * What the bank has decided about a dispute by some time; null if nothing yet. Evidence of a stay wins, other evidence
 * loses, two days after it was sent; what nobody answers waits for the desk. An inquiry can only be won: nothing is withdrawn.
 */
export function decisionBy(
  { moved, opened }: AcquirerDispute,
  nowMs: number,
): { readonly status: 'won' | 'lost'; readonly atMs: number } | null {
  const { answer, closed } = opened.dispute;
  const isWon = answer?.kind === 'stay';
  if (closed !== null || !answer || (!isWon && moved.length === 0)) return null;
  const atMs = answer.atMs + DECISION_MS;
  return atMs <= nowMs ? { status: isWon ? 'won' : 'lost', atMs } : null;
}

/** An operation that moved money, as the gateway reports it. */
export function movementOf(operation: AcquirerOperation): GatewayMovement {
  const { gatewayReference: id, payment, propertyId, currency, atMs, movedMinor } = operation;
  const about = originOf(operation);
  return {
    id,
    kind: kindOf(operation),
    payment,
    subject: subjectOf(operation),
    about,
    ...(about === null && { propertyId }),
    amountMinor: movedMinor,
    currency,
    atMs,
  };
}

function kindOf({ kind }: AcquirerOperation): GatewayMovement['kind'] {
  switch (kind) {
    case 'refund':
    case 'refund_failure':
    case 'dispute':
    case 'dispute_reversal':
      return kind;
    default:
      return 'charge';
  }
}
