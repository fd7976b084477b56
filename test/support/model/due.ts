import { cancel, cardInUse, takeLowerFee } from './payments.ts';
import { resolveRefund } from './refunds.ts';
import { isTooLate } from './retries.ts';
import { begin, carryOut, resolve } from './settle.ts';
import { type BookingModel, cardOf, endsWithBooking, moveTo, type Payment } from './state.ts';

/** When the booking's object must wake next; null when nothing waits for a time. */
export function nextDueAtMs(model: BookingModel): number | null {
  const times = [...model.payments, ...model.refunds].flatMap(({ dueAtMs }) => dueAtMs ?? []);
  return times.length === 0 ? null : Math.min(...times);
}

/** Serves what is due first, the oldest among equals; false when nothing is due. */
export function serveNext(model: BookingModel): boolean {
  const dueAtMs = nextDueAtMs(model);
  if (dueAtMs === null || dueAtMs > model.nowMs) return false;
  const refund = model.refunds.find((record) => record.dueAtMs === dueAtMs);
  const payment = model.payments.find((candidate) => candidate.dueAtMs === dueAtMs);
  if (refund) resolveRefund(model, refund);
  else if (payment) serve(model, payment);
  return true;
}

function serve(model: BookingModel, payment: Payment): void {
  if (payment.status === 'Pending') fire(model, payment);
  else if (payment.status === 'Authorized') endHold(model, payment);
  else resolve(model, payment);
}

/** A schedule at its time: on the card that it names, or on the one in use now. The acquirer judges whether it expired. */
function fire(model: BookingModel, payment: Payment): void {
  const card = payment.cardNamed ? cardOf(model, payment.card) : cardInUse(model);
  payment.dueAtMs = null;
  if (endsWithBooking(model, payment)) cancel(payment);
  else if (isTooLate(payment, model.nowMs) || !card) moveTo(payment, 'Failed');
  else {
    payment.card = card.token;
    takeLowerFee(model, payment, card);
    begin(model, payment, 'charge');
    carryOut(model, payment);
  }
}

/** A hold at its time, or of a booking that was cancelled, is let go. */
function endHold(model: BookingModel, payment: Payment): void {
  const expired = payment.expiresAtMs !== null && model.nowMs >= payment.expiresAtMs;
  if (!expired && !endsWithBooking(model, payment)) {
    payment.dueAtMs = payment.expiresAtMs;
    return;
  }
  begin(model, payment, expired ? 'expire' : 'release');
  carryOut(model, payment);
}
