import type { DisbursementRow } from '../../schema/disbursementTables.ts';
import type { DisputeRow } from '../../schema/disputeTables.ts';
import type { ExportRunRow } from '../../schema/exportTables.ts';
import type { RefundRow, TransactionRow } from '../../schema/moneyTables.ts';
import type { OutboxRow } from '../../schema/outboxTables.ts';
import type { ExceptionRow, ReconciliationRunRow } from '../../schema/reconciliationTables.ts';

/** How many rows of each kind the page shows. */
export const MOST_SHOWN = {
  unknown: 50,
  upcoming: 20,
  warned: 20,
  backlogs: 50,
  dead: 50,
  unfinished: 30,
  newest: 10,
  comparisons: 5,
  exceptions: 50,
  failed: 20,
  disputes: 30,
  endpoints: 30,
} as const;

/** Accepted charges in one currency, in minor units. */
export interface Volume {
  readonly currency: string;
  readonly number: number;
  readonly totalMinor: number;
  /** One sum for each hour, the oldest first. */
  readonly minorByHour: readonly number[];
}

/** Number of declines by hour, the oldest first, and by code. */
export interface Declines {
  readonly byHour: readonly number[];
  readonly byCode: readonly { readonly code: string; readonly number: number }[];
}

/** The outcomes of the last hours. */
export interface Outcomes {
  /** The start of each hour, the oldest first; the last hour is the current one. */
  readonly hoursMs: readonly number[];
  readonly volumes: readonly Volume[];
  /** How many charges and holds banks approved. */
  readonly approved: number;
  readonly declines: Declines;
  /** The number of failures by hour, the oldest first. */
  readonly failedByHour: readonly number[];
  /** Whether only the newest outcomes were counted. */
  readonly cut: boolean;
}

/** An operation whose outcome is unknown. */
export interface UnknownOperation {
  readonly id: number;
  readonly propertyId: string;
  readonly bookingReference: string;
  readonly kind: string;
  readonly sinceMs: number;
  readonly nextCheckAtMs: number | null;
}

/** Operations whose outcome is unknown, the oldest first; `more` if the list is not complete. */
export interface UnknownOperations {
  readonly operations: readonly UnknownOperation[];
  readonly more: boolean;
}

/** A scheduled charge; its amount in minor units includes the fees. */
export interface UpcomingCharge {
  readonly id: number;
  readonly propertyId: string;
  readonly bookingReference: string;
  readonly currency: string;
  readonly amountMinor: number;
  readonly attempts: number;
  readonly dueAtMs: number | null;
}

/** A payment that was made with a warning; its amount in minor units includes the fees. */
export type WarnedPayment = Pick<
  TransactionRow,
  'id' | 'propertyId' | 'bookingReference' | 'currency' | 'amountMinor' | 'warnings' | 'createdAtMs'
>;

/** Scheduled charges of the next day: the first ones, and sums by currency; `cut` if only a part was summed. */
export interface Upcoming {
  readonly sums: readonly {
    readonly currency: string;
    readonly number: number;
    readonly amountMinor: number;
  }[];
  readonly cut: boolean;
  readonly first: readonly UpcomingCharge[];
}

/** A property's undelivered messages to its PMS; only so many are counted. */
export interface Backlog {
  readonly propertyId: string;
  readonly depth: number;
  readonly dead: number;
  readonly oldestDeadAtMs: number | null;
  /** When the next message is due; null while all wait for dead ones. */
  readonly nextDueAtMs: number | null;
}

/** The undelivered messages of all properties; `cut` if there may be more than were counted. */
export interface Depth {
  readonly properties: number;
  readonly messages: number;
  readonly dead: number;
  readonly cut: boolean;
}

/** A message that the service stopped retrying. Its last error shows only this service's own words. */
export type DeadMessage = Pick<
  OutboxRow,
  | 'messageId'
  | 'messageType'
  | 'propertyId'
  | 'bookingReference'
  | 'attempts'
  | 'lastError'
  | 'createdAtMs'
>;

/** A payment that failed: nothing was taken. Its amount in minor units includes the fees. */
export type FailedPayment = Pick<
  TransactionRow,
  'id' | 'propertyId' | 'bookingReference' | 'kind' | 'currency' | 'amountMinor' | 'completedAtMs'
>;

/** Refunds of the last day in sums, and the newest of the last days that failed; amounts in minor units. */
export interface Refunds {
  readonly sums: readonly {
    readonly currency: string;
    readonly status: RefundRow['status'];
    readonly number: number;
    readonly amountMinor: number;
  }[];
  readonly failed: readonly Pick<
    RefundRow,
    | 'id'
    | 'transactionId'
    | 'propertyId'
    | 'bookingReference'
    | 'currency'
    | 'amountMinor'
    | 'learntAtMs'
  >[];
}

export type ShownDispute = DisputeRow;

/** A webhook endpoint that does not get its events; only so many dead deliveries are counted. */
export interface EndpointBehind {
  readonly id: string;
  readonly propertyId: string;
  /** The host of its address: the rest of it may hold a secret. */
  readonly host: string;
  readonly active: boolean;
  readonly dead: number;
  /** The HTTP status that a dead delivery got; null if there was no answer. */
  readonly lastStatus: number | null;
  readonly nextDueAtMs: number | null;
}

/** How the acquirer's record and ours compare: the newest comparisons, and what differs, the oldest first. */
export interface Reconciled {
  readonly runs: readonly ReconciliationRunRow[];
  readonly open: readonly ExceptionRow[];
  /** Whether there are more differences than these. */
  readonly more: boolean;
}

/** All that the operations page shows. */
export interface Overview {
  readonly nowMs: number;
  readonly outcomes: Outcomes;
  readonly unknown: UnknownOperations;
  readonly upcoming: Upcoming;
  /** The newest payments of the last 30 days with a warning. */
  readonly warned: readonly WarnedPayment[];
  readonly depth: Depth;
  /** Properties with dead messages come first. */
  readonly backlogs: readonly Backlog[];
  readonly dead: readonly DeadMessage[];
  /** Running runs, then those that failed recently, then the newest. */
  readonly runs: readonly ExportRunRow[];
  readonly disbursements: readonly DisbursementRow[];
  readonly reconciled: Reconciled;
  readonly failed: readonly FailedPayment[];
  readonly refunds: Refunds;
  readonly disputes: readonly ShownDispute[];
  readonly endpoints: readonly EndpointBehind[];
  /** The time zone of each property. */
  readonly zones: ReadonlyMap<string, string>;
}
