import type { OperationKind } from '../gateway.ts';
import type { CardBehaviour } from './testCards.ts';

/** The sandbox acquirer's decision about a request; plain data, which its ledger keeps. */
export interface Judgement {
  readonly status: 'succeeded' | 'declined' | 'failed';
  readonly code: string | null;
  readonly retryable: boolean;
}

/** The subject of a request: a stored card, or an earlier charge or authorization on one. */
export interface Subject {
  readonly vaultToken: string;
  readonly behaviour: CardBehaviour;
  /** How many earlier charges and authorizations of this card were declined. */
  readonly declinesBefore: number;
  /** Minor units that may still be captured, released or refunded; null for a card. */
  readonly remainingMinor: number | null;
  readonly currency: string | null;
}

const SUCCEEDED: Judgement = { status: 'succeeded', code: null, retryable: false };

/**
 * Decides a request. Like a real acquirer, it never captures, releases or refunds more than the earlier operation has
 * left.
 */
export function judge(
  request: { kind: OperationKind; amountMinor: number; currency: string },
  subject: Subject | null,
): Judgement {
  if (subject === null) return failed('no_such_object');
  if (subject.remainingMinor === null) return judgeCard(subject);
  if (subject.currency !== request.currency) return failed('currency_mismatch');
  if (request.kind === 'release') {
    return subject.remainingMinor > 0 ? SUCCEEDED : failed('nothing_to_release');
  }
  if (request.amountMinor > subject.remainingMinor) return failed('amount_too_large');
  if (request.kind === 'refund' && subject.behaviour.kind === 'refunds-fail') {
    return failed('refund_failed');
  }
  return SUCCEEDED;
}

function judgeCard({ behaviour, declinesBefore }: Subject): Judgement {
  switch (behaviour.kind) {
    case 'decline':
      return declined(behaviour.declineCode, behaviour.retryable);
    case 'error':
      return failed('gateway_error');
    case 'decline-first':
      return declinesBefore === 0 ? declined('generic_decline', true) : SUCCEEDED;
    default:
      return SUCCEEDED;
  }
}

function declined(code: string, retryable: boolean): Judgement {
  return { status: 'declined', code, retryable };
}

function failed(code: string): Judgement {
  return { status: 'failed', code, retryable: false };
}
