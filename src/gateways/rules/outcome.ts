import type { Approval, CertainOutcome, Outcome, PaymentOutcome } from '../gateway.ts';

/** The acquirer carried out a request; `said` is what it reported. */
export function approval(
  gatewayReference: string | null,
  said: Partial<Omit<Approval, 'kind' | 'gatewayReference'>> = {},
): Approval {
  return {
    kind: 'approved',
    gatewayReference,
    lapsesAtMs: null,
    amountMinor: null,
    atMs: null,
    pending: false,
    ...said,
  };
}

/** The acquirer certainly did not carry out a request, because the request is at fault. */
export function rejection(reason: string): CertainOutcome & { kind: 'rejected' } {
  return { kind: 'rejected', reason, temporary: false, retryAfterMs: null };
}

/** The acquirer certainly did not refund a charge, because its cardholder disputes it. */
export function disputeRejection(reason: string): CertainOutcome & { kind: 'rejected' } {
  return { ...rejection(reason), isDisputed: true };
}

/**
 * The acquirer certainly did not carry out a request, for a reason of its own or of its configuration. The same request
 * can succeed after `retryAfterMs`, if it says so.
 */
export function temporaryRejection(
  reason: string,
  retryAfterMs: number | null = null,
): CertainOutcome & { kind: 'rejected' } {
  return { kind: 'rejected', reason, temporary: true, retryAfterMs };
}

/** Nobody knows whether the acquirer carried a request out. It asks to wait for `retryAfterMs`, if it says so. */
export function unknown(
  reason: string,
  retryAfterMs: number | null = null,
): Outcome & { kind: 'unknown' } {
  return { kind: 'unknown', reason, ...(retryAfterMs !== null && { retryAfterMs }) };
}

/** What follows a payment has no cardholder to wait for: what an acquirer says of an open one is not understood. */
export function ofFollowUp(outcome: PaymentOutcome): Outcome {
  return outcome.kind === 'open' ? unknown('the payment is open') : outcome;
}

/** Statuses that leave open what was done: a conflict, and a failure of what the acquirer depends on. */
const OPEN_STATUSES = new Set([409, 424]);

/** Statuses of the account or its key, and of too many requests. */
const TEMPORARY_STATUSES = new Set([401, 403, 429]);

/**
 * What the HTTP status of an error says of the request: the acquirer may have carried it out (`open`), or it certainly
 * did not, for a reason of its own or of its configuration (`temporary`) or because the request is at fault (`final`).
 */
export function meaningOf(status: number): 'open' | 'temporary' | 'final' {
  if (status < 400 || status >= 500 || OPEN_STATUSES.has(status)) return 'open';
  return TEMPORARY_STATUSES.has(status) ? 'temporary' : 'final';
}
