import type { SQL } from 'drizzle-orm';
import { HOUR_MS, MINUTE_MS } from '../../../core/time.ts';
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

/** What an acquirer paid out to a property's bank, in minor units; negative for what it took back. */
export interface PaidOut {
  readonly currency: string;
  readonly netMinor: number;
  /** What the acquirer kept of what it took. */
  readonly feeMinor: number;
  readonly gateway: string;
}

/** What an entry adds to a booking's open amounts, in minor units without fees. */
export type OpenChange = Pick<HistoryRow, 'scheduledMinor' | 'uncertainMinor' | 'heldMinor'> & {
  readonly plannedMinor?: number | null | undefined;
};

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
  readonly paidOut?: PaidOut | null;
  readonly open?: OpenChange | null;
  /** The total cost of the booking from here on. */
  readonly totalCostMinor?: number | null;
}

/** Within this, an entry was recorded when its property's clock showed its time. */
const SAME_TIME_MS = MINUTE_MS;

/** Movements that were recorded within this of their time at the acquirer are found by that: it is written anyway. */
export const PROMPT_MS = HOUR_MS;

/**
 * The real time at which a movement is recorded, where no other time of its entry says it; null where `atMs` does, and is
 * close to when it occurred. So only late movements, and those of a clock that was moved, are in the index of this.
 */
export function recordedAtMs(
  { atMs, occurredAtMs }: { readonly atMs: number; readonly occurredAtMs: number },
  realMs: number,
): number | null {
  const isReal = Math.abs(realMs - atMs) < SAME_TIME_MS;
  const isPrompt = Math.abs(atMs - occurredAtMs) <= PROMPT_MS;
  return isReal && isPrompt ? null : realMs;
}

/** The subject as the audit trail and people write it. */
export function subjectText(
  entry: Pick<HistoryRow, 'subjectKind' | 'subjectId' | 'chargeId'>,
): string {
  const { subjectKind, subjectId, chargeId } = entry;
  if (subjectKind === 'dispute') return `charge ${chargeId} dispute ${subjectId}`;
  return subjectId === '' ? subjectKind : `${subjectKind} ${subjectId}`;
}
