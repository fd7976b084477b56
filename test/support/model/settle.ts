import { ask, lookUp } from './acquirer.ts';
import {
  type Answer,
  type BookingModel,
  cancelsPending,
  cardOf,
  type EffectKind,
  moveTo,
  type Outcome,
  type Payment,
  type Pending,
  type Priced,
  type ShownTransaction,
} from './state.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** When an unknown outcome is asked for (design: reliability, unknown outcomes), each after the one before. */
const INQUIRIES = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  HOUR,
  4 * HOUR,
  12 * HOUR,
] as const;

/** After its first attempt (interface: Schedules). */
const RETRIES = [HOUR, 24 * HOUR, 72 * HOUR] as const;

/** A request is sent again under its key this long, which is less than the key's 24 h. */
const KEY_LIFE = 23 * HOUR;

/** A hold that is over, but that the acquirer will not let go, is asked for once an hour for so long. */
const LETTING_GO = 4 * HOUR;

/** Puts an operation under way. */
export function begin(
  model: BookingModel,
  payment: Payment,
  operation: Pending,
  more: { readonly caller?: string | null; readonly captures?: Priced } = {},
): void {
  if (operation === 'charge') payment.firstAttemptAtMs ??= model.nowMs;
  payment.attempts += 1;
  payment.underWay = {
    operation,
    askedAtMs: model.nowMs,
    captures: more.captures ?? null,
    caller: more.caller ?? null,
    statusChecks: 0,
  };
  moveTo(payment, 'Processing');
}

/** Asks the acquirer for what is under way, and settles it if it answers. */
export function carryOut(model: BookingModel, payment: Payment): Answer {
  const outcome = askFor(model, payment);
  if (outcome) return settle(model, payment, outcome);
  postpone(model, payment);
  return unknownAnswer(payment);
}

/** Finds out what became of an operation whose answer was lost: looked up first, sent again only when it was never seen. */
export function resolve(model: BookingModel, payment: Payment): void {
  const known = lookUp(model, keyOf(payment));
  const mayResend = model.nowMs - underWayOf(payment).askedAtMs <= KEY_LIFE;
  const outcome = known ?? (mayResend ? askFor(model, payment) : null);
  if (outcome) settle(model, payment, outcome);
  else postpone(model, payment);
}

/** By an administrator's word nothing was done, unless the acquirer can still tell what was. */
export function resolveByHand(model: BookingModel, payment: Payment): Answer {
  if (payment.status !== 'Processing') return { code: 'invalid_state', replayed: false };
  const known = lookUp(model, keyOf(payment));
  settle(model, payment, known ?? { kind: 'rejected' });
  return { code: known ? 'invalid_state' : 'ok', replayed: false };
}

/** When an operation that is unknown, after so many statusChecks, is asked for next. */
export function nextStatusCheckAtMs(nowMs: number, statusChecks: number): number {
  return nowMs + (INQUIRIES[statusChecks] ?? DAY);
}

/** Whether a request may still be sent again. */
export function mayResend(nowMs: number, askedAtMs: number): boolean {
  return nowMs - askedAtMs <= KEY_LIFE;
}

function postpone(model: BookingModel, payment: Payment): void {
  const underWay = underWayOf(payment);
  payment.dueAtMs = nextStatusCheckAtMs(model.nowMs, underWay.statusChecks);
  underWay.statusChecks += 1;
}

function askFor(model: BookingModel, payment: Payment): Outcome | null {
  const { operation, captures } = underWayOf(payment);
  return ask(model, {
    kind: effectOf(operation),
    key: keyOf(payment),
    amountMinor: captures?.amountMinor ?? payment.amountMinor,
    card: cardOf(model, payment.card),
  });
}

function effectOf(operation: Pending): EffectKind {
  switch (operation) {
    case 'authorize':
      return 'authorization';
    case 'expire':
      return 'release';
    default:
      return operation;
  }
}

function settle(model: BookingModel, payment: Payment, outcome: Outcome): Answer {
  const { operation, captures, caller } = underWayOf(payment);
  payment.underWay = null;
  payment.dueAtMs = null;
  switch (operation) {
    case 'charge':
      settleCharge(payment, outcome);
      break;
    case 'authorize':
      settleAuthorization(model, payment, outcome);
      break;
    case 'capture':
      if (outcome.kind !== 'approved' || !captures) holdStill(model, payment);
      else {
        moveTo(payment, 'Accepted');
        payment.requestedMinor = captures.requestedMinor;
        payment.amountMinor = captures.amountMinor;
      }
      break;
    case 'release':
      if (outcome.kind === 'approved') moveTo(payment, 'Released');
      else keptAgain(model, payment);
      break;
    case 'expire':
      settleExpiry(model, payment, outcome);
      break;
  }
  const answer = outcomeAnswer(payment, outcome);
  const kept = caller === null ? undefined : model.keys[caller];
  if (kept) kept.answer = answer;
  return answer;
}

function settleCharge(payment: Payment, outcome: Outcome): void {
  const retryAtMs = outcome.kind === 'declined' && outcome.retryable ? retryTime(payment) : null;
  if (retryAtMs === null) moveTo(payment, NEVER_RETRIED[outcome.kind]);
  else {
    moveTo(payment, 'Pending');
    payment.dueAtMs = retryAtMs;
  }
}

const NEVER_RETRIED = { approved: 'Accepted', rejected: 'Failed', declined: 'Declined' } as const;

function retryTime({ kind, attempts, firstAttemptAtMs }: Payment): number | null {
  const delayMs = kind === 'schedule' ? RETRIES[attempts - 1] : undefined;
  return delayMs === undefined || firstAttemptAtMs === null ? null : firstAttemptAtMs + delayMs;
}

function settleAuthorization(model: BookingModel, payment: Payment, outcome: Outcome): void {
  if (outcome.kind === 'declined') moveTo(payment, 'Declined');
  else if (outcome.kind === 'rejected') moveTo(payment, 'Failed');
  else holdStill(model, payment);
}

/** A hold that stands; a booking that was cancelled meanwhile lets it go at once. */
function holdStill(model: BookingModel, payment: Payment): void {
  holdAgain(payment);
  if (cancelsPending(model)) payment.dueAtMs = model.nowMs;
}

/** A hold that the gateway did not release: of a cancelled booking it is asked for again, an hour later or at its end. */
function keptAgain(model: BookingModel, payment: Payment): void {
  holdAgain(payment);
  const endsAtMs = payment.expiresAtMs ?? model.nowMs;
  if (cancelsPending(model)) payment.dueAtMs = Math.min(model.nowMs + HOUR, endsAtMs);
}

function settleExpiry(model: BookingModel, payment: Payment, outcome: Outcome): void {
  const overForMs = model.nowMs - (payment.expiresAtMs ?? model.nowMs);
  if (outcome.kind === 'approved' || overForMs >= LETTING_GO) {
    moveTo(payment, 'Expired');
  } else {
    moveTo(payment, 'Authorized');
    payment.dueAtMs = model.nowMs + HOUR;
  }
}

function holdAgain(payment: Payment): void {
  moveTo(payment, 'Authorized');
  payment.dueAtMs = payment.expiresAtMs;
}

/** How a payment's own operation shows it: a charge that is made has no status. */
export function shown(payment: Payment): ShownTransaction {
  const { ref, kind, status, amountMinor } = payment;
  return { ref, status: kind === 'charge' ? null : status, amountMinor };
}

function outcomeAnswer(payment: Payment, outcome: Outcome): Answer {
  if (outcome.kind === 'approved') {
    return { code: 'ok', replayed: false, transaction: shown(payment) };
  }
  const transaction = { ...shown(payment), status: payment.status };
  if (outcome.kind === 'rejected') return { code: 'gateway_error', replayed: false, transaction };
  const { code, retryable } = outcome;
  return { code: 'card_declined', replayed: false, transaction, decline: { code, retryable } };
}

function unknownAnswer(payment: Payment): Answer {
  const transaction = { ...shown(payment), status: payment.status };
  return { code: 'outcome_unknown', replayed: false, transaction };
}

function underWayOf({ underWay }: Payment) {
  if (!underWay) throw new Error('the model has nothing under way');
  return underWay;
}

/** Each request has a key of its own; only the sending again of an unknown one uses its key again. */
function keyOf({ ref, attempts }: Payment): string {
  return `${ref}-${attempts}`;
}
