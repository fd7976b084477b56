import type { GatewayName } from '../platform/config.ts';
import type { Origin } from './movements.ts';

export interface Payout {
  readonly id: string;
  readonly status: 'not_paid_out' | 'in_transit' | 'paid_out' | 'failed';
  readonly currency: string;
  readonly description: string;
  readonly createdAtMs: number;
  readonly arrivalDate: string;
  /** Whether the acquirer lists the movements of this payout. It does not for a payout that was requested by hand. */
  readonly itemised: boolean;
  /** Whether the list of movements is final. */
  readonly reconciled: boolean;
}

/** One movement of money within a payout. Amounts are minor units of `currency`. */
export interface PayoutMovement {
  readonly id: string;
  /** The acquirer's id of the charge or refund; null if the movement has none. */
  readonly gatewayTransactionId: string | null;
  /** The transaction or refund of this service; null for any other movement, such as a fee. */
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

/** An acquirer's payouts. `account` null is the platform's own account. The methods throw when a call fails. */
export interface PayoutSource {
  /** Recorded with every disbursement, so it never changes. */
  readonly gateway: GatewayName;
  payout(id: string, account: string | null): Promise<Payout | null>;
  /** The payouts created since `sinceMs`, in milliseconds since 1970. */
  payoutsSince(sinceMs: number, account: string | null): Promise<Payout[]>;
  movements(payoutId: string, account: string | null): Promise<PayoutMovement[]>;
}
