import { getOrInsertComputed } from '../core/getOrInsertComputed.ts';
import { sumOf } from '../core/sum.ts';
import { addDays, MINUTE_MS, startOfDayMs } from '../core/time.ts';
import { processDispute } from '../money/disputes/due.ts';
import { updateDispute } from '../money/disputes/store.ts';
import { resolveUnknown } from '../money/gateway/resolve.ts';
import { processTransaction } from '../money/payments/due.ts';
import { updateTransaction } from '../money/payments/store.ts';
import { readPlan } from '../money/plans/open.ts';
import { postponePlan, processPlan } from '../money/plans/process.ts';
import { retryPart } from '../money/plans/retry.ts';
import { processRecovery } from '../money/recovery/process.ts';
import { loadRefund, refundOperation, watchRefund } from '../money/refunds/gatewayOperation.ts';
import { updateRefund } from '../money/refunds/store.ts';
import { processSettlement } from '../money/settlements/settle.ts';
import { tellOfCard } from '../money/virtualCards/tell.ts';
import { type BookingRows, bookingRows, selectDueRows } from '../operation/shownStore.ts';
import { type BookingWork, bookingState, usedOldState } from '../operation/work.ts';
import { DatabaseOverloaded } from '../platform/db/errors.ts';
import { aboutBooking, logError } from '../platform/log.ts';
import type { BookingState } from '../records/bookings/rules.ts';
import { updateCard } from '../records/cards/store.ts';
import { updateRecovery } from '../records/recoveries/store.ts';
import { updateSettlement } from '../records/settlements/store.ts';
import type { CardRow } from '../schema/cardTables.ts';
import type { DisputeRow } from '../schema/disputeTables.ts';
import type { RefundRow, TransactionRow } from '../schema/moneyTables.ts';
import type { PlanRow } from '../schema/planTables.ts';
import type { RecoveryRow } from '../schema/recoveryTables.ts';
import type { SettlementRow } from '../schema/settlementTables.ts';

/** For how many days after the departure a booking's object keeps what its next operation needs. */
const DAYS_AFTER_STAY = 30;

/**
 * What the alarm found:
 * - `processed`: one item was due and was processed; `what` names it with its version;
 * - `stuck`: the same item came up again and could not be postponed;
 * - `nothing-due`: `nextAtMs` is the real time at which the next item is due;
 * - `over`: nothing is due any more, and from the real time `endsAtMs` on the object needs nothing that it keeps.
 */
export type Processed =
  | { readonly kind: 'processed'; readonly what: string }
  | { readonly kind: 'stuck' }
  | { readonly kind: 'nothing-due'; readonly nextAtMs: number }
  | { readonly kind: 'over'; readonly endsAtMs: number };

/** A transaction, a plan, a refund, a dispute, a recovery, a settlement or a virtual card that waits for a time. */
interface DueItem {
  readonly id: number | string;
  readonly what: 'charge' | 'plan' | 'refund' | 'dispute' | 'recovery' | 'settlement' | 'card';
  readonly version: number;
  readonly dueAtMs: number;
  process(): Promise<void>;
  /** Moves its due time. */
  postpone(dueAtMs: number): Promise<unknown>;
}

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
  const isRemembered = work.memory.state !== null;
  const { item, clockStands, endsAtMs } = await firstDue(work);
  // While the clock is being advanced, that alone does what is due: in its order, over all bookings.
  if (clockStands && !isAdvance) {
    return { kind: 'nothing-due', nextAtMs: work.realTime(work.now()) + MINUTE_MS };
  }
  if (item === null) return { kind: 'over', endsAtMs };
  if (item.dueAtMs > work.now()) {
    return { kind: 'nothing-due', nextAtMs: work.realTime(item.dueAtMs) };
  }
  const what = `${item.what} ${item.id} ${item.version}`;
  if (what === last) return postponeStuck(work, item);
  try {
    await item.process();
  } catch (error) {
    // What was remembered is outdated: the next turn reads it again.
    if (isRemembered && usedOldState(error)) {
      work.memory.forget();
      return { kind: 'processed', what: '' };
    }
    // Not even a later time could be written.
    if (error instanceof DatabaseOverloaded) throw error;
    logError('due_failed', error, { ...aboutBooking(work), what: item.what, id: item.id });
    // Postpone it, so that the booking's other items can proceed.
    await item.postpone(work.now() + MINUTE_MS);
  }
  return { kind: 'processed', what };
}

/** What of this booking has the earliest due time, overdue or not: money first. From memory, or as D1 has it now. */
async function firstDue(work: BookingWork): Promise<{
  readonly item: DueItem | null;
  readonly clockStands: boolean;
  readonly endsAtMs: number;
}> {
  const state = await bookingState(work);
  // It is in the archive, or was never made.
  if (state === null) return { item: null, clockStands: false, endsAtMs: 0 };
  const { due } = work.memory;
  const rows: BookingRows = work.memory.rows ?? due ?? (await readDue(work));
  const item = firstOf(work, state, rows, await readPlan(work));
  const clockStands = state.property.clockFrozenAtMs !== null;
  return { item, clockStands, endsAtMs: work.realTime(endOf(state)) };
}

/** What of a booking's rows has the earliest due time; null for none. */
function firstOf(
  work: BookingWork,
  state: BookingState,
  { disputes, recoveries, refunds, settlements, transactions }: BookingRows,
  plan: PlanRow | null,
): DueItem | null {
  const items = [
    ...refunds.filter(isDue).map((row) => dueRefund(work, row)),
    ...transactions.filter(isDue).map((row) => dueTransaction(work, state, row)),
    ...duePlan(work, plan),
    ...disputes.filter(isDue).map((row) => dueDispute(work, row)),
    ...dueRecovery(work, recoveries.filter(isDue).toSorted(byDueTime)),
    ...settlements.filter(isDue).map((row) => dueSettlement(work, state, row)),
    ...state.cards.filter(isDue).map((card) => dueCard(work, card)),
  ];
  return items.toSorted(byDueTime)[0] ?? null;
}

/**
 * At which real time the object is to wake, by what it remembers: for what is due first, or to end. Null if it does not know
 * what is due, or if the property's clock stands.
 */
export function nextWakeUp(work: BookingWork): number | null {
  const { due, plan, rows, state } = work.memory;
  const known = rows ?? due;
  if (!state || !known || plan === undefined || state.property.clockFrozenAtMs !== null)
    return null;
  return work.realTime(firstOf(work, state, known, plan)?.dueAtMs ?? endOf(state));
}

/** The results of {@link endOf}: each operation asks for one, and most leave the state as it is. */
const ends = new WeakMap<BookingState, number>();

/**
 * When a booking's object keeps nothing any more, by the property's clock: a while after the stay, or once its guest was
 * erased.
 */
export function endOf(state: BookingState): number {
  const { booking, property } = state;
  if (booking.erasedAtMs !== null) return 0;
  return getOrInsertComputed(ends, state, () =>
    startOfDayMs(addDays(booking.departure, DAYS_AFTER_STAY + 1), property.timeZone),
  );
}

/** Reads what is due of a booking with more rows than are remembered. */
async function readDue({ database, propertyId, reference }: BookingWork): Promise<BookingRows> {
  const rows = await database.batch('d1.due.read', selectDueRows({ propertyId, reference }));
  return bookingRows(...rows);
}

type Due<Row> = Row & { readonly dueAtMs: number };

function isDue<Row extends { readonly dueAtMs: number | null }>(row: Row): row is Due<Row> {
  return row.dueAtMs !== null;
}

function byDueTime(one: { readonly dueAtMs: number }, other: { readonly dueAtMs: number }): number {
  return one.dueAtMs - other.dueAtMs;
}

function dueTransaction(work: BookingWork, state: BookingState, row: Due<TransactionRow>): DueItem {
  return {
    ...row,
    what: 'charge',
    process: () => processTransaction(work, state, row, retryPart),
    postpone: (dueAtMs) =>
      work.database.batch('d1.transaction.postpone', [updateTransaction(row, { dueAtMs })]),
  };
}

function duePlan(work: BookingWork, plan: PlanRow | null): DueItem[] {
  if (plan === null || plan.dueAtMs === null) return [];
  return [
    {
      id: plan.id,
      version: plan.version,
      dueAtMs: plan.dueAtMs,
      what: 'plan',
      process: () => processPlan(work, plan),
      postpone: (dueAtMs) => postponePlan(work, plan, dueAtMs),
    },
  ];
}

function dueRefund(work: BookingWork, row: Due<RefundRow>): DueItem {
  return {
    ...row,
    what: 'refund',
    process: async () => {
      const subject = await loadRefund(work, row.id);
      if (!subject) throw new Error('a due refund is missing');
      const waits = subject.refund.status === 'Processing';
      await (waits
        ? resolveUnknown(work, refundOperation(work, subject))
        : watchRefund(work, subject));
    },
    postpone: (dueAtMs) =>
      work.database.batch('d1.refund.postpone', [updateRefund(row, { dueAtMs })]),
  };
}

function dueDispute(work: BookingWork, row: Due<DisputeRow>): DueItem {
  return {
    ...row,
    what: 'dispute',
    process: () => processDispute(work, row),
    postpone: (dueAtMs) =>
      work.database.batch('d1.dispute.postpone', [updateDispute(row, { dueAtMs })]),
  };
}

function dueSettlement(work: BookingWork, state: BookingState, row: Due<SettlementRow>): DueItem {
  return {
    ...row,
    what: 'settlement',
    process: () => processSettlement(work, state, row),
    postpone: (dueAtMs) =>
      work.database.batch('d1.settlement.save', [updateSettlement(row, { dueAtMs })]),
  };
}

/** The first of the booking's recoveries that wait. Its step may be that of another one: their versions count together. */
function dueRecovery(work: BookingWork, waiting: readonly Due<RecoveryRow>[]): DueItem[] {
  const [first] = waiting;
  if (first === undefined) return [];
  return [
    {
      id: first.transactionId,
      version: sumOf(waiting, 'version'),
      dueAtMs: first.dueAtMs,
      what: 'recovery',
      process: () => processRecovery(work, first),
      postpone: (dueAtMs) =>
        work.database.batch('d1.recovery.save', [updateRecovery(first, { dueAtMs })]),
    },
  ];
}

/** A virtual card of which something may be told. Its due time names the step. */
function dueCard(work: BookingWork, card: Due<CardRow>): DueItem {
  return {
    id: card.token,
    version: card.dueAtMs,
    dueAtMs: card.dueAtMs,
    what: 'card',
    process: () => tellOfCard(work, card),
    postpone: async (dueAtMs) => {
      await work.database.batch('d1.card.save', [updateCard(card, { dueAtMs })]);
      work.memory.forget();
    },
  };
}

/** Postpones an item that came up again; `stuck` if even that write fails. */
async function postponeStuck(work: BookingWork, item: DueItem): Promise<Processed> {
  try {
    await item.postpone(work.now() + MINUTE_MS);
    return { kind: 'processed', what: '' };
  } catch (error) {
    logError('due_stuck', error, aboutBooking(work));
    return { kind: 'stuck' };
  }
}
