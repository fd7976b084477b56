import { MINUTE_MS } from '../core/time.ts';
import { resolveUnknown } from '../money/gateway/resolve.ts';
import { processTransaction } from '../money/payments/due.ts';
import { selectFirstDue, updateTransaction } from '../money/payments/store.ts';
import { processRecovery } from '../money/recovery/process.ts';
import { loadRefund, refundOperation } from '../money/refunds/gatewayOperation.ts';
import { selectFirstDueRefund, updateRefund } from '../money/refunds/store.ts';
import { watchRefund } from '../money/refunds/watch.ts';
import { type BookingWork, bookingState } from '../operation/work.ts';
import { aboutBooking, logError } from '../platform/log.ts';
import { selectClock } from '../records/properties/store.ts';
import { selectDueRecoveries, updateRecovery } from '../records/recoveries/store.ts';
import type { RefundRow, TransactionRow } from '../schema/moneyTables.ts';
import type { RecoveryRow } from '../schema/recoveryTables.ts';

/**
 * What the alarm found:
 * - `processed`: one item was due and was processed; `what` names it with its version;
 * - `stuck`: the same item came up again and could not be postponed;
 * - `nothing-due`: `nextAtMs` is the real time at which the next item is due, null if there is none.
 */
export type Processed =
  | { readonly kind: 'processed'; readonly what: string }
  | { readonly kind: 'stuck' }
  | { readonly kind: 'nothing-due'; readonly nextAtMs: number | null };

/** A transaction, a refund or a recovery that waits for a time. */
interface DueItem {
  readonly id: number;
  readonly what: 'charge' | 'refund' | 'recovery';
  readonly version: number;
  readonly dueAtMs: number;
  process(): Promise<void>;
  /** Moves its due time to a minute from now. */
  postpone(): Promise<void>;
}

/** What one turn of the alarm starts from. */
export interface DueTurn {
  /** Names the item processed before this one; empty for the first. */
  readonly last: string;
  /** Whether the property's clock is being advanced, and this is what that does. */
  readonly isAdvance: boolean;
}

/** Processes the item of this booking that is due first. */
export async function processNextDue(
  work: BookingWork,
  { last, isAdvance }: DueTurn,
): Promise<Processed> {
  const { item, clockStands } = await firstDue(work);
  // While the clock is being advanced, that alone does what is due: in its order, over all bookings.
  if (clockStands && !isAdvance) {
    return { kind: 'nothing-due', nextAtMs: work.realTime(work.now()) + MINUTE_MS };
  }
  if (item === null || item.dueAtMs > work.now()) {
    return { kind: 'nothing-due', nextAtMs: item && work.realTime(item.dueAtMs) };
  }
  // Decide on the booking and the property as they are now.
  work.memory.forget();
  const what = `${item.what} ${item.id} ${item.version}`;
  if (what === last) return postponeStuck(work, item);
  try {
    await item.process();
  } catch (error) {
    logError('due_failed', error, { ...aboutBooking(work), operation: item.id });
    // Postpone it, so that the booking's other items can proceed.
    await item.postpone();
  }
  return { kind: 'processed', what };
}

/** What of this booking has the earliest due time, overdue or not: money first. Reads the clock with it. */
async function firstDue(
  work: BookingWork,
): Promise<{ readonly item: DueItem | null; readonly clockStands: boolean }> {
  const { database, propertyId, reference } = work;
  const { queries } = database;
  const [[transaction], [refund], recoveries, [clock]] = await database.batch('d1.due.read', [
    selectFirstDue(queries, { propertyId, reference }),
    selectFirstDueRefund(queries, { propertyId, reference }),
    selectDueRecoveries(queries, propertyId, reference),
    selectClock(queries, propertyId),
  ]);
  if (clock) work.follow(clock);
  const items = [
    ...(refund ? [dueRefund(work, refund)] : []),
    ...(transaction ? [dueTransaction(work, transaction)] : []),
    ...dueRecovery(work, recoveries),
  ];
  const [first] = items.toSorted((one, other) => one.dueAtMs - other.dueAtMs);
  return { item: first ?? null, clockStands: (clock?.clockFrozenAtMs ?? null) !== null };
}

function dueTransaction(work: BookingWork, row: TransactionRow): DueItem {
  const { queries } = work.database;
  return {
    ...dueOf(row),
    what: 'charge',
    process: async () => {
      const state = await bookingState(work);
      if (!state) throw new Error('a transaction has no booking');
      await processTransaction(work, state, row);
    },
    postpone: async () => {
      const later = updateTransaction(queries, row, { dueAtMs: work.now() + MINUTE_MS });
      await work.database.batch('d1.transaction.postpone', [later]);
    },
  };
}

function dueRefund(work: BookingWork, row: RefundRow): DueItem {
  const { queries } = work.database;
  return {
    ...dueOf(row),
    what: 'refund',
    process: async () => {
      const subject = await loadRefund(work, { id: row.id });
      if (!subject) throw new Error('a due refund is missing');
      const waits = subject.refund.status === 'Processing';
      await (waits
        ? resolveUnknown(work, refundOperation(work, subject))
        : watchRefund(work, subject));
    },
    postpone: async () => {
      const later = updateRefund(queries, row, { dueAtMs: work.now() + MINUTE_MS });
      await work.database.batch('d1.refund.postpone', [later]);
    },
  };
}

/** The first of the booking's recoveries that wait. Its step may be that of another one: their versions count together. */
function dueRecovery(work: BookingWork, waiting: readonly RecoveryRow[]): DueItem[] {
  const [first] = waiting;
  if (first === undefined) return [];
  const version = waiting.reduce((sum, row) => sum + row.version, 0);
  return [
    {
      ...dueOf({ id: first.transactionId, version, dueAtMs: first.dueAtMs }),
      what: 'recovery',
      process: () => processRecovery(work, first),
      postpone: async () => {
        const later = updateRecovery(work.database.queries, first, {
          dueAtMs: work.now() + MINUTE_MS,
        });
        await work.database.batch('d1.recovery.save', [later]);
      },
    },
  ];
}

function dueOf({
  id,
  version,
  dueAtMs,
}: Pick<TransactionRow | RefundRow, 'id' | 'version' | 'dueAtMs'>) {
  if (dueAtMs === null) throw new Error('a record without a due time was read as due');
  return { id, version, dueAtMs };
}

/** Postpones an item that came up again; `stuck` if even that write fails. */
async function postponeStuck(work: BookingWork, item: DueItem): Promise<Processed> {
  try {
    await item.postpone();
    return { kind: 'processed', what: '' };
  } catch (error) {
    logError('due_stuck', error, aboutBooking(work));
    return { kind: 'stuck' };
  }
}
