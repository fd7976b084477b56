import { type Judgement, judge, SUCCEEDED } from './judge.ts';
import type { AcquirerLedger } from './ledger.ts';
import { type AcquirerOperation, entryOf, type LedgerEntry, movedBy } from './operations.ts';
import { type AcquirerPayment, disputableMinor, heldMinor, refundableMinor } from './payments.ts';
import { newReference } from './reference.ts';

/** What a person does at the acquirer's own desk, past this service (interface: Act at the sandbox's desk). */
export type DeskAct =
  | {
      readonly action: 'capture' | 'release' | 'refund' | 'dispute';
      /** The acquirer's id of the payment, or the idempotency key that it was made with. */
      readonly payment: string;
      /** In minor units; null for all that is left. A release is always of the whole. */
      readonly amountMinor: number | null;
    }
  | {
      readonly action: 'winDispute' | 'loseDispute';
      readonly payment: string;
      /** Null where the payment has only one that is open. */
      readonly disputeId: string | null;
    }
  | {
      readonly action: 'failRefund';
      /** The acquirer's id of the refund, or the idempotency key that it was made with. */
      readonly refund: string;
    }
  | {
      readonly action: 'charge';
      readonly propertyId: string;
      readonly gatewayToken: string;
      readonly amountMinor: number;
      readonly currency: string;
    };

/**
 * What came of it:
 * - `done`: `operation` is the entry of the ledger;
 * - `refused`: the acquirer does not do it;
 * - `no-dispute`: the payment has no such dispute;
 * - `which-dispute`: it has several, and none was named.
 */
export type DeskOutcome =
  | { readonly kind: 'done'; readonly operation: LedgerEntry; readonly news: DeskNews }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'no-dispute' }
  | { readonly kind: 'which-dispute' };

/** What the acquirer can tell of an act: the payment or the dispute that changed. */
export type DeskNews = { readonly kind: 'payment' | 'dispute'; readonly id: string };

/** The reason of a dispute that is opened at the desk. */
const DISPUTE_REASON = 'general';

/** Carries out an act at the desk. `atMs` is when, by the property's clock. */
export function actAtDesk(ledger: AcquirerLedger, act: DeskAct, atMs: number): DeskOutcome {
  switch (act.action) {
    case 'charge':
      return charge(ledger, act, atMs);
    case 'failRefund':
      return failRefund(ledger, act.refund, atMs);
    case 'winDispute':
    case 'loseDispute':
      return closeDispute(ledger, act, atMs);
    case 'dispute': {
      const payment = findPayment(ledger, act.payment);
      return payment === null
        ? refused('no_such_object')
        : dispute(ledger, payment, act.amountMinor, atMs);
    }
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

function dispute(
  ledger: AcquirerLedger,
  payment: AcquirerPayment,
  asked: number | null,
  atMs: number,
): DeskOutcome {
  const left = disputableMinor(payment);
  const amountMinor = asked ?? left;
  if (left <= 0 || amountMinor > left) return refused('amount_too_large');
  const operation = openDispute(ledger, payment, amountMinor, DISPUTE_REASON, atMs);
  return done(operation, 'dispute', operation.gatewayReference);
}

/** Opens a dispute of what a payment took. The amount is withdrawn at once. */
export function openDispute(
  ledger: AcquirerLedger,
  { made, taken }: AcquirerPayment,
  amountMinor: number,
  reason: string,
  atMs: number,
): AcquirerOperation {
  return record(ledger, {
    ...basedOn(made),
    kind: 'dispute',
    subject: (taken ?? made).gatewayReference,
    amountMinor,
    atMs,
    dispute: { reason, closed: null },
  });
}

function closeDispute(
  ledger: AcquirerLedger,
  act: DeskAct & { action: 'winDispute' | 'loseDispute' },
  atMs: number,
): DeskOutcome {
  const payment = findPayment(ledger, act.payment);
  const disputes = payment?.disputes ?? [];
  const open = disputes.filter((one) => one.dispute?.closed === null);
  const named = act.disputeId
    ? disputes.find((one) => one.gatewayReference === act.disputeId)
    : (open[0] ?? disputes[0]);
  if (!payment || !named?.dispute) return { kind: 'no-dispute' };
  if (act.disputeId === null && open.length > 1) return { kind: 'which-dispute' };
  if (named.dispute.closed !== null) return refused('dispute_closed');
  const status = act.action === 'winDispute' ? 'won' : 'lost';
  const closed = { ...named, dispute: { ...named.dispute, closed: { status, atMs } as const } };
  ledger.change(closed);
  // A lost dispute keeps what was withdrawn when it was opened: nothing moves.
  const operation = status === 'won' ? reverse(ledger, named, payment, atMs) : closed;
  return done(operation, 'dispute', named.gatewayReference);
}

function reverse(
  ledger: AcquirerLedger,
  { gatewayReference: subject, amountMinor }: AcquirerOperation,
  { made }: AcquirerPayment,
  atMs: number,
): AcquirerOperation {
  const kind = 'dispute_reversal';
  return record(ledger, { ...basedOn(made), kind, subject, amountMinor, atMs });
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
function findPayment(ledger: AcquirerLedger, idOrKey: string): AcquirerPayment | null {
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
