import type { AcquirerLedger } from './ledger.ts';
import { type AcquirerOperation, entryOf, type LedgerEntry, newOperation } from './operations.ts';
import {
  type AcquirerDispute,
  type AcquirerPayment,
  disputableMinor,
  heldMinor,
  inquiriesOf,
  isOpen,
  refundableMinor,
  withdrawnMinor,
} from './payments.ts';
import { judge, SUCCEEDED } from './rules/judge.ts';

/** What a person does on the acquirer's dashboard, past this service (interface: Act at the sandbox's desk). */
export type DashboardAction =
  | OnPayment
  | Charge
  | {
      readonly action: 'failRefund';
      /** The acquirer's id of the refund, or the idempotency key that it was made with. */
      readonly refund: string;
    }
  | {
      readonly action: 'renewCard';
      readonly gatewayToken: string;
      readonly expiryMonth: number;
      readonly expiryYear: number;
    };

interface OnPayment {
  readonly action: FollowUp | 'inquiry' | 'dispute' | 'winDispute' | 'loseDispute';
  /** The acquirer's id of the payment, or the idempotency key that it was made with. */
  readonly payment: string;
  /** In minor units; all that is left, or disputed, where it is not named. A release is always of the whole. */
  readonly amountMinor?: number | null;
  /** The dispute, or the inquiry that becomes one; need not be named where the payment has only one that is open. */
  readonly disputeId?: string | null;
}

type FollowUp = 'capture' | 'release' | 'refund';

interface Charge {
  readonly action: 'charge';
  readonly propertyId: string;
  readonly gatewayToken: string;
  readonly amountMinor: number;
  readonly currency: string;
}

/**
 * What came of it:
 * - `done`: `operation` is the entry of the ledger; null for a card, which moves nothing;
 * - `refused`: the acquirer does not do it;
 * - `no-dispute`: the payment has no such dispute;
 * - `which-dispute`: it has several, and none was named.
 */
export type DashboardOutcome =
  | { readonly kind: 'done'; readonly operation: LedgerEntry | null; readonly changed: Changed }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'no-dispute' }
  | { readonly kind: 'which-dispute' };

/** What the acquirer can notify of: the payment, the dispute or the card that changed. */
export type Changed = { readonly kind: 'payment' | 'dispute' | 'card'; readonly id: string };

const DISPUTE_REASON = 'general';

/** Carries out an action. `atMs` is when, by the property's clock. */
export function actOnDashboard(
  ledger: AcquirerLedger,
  action: DashboardAction,
  atMs: number,
): DashboardOutcome {
  switch (action.action) {
    case 'charge':
      return charge(ledger, action, atMs);
    case 'renewCard':
      ledger.renewCard(action.gatewayToken, action);
      return { kind: 'done', operation: null, changed: { kind: 'card', id: action.gatewayToken } };
    case 'failRefund':
      return failRefund(ledger, action.refund, atMs);
    case 'winDispute':
    case 'loseDispute':
      return closeDispute(ledger, action, atMs);
    case 'inquiry':
    case 'dispute':
      return dispute(ledger, action.action, action, atMs);
    default:
      return followUp(ledger, action.action, action, atMs);
  }
}

function followUp(
  ledger: AcquirerLedger,
  kind: FollowUp,
  { payment: id, amountMinor: requested }: OnPayment,
  atMs: number,
): DashboardOutcome {
  const payment = ledger.paymentBy(id);
  const earlier = kind === 'refund' ? payment?.taken : payment?.made;
  if (!payment || !earlier) return refused('no_such_object');
  const left = kind === 'refund' ? refundableMinor(payment) : heldMinor(payment);
  if (left <= 0) return refused('nothing_left');
  const amountMinor = kind === 'release' ? left : (requested ?? left);
  const { currency, gatewayReference: subject } = earlier;
  const request = { kind, amountMinor, currency, askedAtMs: atMs };
  const judgement = judge(request, ledger.earlier(subject, kind));
  if (judgement.status !== 'succeeded') return refused(judgement.code);
  const operation = recordOn(ledger, payment.made, { kind, subject, amountMinor, atMs });
  return done(operation, 'payment', payment.made.gatewayReference);
}

function charge(
  ledger: AcquirerLedger,
  { action: kind, propertyId, gatewayToken, amountMinor, currency }: Charge,
  atMs: number,
): DashboardOutcome {
  const request = { kind, amountMinor, currency, askedAtMs: atMs };
  const judgement = judge(request, ledger.card(gatewayToken));
  if (judgement.status !== 'succeeded') return refused(judgement.code);
  const made = { propertyId, bookingReference: null, reference: null, currency, payment: null };
  const card = { subject: gatewayToken, vaultToken: gatewayToken };
  const facts = { ...made, ...card, kind, amountMinor, atMs, idempotencyKey: null };
  const operation = newOperation(facts, SUCCEEDED);
  ledger.record(operation);
  return done(operation, 'payment', operation.gatewayReference);
}

/**
 * The cardholder's bank inquires about a payment before it withdraws anything, or the cardholder disputes it. What the bank
 * has inquired about becomes that dispute.
 */
function dispute(
  ledger: AcquirerLedger,
  kind: 'inquiry' | 'dispute',
  { payment: id, amountMinor: requested, disputeId: named }: OnPayment,
  atMs: number,
): DashboardOutcome {
  const payment = ledger.paymentBy(id);
  if (payment === null) return refused('no_such_object');
  const inquiries = kind === 'dispute' ? inquiriesOf(payment) : [];
  const disputeId = kind === 'dispute' ? (named ?? null) : null;
  const inquiry = inquiries.find(
    ({ opened }) => disputeId === null || opened.gatewayReference === disputeId,
  )?.opened;
  if (disputeId === null && inquiries.length > 1) return { kind: 'which-dispute' };
  if (disputeId !== null && !inquiry) return { kind: 'no-dispute' };
  const left = disputableMinor(payment) + (inquiry?.amountMinor ?? 0);
  const amountMinor = requested ?? inquiry?.amountMinor ?? left;
  if (left <= 0 || amountMinor > left) return refused('amount_too_large');
  if (!inquiry) {
    const opened = openDispute(ledger, payment, { kind, amountMinor, atMs });
    return done(opened, 'dispute', opened.gatewayReference);
  }
  const { gatewayReference: subject } = inquiry;
  // What was said to the inquiry does not answer the dispute.
  ledger.change({ ...inquiry, dispute: { reason: inquiry.dispute.reason, closed: null } });
  const operation = recordOn(ledger, payment.made, { kind, subject, amountMinor, atMs });
  return done(operation, 'dispute', subject);
}

/** Opens an inquiry about what a payment took, or a dispute of it: then the amount is withdrawn at once. */
export function openDispute(
  ledger: AcquirerLedger,
  { made, taken }: AcquirerPayment,
  opened: {
    readonly kind: 'inquiry' | 'dispute';
    readonly amountMinor: number;
    readonly atMs: number;
  },
  reason = DISPUTE_REASON,
): AcquirerOperation {
  const subject = (taken ?? made).gatewayReference;
  return recordOn(ledger, made, { ...opened, subject, dispute: { reason, closed: null } });
}

function closeDispute(
  ledger: AcquirerLedger,
  { action, payment, disputeId, ...asked }: OnPayment,
  atMs: number,
): DashboardOutcome {
  const disputes = ledger.paymentBy(payment)?.disputes ?? [];
  const open = disputes.filter(isOpen);
  const named = disputeId
    ? disputes.find(({ opened }) => opened.gatewayReference === disputeId)
    : (open[0] ?? disputes[0]);
  if (!named) return { kind: 'no-dispute' };
  if (!disputeId && open.length > 1) return { kind: 'which-dispute' };
  if (!isOpen(named)) return refused('dispute_closed');
  const { opened } = named;
  const withdrawn = withdrawnMinor(named);
  const amountMinor = asked.amountMinor ?? withdrawn;
  if (amountMinor > withdrawn) return refused('amount_too_large');
  const isWon = action === 'winDispute';
  // It becomes a dispute before it can be lost.
  if (!isWon && withdrawn === 0) return refused('inquiry');
  const operation = endDispute(
    ledger,
    named,
    { status: isWon ? 'won' : 'lost', atMs },
    amountMinor,
  );
  return done(operation, 'dispute', opened.gatewayReference);
}

/** Ends a dispute, and gives the amount back if it was won. Returns what moved, or else what opened the dispute. */
export function endDispute(
  ledger: AcquirerLedger,
  dispute: AcquirerDispute,
  { status, atMs }: { readonly status: 'won' | 'lost'; readonly atMs: number },
  amountMinor = withdrawnMinor(dispute),
): AcquirerOperation {
  const { opened } = dispute;
  const closed = closedDispute(opened, status, atMs);
  ledger.change(closed);
  const { gatewayReference: subject } = opened;
  // A lost dispute keeps what was withdrawn, and for an inquiry nothing was: nothing moves.
  const moves = status === 'won' && amountMinor > 0;
  return moves
    ? recordOn(ledger, opened, { kind: 'dispute_reversal', subject, amountMinor, atMs })
    : closed;
}

/** What opened a dispute, with the end of the dispute. */
export function closedDispute(
  opened: AcquirerDispute['opened'],
  status: 'won' | 'lost',
  atMs: number,
): AcquirerOperation {
  return { ...opened, dispute: { ...opened.dispute, closed: { status, atMs } } };
}

function failRefund(ledger: AcquirerLedger, id: string, atMs: number): DashboardOutcome {
  const refund = ledger.operation(id) ?? ledger.find(id);
  if (refund?.kind !== 'refund' || refund.payment === null) return refused('no_such_object');
  if (refund.status !== 'succeeded') return refused('refund_not_succeeded');
  ledger.change({ ...refund, status: 'failed', code: 'refund_failed' });
  const { gatewayReference: subject, amountMinor } = refund;
  const operation = recordOn(ledger, refund, {
    kind: 'refund_failure',
    subject,
    amountMinor,
    atMs,
  });
  return done(operation, 'payment', refund.payment);
}

/** Records what follows an earlier operation of the same payment. */
function recordOn(
  ledger: AcquirerLedger,
  earlier: AcquirerOperation,
  facts: Pick<AcquirerOperation, 'kind' | 'subject' | 'amountMinor' | 'atMs' | 'dispute'>,
): AcquirerOperation {
  const { propertyId, bookingReference, reference, currency, vaultToken, payment } = earlier;
  const origin = { propertyId, bookingReference, reference, currency, vaultToken, payment };
  const operation = newOperation({ ...origin, ...facts, idempotencyKey: null }, SUCCEEDED);
  ledger.record(operation);
  return operation;
}

function done(operation: AcquirerOperation, kind: Changed['kind'], id: string): DashboardOutcome {
  return { kind: 'done', operation: entryOf(operation), changed: { kind, id } };
}

function refused(code: string | null): DashboardOutcome {
  return { kind: 'refused', code: code ?? 'declined' };
}
