import { haveTaken } from './accepted.ts';
import { answers, ask, effectOf, lookUp } from './acquirer.ts';
import { abandon, waitForGuest } from './bank.ts';
import { correctPayment } from './correctPayment.ts';
import { takenPrice } from './price.ts';
import { recoverDeclined } from './recoveries.ts';
import { retryTimeMs, timeAfterRejection } from './retries.ts';
import {
  type Answer,
  type BookingModel,
  cardOf,
  type Effect,
  fine,
  isCalledOff,
  isFormer,
  isOnOther,
  moveTo,
  type Outcome,
  type Payment,
  type Pending,
  type Priced,
  REJECTED,
  type RequestKind,
  refusal,
  type Said,
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
  if (outcome.kind === 'open') return leaveToBank(model, payment);
  const reads = outcome.kind === 'rejected' && answers(model);
  const corrected = reads ? correctPayment(model, payment) : null;
  return corrected ?? settle(model, payment, outcome);
}

/**
 * Finds out what became of an operation whose answer was lost: looked up first, sent again only when it was never seen
 * and its key still counts, ended when it was absent for good.
 */
export function resolve(model: BookingModel, payment: Payment): void {
  const underWay = underWayOf(payment);
  const { operation } = underWay;
  const isNew = operation === 'charge' || operation === 'authorize';
  const found = findOut(model, {
    unknown: underWay,
    key: keyOf(payment),
    kind: requestKind(underWay.operation),
    isWanted: !isNew || !isCalledOff(model, payment),
    sendAgain: () => askFor(model, payment),
  });
  if (typeof found === 'number') payment.dueAtMs = found;
  else if (found.kind === 'open') leaveToBank(model, payment);
  else settle(model, payment, found);
}

/** Leaves an open payment to its guest and their bank, and ends it once their time is over. */
export function leaveToBank(model: BookingModel, payment: Payment): Answer {
  return waitForGuest(model, payment) ? unknownAnswer(payment) : endOpen(model, payment);
}

/** Ends an open payment at the acquirer. */
export function endOpen(model: BookingModel, payment: Payment): Answer {
  const outcome = abandon(model, keyOf(payment));
  if (outcome !== null) return settle(model, payment, outcome);
  postpone(model, payment);
  return unknownAnswer(payment);
}

/** What is remembered of an operation while its outcome is unknown. */
interface Unknown {
  readonly askedAtMs: number;
  sentAtMs: number | null;
  absentAtMs: number | null;
  statusChecks: number;
}

/** An operation whose outcome is to be found out. */
interface ToFindOut {
  readonly unknown: Unknown;
  readonly key: string;
  readonly kind: RequestKind;
  /** Whether a lost request may be sent again: that is a new decision to take money. */
  readonly isWanted: boolean;
  readonly sendAgain: () => Said | null;
}

/** The outcome of an operation, or when it is asked for next. */
export function findOut(
  model: BookingModel,
  { isWanted, key, kind, sendAgain, unknown }: ToFindOut,
): Said | number {
  const { nowMs, outage } = model;
  const listedAtMs = nextLookAtMs(nowMs, unknown);
  if (!answers(model))
    return later(unknown, Math.max(listedAtMs, nowMs + (outage?.retryAfterMs ?? 0)));
  const known = lookUp(model, key, kind);
  if (known) return known;
  if (isWanted && nowMs - unknown.askedAtMs <= KEY_LIFE) {
    unknown.sentAtMs = nowMs;
    const outcome = sendAgain();
    // A refusal of the second sending says nothing of the first.
    const certain = outcome?.kind === 'rejected' ? lookUp(model, key, kind) : outcome;
    const listed = later(unknown, listedAtMs);
    return certain ?? listed;
  }
  const endsAtMs = (unknown.sentAtMs ?? unknown.askedAtMs) + KEY_LIFE;
  if (nowMs < endsAtMs) return later(unknown, Math.min(listedAtMs, endsAtMs));
  const { absentAtMs } = unknown;
  if (absentAtMs !== null && nowMs - absentAtMs >= BETWEEN_ABSENCES) return REJECTED;
  unknown.absentAtMs = absentAtMs ?? nowMs;
  return later(unknown, unknown.absentAtMs + BETWEEN_ABSENCES);
}

function later(unknown: Unknown, atMs: number): number {
  unknown.statusChecks += 1;
  return atMs;
}

export type Verdict = 'Accepted' | 'Declined' | 'Failed';

/** By an administrator's word, unless it is too early for that, or the acquirer can still tell. */
export function resolveByHand(model: BookingModel, payment: Payment, verdict: Verdict): Answer {
  if (payment.status !== 'Processing') return refusal('invalid_state');
  const isSettling = isJustSent(model, underWayOf(payment));
  if (!isSettling && lookUpOf(model, payment)?.kind === 'open') {
    endOpen(model, payment);
    if (payment.status === 'Processing') return refusal('outcome_unknown');
    return payment.status === verdict ? DONE : refusal('invalid_state');
  }
  const judged = judgeByHand(model, underWayOf(payment), lookUpOf(model, payment), verdict);
  if (judged.outcome) settle(model, payment, judged.outcome);
  return judged.answer;
}

/** What an administrator's word comes to: the outcome to settle, if any, and the answer. */
export function judgeByHand(
  model: BookingModel,
  sent: Pick<Unknown, 'askedAtMs' | 'sentAtMs'>,
  known: Said | null,
  verdict: Verdict,
): { readonly outcome: Outcome | null; readonly answer: Answer } {
  const refused = refusal('invalid_state');
  if (isJustSent(model, sent)) return { outcome: null, answer: refused };
  if (known?.kind === 'open') throw new Error('the model has an open operation');
  if (known) return { outcome: known, answer: VERDICTS[known.kind] === verdict ? DONE : refused };
  if (verdict === 'Accepted') return { outcome: null, answer: refused };
  const declined = { kind: 'declined', code: 'resolved_by_hand', retryable: false } as const;
  return { outcome: verdict === 'Declined' ? declined : REJECTED, answer: DONE };
}

function isJustSent(
  { nowMs }: BookingModel,
  { askedAtMs, sentAtMs }: Pick<Unknown, 'askedAtMs' | 'sentAtMs'>,
): boolean {
  return nowMs - (sentAtMs ?? askedAtMs) < SETTLING;
}

const DONE = refusal('ok');
const VERDICTS = { approved: 'Accepted', declined: 'Declined', rejected: 'Failed' } as const;

/** When an operation that is still unknown is asked for next. */
export function nextLookAtMs(
  nowMs: number,
  { statusChecks }: { readonly statusChecks: number },
): number {
  return nowMs + (INQUIRIES[statusChecks] ?? DAY);
}

/** What the acquirer has of the operation that is under way. */
export function lookUpOf(model: BookingModel, payment: Payment): Said | null {
  return lookUp(model, keyOf(payment), requestKind(underWayOf(payment).operation));
}

function postpone(model: BookingModel, payment: Payment): void {
  const underWay = underWayOf(payment);
  payment.dueAtMs = nextLookAtMs(model.nowMs, underWay);
  underWay.statusChecks += 1;
}

function askFor(model: BookingModel, payment: Payment): Said | null {
  const { operation, captures } = underWayOf(payment);
  return ask(model, {
    kind: requestKind(operation),
    key: keyOf(payment),
    payment: payment.ref,
    amountMinor: captures?.amountMinor ?? payment.amountMinor,
    card: payment.card,
    isGuestThere: payment.byGuest,
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
      settleCapture(model, payment, outcome, captures);
      break;
    case 'release':
      if (outcome.kind === 'approved') moveTo(payment, 'Released');
      else keptAgain(model, payment);
      break;
    case 'expire':
      settleExpiry(model, payment, outcome);
      break;
  }
  if (payment.status === 'Accepted' && known) takeInstead(payment, known);
  if (['Accepted', 'Released', 'Expired'].includes(payment.status)) {
    payment.settledAtMs = outcome.kind === 'approved' ? (known?.atMs ?? null) : model.nowMs;
  }
  if (payment.status === 'Accepted') haveTaken(model, payment);
  if (payment.status === 'Declined' && outcome.kind === 'declined') {
    payment.endedAtMs = model.nowMs;
    recoverDeclined(model, payment, outcome.code);
  }
  const answer = outcomeAnswer(payment, outcome);
  const kept = caller === null ? undefined : model.keys[caller];
  if (kept) kept.answer = answer;
  return answer;
}

/** Under a key that was used before D1 was restored, another amount may have been taken. */
function takeInstead(payment: Payment, { amountMinor }: Effect): void {
  if (amountMinor !== payment.amountMinor) Object.assign(payment, takenPrice(amountMinor, payment));
}

function settleCapture(
  model: BookingModel,
  payment: Payment,
  outcome: Outcome,
  captures: Priced | null,
): void {
  if (outcome.kind !== 'approved' || !captures) {
    holdStill(model, payment);
    return;
  }
  moveTo(payment, 'Accepted');
  payment.requestedMinor = captures.requestedMinor;
  payment.amountMinor = captures.amountMinor;
}

function settleCharge(
  model: BookingModel,
  payment: Payment,
  outcome: Outcome,
  rejections: number,
): void {
  const ends = outcome.kind !== 'approved' && payment.kind === 'schedule';
  if (ends && isCalledOff(model, payment)) {
    moveTo(payment, 'Cancelled');
    return;
  }
  if (outcome.kind === 'rejected' && outcome.temporary && payment.kind === 'schedule') {
    waitOut(model, payment, outcome.retryAfterMs, rejections);
    return;
  }
  const isTriedAgain = outcome.kind === 'declined' && outcome.retryable && !isOnOther(payment);
  const retryAtMs = isTriedAgain ? retryTimeMs(payment) : null;
  const otherCard = retryAtMs === null ? cardToTryNext(model, payment) : null;
  if (outcome.kind === 'declined' && otherCard) {
    moveTo(payment, 'Pending');
    payment.card = otherCard;
    payment.dueAtMs = model.nowMs;
  } else if (retryAtMs === null) moveTo(payment, NEVER_RETRIED[outcome.kind]);
  else {
    moveTo(payment, 'Pending');
    payment.dueAtMs = retryAtMs;
  }
}

/** The card that a schedule was made on is tried once, if another one is declined for good. */
function cardToTryNext(model: BookingModel, payment: Payment): string | null {
  const { otherCard } = payment;
  if (otherCard === null || isOnOther(payment)) return null;
  const card = cardOf(model, otherCard);
  return isFormer(model, card) || model.nowMs >= card.expiresAtMs ? null : otherCard;
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
  payment.wasHeld = outcome.kind === 'approved';
  if (payment.wasHeld) holdStill(model, payment);
  else if (isCalledOff(model, payment)) moveTo(payment, 'Released');
  else moveTo(payment, outcome.kind === 'declined' ? 'Declined' : 'Failed');
}

/** A hold that stands; a booking that was cancelled meanwhile lets it go at once. */
function holdStill(model: BookingModel, payment: Payment): void {
  holdAgain(payment);
  if (isCalledOff(model, payment)) payment.dueAtMs = model.nowMs;
}

/** A hold that the gateway did not release: of a cancelled booking it is asked for again, an hour later or at its end. */
function keptAgain(model: BookingModel, payment: Payment): void {
  holdAgain(payment);
  const endsAtMs = payment.expiresAtMs ?? model.nowMs;
  if (isCalledOff(model, payment)) payment.dueAtMs = Math.min(model.nowMs + HOUR, endsAtMs);
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
    return fine(payment);
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
function keyOf({ ref, keyNumber }: Payment): string {
  return `${ref}-${keyNumber}`;
}
