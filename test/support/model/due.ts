import { cancel, cardInUse } from './payments.ts';
import { resolveRefund } from './refunds.ts';
import { begin, carryOut, resolve } from './settle.ts';
import { type BookingModel, cancelsPending, cardOf, moveTo, type Payment } from './state.ts';

/** An attempt that is later than this is not made any more (interface: Schedules). */
const MOST_OVERDUE_MS = 72 * 3_600_000;

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

/** A schedule at its time: on the card that it names, or on the one in use now. */
function fire(model: BookingModel, payment: Payment): void {
  const overdueMs = model.nowMs - (payment.dueAtMs ?? model.nowMs);
  const card = payment.cardNamed ? cardOf(model, payment.card) : cardInUse(model);
  payment.dueAtMs = null;
  if (cancelsPending(model)) cancel(payment);
  else if (overdueMs > MOST_OVERDUE_MS || !card) moveTo(payment, 'Failed');
  else {
    payment.card = card.token;
    if (model.nowMs >= card.expiresAtMs) moveTo(payment, 'Declined');
    else {
      begin(model, payment, 'charge');
      carryOut(model, payment);
    }
  }
}

/** A hold at its time, or of a booking that was cancelled, is let go. */
function endHold(model: BookingModel, payment: Payment): void {
  const expired = payment.expiresAtMs !== null && model.nowMs >= payment.expiresAtMs;
  if (!expired && !cancelsPending(model)) {
    payment.dueAtMs = payment.expiresAtMs;
    return;
  }
  begin(model, payment, expired ? 'expire' : 'release');
  carryOut(model, payment);
}
