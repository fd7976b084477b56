import { ask, effectOf, lookUp } from './acquirer.ts';
import { correctPayment } from './correctPayment.ts';
import { retryTimeMs, timeAfterRejection } from './retries.ts';
import {
  type Answer,
  type BookingModel,
  endsWithBooking,
  moveTo,
  type Outcome,
  type Payment,
  type Pending,
  type Priced,
  REJECTED,
  type RequestKind,
  refusal,
  shown,
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

/** A request is sent again under its key this long, which is less than the key's 24 h. */
const KEY_LIFE = 23 * HOUR;

/** Between two look-ups that find nothing, before an operation has certainly never reached the acquirer. */
const BETWEEN_ABSENCES = HOUR;

/** Nobody resolves by hand what was sent so short a time ago. */
const SETTLING = HOUR;

/** A hold that is over, but that the acquirer will not let go, is asked for once an hour for so long. */
const LETTING_GO = 4 * HOUR;
const LETTING_GO_AFTER_TEMPORARY = 72 * HOUR;

/** Puts an operation under way. */
export function begin(
  model: BookingModel,
  payment: Payment,
  operation: Pending,
  more: { readonly caller?: string | null; readonly captures?: Priced } = {},
): void {
  if (operation === 'charge') payment.firstAttemptAtMs ??= model.nowMs;
  payment.attempts += 1;
  payment.keyNumber = Math.max(payment.attempts, payment.keyNumber + 1);
  payment.underWay = {
    operation,
    askedAtMs: model.nowMs,
    sentAtMs: null,
    absentAtMs: null,
    captures: more.captures ?? null,
    caller: more.caller ?? null,
    statusChecks: 0,
  };
  moveTo(payment, 'Processing');
}

/**
 * Asks the acquirer for what is under way, and settles it if it answers. A hold that it refuses to capture or let go may
 * have been captured or let go at its desk: then its record counts.
 */
export function carryOut(model: BookingModel, payment: Payment): Answer {
  const outcome = askFor(model, payment);
  if (outcome === null) {
    postpone(model, payment);
    return unknownAnswer(payment);
  }
  const corrected = outcome.kind === 'rejected' ? correctPayment(model, payment) : null;
  return corrected ?? settle(model, payment, outcome);
}

/**
 * Finds out what became of an operation whose answer was lost: looked up first, sent again only when it was never seen
 * and its key still counts, ended when it was absent for good.
 */
export function resolve(model: BookingModel, payment: Payment): void {
  const underWay = underWayOf(payment);
  const known =
    lookUp(model, keyOf(payment)) ??
    followUpUnknown(model, underWay, () => {
      const outcome = askFor(model, payment);
      return outcome?.kind === 'rejected' ? lookUp(model, keyOf(payment)) : outcome;
    });
  if (known) settle(model, payment, known);
  else postpone(model, payment);
}

/** What is remembered of an operation while its outcome is unknown. */
interface Unknown {
  readonly askedAtMs: number;
  sentAtMs: number | null;
  absentAtMs: number | null;
}

/** What to do about an operation that the acquirer does not have: null leaves it unknown. */
export function followUpUnknown(
  { nowMs }: BookingModel,
  unknown: Unknown,
  sendAgain: () => Outcome | null,
): Outcome | null {
  if (nowMs - unknown.askedAtMs <= KEY_LIFE) {
    const outcome = sendAgain();
    if (outcome === null) unknown.sentAtMs = nowMs;
    return outcome;
  }
  if (nowMs - (unknown.sentAtMs ?? unknown.askedAtMs) < KEY_LIFE) return null;
  const { absentAtMs } = unknown;
  if (absentAtMs !== null && nowMs - absentAtMs >= BETWEEN_ABSENCES) return REJECTED;
  unknown.absentAtMs = absentAtMs ?? nowMs;
  return null;
}

export type Verdict = 'Accepted' | 'Declined' | 'Failed';

/** By an administrator's word, unless it is too early for that, or the acquirer can still tell. */
export function resolveByHand(model: BookingModel, payment: Payment, verdict: Verdict): Answer {
  if (payment.status !== 'Processing') return refusal('invalid_state');
  const judged = judgeByHand(model, underWayOf(payment), keyOf(payment), verdict);
  if (judged.outcome) settle(model, payment, judged.outcome);
  return judged.answer;
}

/** What an administrator's word comes to: the outcome to settle, if any, and the answer. */
export function judgeByHand(
  model: BookingModel,
  { askedAtMs, sentAtMs }: Pick<Unknown, 'askedAtMs' | 'sentAtMs'>,
  key: string,
  verdict: Verdict,
): { readonly outcome: Outcome | null; readonly answer: Answer } {
  const refused = refusal('invalid_state');
  if (model.nowMs - (sentAtMs ?? askedAtMs) < SETTLING) return { outcome: null, answer: refused };
  const known = lookUp(model, key);
  if (known) return { outcome: known, answer: VERDICTS[known.kind] === verdict ? DONE : refused };
  if (verdict === 'Accepted') return { outcome: null, answer: refused };
  const declined = { kind: 'declined', code: 'resolved_by_hand', retryable: false } as const;
  return { outcome: verdict === 'Declined' ? declined : REJECTED, answer: DONE };
}

const DONE = refusal('ok');
const VERDICTS = { approved: 'Accepted', declined: 'Declined', rejected: 'Failed' } as const;

/** When an operation that is still unknown is asked for next: once it was absent, at the least time that counts. */
export function nextLookAtMs(
  nowMs: number,
  { absentAtMs, statusChecks }: { absentAtMs: number | null; statusChecks: number },
): number {
  if (absentAtMs !== null) return absentAtMs + BETWEEN_ABSENCES;
  return nowMs + (INQUIRIES[statusChecks] ?? DAY);
}

function postpone(model: BookingModel, payment: Payment): void {
  const underWay = underWayOf(payment);
  payment.dueAtMs = nextLookAtMs(model.nowMs, underWay);
  underWay.statusChecks += 1;
}

function askFor(model: BookingModel, payment: Payment): Outcome | null {
  const { operation, captures } = underWayOf(payment);
  return ask(model, {
    kind: requestKind(operation),
    key: keyOf(payment),
    payment: payment.ref,
    amountMinor: captures?.amountMinor ?? payment.amountMinor,
    card: payment.card,
  });
}

function requestKind(operation: Pending): RequestKind {
  switch (operation) {
    case 'authorize':
      return 'authorization';
    case 'expire':
      return 'release';
    default:
      return operation;
  }
}

export function settle(model: BookingModel, payment: Payment, outcome: Outcome): Answer {
  const { operation, captures, caller } = underWayOf(payment);
  const known = effectOf(model, keyOf(payment));
  payment.underWay = null;
  payment.dueAtMs = null;
  const { rejections } = payment;
  payment.rejections = 0;
  switch (operation) {
    case 'charge':
      settleCharge(model, payment, outcome, rejections);
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
  if (['Accepted', 'Released', 'Expired'].includes(payment.status)) {
    payment.settledAtMs = outcome.kind === 'approved' ? (known?.atMs ?? null) : model.nowMs;
  }
  const answer = outcomeAnswer(payment, outcome);
  const kept = caller === null ? undefined : model.keys[caller];
  if (kept) kept.answer = answer;
  return answer;
}

function settleCharge(
  model: BookingModel,
  payment: Payment,
  outcome: Outcome,
  rejections: number,
): void {
  if (outcome.kind === 'rejected' && outcome.temporary && payment.kind === 'schedule') {
    waitOut(model, payment, outcome.retryAfterMs, rejections);
    return;
  }
  const retryAtMs = outcome.kind === 'declined' && outcome.retryable ? retryTimeMs(payment) : null;
  if (retryAtMs === null) moveTo(payment, NEVER_RETRIED[outcome.kind]);
  else {
    moveTo(payment, 'Pending');
    payment.dueAtMs = retryAtMs;
  }
}

/** A temporary rejection uses up no attempt: it is as if the attempt had not been, but for its key. */
function waitOut(
  { nowMs }: BookingModel,
  payment: Payment,
  retryAfterMs: number | null,
  rejections: number,
): void {
  payment.attempts -= 1;
  const againAtMs = timeAfterRejection(payment, { rejections, retryAfterMs, nowMs });
  if (againAtMs === null) {
    payment.attempts += 1;
    moveTo(payment, 'Failed');
    return;
  }
  moveTo(payment, 'Pending');
  payment.dueAtMs = againAtMs;
  payment.rejections = rejections + 1;
  if (payment.attempts === 0) payment.firstAttemptAtMs = null;
}

const NEVER_RETRIED = { approved: 'Accepted', rejected: 'Failed', declined: 'Declined' } as const;

function settleAuthorization(model: BookingModel, payment: Payment, outcome: Outcome): void {
  if (outcome.kind === 'declined') moveTo(payment, 'Declined');
  else if (outcome.kind === 'rejected') moveTo(payment, 'Failed');
  else holdStill(model, payment);
}

/** A hold that stands; a booking that was cancelled meanwhile lets it go at once. */
function holdStill(model: BookingModel, payment: Payment): void {
  holdAgain(payment);
  if (endsWithBooking(model, payment)) payment.dueAtMs = model.nowMs;
}

/** A hold that the gateway did not release: of a cancelled booking it is asked for again, an hour later or at its end. */
function keptAgain(model: BookingModel, payment: Payment): void {
  holdAgain(payment);
  const endsAtMs = payment.expiresAtMs ?? model.nowMs;
  if (endsWithBooking(model, payment)) payment.dueAtMs = Math.min(model.nowMs + HOUR, endsAtMs);
}

function settleExpiry(model: BookingModel, payment: Payment, outcome: Outcome): void {
  const overForMs = model.nowMs - (payment.expiresAtMs ?? model.nowMs);
  const temporary = outcome.kind === 'rejected' && outcome.temporary;
  const longestMs = temporary ? LETTING_GO_AFTER_TEMPORARY : LETTING_GO;
  if (outcome.kind === 'approved' || overForMs >= longestMs) {
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
export function keyOf({ ref, keyNumber }: Payment): string {
  return `${ref}-${keyNumber}`;
}
