import type { Origin } from './gateway.ts';

/** What an acquirer pays out to an account. Amounts are minor units of `currency`. */
export interface Payout {
  readonly id: string;
  readonly status: 'not_paid_out' | 'in_transit' | 'paid_out' | 'failed';
  readonly currency: string;
  readonly description: string;
  readonly createdAtMs: number;
  readonly arrivalDate: string;
  /** Whether the acquirer tells what it is made of: not of one that somebody asked for by hand. */
  readonly itemised: boolean;
  /** Whether what it is made of is final. */
  readonly reconciled: boolean;
}

/** One movement of money within a payout. */
export interface PayoutMovement {
  readonly id: string;
  /** The acquirer's reference of the charge or refund; null for what has none. */
  readonly gatewayTransactionId: string | null;
  /** What this service asked for; null for anything else. */
  readonly about: Origin | null;
  readonly description: string;
  readonly category: 'sale' | 'refund' | 'dispute' | 'refund_failure' | 'adjustment';
  readonly currency: string;
  readonly grossMinor: number;
  readonly feeMinor: number;
  readonly threeDsAuthenticated: boolean;
  readonly createdAtMs: number;
  readonly availableAtMs: number;
}

/** An acquirer's own records of what it pays out, by its accounts; null is the platform's own. Calls throw. */
export interface PayoutSource {
  /** A payout as it stands now; null when there is none. */
  payout(id: string, account: string | null): Promise<Payout | null>;
  /** The payouts made since an instant. */
  payoutsSince(sinceMs: number, account: string | null): Promise<Payout[]>;
  /** Everything that a payout is made of. */
  movements(payoutId: string, account: string | null): Promise<PayoutMovement[]>;
}
