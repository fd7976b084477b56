import type { Outcome } from '../../gateways/gateway.ts';
import { meaningOf, rejection, temporaryRejection } from '../../gateways/rules/outcome.ts';

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
