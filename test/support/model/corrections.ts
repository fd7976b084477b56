import { effectOf, lookUp, type PaymentThere, paymentThere } from './acquirer.ts';
import { correctPayment } from './correctPayment.ts';
import { learnRefunds } from './refunds.ts';
import { keyOf, settle } from './settle.ts';
import {
  type Answer,
  type BookingModel,
  type DisputeStatus,
  type Effect,
  type Payment,
  paymentOf,
  refusal,
} from './state.ts';

const NOT_FOUND = refusal('transaction_not_found');

/**
 * The acquirer tells that something became of a payment, and the service looks: what is under
 * way ends as it did there, then the acquirer's record outranks ours, then its refunds do.
 */
export function tell(model: BookingModel, ref: string): Answer {
  const payment = paymentOf(model, ref);
  const there = paymentThere(model, ref);
  if (!payment || !there) return NOT_FOUND;
  const settled = settleUnderWay(model, payment);
  const corrected = correctPayment(model, payment) !== null;
  const refunds = learnRefunds(model, payment, there.refunds);
  const changed = settled || corrected || refunds.corrected;
  if (!refunds.complete) return { ...refusal('ok'), corrected: changed };
  if (payment.underWay === null) model.untold = model.untold.filter((it) => it !== ref);
  return { ...refusal('ok'), corrected: changed };
}

function settleUnderWay(model: BookingModel, payment: Payment): boolean {
  const there = paymentThere(model, payment.ref);
  if (payment.status !== 'Processing' || (there && endedOtherwise(payment, there))) return false;
  const known = lookUp(model, keyOf(payment));
  if (known) settle(model, payment, known);
  return known !== null;
}

/** A hold that was let go while it is captured here, or captured while it is let go here, has one end: the acquirer's. */
function endedOtherwise({ underWay }: Payment, { taken, released }: PaymentThere): boolean {
  const operation = underWay?.operation;
  return operation === 'capture'
    ? Boolean(released)
    : Boolean(taken) && (operation === 'release' || operation === 'expire');
}

/** The acquirer tells of a dispute. */
export function tellDispute(model: BookingModel, id: string): Answer {
  const entry = effectOf(model, id);
  const payment = entry && paymentOf(model, entry.payment);
  if (!entry || !payment) return NOT_FOUND;
  const status = statusOf(entry);
  const known = model.disputes.find((dispute) => dispute.id === id);
  // Only what was taken is disputed: the charge is learnt first.
  const learnt = payment.status === 'Accepted' ? null : tell(model, payment.ref);
  if (payment.status !== 'Accepted') return refusal('outcome_unknown');
  model.untold = model.untold.filter((it) => it !== id);
  if (known?.status === status) return { ...refusal('ok'), corrected: Boolean(learnt?.corrected) };
  if (known) {
    known.status = status;
    known.trail.push(status);
  } else {
    const { amountMinor, payment: charge } = entry;
    model.disputes.push({ id, charge, amountMinor, status, trail: [status] });
  }
  return { ...refusal('ok'), corrected: true };
}

function statusOf({ ended }: Effect): DisputeStatus {
  return ended === 'won' || ended === 'lost' ? ended : 'needs_response';
}
