import type { CallerKey } from '../../operation/idempotency.ts';

/** A refund as it reaches the booking's object (interface: Create a refund). */
export interface RefundCommand {
  readonly amountMinor: number;
  readonly currency: string;
  /** The charge to refund against; null for any of the booking's. */
  readonly chargeId: number | null;
  readonly description: string | null;
  /** 32 hex digits that every record of this request carries. */
  readonly commandReference: string;
  readonly caller: CallerKey | null;
}
