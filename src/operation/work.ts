import type { MoneyIds } from '../core/ids.ts';
import type { PropertyClock } from '../core/propertyClock.ts';
import type { Result } from '../core/result.ts';
import type { Gateway, PaymentOutcome } from '../gateways/gateway.ts';
import type { Keyring } from '../platform/crypto/keyring.ts';
import type { Database } from '../platform/db/database.ts';
import { refusedByGuard, violatesForeignKey, violatesUnique } from '../platform/db/errors.ts';
import type { Trace } from '../platform/trace.ts';
import { selectOfBooking } from '../records/applications/store.ts';
import type { BookingState } from '../records/bookings/rules.ts';
import { selectBooking } from '../records/bookings/store.ts';
import { isBehind } from '../records/history/append.ts';
import type { KnownHistory } from '../records/history/sums.ts';
import { knownHistory, selectHistory } from '../records/history/sumsStore.ts';
import { selectPlan } from '../records/plans/store.ts';
import type { ApplicationRow } from '../schema/applicationTables.ts';
import type { DisputeAnswer } from '../schema/disputeTables.ts';
import type { PendingOperation } from '../schema/moneyTables.ts';
import type { PlanRow } from '../schema/planTables.ts';
import type { PropertyRow } from '../schema/propertyTables.ts';
import { keyIsTaken } from './idempotencyStore.ts';
import { type BookingRows, rowsOf, selectRows } from './shownStore.ts';

/** Who hears of a property's events. */
export type PropertyEndpoints = Pick<PropertyRow, 'webhookEndpoints'>;

/** The kinds of requests to an acquirer: a transaction's pending operation, a refund, or an answer to a dispute. */
export type GatewayOperationKind = PendingOperation | 'refund' | DisputeAnswer;

/** An acquirer's answer to a request about one charge, refund or dispute. */
export interface GatewayAnswer {
  readonly operation: number | string;
  readonly kind: GatewayOperationKind;
  readonly outcome: PaymentOutcome;
  readonly ms: number;
}

/**
 * The schedules that were tried under a second gateway key or a later one, as known outside D1. A restore of D1 may forget
 * the attempt, and its charge would then be made again under the first key, which stands for nothing at the acquirer.
 */
export interface RetriedCharges {
  /** The number of the last key that a schedule was tried under, if that was not its first; else 0. */
  lastKeyNumber(chargeReference: string): Promise<number>;
  note(chargeReference: string, keyNumber: number): Promise<void>;
  /** Until when a restore of D1 may need what was noted; 0 if nothing was. */
  neededUntilMs(): Promise<number>;
}

/** What one operation on one booking works with. The booking's object makes it for each call and alarm. */
export interface BookingWork {
  readonly propertyId: string;
  readonly reference: string;
  readonly requestId: string;
  /** A client id, or `alarm`. */
  readonly actor: string;
  /** The name of the actor; null if that is no person of the staff. */
  readonly actorName: string | null;
  readonly database: Database;
  /** Also knows whether D1 has recorded anything of this operation, or may have. */
  readonly trace: Trace;
  readonly gateway: Gateway;
  readonly keyring: Keyring;
  readonly memory: BookingMemory;
  readonly bucket: R2Bucket;
  readonly retried: RetriedCharges;
  /** The PMS addresses for which this operation queued a message. */
  readonly queuedFor: Set<string>;
  readonly queuedMails: Set<string>;
  readonly ids: Pick<MoneyIds, 'next' | 'sequence'>;
  /** Counts and logs an acquirer's answer. */
  observe(seen: GatewayAnswer): void;
  /** What the property's clock shows (interface: Test clock), in milliseconds since 1970. */
  now(): number;
  /** The real time at which the property's clock shows an instant: alarms ring by it. */
  realTime(atMs: number): number;
  /** Takes over the property's clock and endpoints as D1 has them, if that is newer than what the work knows. */
  follow(read: PropertyClock & PropertyEndpoints): void;
  /** The property's active endpoints for events, as far as the work knows. */
  endpoints(): readonly string[];
  /** A new reference: 32 hex digits. */
  newReference(): string;
  /** Makes sure that the object wakes when the property's clock shows this time, or earlier. */
  wakeBy(atMs: number): Promise<void>;
}

/**
 * The booking as this object last read or wrote it. It may be outdated: every write that depends on it names its
 * version, and the schema refuses the write if D1 has a newer one.
 */
export class BookingMemory {
  state: BookingState | null = null;
  /** Where its history stands; null if that is not known. The next entry follows its last one, or D1 refuses it. */
  history: KnownHistory | null = null;
  /** The booking's applications, as they were read with it; null if they are not known. */
  applications: readonly ApplicationRow[] | null = null;
  /** The rows that operations start from, as the last batch left them; null if they are not known. */
  rows: BookingRows | null = null;
  /** What is due first of a booking with more rows than are remembered, as the last batch left it; null if not known. */
  due: BookingRows | null = null;
  /** Its plan, the active or the last one: null for none, undefined if that is not known. */
  plan: PlanRow | null | undefined;
  /** Whether a batch has changed the booking since the memory was stored. */
  isNew = false;

  /** What is remembered now: to be kept, or to go back to. */
  get remembered(): Remembered {
    const { applications, due, history, plan, rows, state } = this;
    return { applications, due, history, plan, rows, state };
  }

  /** Forgets what may be outdated. */
  forget(): void {
    this.state = null;
    this.history = null;
    this.applications = null;
    this.rows = null;
    this.due = null;
    this.plan = undefined;
  }
}

/** What a {@link BookingMemory} knows of its booking. */
export type Remembered = Pick<
  BookingMemory,
  'applications' | 'due' | 'history' | 'plan' | 'rows' | 'state'
>;

/**
 * The booking's state, from memory or by one round trip, which also reads its history and rows; null if the booking does
 * not exist.
 */
export async function bookingState(work: BookingWork): Promise<BookingState | null> {
  const { database, memory, propertyId, reference } = work;
  if (memory.state) return memory.state;
  const name = { propertyId, reference };
  const [[property], [booking], cards, applications, [plan], totals, open, last, ...rows] =
    await database.batch('d1.booking.load', [
      ...selectBooking(propertyId, reference),
      selectOfBooking(name),
      selectPlan(name),
      ...selectHistory(name),
      ...selectRows(name),
    ]);
  if (!property || !booking) return null;
  memory.rows = rowsOf(...rows);
  memory.applications = applications;
  memory.plan = plan ?? null;
  memory.state = { property, booking, cards };
  memory.history = knownHistory(totals, open, last);
  work.follow(property);
  return memory.state;
}

/** How often an operation is decided before it fails because the booking changed each time. */
const MOST_DECISIONS = 3;

/**
 * Decides and writes. If the schema refuses the write because the state was outdated or an id was taken, forgets the
 * remembered state and decides again.
 */
export async function onCurrentState<T>(work: BookingWork, decide: () => Promise<T>): Promise<T> {
  const { memory } = work;
  for (let decisions = 1; ; decisions += 1) {
    const { remembered } = memory;
    try {
      return await decide();
    } catch (error) {
      if (keyIsTaken(error) && !work.trace.mayBeRecorded) {
        // A request that is repeated changes nothing.
        Object.assign(memory, remembered, { isNew: remembered.state !== null });
        throw error;
      }
      memory.forget();
      if (decisions === MOST_DECISIONS || !usedOldState(error)) throw error;
    }
  }
}

/**
 * Decides and writes as {@link onCurrentState} does. What wrote nothing on the remembered state is decided again on D1's
 * rows: there was nothing that D1 could have refused.
 */
export async function decideAgain<T>(
  work: BookingWork,
  decide: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const isRemembered = work.memory.state !== null;
  const decided = await onCurrentState(work, decide);
  if (!isRemembered || work.trace.mayBeRecorded) return decided;
  work.memory.forget();
  return onCurrentState(work, decide);
}

/** Whether a batch was refused because it was decided on an outdated state. Nothing of it was written. */
export function usedOldState(error: unknown): boolean {
  return (
    refusedByGuard(error, 'stale_state') ||
    violatesUnique(error, 'transactions.id') ||
    violatesUnique(error, 'transactions.quote_id') ||
    violatesUnique(error, 'refunds.id') ||
    isBehind(error) ||
    // A restore of D1 may have forgotten what is remembered.
    violatesForeignKey(error) ||
    violatesUnique(error, 'bookings.')
  );
}
