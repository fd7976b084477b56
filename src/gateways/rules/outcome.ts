import type { Approval, CertainOutcome } from '../gateway.ts';

/** The acquirer carried out a request; `said` is what it told of it. */
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
