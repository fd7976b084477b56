import type { OperationKind, Outcome } from '../../../gateways/gateway.ts';
import { meaningOf, rejection, temporaryRejection } from '../../../gateways/rules/outcome.ts';
import type { CardBehaviour } from './testCards.ts';

/** The sandbox acquirer's decision about a request; plain data, which its ledger keeps. */
export interface Judgement {
  /** `pending`: the cardholder's bank has to verify them first. */
  readonly status: 'succeeded' | 'declined' | 'failed' | 'pending';
  readonly code: string | null;
  readonly retryable: boolean;
}

export interface JudgedRequest {
  readonly kind: OperationKind;
  readonly amountMinor: number;
  readonly currency: string;
  /** When the service asks, in milliseconds since 1970. */
  readonly askedAtMs: number;
  /** Whether the cardholder is on a page and can be sent to their bank. */
  readonly isGuestThere?: boolean;
  /** What the acquirer's own clock shows; `askedAtMs` if left out. */
  readonly ownTimeMs?: number;
}

/** The subject of a request: a stored card, or an earlier charge or authorization on one. */
export interface Subject {
  readonly vaultToken: string;
  readonly behaviour: CardBehaviour;
  /** How long the card's network gives a hold, in milliseconds. */
  readonly holdLifeMs: number;
  /** When the card's printed expiry month ends in UTC, in milliseconds since 1970. */
  readonly expiresAtMs: number;
  /** How many earlier charges and authorizations of this card were declined. */
  readonly declinesBefore: number;
  /** Minor units that may still be captured, released or refunded; null for a card. */
  readonly remainingMinor: number | null;
  readonly currency: string | null;
  /** Whether funds of the charge are withdrawn for a dispute, or were lost to one. */
  readonly disputed: boolean;
}

/** The code of a failure that is the acquirer's own fault. */
export const ACQUIRERS_ERROR = 'gateway_error';

/** The code of a refund that is refused because the charge is disputed. */
export const CHARGE_DISPUTED = 'charge_disputed';

export const SUCCEEDED: Judgement = { status: 'succeeded', code: null, retryable: false };

const PENDING: Judgement = { status: 'pending', code: null, retryable: false };

/** The cardholder did not confirm to their bank that it is them. */
export const NOT_AUTHENTICATED: Judgement = {
  status: 'declined',
  code: 'authentication_required',
  retryable: false,
};

/**
 * Decides a request. Like a real acquirer, it never captures, releases or refunds more than the earlier operation has
 * left, and refunds nothing that is disputed.
 */
export function judge(request: JudgedRequest, subject: Subject | null): Judgement {
  if (subject === null) return failed('no_such_object');
  if (subject.remainingMinor === null) return judgeCard(request, subject);
  if (subject.currency !== request.currency) return failed('currency_mismatch');
  if (request.kind === 'release') {
    return subject.remainingMinor > 0 ? SUCCEEDED : failed('nothing_to_release');
  }
  if (request.kind === 'refund' && subject.disputed) return failed(CHARGE_DISPUTED);
  if (request.amountMinor > subject.remainingMinor) return failed('amount_too_large');
  if (request.kind === 'refund' && subject.behaviour.kind === 'refunds-fail') {
    return failed('refund_failed');
  }
  return SUCCEEDED;
}

function judgeCard(
  { askedAtMs, isGuestThere = false, ownTimeMs = askedAtMs }: JudgedRequest,
  { behaviour, declinesBefore, expiresAtMs }: Subject,
): Judgement {
  if (behaviour.kind === 'decline') return declined(behaviour.declineCode, behaviour.retryable);
  if (behaviour.kind === 'error') return failed(ACQUIRERS_ERROR);
  if (expiresAtMs <= askedAtMs && behaviour.kind !== 'renewed') {
    return declined('expired_card', false);
  }
  if (behaviour.kind === 'not-active-yet' && ownTimeMs < behaviour.activeFromMs) {
    return declined('do_not_honor', true);
  }
  if (behaviour.kind === 'asks-bank') return isGuestThere ? PENDING : NOT_AUTHENTICATED;
  if (behaviour.kind === 'decline-first' && declinesBefore === 0) {
    return declined('generic_decline', true);
  }
  return SUCCEEDED;
}

function declined(code: string, retryable: boolean): Judgement {
  return { status: 'declined', code, retryable };
}

function failed(code: string): Judgement {
  return { status: 'failed', code, retryable: false };
}

/** An outage of the sandbox acquirer for one property (interface: Act at the sandbox's desk). */
export interface Outage {
  /** The HTTP status that every request gets. */
  readonly status: number;
  /** How long its answers ask to wait, in milliseconds; null if they do not say. */
  readonly retryAfterMs: number | null;
  /** Whether requests that only read fail too. */
  readonly lookUps: boolean;
}

/** The outcome of a money request: the acquirer carries nothing out, but not every status says so for certain. */
export function requestedIn(outage: Outage): Outcome {
  const { retryAfterMs, status } = outage;
  const reason = `http_${status}`;
  switch (meaningOf(status)) {
    case 'temporary':
      return temporaryRejection(reason, retryAfterMs);
    case 'final':
      return rejection(reason);
    case 'open':
      return readIn(outage);
  }
}

/** The outcome of a request that only reads. */
export function readIn({ retryAfterMs, status }: Outage): Outcome & { kind: 'unknown' } {
  return { kind: 'unknown', reason: `http_${status}`, retryAfterMs };
}
