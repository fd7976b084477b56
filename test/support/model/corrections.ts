import { effectOf, lookUp, type PaymentThere, paymentThere } from './acquirer.ts';
import { isFailedThere, learnRefund, refundKey } from './refunds.ts';
import { keyOf, settle, shown } from './settle.ts';
import {
  type Answer,
  type BookingModel,
  type DisputeStatus,
  type Effect,
  endsWithBooking,
  leftOf,
  moveTo,
  type Payment,
  paymentOf,
  refusal,
} from './state.ts';

const NOT_FOUND = refusal('transaction_not_found');

/**
 * The acquirer tells that something became of a payment, and the service looks (interface: Corrections): what is under
 * way ends as it did there, then the acquirer's record outranks ours, then its refunds do.
 */
export function tell(model: BookingModel, ref: string): Answer {
  const payment = paymentOf(model, ref);
  const there = paymentThere(model, ref);
  if (!payment || !there) return NOT_FOUND;
  const settled = settleUnderWay(model, payment);
  const corrected = correctPayment(model, payment) !== null;
  const refunds = there.refunds.map((entry) => () => correctRefund(model, payment, entry));
  let changed = settled || corrected;
  for (const correct of refunds) {
    const seen = correct();
    if (seen === 'no room') return { ...refusal('ok'), corrected: changed };
    changed ||= seen === 'corrected';
  }
  if (payment.underWay === null) model.untold = model.untold.filter((it) => it !== ref);
  return { ...refusal('ok'), corrected: changed };
}

function settleUnderWay(model: BookingModel, payment: Payment): boolean {
  const known = payment.status === 'Processing' ? lookUp(model, keyOf(payment)) : null;
  if (known) settle(model, payment, known);
  return known !== null;
}

/** Corrects a charge or hold by the acquirer's record; null when there is nothing to correct, else the caller's answer. */
export function correctPayment(model: BookingModel, payment: Payment): Answer | null {
  const there = paymentThere(model, payment.ref);
  if (!there || !isWrong(payment, there)) return null;
  const { underWay } = payment;
  payment.underWay = null;
  payment.dueAtMs = null;
  payment.rejections = 0;
  const { made, taken, released } = there;
  if (taken) accept(payment, taken);
  else if (released) moveTo(payment, 'Released');
  else holdAfterAll(model, payment);
  payment.settledAtMs = (taken ?? released ?? made).atMs;
  const letGo = underWay?.operation !== 'capture' && payment.status === 'Released';
  const answer: Answer = letGo
    ? { ...refusal('ok'), transaction: shown(payment) }
    : { ...refusal('invalid_state'), transaction: { ...shown(payment), status: payment.status } };
  const kept = underWay?.caller ? model.keys[underWay.caller] : undefined;
  if (kept) kept.answer = answer;
  return answer;
}

function isWrong({ kind, status }: Payment, { taken, released }: PaymentThere): boolean {
  if (taken) return status !== 'Accepted';
  // What is under way is a capture or a release: anything else was settled.
  if (released) return status === 'Authorized' || status === 'Processing';
  return kind === 'authorization' && (status === 'Failed' || status === 'Declined');
}

/** What was taken counts; in another amount, with the fees of a part of it. */
function accept(payment: Payment, { amountMinor }: Effect): void {
  moveTo(payment, 'Accepted');
  if (amountMinor === payment.amountMinor) return;
  payment.amountMinor = amountMinor;
  const withoutCardFee = roundHalfUp(amountMinor * (10_000 - payment.basisPoints), 10_000);
  const requestedMinor = withoutCardFee - payment.fixedFeeMinor;
  // Too little for the fees: there are none.
  payment.requestedMinor = requestedMinor > 0 ? requestedMinor : amountMinor;
}

function roundHalfUp(numerator: number, denominator: number): number {
  return Math.floor((2 * numerator + denominator) / (2 * denominator));
}

function holdAfterAll(model: BookingModel, payment: Payment): void {
  moveTo(payment, 'Authorized');
  const endsAtMs = endsWithBooking(model, payment) ? model.nowMs : (payment.expiresAtMs ?? 0);
  payment.dueAtMs = Math.max(model.nowMs, endsAtMs);
}

/** One refund of the acquirer's record. A refund that has no room here waits until something else has ended. */
function correctRefund(
  model: BookingModel,
  payment: Payment,
  entry: Effect,
): 'corrected' | 'agrees' | 'no room' {
  const known = model.refunds.find((record) => refundKey(record) === entry.id);
  const failed = isFailedThere(entry);
  const agrees = known ? known.status === (failed ? 'Failed' : 'Refunded') : failed;
  if (agrees || payment.status !== 'Accepted') return 'agrees';
  const needsRoom = !failed && known?.status !== 'Processing';
  if (needsRoom && leftOf(model, payment) < entry.amountMinor) return 'no room';
  learnRefund(model, payment, entry, known ?? null);
  return 'corrected';
}

/** The acquirer tells of a dispute. */
export function tellDispute(model: BookingModel, id: string): Answer {
  const entry = effectOf(model, id);
  const payment = entry && paymentOf(model, entry.payment);
  if (!entry || !payment) return NOT_FOUND;
  const status = statusOf(entry);
  const known = model.disputes.find((dispute) => dispute.id === id);
  // Money that was never taken cannot be withdrawn: the charge has to be learnt first.
  if (!known && status !== 'won' && payment.status !== 'Accepted') return refusal('internal_error');
  model.untold = model.untold.filter((it) => it !== id);
  if (known?.status === status) return { ...refusal('ok'), corrected: false };
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
