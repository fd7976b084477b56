import type { AcquirerLedger } from './ledger.ts';
import { type AcquirerOperation, entryOf, type LedgerEntry, movedBy } from './operations.ts';
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
import { newReference } from './reference.ts';
import { type Judgement, judge, SUCCEEDED } from './rules/judge.ts';

/** What a person does at the acquirer's own desk, past this service (interface: Act at the sandbox's desk). */
export type DeskAct =
  | {
      readonly action: 'capture' | 'release' | 'refund' | 'inquiry';
      /** The acquirer's id of the payment, or the idempotency key that it was made with. */
      readonly payment: string;
      /** In minor units; null for all that is left. A release is always of the whole. */
      readonly amountMinor: number | null;
    }
  | (OnDispute & { readonly action: 'dispute' })
  | (OnDispute & { readonly action: 'winDispute' | 'loseDispute' })
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
    }
  | {
      readonly action: 'charge';
      readonly propertyId: string;
      readonly gatewayToken: string;
      readonly amountMinor: number;
      readonly currency: string;
    };

/** A dispute of a payment. */
interface OnDispute {
  readonly payment: string;
  /** What is disputed, or what of it comes back, in minor units; all where it is not named. */
  readonly amountMinor?: number | null;
  /** The dispute, or the inquiry that becomes one; need not be named where the payment has only one that is open. */
  readonly disputeId?: string | null;
}

/**
 * What came of it:
 * - `done`: `operation` is the entry of the ledger; null for a card, which moves nothing;
 * - `refused`: the acquirer does not do it;
 * - `no-dispute`: the payment has no such dispute;
 * - `which-dispute`: it has several, and none was named.
 */
export type DeskOutcome =
  | { readonly kind: 'done'; readonly operation: LedgerEntry | null; readonly news: DeskNews }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'no-dispute' }
  | { readonly kind: 'which-dispute' };

/** What the acquirer can tell of an act: the payment, the dispute or the card that changed. */
export type DeskNews = { readonly kind: 'payment' | 'dispute' | 'card'; readonly id: string };

/** The reason of a dispute that is opened at the desk. */
const DISPUTE_REASON = 'general';

/** Carries out an act at the desk. `atMs` is when, by the property's clock. */
export function actAtDesk(ledger: AcquirerLedger, act: DeskAct, atMs: number): DeskOutcome {
  switch (act.action) {
    case 'charge':
      return charge(ledger, act, atMs);
    case 'renewCard':
      ledger.renewCard(act.gatewayToken, act);
      return { kind: 'done', operation: null, news: { kind: 'card', id: act.gatewayToken } };
    case 'failRefund':
      return failRefund(ledger, act.refund, atMs);
    case 'winDispute':
    case 'loseDispute':
      return closeDispute(ledger, act, atMs);
    case 'inquiry':
      return inquire(ledger, act, atMs);
    case 'dispute':
      return dispute(ledger, act, atMs);
    default:
      return followUp(ledger, act.action, act, atMs);
  }
}

function followUp(
  ledger: AcquirerLedger,
  kind: 'capture' | 'release' | 'refund',
  {
    payment: id,
    amountMinor: asked,
  }: { readonly payment: string; readonly amountMinor: number | null },
  atMs: number,
): DeskOutcome {
  const payment = findPayment(ledger, id);
  const earlier = kind === 'refund' ? payment?.taken : payment?.made;
  if (!payment || !earlier) return refused('no_such_object');
  const left = kind === 'refund' ? refundableMinor(payment) : heldMinor(payment);
  if (left <= 0) return refused('nothing_left');
  const amountMinor = kind === 'release' ? left : (asked ?? left);
  const { currency, gatewayReference: subject } = earlier;
  const request = { kind, amountMinor, currency, askedAtMs: atMs };
  const judgement = judge(request, ledger.earlier(subject, kind));
  if (judgement.status !== 'succeeded') return refused(judgement.code);
  const operation = record(ledger, { ...basedOn(payment.made), kind, subject, amountMinor, atMs });
  return done(operation, 'payment', payment.made.gatewayReference);
}

function charge(
  ledger: AcquirerLedger,
  { propertyId, gatewayToken, amountMinor, currency }: DeskAct & { action: 'charge' },
  atMs: number,
): DeskOutcome {
  const request = { kind: 'charge' as const, amountMinor, currency, askedAtMs: atMs };
  const judgement = judge(request, ledger.card(gatewayToken));
  if (judgement.status !== 'succeeded') return refused(judgement.code);
  const operation = record(ledger, {
    kind: 'charge',
    propertyId,
    bookingReference: null,
    reference: null,
    amountMinor,
    currency,
    subject: gatewayToken,
    vaultToken: gatewayToken,
    payment: null,
    atMs,
  });
  return done(operation, 'payment', operation.gatewayReference);
}

/** The cardholder's bank asks about a payment before it withdraws anything. */
function inquire(
  ledger: AcquirerLedger,
  { payment: id, amountMinor: asked }: OnDispute,
  atMs: number,
): DeskOutcome {
  const payment = findPayment(ledger, id);
  if (payment === null) return refused('no_such_object');
  const left = disputableMinor(payment);
  const amountMinor = asked ?? left;
  if (left <= 0 || amountMinor > left) return refused('amount_too_large');
  const operation = open(ledger, 'inquiry', payment, { amountMinor, reason: DISPUTE_REASON }, atMs);
  return done(operation, 'dispute', operation.gatewayReference);
}

/** The cardholder disputes a payment. What the bank has inquired about becomes that dispute. */
function dispute(
  ledger: AcquirerLedger,
  { payment: id, amountMinor: asked, disputeId = null }: OnDispute,
  atMs: number,
): DeskOutcome {
  const payment = findPayment(ledger, id);
  if (payment === null) return refused('no_such_object');
  const inquiries = inquiriesOf(payment);
  const [inquiry] = inquiries.filter(
    ({ opened }) => disputeId === null || opened.gatewayReference === disputeId,
  );
  if (disputeId === null && inquiries.length > 1) return { kind: 'which-dispute' };
  if (disputeId !== null && !inquiry) return { kind: 'no-dispute' };
  const left = disputableMinor(payment) + (inquiry?.opened.amountMinor ?? 0);
  const amountMinor = asked ?? inquiry?.opened.amountMinor ?? left;
  if (left <= 0 || amountMinor > left) return refused('amount_too_large');
  if (!inquiry) {
    const operation = openDispute(ledger, payment, amountMinor, DISPUTE_REASON, atMs);
    return done(operation, 'dispute', operation.gatewayReference);
  }
  const { gatewayReference: subject } = inquiry.opened;
  const common = basedOn(payment.made);
  const operation = record(ledger, { ...common, kind: 'dispute', subject, amountMinor, atMs });
  return done(operation, 'dispute', subject);
}

/** Opens a dispute of what a payment took. The amount is withdrawn at once. */
export function openDispute(
  ledger: AcquirerLedger,
  payment: AcquirerPayment,
  amountMinor: number,
  reason: string,
  atMs: number,
): AcquirerOperation {
  return open(ledger, 'dispute', payment, { amountMinor, reason }, atMs);
}

function open(
  ledger: AcquirerLedger,
  kind: 'inquiry' | 'dispute',
  { made, taken }: AcquirerPayment,
  { amountMinor, reason }: { readonly amountMinor: number; readonly reason: string },
  atMs: number,
): AcquirerOperation {
  return record(ledger, {
    ...basedOn(made),
    kind,
    subject: (taken ?? made).gatewayReference,
    amountMinor,
    atMs,
    dispute: { reason, closed: null },
  });
}

function closeDispute(
  ledger: AcquirerLedger,
  act: OnDispute & { readonly action: 'winDispute' | 'loseDispute' },
  atMs: number,
): DeskOutcome {
  const payment = findPayment(ledger, act.payment);
  const disputes = payment?.disputes ?? [];
  const open = disputes.filter(isOpen);
  const named = act.disputeId
    ? disputes.find(({ opened }) => opened.gatewayReference === act.disputeId)
    : (open[0] ?? disputes[0]);
  if (!named) return { kind: 'no-dispute' };
  if (!act.disputeId && open.length > 1) return { kind: 'which-dispute' };
  if (!isOpen(named)) return refused('dispute_closed');
  const { opened } = named;
  const withdrawn = withdrawnMinor(named);
  const amountMinor = act.amountMinor ?? withdrawn;
  if (amountMinor > withdrawn) return refused('amount_too_large');
  const isWon = act.action === 'winDispute';
  // It becomes a dispute before it can be lost.
  if (!isWon && withdrawn === 0) return refused('inquiry');
  const closed = closedDispute(opened, isWon ? 'won' : 'lost', atMs);
  ledger.change(closed);
  // A lost dispute keeps what was withdrawn, and for an inquiry nothing was: nothing moves.
  const moves = isWon && amountMinor > 0;
  const operation = moves ? reverse(ledger, opened, amountMinor, atMs) : closed;
  return done(operation, 'dispute', opened.gatewayReference);
}

/** What opened a dispute, with the end of the dispute. */
export function closedDispute(
  opened: AcquirerDispute['opened'],
  status: 'won' | 'lost',
  atMs: number,
): AcquirerOperation {
  return { ...opened, dispute: { ...opened.dispute, closed: { status, atMs } } };
}

function reverse(
  ledger: AcquirerLedger,
  opened: AcquirerOperation,
  amountMinor: number,
  atMs: number,
): AcquirerOperation {
  const kind = 'dispute_reversal';
  const subject = opened.gatewayReference;
  return record(ledger, { ...basedOn(opened), kind, subject, amountMinor, atMs });
}

function failRefund(ledger: AcquirerLedger, id: string, atMs: number): DeskOutcome {
  const refund = ledger.operation(id) ?? ledger.find(id);
  if (refund?.kind !== 'refund' || refund.payment === null) return refused('no_such_object');
  if (refund.status !== 'succeeded') return refused('refund_not_succeeded');
  ledger.change({ ...refund, status: 'failed', code: 'refund_failed' });
  const { gatewayReference: subject, amountMinor } = refund;
  const kind = 'refund_failure';
  const operation = record(ledger, { ...basedOn(refund), kind, subject, amountMinor, atMs });
  return done(operation, 'payment', refund.payment);
}

/** Finds a payment by the id of one of its operations, or by the key that one was made with. */
export function findPayment(ledger: AcquirerLedger, idOrKey: string): AcquirerPayment | null {
  const byKey = () => ledger.find(idOrKey)?.gatewayReference;
  return ledger.payment(idOrKey) ?? ledger.payment(byKey() ?? '');
}

/** What an operation has in common with the earlier one that it is about. */
function basedOn({
  propertyId,
  bookingReference,
  reference,
  currency,
  vaultToken,
  payment,
}: AcquirerOperation) {
  return { propertyId, bookingReference, reference, currency, vaultToken, payment };
}

function record(
  ledger: AcquirerLedger,
  facts: Omit<
    AcquirerOperation,
    keyof Judgement | 'idempotencyKey' | 'gatewayReference' | 'movedMinor'
  >,
): AcquirerOperation {
  const gatewayReference = newReference();
  const operation: AcquirerOperation = {
    ...facts,
    ...SUCCEEDED,
    idempotencyKey: null,
    gatewayReference,
    payment: facts.payment ?? gatewayReference,
    movedMinor: movedBy(facts.kind, facts.amountMinor),
  };
  ledger.record(operation);
  return operation;
}

function done(operation: AcquirerOperation, kind: DeskNews['kind'], id: string): DeskOutcome {
  return { kind: 'done', operation: entryOf(operation), news: { kind, id } };
}

function refused(code: string | null): DeskOutcome {
  return { kind: 'refused', code: code ?? 'declined' };
}
