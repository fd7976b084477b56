import { answers } from './acquirer.ts';
import { unusableCard } from './attach.ts';
import { judgeCapture, judgeNew } from './guard.ts';
import {
  depositMinor,
  guestCards,
  MOST_DECLINES,
  paidInstead,
  payableMinor,
  recentDeclines,
  staysScheduled,
} from './guest.ts';
import { FOR_CALLER, make } from './make.ts';
import type { Operation } from './operation.ts';
import { price, termsNow } from './price.ts';
import { checkQuote, isQuotedPrice } from './quotes.ts';
import { begin, carryOut, lookUpOf, resolve, settle } from './settle.ts';
import {
  type Answer,
  type BookingModel,
  type CardState,
  cardInUse,
  endsWithBooking,
  fine,
  isCalledOff,
  moveTo,
  type Payment,
  paymentOf,
  refusal,
  shown,
  stopsWithBooking,
} from './state.ts';

type Of<Do extends Operation['do']> = Extract<Operation, { do: Do }>;

const MISSING = refusal('transaction_not_found');

/** Charges, schedules or holds (interface: Charges). */
export function pay(model: BookingModel, operation: Of<'pay'>, caller: string | null): Answer {
  const { kind, token, requestedMinor, virtual, atMs, ref, purpose, limitToDue } = operation;
  const card = token === null ? cardInUse(model) : cardNamed(model, token);
  const wrong = operation.quote === null ? null : checkQuote(model, operation, card);
  if (wrong) return wrong;
  if (kind !== 'charge' && model.status === 'cancelled') return refusal('invalid_state');
  if (!card) return refusal(token === null ? 'no_card' : 'token_not_found');
  const unusable = unusableCard(model, card);
  // All is decided afresh.
  if (unusable === 'renewed') return pay(model, operation, caller);
  if (unusable) return refusal(unusable);
  const asked = { kind, purpose, requestedMinor, limitToDue };
  const judged = judgeNew(model, asked);
  if (!judged) return refusal('amount_exceeds_due');
  const planned = { ...FOR_CALLER, ...asked, ...judged, ref, virtual, atMs };
  if (operation.quote !== null) {
    if (!isQuotedPrice(model, operation, card)) return refusal('quote_stale');
    model.quotesUsed.push(operation.quote);
  }
  return make(model, card, { ...planned, cardNamed: token !== null }, caller);
}

/** A guest pays on the page, with a card of their own (interface: Paying). */
export function payAsGuest(
  model: BookingModel,
  operation: Of<'guest pays'>,
  caller: string | null,
): Answer {
  const { agreedMinor, lowers, purpose, ref, replaces, requestedMinor, token } = operation;
  if (model.status === 'cancelled') return refusal('invalid_state');
  const card = guestCards(model).find((own) => own.token === token);
  if (!card) return refusal('token_not_found');
  if (recentDeclines(model) >= MOST_DECLINES) return refusal('rate_limited');
  if (requestedMinor > payableMinor(model)) return refusal('amount_out_of_range');
  if (purpose === 'Deposit' && requestedMinor !== depositMinor(model)) {
    return refusal('invalid_state');
  }
  const { amountMinor } = price(requestedMinor, termsNow(model, card, false));
  if (amountMinor !== agreedMinor) return refusal('invalid_state');
  const instead = paidInstead(model, requestedMinor);
  if (JSON.stringify(instead) !== JSON.stringify({ replaces, lowers })) {
    return refusal('invalid_state');
  }
  const asked = { kind: 'charge', purpose, requestedMinor, limitToDue: false } as const;
  const judged = judgeNew(model, asked, staysScheduled(model, instead));
  if (!judged) return refusal('amount_exceeds_due');
  const planned = { ...FOR_CALLER, ...asked, ...judged, ref, virtual: false, atMs: null };
  const guests = { cardNamed: true, byGuest: true, ...instead };
  return make(model, card, { ...planned, ...guests }, caller);
}

/** Charges a hold, wholly or in part, once. */
export function capture(
  model: BookingModel,
  operation: Of<'capture'>,
  caller: string | null,
): Answer {
  const hold = paymentOf(model, operation.ref);
  if (!hold) return MISSING;
  if (hold.kind !== 'authorization') return refusal('invalid_state');
  const lapsed = hold.expiresAtMs !== null && model.nowMs >= hold.expiresAtMs;
  if (hold.status === 'Expired' || (hold.status === 'Authorized' && lapsed)) {
    return refusal('preauth_expired');
  }
  if (hold.status !== 'Authorized') return refusal('invalid_state');
  const requestedMinor = operation.amountMinor ?? hold.requestedMinor;
  if (requestedMinor > hold.requestedMinor) return refusal('capture_exceeds_authorization');
  const judged = judgeCapture(model, hold, requestedMinor);
  if (!judged) return refusal('amount_exceeds_due');
  hold.warnings = judged.warnings;
  const captures = price(judged.requestedMinor, hold);
  begin(model, hold, 'capture', { caller, captures });
  return carryOut(model, hold);
}

/** Lets a hold go; doing it again gives the same answer. One whose making was lost is not made any more. */
export function release(
  model: BookingModel,
  operation: Of<'release'>,
  caller: string | null,
): Answer {
  const hold = paymentOf(model, operation.ref);
  if (!hold) return MISSING;
  if (hold.kind !== 'authorization') return refusal('invalid_state');
  if (isLost(hold)) return callOff(model, hold);
  if (hold.status === 'Released') return fine(hold);
  if (hold.status !== 'Authorized') return refusal('invalid_state');
  begin(model, hold, 'release', { caller });
  return carryOut(model, hold);
}

/** Cancels one schedule; doing it again gives the same answer. One that was lost is not charged any more. */
export function cancelSchedule(model: BookingModel, operation: Of<'cancel schedule'>): Answer {
  const payment = paymentOf(model, operation.ref);
  if (!payment) return MISSING;
  if (payment.kind !== 'schedule') return refusal('invalid_state');
  if (payment.status !== 'Cancelled' && isLost(payment)) return callOff(model, payment);
  if (payment.status === 'Pending') cancel(payment);
  if (payment.status !== 'Cancelled') return refusal('invalid_state');
  return fine(payment);
}

/** Whether a new charge or hold may have been made, or may have been when its end was asked for. */
function isLost({ isUnwanted, status, underWay }: Payment): boolean {
  if (status === 'Processing') {
    return underWay?.operation === 'charge' || underWay?.operation === 'authorize';
  }
  return isUnwanted && status !== 'Authorized';
}

const AT_LATEST = 60_000;

/** Notes that the end of a lost request is wanted, and asks once what became of it. A hold that was made is let go. */
function callOff(model: BookingModel, payment: Payment): Answer {
  if (payment.status === 'Processing') {
    wishEnd(model, payment);
    const known = answers(model) ? lookUpOf(model, payment) : null;
    if (known && known.kind !== 'open') settle(model, payment, known);
  }
  if (payment.status === 'Authorized') {
    begin(model, payment, 'release');
    carryOut(model, payment);
  }
  return calledOffAnswer(payment);
}

/** Notes that the end of what is under way is wanted. It is looked up within a minute. */
export function wishEnd({ nowMs }: BookingModel, payment: Payment): void {
  wish(payment, Math.min(payment.dueAtMs ?? 0, nowMs + AT_LATEST));
}

function wish(payment: Payment, dueAtMs: number): void {
  if (payment.isUnwanted) return;
  payment.isUnwanted = true;
  payment.dueAtMs = dueAtMs;
  // The audit trail notes it.
  moveTo(payment, 'Processing');
}

const MAY_HAVE_BEEN_TAKEN = ['may_have_been_taken'];

/** What whoever asked for the end of a lost request is told, from its record. */
export function calledOffAnswer(payment: Payment): Answer {
  if (!payment.isUnwanted) return fine(payment);
  const { kind, status } = payment;
  const hasEnded = status === 'Cancelled' || status === 'Released';
  const transaction = { ...shown(payment), status: kind === 'charge' ? null : status };
  const warnings = hasEnded ? undefined : MAY_HAVE_BEEN_TAKEN;
  return { code: 'ok', replayed: false, transaction, warnings };
}

/** Cancels every schedule that has not begun, and tells which it was too late for. */
export function cancelSchedules(model: BookingModel): Answer {
  const schedules = model.payments.filter(({ kind }) => kind === 'schedule');
  const pending = schedules.filter(({ status }) => status === 'Pending');
  const lost = schedules.filter(({ status }) => status === 'Processing');
  const warnings = lost.length > 0 ? MAY_HAVE_BEEN_TAKEN : undefined;
  const skipped = schedules
    .filter(({ status }) => status !== 'Pending' && status !== 'Cancelled')
    .map(({ ref, status }) => ({
      ref,
      status,
      warnings: status === 'Processing' ? MAY_HAVE_BEEN_TAKEN : undefined,
    }));
  pending.forEach(cancel);
  for (const schedule of lost) wish(schedule, model.nowMs);
  return { code: 'ok', replayed: false, cancelled: pending.map(shown), skipped, warnings };
}

/** Books or cancels; a cancellation gives up schedules and holds unless the property keeps them. */
export function save(model: BookingModel, { status, totalMinor }: Of<'save'>): Answer {
  const cancels = status === 'cancelled' && model.status !== 'cancelled';
  model.status = status;
  model.totalMinor = totalMinor;
  if (totalMinor > 0) model.knownTotalMinor = totalMinor;
  model.saves += 1;
  model.version += 1;
  if (cancels && !model.terms.keepsSchedules) model.cancelledAtSave = model.saves;
  const open = model.payments.filter((payment) => endsNow(model, payment));
  for (const payment of open) {
    if (payment.status === 'Pending') cancel(payment);
    else if (payment.status === 'Processing') wish(payment, model.nowMs);
    else payment.dueAtMs = model.nowMs;
  }
  for (const payment of open) {
    if (payment.status === 'Processing') resolve(model, payment);
    if (payment.status !== 'Authorized') continue;
    begin(model, payment, 'release');
    carryOut(model, payment);
  }
  return { code: 'ok', replayed: false };
}

/** Whether a payment that is open ends, or is not wanted any more, with what is saved of its booking. */
function endsNow(model: BookingModel, payment: Payment): boolean {
  if (payment.status === 'Processing') {
    return model.status === 'cancelled' && !payment.isUnwanted && stopsWithBooking(payment);
  }
  const isOpen = payment.status === 'Pending' || payment.status === 'Authorized';
  return isOpen && endsWithBooking(model, payment);
}

/** A hold at its time, or one that is called off, is let go. */
export function endHold(model: BookingModel, payment: Payment): void {
  const expired = payment.expiresAtMs !== null && model.nowMs >= payment.expiresAtMs;
  if (!expired && !isCalledOff(model, payment)) {
    payment.dueAtMs = payment.expiresAtMs;
    return;
  }
  begin(model, payment, expired ? 'expire' : 'release');
  carryOut(model, payment);
}

export function cancel(payment: Payment): void {
  moveTo(payment, 'Cancelled');
  payment.dueAtMs = null;
}

function cardNamed({ cards }: BookingModel, token: string): CardState | null {
  return cards.find((card) => card.token === token) ?? null;
}
