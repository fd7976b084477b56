import type { AuditEntry } from '../audit/store.ts';
import type { MoneyIds } from '../core/ids.ts';
import type { Keyring } from '../crypto/keyring.ts';
import type { Database } from '../db/database.ts';
import { refusedByGuard, violatesUnique } from '../db/errors.ts';
import type { Gateway, Outcome } from '../gateways/gateway.ts';
import type { Crossings } from '../io/crossings.ts';
import type { PendingOperation } from '../payments/states.ts';
import type { BookingState } from './rules.ts';
import { readBooking } from './store.ts';

/** What an acquirer answered to a money request about one charge or refund. */
export interface GatewayAnswer {
  readonly operation: number;
  readonly kind: PendingOperation | 'refund';
  readonly outcome: Outcome;
  readonly ms: number;
}

/** What one operation on one booking works with; made by the booking's object for each call and alarm. */
export interface BookingWork {
  readonly propertyId: string;
  readonly reference: string;
  readonly requestId: string;
  /** Who asked: a client id, or `alarm`. */
  readonly actor: string;
  readonly database: Database;
  readonly crossings: Crossings;
  readonly gateway: Gateway;
  readonly keyring: Keyring;
  readonly memory: BookingMemory;
  /** Whether anything of this operation stands in D1, or may. */
  readonly trace: { mayBeRecorded: boolean };
  /** The PMS addresses for which this operation queued a message. */
  readonly queuedFor: Set<string>;
  readonly ids: MoneyIds;
  /** Told what an acquirer answered, for whoever counts. */
  observe(seen: GatewayAnswer): void;
  now(): number;
  /** A new reference: 32 hex digits. */
  newReference(): string;
  /** Sees to it that the object wakes at this time at the latest. */
  wakeBy(atMs: number): Promise<void>;
}

/**
 * The booking as this object read or wrote it last. It is only ever a guess: every write that rests on it
 * names its version, and the schema refuses the write when D1 has moved on.
 */
export class BookingMemory {
  state: BookingState | null = null;
}

/** The booking's state, from memory or by one round trip; null when there is no such booking. */
export async function bookingState(work: BookingWork): Promise<BookingState | null> {
  if (work.memory.state) return work.memory.state;
  const { state } = await readBooking(
    work.database,
    'd1.booking.load',
    work.propertyId,
    work.reference,
  );
  work.memory.state = state;
  return state;
}

/** How often an operation is decided anew because the booking had changed under it. */
const MOST_DECISIONS = 3;

/**
 * Decides and writes; when the schema says that the decision rested on an old state, or that an id was
 * taken, forgets what was remembered and does it again.
 */
export async function onCurrentState<T>(work: BookingWork, decide: () => Promise<T>): Promise<T> {
  for (let decision = 1; ; decision += 1) {
    try {
      return await decide();
    } catch (error) {
      work.memory.state = null;
      const mayRepeat =
        refusedByGuard(error, 'stale_state') ||
        violatesUnique(error, 'transactions.id') ||
        violatesUnique(error, 'refunds.id') ||
        violatesUnique(error, 'audit.') ||
        violatesUnique(error, 'bookings.');
      if (!mayRepeat || decision === MOST_DECISIONS) throw error;
    }
  }
}

/** An audit entry of this operation. */
export function auditEntry(
  work: BookingWork,
  change: Pick<AuditEntry, 'subject' | 'from' | 'to' | 'detail'>,
): AuditEntry {
  const atMs = work.now();
  return {
    propertyId: work.propertyId,
    bookingReference: work.reference,
    id: work.ids.sequence(atMs),
    atMs,
    actor: work.actor,
    ...change,
  };
}
