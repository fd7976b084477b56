import type { ListedDisbursement } from '../disbursements/views.ts';
import type { ListedDispute } from '../money/disputes/views.ts';
import type { ShownDispute } from '../money/folio/listedView.ts';
import type { ShownTransaction } from '../money/payments/views.ts';
import type { ShownRefund } from '../money/refunds/views.ts';
import type { ShownApplication } from '../records/applications/views.ts';
import type { ShownStay } from '../records/bookings/views.ts';
import type { CardSummary, EventCard } from '../records/cards/views.ts';

/** A booking as an event keeps it: without names and addresses of people. */
export interface BookingSnapshot {
  readonly row: ShownStay['booking'] & {
    readonly createdAtMs: number;
    readonly updatedAtMs: number;
  };
  /** The card in use. */
  readonly card: EventCard | null;
  readonly site: string;
  readonly propertyName: string;
}

/** A transaction as an event keeps it, with what lists show beside it. */
export interface TransactionSnapshot {
  readonly row: ShownTransaction;
  readonly card: CardSummary | null;
  readonly refunds: readonly ShownRefund[];
  readonly dispute: ShownDispute | null;
}

/** A balance as an event keeps it, in minor units without fees. */
export interface BalanceSnapshot {
  readonly bookingReference: string;
  readonly currency: string;
  readonly totalCostMinor: number;
  readonly paidMinor: number;
  readonly overpaidMinor: number;
}

/** An application as an event keeps it: without its address, and without its agent's name, address and phone. */
export type ApplicationSnapshot = Omit<ShownApplication, 'email'>;

/**
 * What the schema keeps of an event (migrations: the views named `…_snapshots`): the members of its `data` as rows, and
 * the time zone of its times.
 */
export interface Snapshot {
  readonly timeZone: string;
  readonly chargeId?: number;
  readonly booking?: BookingSnapshot;
  readonly transaction?: TransactionSnapshot;
  readonly refund?: { readonly row: ShownRefund; readonly card: CardSummary | null };
  readonly card?: EventCard;
  readonly dispute?: { readonly row: ListedDispute };
  readonly disbursement?: { readonly row: ListedDisbursement };
  readonly application?: ApplicationSnapshot;
  readonly balance?: BalanceSnapshot;
}
