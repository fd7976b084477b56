import type { CallerKey } from '../../operation/idempotency.ts';

/** A refund as it reaches the booking's object (interface: Create a refund). */
export interface RefundCommand {
  readonly amountMinor: number;
  readonly currency: string;
  /** The charge to refund against; null for any of the booking's. */
  readonly chargeId: number | null;
  readonly description: string | null;
  /** Whether the stay costs less by it, so that what it gives back is not due again. */
  readonly waive: boolean;
  /** 32 hex digits that every record of this request carries. */
  readonly commandReference: string;
  /** The most that the actor gives back of the booking in a day, in minor units; null for any amount. */
  readonly dailyLimitMinor: number | null;
  readonly caller: CallerKey | null;
}
