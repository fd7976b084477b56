import { type Failure, failure } from '../../core/failure.ts';
import { DAY_MS, HOUR_MS } from '../../core/time.ts';
import type { DisputeMovement } from '../../gateways/gateway.ts';
import type { DisputeAnswer, DisputeRow } from '../../schema/disputeTables.ts';

/** What decides whether a dispute keeps its charge from being refunded. */
type DisputeState = Pick<DisputeRow, 'transactionId' | 'status' | 'fundsWithdrawn'>;

/**
 * Why a charge cannot be refunded because of its disputes; null if it can (interface: Refunds). Funds that are withdrawn
 * for one, also in part, and a lost one forbid it: the money would go back twice. An inquiry forbids nothing: a refund
 * ends it.
 */
export function disputeFailure(
  chargeId: number,
  disputes: readonly DisputeState[],
): Failure | null {
  const against = disputes.filter(
    ({ fundsWithdrawn, status, transactionId }) =>
      transactionId === chargeId && (fundsWithdrawn || status === 'lost'),
  );
  if (against.length === 0) return null;
  return against.some(({ status }) => status === 'lost')
    ? failure('invalid_state', 'The charge was lost to a dispute, so it cannot be refunded.')
    : CHARGE_DISPUTED;
}

export const DISPUTE_NOT_FOUND = failure('dispute_not_found', 'The property has no such dispute.');

export const CHARGE_DISPUTED = failure(
  'invalid_state',
  'The charge is disputed, so it cannot be refunded.',
);

/**
 * The movements of a dispute that the history does not have yet, in their order (parts: The history). What left and what
 * came back are compared each by itself, in the order of time, so that a record that was learnt late brings both; of a
 * movement that is known in part, the rest is new.
 *
 * @param theirs What the acquirer withdrew (negative) and gave back, oldest first.
 * @param ours What the history has of the dispute.
 */
export function newMovements(
  theirs: readonly DisputeMovement[],
  ours: readonly Pick<DisputeMovement, 'amountMinor'>[],
): DisputeMovement[] {
  const known = { left: 0, back: 0 };
  for (const { amountMinor } of ours) known[directionOf(amountMinor)] += Math.abs(amountMinor);
  return theirs.flatMap(({ amountMinor, atMs }) => {
    const direction = directionOf(amountMinor);
    const sizeMinor = Math.abs(amountMinor);
    const knownMinor = Math.min(known[direction], sizeMinor);
    known[direction] -= knownMinor;
    if (knownMinor === sizeMinor) return [];
    return [{ amountMinor: Math.sign(amountMinor) * (sizeMinor - knownMinor), atMs }];
  });
}

function directionOf(amountMinor: number): 'left' | 'back' {
  return amountMinor < 0 ? 'left' : 'back';
}

/** How long before the deadline of an answer the event `dispute.due_soon` comes. */
const DUE_SOON_MS = 48 * HOUR_MS;

/** How long banks take at the least to decide about evidence, and how often and how long they are asked after that. */
const FIRST_LOOK_MS = 2 * DAY_MS;
const BETWEEN_LOOKS_MS = DAY_MS;
const LOOKED_AFTER_MS = 120 * DAY_MS;

/** What decides when a dispute is looked at next. */
type Waiting = Pick<
  DisputeRow,
  'answeredAtMs' | 'dueAtMs' | 'pendingAnswer' | 'respondByMs' | 'status' | 'toldDeadlineMs'
>;

/** Whether it is time to say that a dispute's answer is due soon: once for each deadline. */
export function isToldNow(row: Waiting, nowMs: number): boolean {
  const { pendingAnswer, respondByMs, status, toldDeadlineMs } = row;
  const isOpen = status === 'needs_response' && pendingAnswer === null;
  return isOpen && toldDeadlineMs !== respondByMs && isDueSoon(respondByMs, nowMs);
}

/** Whether a deadline is near, and not past. */
export function isDueSoon(respondByMs: number | null, nowMs: number): boolean {
  return respondByMs !== null && nowMs >= respondByMs - DUE_SOON_MS && nowMs < respondByMs;
}

/**
 * When the booking looks at a dispute next (parts: Disputes); null for never. While an answer is on its way, that is for
 * its status checks to say. One that waits for an answer is told of in time; one that was answered is asked for until the
 * bank has decided.
 */
export function nextLookAtMs(row: Waiting, nowMs: number): number | null {
  const { answeredAtMs, dueAtMs, pendingAnswer, respondByMs, status, toldDeadlineMs } = row;
  if (pendingAnswer !== null) return dueAtMs;
  if (status === 'needs_response') {
    const isTold = toldDeadlineMs === respondByMs;
    if (respondByMs === null || respondByMs <= nowMs || isTold) return null;
    return Math.max(nowMs, respondByMs - DUE_SOON_MS);
  }
  if (status !== 'under_review' || answeredAtMs === null) return null;
  const firstAtMs = answeredAtMs + FIRST_LOOK_MS;
  if (nowMs < firstAtMs) return firstAtMs;
  return nowMs < answeredAtMs + LOOKED_AFTER_MS ? nowMs + BETWEEN_LOOKS_MS : null;
}

/** Why a dispute cannot be answered; null if it can (interface: Submit evidence). */
export function whyNotAnswered(
  { pendingAnswer, status }: Pick<DisputeRow, 'pendingAnswer' | 'status'>,
  answer: DisputeAnswer,
  stage: 'inquiry' | 'chargeback',
): Failure | null {
  if (pendingAnswer !== null) {
    return failure('invalid_state', 'An answer to the dispute is on its way to the gateway.');
  }
  if (status !== 'needs_response') {
    return failure('invalid_state', `The dispute is ${status}: it takes no answer.`);
  }
  return answer === 'acceptance' && stage === 'inquiry'
    ? failure('invalid_state', 'An inquiry is not accepted: refund the charge instead.')
    : null;
}

/** The dispute after the acquirer took an answer, unless it has ended meanwhile. */
export function answeredState(
  { closedAtMs, status }: Pick<DisputeRow, 'closedAtMs' | 'status'>,
  answer: DisputeAnswer,
  atMs: number,
): Pick<DisputeRow, 'status' | 'closedAtMs'> {
  if (status === 'won' || status === 'lost') return { status, closedAtMs };
  return answer === 'evidence'
    ? { status: 'under_review', closedAtMs: null }
    : { status: 'lost', closedAtMs: atMs };
}
