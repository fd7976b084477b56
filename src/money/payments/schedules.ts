import type { Failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { commitIntent, type Recorded } from '../../operation/commit.ts';
import {
  type Answered,
  type CallerKey,
  keyRow,
  once,
  requireFreshKey,
} from '../../operation/idempotency.ts';
import { takeKey } from '../../operation/idempotencyStore.ts';
import { type BookingWork, bookingState, onCurrentState } from '../../operation/work.ts';
import type { Statement } from '../../platform/db/database.ts';
import type { TransactionRow } from '../../platform/db/moneyTables.ts';
import { type BookingState, bookingNotFound, uncertain } from '../../records/bookings/rules.ts';
import { changed, changeStatements } from './change.ts';
import { asRecorded } from './create.ts';
import { cancellation } from './firing.ts';
import {
  type FollowUpCommand,
  type LoadedTransaction,
  loadTransaction,
} from './loadTransaction.ts';
import { wrongKind, wrongState } from './rules.ts';
import type { TransactionChange } from './states.ts';
import { selectTransactionCards, selectTransactions } from './store.ts';
import {
  type CancelledSchedules,
  recordedAnswer,
  type TransactionAnswer,
  transactionView,
} from './views.ts';

/** The audit trail's reason for a schedule that a caller cancelled. */
const BY_REQUEST = 'cancelled by request';

/** Cancels one schedule; a repetition gives the same answer (interface: Cancel one schedule). */
export function cancelSchedule(
  work: BookingWork,
  command: FollowUpCommand,
): Promise<Answered<TransactionAnswer>> {
  return once(
    work,
    command.caller,
    () =>
      onCurrentState(work, async () => {
        const found = await loadTransaction(work, command.chargeId);
        return found.ok ? cancelFound(work, found.value, command.caller) : found;
      }),
    (kept) => asRecorded(work, kept.commandReference ?? ''),
  );
}

async function cancelFound(
  work: BookingWork,
  { state, row, card }: LoadedTransaction,
  caller: CallerKey | null,
): Promise<Result<TransactionAnswer, Failure>> {
  if (row.kind !== 'schedule') return err(wrongKind('a scheduled charge'));
  const done = row.status === 'Cancelled';
  if (!done && row.status !== 'Pending') return err(wrongState('scheduled charge', row));
  const { change, why } = cancellation(work.now(), BY_REQUEST);
  const after = done ? row : changed(row, change);
  const answer = recordedAnswer(after, card, state.property.timeZone);
  return commit(work, caller, row.reference, { rows: done ? [] : [row], change, why }, answer);
}

/** Cancels all pending schedules of a booking (interface: Cancel all schedules). */
export function cancelSchedules(
  work: BookingWork,
  caller: CallerKey | null,
): Promise<Answered<CancelledSchedules>> {
  return once(
    work,
    caller,
    () =>
      onCurrentState(work, async () => {
        const state = await bookingState(work);
        return state ? cancelAll(work, state, caller) : err(bookingNotFound());
      }),
    () => Promise.reject(new Error('a kept cancellation has no answer')),
  );
}

async function cancelAll(
  work: BookingWork,
  state: BookingState,
  caller: CallerKey | null,
): Promise<Result<CancelledSchedules, Failure>> {
  const { queries } = work.database;
  const [all, cards] = await work.database.batch('d1.transaction.read', [
    selectTransactions(queries, work.propertyId, work.reference),
    selectTransactionCards(queries, work.propertyId, work.reference),
  ]);
  const schedules = all.filter(({ kind }) => kind === 'schedule');
  const pending = schedules.filter(({ status }) => status === 'Pending');
  const { change, why } = cancellation(work.now(), BY_REQUEST);
  const cancelled = pending.map((row) => {
    const card = cards.find(({ token }) => token === row.cardToken) ?? null;
    return transactionView(changed(row, change), card, state.property.timeZone);
  });
  const skipped = schedules
    .filter(({ status }) => status !== 'Pending' && status !== 'Cancelled')
    .map(({ id, status }) => ({ id, status }));
  const answer = ok<CancelledSchedules>({ cancelled, skipped });
  return commit(work, caller, null, { rows: pending, change, why }, answer);
}

/** How many schedules one batch cancels: D1 limits the statements of an invocation. */
const MOST_PER_BATCH = 100;

/** Schedules that are cancelled together. */
interface Cancelling {
  readonly rows: readonly TransactionRow[];
  readonly change: TransactionChange;
  readonly why: string;
}

/**
 * Cancels schedules, and keeps the answer under the caller's key. If they need several batches, the last one takes the
 * key: if the operation is cut off before, the same request does the rest.
 */
async function commit<T>(
  work: BookingWork,
  caller: CallerKey | null,
  commandReference: string | null,
  { rows, change, why }: Cancelling,
  answer: Result<T, Failure>,
): Promise<Result<T, Failure>> {
  const early = rows.slice(0, -MOST_PER_BATCH);
  // A request that has its answer already must not change anything now.
  if (caller && early.length > 0) await requireFreshKey(work, caller);
  for (let from = 0; from < early.length; from += MOST_PER_BATCH) {
    const some = early.slice(from, from + MOST_PER_BATCH);
    const recorded = await send(work, [], { rows: some, change, why });
    if (recorded === 'unknown') return err(uncertain());
  }
  const kept = caller && (await keyRow(work, caller, commandReference, JSON.stringify(answer)));
  const taken = kept ? [takeKey(work.database.queries, kept)] : [];
  const last = rows.slice(-MOST_PER_BATCH);
  const recorded = await send(work, taken, { rows: last, change, why });
  return recorded === 'unknown' ? err(uncertain()) : answer;
}

async function send(
  work: BookingWork,
  before: readonly Statement[],
  { rows, change, why }: Cancelling,
): Promise<Recorded> {
  const changes = rows.flatMap((row): Statement[] => changeStatements(work, row, change, why));
  const [first, ...rest] = [...before, ...changes];
  if (!first) return 'committed';
  return commitIntent(work, 'd1.schedule.cancel', [first, ...rest], async () => {
    const [all] = await work.database.batch('d1.transaction.read', [
      selectTransactions(work.database.queries, work.propertyId, work.reference),
    ]);
    return rows.length > 0 && rows.every((row) => all.some((now) => isCancelled(now, row, change)));
  });
}

/** Whether a row is now as this change wrote it. */
function isCancelled(now: TransactionRow, row: TransactionRow, change: TransactionChange): boolean {
  return (
    now.id === row.id &&
    now.version === row.version + 1 &&
    now.status === change.status &&
    now.completedAtMs === change.completedAtMs
  );
}
