import { haveTaken } from './accepted.ts';
import { type PaymentThere, paymentThere } from './acquirer.ts';
import { takenPrice } from './price.ts';
import {
  type Answer,
  type BookingModel,
  type Effect,
  fine,
  isCalledOff,
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
  // What D1 forgot may have been made on another card than it has.
  payment.card = made.card ?? payment.card;
  if (taken) accept(payment, taken);
  else if (released) moveTo(payment, 'Released');
  else holdAfterAll(model, payment);
  if (payment.status === 'Accepted') haveTaken(model, payment);
  payment.settledAtMs = (taken ?? released ?? made).atMs;
  const letGo = underWay?.operation !== 'capture' && payment.status === 'Released';
  const answer: Answer = letGo
    ? fine(payment)
    : { ...refusal('invalid_state'), transaction: { ...shown(payment), status: payment.status } };
  const kept = underWay?.caller ? model.keys[underWay.caller] : undefined;
  if (kept) kept.answer = answer;
  return answer;
}

function isWrong({ kind, status, wasHeld }: Payment, { taken, released }: PaymentThere): boolean {
  if (taken) return status !== 'Accepted';
  // What is under way is a capture or a release: anything else was settled.
  if (released) return status === 'Authorized' || status === 'Processing';
  const countsAsNeverMade = ['Failed', 'Declined', 'Released'].includes(status) && !wasHeld;
  return kind === 'authorization' && countsAsNeverMade;
}

/** What was taken counts; in another amount, with the fees of a part of it. */
function accept(payment: Payment, { amountMinor }: Effect): void {
  moveTo(payment, 'Accepted');
  if (amountMinor !== payment.amountMinor) Object.assign(payment, takenPrice(amountMinor, payment));
}

function holdAfterAll(model: BookingModel, payment: Payment): void {
  payment.wasHeld = true;
  moveTo(payment, 'Authorized');
  const endsAtMs = isCalledOff(model, payment) ? model.nowMs : (payment.expiresAtMs ?? 0);
  payment.dueAtMs = Math.max(model.nowMs, endsAtMs);
}
