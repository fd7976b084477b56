import type { Statement } from '../platform/db/database.ts';
import type { CardUse } from '../records/cards/rules/virtual.ts';
import type { Entry, Subject } from '../records/history/rules/entry.ts';
import type { EventType } from '../records/history/rules/eventTypes.ts';
import type { CardRow } from '../schema/cardTables.ts';
import type { DisputeRow } from '../schema/disputeTables.ts';
import type { RefundRow, TransactionRow } from '../schema/moneyTables.ts';
import type { PlanRow } from '../schema/planTables.ts';
import type { PropertyRow } from '../schema/propertyTables.ts';
import type { TakenKey } from './idempotency.ts';
import type { BookingWork } from './work.ts';

/** What an event shows besides what its operation has at hand, as D1 has it when the operation commits. */
export interface Shown {
  readonly property: PropertyRow;
  /** A card of the property by its token; null for none. */
  readonly card: (token: string | null) => CardRow | null;
  readonly refundsOf: (chargeId: number) => readonly RefundRow[];
  /** The dispute of a charge that was opened last; null for none. */
  readonly disputeOf: (chargeId: number) => DisputeRow | null;
}

/** The event that an entry is. `snapshot` makes the members of its `data`, as lists show them after the change. */
export interface DraftedEvent {
  readonly type: EventType;
  readonly snapshot: (shown: Shown) => object;
  /** The card that it shows, if the operation does not know it. */
  readonly cardToken?: string | null;
  /** The charge whose refunds and dispute it shows, if it may have any. */
  readonly refundsOf?: number | null;
}

/** An entry of the history before its operation commits. */
export interface Draft extends Omit<Entry, 'event' | 'chargeId'> {
  readonly event: DraftedEvent | null;
  /** The charge that it is about, as it is after the entry. */
  readonly charge?: TransactionRow;
  /** The total cost before the entry; null for a new booking. */
  readonly formerTotalMinor?: number | null;
  /** What it does with virtual cards. */
  readonly used?: readonly CardUsed[];
}

/** What an entry does with a card, if that is a virtual one. */
export interface CardUsed {
  readonly cardToken: string;
  readonly use: CardUse;
}

export type PlanEvent = Extract<EventType, `plan.${string}`>;

/** A plan that changes, as it is then, with the events that this is. */
export interface PlanWrite {
  readonly row: PlanRow;
  readonly events: readonly PlanEvent[];
  /** For the audit trail. */
  readonly detail?: string;
}

/**
 * What an operation writes: plans, entries of the history as they are or drafted, a drafted one with what writes its
 * charge, the key that the batch takes, and statements. One `beside` the rows that operations start from changes none of
 * them; it may queue a message.
 */
export type Write =
  | Statement
  | { readonly takes: TakenKey }
  | { readonly beside: Statement; readonly messageId?: string }
  | { readonly plan: PlanWrite }
  | { readonly draft: Draft; readonly state?: Statement }
  | { readonly entry: Entry };

/** What an entry says beside who made it, and when. */
export type Told = Pick<Draft, 'from' | 'to' | 'detail'> &
  Partial<
    Pick<
      Draft,
      'event' | 'charge' | 'moved' | 'open' | 'totalCostMinor' | 'formerTotalMinor' | 'used'
    >
  >;

/** An entry that this operation makes at an instant of the property's clock. */
export function draftEntry(
  { actor, actorName, propertyId, reference }: BookingWork,
  atMs: number,
  subject: Subject,
  told: Told,
): { readonly draft: Draft } {
  const who = { propertyId, bookingReference: reference, atMs, actor, actorName };
  return { draft: { ...who, subject, ...told, event: told.event ?? null } };
}
