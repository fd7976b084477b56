import { answers } from './acquirer.ts';
import { byCharge } from './attach.ts';
import { correctPayment } from './correctPayment.ts';
import { judgeFiring } from './guard.ts';
import { mayGiveWay } from './guest.ts';
import { cancel, endHold } from './payments.ts';
import { price, takeLowerFee } from './price.ts';
import { recoverFormer } from './recoveries.ts';
import { recover } from './recovery.ts';
import { resolveRefund } from './refunds.ts';
import { isTooLate, mayHaveBeenCharged, timeAfterNoAnswer } from './retries.ts';
import { begin, carryOut, resolve } from './settle.ts';
import {
  type BookingModel,
  type CardState,
  cardInUse,
  cardOf,
  endsWithBooking,
  hasOwnCard,
  isFormer,
  moveTo,
  type Payment,
} from './state.ts';

/** When the booking's object must wake next; null when nothing waits for a time. */
export function nextDueAtMs(model: BookingModel): number | null {
  const { payments, recoveries, refunds } = model;
  const times = [...payments, ...refunds, ...recoveries].flatMap(({ dueAtMs }) => dueAtMs ?? []);
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
  else recoverFirst(model, dueAtMs);
  return true;
}

function recoverFirst(model: BookingModel, dueAtMs: number): void {
  const first = byCharge(model, model.recoveries).find((it) => it.dueAtMs === dueAtMs);
  if (first) recover(model, first);
}

function serve(model: BookingModel, payment: Payment): void {
  if (payment.status === 'Pending') fire(model, payment);
  else if (payment.status === 'Authorized') endHold(model, payment);
  else resolve(model, payment);
}

/** A schedule at its time: on the card that it names, or on the one in use now. The acquirer judges whether it expired. */
function fire(model: BookingModel, payment: Payment): void {
  const card = hasOwnCard(payment) ? cardOf(model, payment.card) : cardInUse(model);
  payment.dueAtMs = null;
  // What may have been charged before is asked for first.
  const isAskedFor =
    mayHaveBeenCharged(payment, model.nowMs) ||
    (model.retried[payment.ref] ?? 0) > payment.keyNumber;
  if (isAskedFor && awaitsAnswer(model, payment)) return;
  if (isAskedFor && answers(model) && learnEarlierCharge(model, payment)) return;
  if (endsWithBooking(model, payment)) cancel(payment);
  else if (isTooLate(payment, model.nowMs) || !card) moveTo(payment, 'Failed');
  else if (isFormer(model, card)) awaitNewCard(model, payment, card);
  else if (mayGiveWay(model, payment)) wait(model, payment);
  else charge(model, payment, card);
}

/** Whether a late schedule waits for the acquirer's word. One that waited until its time was over is left to a person. */
function awaitsAnswer(model: BookingModel, payment: Payment): boolean {
  if (answers(model)) return false;
  const retryAfterMs = model.outage?.retryAfterMs ?? null;
  payment.dueAtMs = timeAfterNoAnswer(payment, retryAfterMs, model.nowMs);
  payment.endedUnasked = payment.dueAtMs === null;
  if (!payment.endedUnasked) payment.rejections += 1;
  return !payment.endedUnasked;
}

/**
 * Whether the acquirer has charged a schedule already, before D1 was restored: then that counts. Otherwise the keys that it
 * knows of the attempts since are used no more.
 */
function learnEarlierCharge(model: BookingModel, payment: Payment): boolean {
  const own = model.effects.filter((it) => it.payment === payment.ref && it.kind === 'charge');
  const taken = own.find(({ outcome }) => outcome.kind === 'approved');
  if (taken) {
    payment.attempts += 1;
    payment.keyNumber = Number(taken.id.slice(payment.ref.length + 1));
    correctPayment(model, payment);
    return true;
  }
  const isKnown = (keyNumber: number) => own.some(({ id }) => id === `${payment.ref}-${keyNumber}`);
  while (isKnown(payment.keyNumber + 1)) payment.keyNumber += 1;
  return false;
}

/** How often a schedule is looked at that waits for another card. */
const FOR_CARD = 60 * 60_000;

/** A schedule whose card is kept at a former account waits for another one until its guest's time to answer is over. */
function awaitNewCard(model: BookingModel, payment: Payment, card: CardState): void {
  const { nowMs, recoveries, terms } = model;
  const asked = recoveries.find(
    ({ cause, charge }) => cause === 'former' && charge === payment.ref,
  );
  const untilMs = asked?.ended ? 0 : (asked?.deadlineAtMs ?? Number.POSITIVE_INFINITY);
  if (terms.recovery === null || untilMs <= nowMs) {
    moveTo(payment, 'Failed');
    return;
  }
  payment.dueAtMs = Math.min(untilMs, nowMs + FOR_CARD);
  if (!asked) recoverFormer(model, payment, card);
}

/** How long a schedule waits for an outcome that it depends on. */
const FOR_OUTCOME = 5 * 60_000;

function wait({ nowMs }: BookingModel, payment: Payment): void {
  payment.dueAtMs = nowMs + FOR_OUTCOME;
}

/** The card that the booking used when a schedule was made, where another one is charged first. */
function otherCardOf({ madeOn }: Payment, card: CardState): string | null {
  return madeOn === card.token ? null : madeOn;
}

/** Nothing is due, and the property has a day to cancel it. */
function putOff({ nowMs }: BookingModel, payment: Payment): void {
  payment.putOffUntilMs = nowMs + 24 * 60 * 60_000;
  payment.dueAtMs = payment.putOffUntilMs;
  moveTo(payment, 'Pending');
}

function charge(model: BookingModel, payment: Payment, card: CardState): void {
  const judged = judgeFiring(model, payment);
  if (judged === 'wait') wait(model, payment);
  else if (judged === 'nothing due') cancel(payment);
  else if (judged === 'put off') putOff(model, payment);
  else take(model, payment, card, judged);
}

function take(model: BookingModel, payment: Payment, card: CardState, minor: number): void {
  if (minor !== payment.requestedMinor) {
    payment.askedMinor ??= payment.requestedMinor;
    Object.assign(payment, price(minor, payment));
  }
  if (!hasOwnCard(payment)) payment.otherCard = otherCardOf(payment, card);
  payment.card = card.token;
  takeLowerFee(model, payment, card);
  begin(model, payment, 'charge');
  if (payment.keyNumber > 1) model.retried[payment.ref] = payment.keyNumber;
  carryOut(model, payment);
}
