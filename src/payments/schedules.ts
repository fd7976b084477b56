import { commitIntent, type Recorded } from '../bookings/commit.ts';
import { type BookingState, bookingNotFound, uncertain } from '../bookings/rules.ts';
import { type BookingWork, bookingState, onCurrentState } from '../bookings/work.ts';
import { type Failure, failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { Statement } from '../db/database.ts';
import type { TransactionRow } from '../db/moneyTables.ts';
import {
  type Answered,
  type CallerKey,
  keyRow,
  keyTakenOr,
  once,
  requireFreshKey,
} from '../idempotency/actions.ts';
import { takeKey } from '../idempotency/store.ts';
import { asRecorded } from './create.ts';
import { type FollowUpCommand, type Found, findTransaction } from './find.ts';
import { wrongState } from './rules.ts';
import { changed, changeStatements } from './settle.ts';
import { cancellation, type TransactionChange } from './states.ts';
import { selectTransactionCards, selectTransactions } from './store.ts';
import {
  recordedAnswer,
  type TransactionAnswer,
  type TransactionView,
  transactionView,
} from './views.ts';

/** What became of a booking's schedules. */
export interface CancelledSchedules {
  readonly cancelled: TransactionView[];
  /** Those that it was too late for. */
  readonly skipped: { readonly id: number; readonly status: TransactionRow['status'] }[];
}

/** What the audit trail says of a schedule that its caller cancelled. */
const BY_REQUEST = 'cancelled by request';

/** Cancels one schedule; doing it again gives the same answer (decisions: section 5). */
export function cancelSchedule(
  work: BookingWork,
  command: FollowUpCommand,
): Promise<Answered<TransactionAnswer>> {
  return once(
    work,
    command.caller,
    () =>
      onCurrentState(work, async () => {
        const found = await findTransaction(work, command.chargeId);
        return found.ok ? cancelFound(work, found.value, command.caller) : found;
      }),
    (kept) => asRecorded(work, kept.commandReference ?? ''),
  );
}

async function cancelFound(
  work: BookingWork,
  { state, row, card }: Found,
  caller: CallerKey | null,
): Promise<Result<TransactionAnswer, Failure>> {
  if (row.kind !== 'schedule') return err(failure('invalid_state', 'This is no scheduled charge.'));
  const done = row.status === 'Cancelled';
  if (!done && row.status !== 'Pending') return err(wrongState('scheduled charge', row));
  const { change, why } = cancellation(work.now(), BY_REQUEST);
  const after = done ? row : changed(row, change);
  const answer = recordedAnswer(after, card, state.property.timeZone);
  return commit(work, caller, row.reference, { rows: done ? [] : [row], change, why }, answer);
}

/** Cancels all of a booking's schedules that have not begun (decisions: section 5). */
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
    () => Promise.reject(new Error('a cancellation is kept with its answer')),
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
  const answer = ok({ cancelled, skipped });
  return commit(work, caller, null, { rows: pending, change, why }, answer);
}

/** How many schedules one batch cancels: D1 allows a bounded number of statements an invocation. */
const MOST_PER_BATCH = 100;

/** Schedules that are cancelled together. */
interface Cancelling {
  readonly rows: readonly TransactionRow[];
  readonly change: TransactionChange;
  readonly why: string;
}

/**
 * Cancels schedules, with the answer that the caller's key keeps. Of very many the last batch takes the key; should it
 * be cut off before, the same request does the rest.
 */
async function commit<T>(
  work: BookingWork,
  caller: CallerKey | null,
  commandReference: string | null,
  { rows, change, why }: Cancelling,
  answer: Result<T, Failure>,
): Promise<Result<T, Failure>> {
  const early = rows.slice(0, -MOST_PER_BATCH);
  // A request that had its answer before must not change anything now.
  if (caller && early.length > 0) await requireFreshKey(work, caller);
  for (let from = 0; from < early.length; from += MOST_PER_BATCH) {
    const some = early.slice(from, from + MOST_PER_BATCH);
    const recorded = await send(work, [], { rows: some, change, why });
    if (recorded === 'perhaps') return err(uncertain());
  }
  const kept = caller && (await keyRow(work, caller, commandReference, JSON.stringify(answer)));
  const taken = kept ? [takeKey(work.database.queries, kept)] : [];
  try {
    const last = rows.slice(-MOST_PER_BATCH);
    const recorded = await send(work, taken, { rows: last, change, why });
    return recorded === 'perhaps' ? err(uncertain()) : answer;
  } catch (error) {
    throw keyTakenOr(error);
  }
}

async function send(
  work: BookingWork,
  before: readonly Statement[],
  { rows, change, why }: Cancelling,
): Promise<Recorded> {
  const changes = rows.flatMap((row): Statement[] => changeStatements(work, row, change, why));
  const [first, ...rest] = [...before, ...changes];
  if (!first) return 'yes';
  return commitIntent(work, 'd1.schedule.cancel', [first, ...rest], async () => {
    const [all] = await work.database.batch('d1.transaction.read', [
      selectTransactions(work.database.queries, work.propertyId, work.reference),
    ]);
    return rows.length > 0 && rows.every((row) => all.some((now) => isCancelled(now, row, change)));
  });
}

/** Whether a row is now as this very change made it. */
function isCancelled(now: TransactionRow, row: TransactionRow, change: TransactionChange): boolean {
  return (
    now.id === row.id &&
    now.version === row.version + 1 &&
    now.status === change.status &&
    now.settledAtMs === change.settledAtMs
  );
}
