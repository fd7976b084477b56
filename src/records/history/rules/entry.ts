import type { SQL } from 'drizzle-orm';
import type { HistoryRow, Movement } from '../../../schema/historyTables.ts';
import type { EventType } from './eventTypes.ts';

export interface Subject {
  readonly kind: HistoryRow['subjectKind'];
  /** Empty for the booking itself and its links. A recovery has the id of its charge. */
  readonly id: string;
}

/** A certain movement of money, in minor units; positive for money that comes to the property. */
export interface MoneyMoved {
  readonly kind: Movement;
  readonly currency: string;
  readonly amountMinor: number;
  /** The part of the amount that is fees. */
  readonly feeMinor: number;
  /** Of a refund: by how much the stay costs less; negative where the refund failed later. */
  readonly waivedMinor?: number;
  readonly gateway: string;
  readonly gatewayReference: string | null;
  /** When the acquirer did it. */
  readonly occurredAtMs: number;
}

/** What an entry adds to a booking's open amounts, in minor units without fees. */
export type OpenChange = Pick<HistoryRow, 'scheduledMinor' | 'uncertainMinor' | 'heldMinor'>;

/** An event: its type, and the members of its `data` as lists show them at this moment. */
export interface NewEvent {
  readonly type: EventType;
  readonly snapshot: object;
  /** The zone that its times are shown in for ever. */
  readonly timeZone: string;
  /** Finds the contact of an application in its snapshot, where only D1 knows that. */
  readonly newContact?: SQL | undefined;
}

/** An entry of a booking's history (parts: The history). It belongs in the batch of the change that it records. */
export interface Entry {
  readonly propertyId: string;
  /** Null for what is about no booking. */
  readonly bookingReference: string | null;
  /** By the property's clock. */
  readonly atMs: number;
  /** A client id, the id of a person of the staff, `guest`, `gateway` or `alarm`. */
  readonly actor: string;
  /** The person's name at that time. */
  readonly actorName?: string | null | undefined;
  readonly subject: Subject;
  readonly from?: string | null;
  /** Without it, the audit trail leaves the entry out. */
  readonly to?: string | null;
  readonly detail?: string | null | undefined;
  readonly event?: NewEvent | null;
  /** A message to the PMS that is queued with it. */
  readonly messageId?: string | undefined;
  /** The charge whose amounts change. */
  readonly chargeId?: number | null;
  readonly moved?: MoneyMoved | null;
  readonly open?: OpenChange | null;
  /** The total cost of the booking from here on. */
  readonly totalCostMinor?: number | null;
}

/** The subject as the audit trail and people write it. */
export function subjectText({
  subjectKind,
  subjectId,
  chargeId,
}: Pick<HistoryRow, 'subjectKind' | 'subjectId' | 'chargeId'>): string {
  if (subjectKind === 'dispute') return `charge ${chargeId} dispute ${subjectId}`;
  return subjectId === '' ? subjectKind : `${subjectKind} ${subjectId}`;
}
