import { err, ok, type Result } from '../../core/result.ts';
import { commitIntent, type Recorded } from '../../operation/commit.ts';
import type { Write } from '../../operation/draft.ts';
import { type CallerKey, requireFreshKey } from '../../operation/idempotency.ts';
import { type BookingWork, bookingState, decideAgain } from '../../operation/work.ts';
import { type BookingState, bookingNotFound, uncertain } from '../../records/bookings/rules.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { BY_REQUEST, recordWish, wish } from './callOff.ts';
import { changed, changeWrites, isWritten, MOST_CHANGES } from './entries.ts';
import { type FollowUpCommand, followUp } from './followUp.ts';
import { cancellation } from './rules/firing.ts';
import { isLost, whyNotCancelled } from './rules.ts';
import type { TransactionChange } from './states.ts';
import { selectTransactionCards, selectTransactions } from './store.ts';
import {
  type CancelledSchedules,
  MAY_HAVE_BEEN_TAKEN,
  recordedAnswer,
  type TransactionAnswer,
  transactionView,
} from './views.ts';

/**
 * Cancels one schedule; a repetition gives the same answer (interface: Cancel one schedule). One whose charge may have been
 * taken stays `Processing` while nothing is certain, but is not sent again.
 */
export function cancelSchedule(
  work: BookingWork,
  command: FollowUpCommand,
): Promise<Result<TransactionAnswer>> {
  const { caller } = command;
  return followUp(work, command, async (found) => {
    const { state, row, card } = found;
    const refused = whyNotCancelled(row);
    if (refused) return err(refused);
    if (row.status === 'Cancelled') {
      const answer = recordedAnswer(row, card, state.property.timeZone);
      return ok({ answer, endedBefore: row.reference });
    }
    if (isLost(row)) return recordWish(work, found, caller);
    const { change, why } = cancellation(work.now(), BY_REQUEST);
    const answer = recordedAnswer(changed(row, change), card, state.property.timeZone);
    const ends = [{ row, change, why }];
    return ok({ answer: await commit(work, caller, row.reference, ends, answer) });
  });
}

/** Cancels all pending schedules of a booking (interface: Cancel all schedules). */
export function cancelSchedules(
  work: BookingWork,
  { caller }: Pick<FollowUpCommand, 'caller'>,
): Promise<Result<CancelledSchedules>> {
  return decideAgain(work, async () => {
    const state = await bookingState(work);
    return state ? cancelAll(work, state, caller) : err(bookingNotFound());
  });
}

async function cancelAll(
  work: BookingWork,
  state: BookingState,
  caller: CallerKey | null,
): Promise<Result<CancelledSchedules>> {
  const { cards, schedules } = await readSchedules(work, state);
  const pending = schedules.filter(({ status }) => status === 'Pending');
  const lost = schedules.filter(({ status }) => status === 'Processing');
  const nowMs = work.now();
  const { change, why } = cancellation(nowMs, BY_REQUEST);
  const cancelled = pending.map((row) => {
    const card = cards.find(({ token }) => token === row.cardToken) ?? null;
    return transactionView(changed(row, change), card, state.property.timeZone);
  });
  const skipped = schedules
    .filter(({ status }) => status !== 'Pending' && status !== 'Cancelled')
    .map(({ id, status }) => ({ id, status, ...(status === 'Processing' && { warnings }) }));
  const answer = ok<CancelledSchedules>({
    cancelled,
    skipped,
    ...(lost.length > 0 && { warnings }),
  });
  const wished = lost.filter(isToWish);
  if (wished.length > 0) await work.wakeBy(nowMs);
  const ends = [
    ...pending.map((row) => ({ row, change, why })),
    ...wished.map((row) => ({ row, change: { ...wish(row, nowMs), dueAtMs: nowMs }, why })),
  ];
  return commit(work, caller, null, ends, answer);
}

/**
 * The schedules of a booking and their cards: from memory where that has some to end, because D1 refuses what ends
 * outdated ones; otherwise as D1 has them.
 */
async function readSchedules(work: BookingWork, state: BookingState) {
  const { database, memory, propertyId, reference } = work;
  const known = memory.rows?.transactions.filter(({ kind }) => kind === 'schedule') ?? [];
  const ends = known.filter((row) => row.status === 'Pending' || isToWish(row));
  const hasCards = ends.every((row) => state.cards.some(({ token }) => token === row.cardToken));
  if (ends.length > 0 && hasCards) return { schedules: known, cards: state.cards };
  const [all, cards] = await database.batch('d1.transaction.read', [
    selectTransactions({ propertyId, reference }),
    selectTransactionCards({ propertyId, reference }),
  ]);
  return { schedules: all.filter(({ kind }) => kind === 'schedule'), cards };
}

/** Whether its end is still to be asked for while its charge is under way. */
function isToWish({ status, unwantedSinceMs }: TransactionRow): boolean {
  return status === 'Processing' && unwantedSinceMs === null;
}

/** For schedules whose charge is under way. */
const warnings = [MAY_HAVE_BEEN_TAKEN];

/** A schedule that is cancelled, or is not wanted any more. */
interface Ending {
  readonly row: TransactionRow;
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
  ends: readonly Ending[],
  answer: Result<T>,
): Promise<Result<T>> {
  const early = ends.slice(0, -MOST_CHANGES);
  // A request that has its answer already must not change anything now.
  if (caller && early.length > 0) await requireFreshKey(work, caller);
  for (let from = 0; from < early.length; from += MOST_CHANGES) {
    const some = early.slice(from, from + MOST_CHANGES);
    const recorded = await send(work, [], some);
    if (recorded === 'unknown') return err(uncertain());
  }
  const taken = caller ? [{ takes: { caller, commandReference, answer } }] : [];
  const recorded = await send(work, taken, ends.slice(-MOST_CHANGES));
  return recorded === 'unknown' ? err(uncertain()) : answer;
}

async function send(
  work: BookingWork,
  before: readonly Write[],
  ends: readonly Ending[],
): Promise<Recorded> {
  const changes = ends.flatMap(({ row, change, why }) => changeWrites(work, row, change, { why }));
  const writes = [...before, ...changes];
  if (writes.length === 0) return 'committed';
  return commitIntent(work, 'd1.schedule.cancel', writes, async () => {
    const { database, propertyId, reference } = work;
    const [all] = await database.batch('d1.transaction.read', [
      selectTransactions({ propertyId, reference }),
    ]);
    const now = new Map(all.map((row) => [row.id, row]));
    return (
      ends.length > 0 &&
      ends.every(({ row, change }) => isWritten(now.get(row.id), changed(row, change)))
    );
  });
}
