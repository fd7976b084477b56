import { type PaymentThere, paymentThere } from './acquirer.ts';
import {
  type Answer,
  type BookingModel,
  type Effect,
  endsWithBooking,
  moveTo,
  type Payment,
  refusal,
  shown,
} from './state.ts';

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
