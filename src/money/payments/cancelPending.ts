import { SECOND_MS } from '../../core/time.ts';
import { commit } from '../../operation/commit.ts';
import type { Write } from '../../operation/draft.ts';
import type { BookingWork } from '../../operation/work.ts';
import { type BookingState, endsWithBooking } from '../../records/bookings/rules.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { resolveUnknown } from '../gateway/resolve.ts';
import { execute, start } from './attempt.ts';
import { changed, changeWrites, MOST_CHANGES } from './entries.ts';
import { transactionOperation } from './gatewayOperation.ts';
import { cardOf } from './loadTransaction.ts';
import { stopsOnCancellation } from './rules/cases.ts';
import { cancellation } from './rules/firing.ts';
import type { TransactionChange } from './states.ts';
import { updateTransaction } from './store.ts';

export interface PendingCancellation {
  readonly writes: Write[];
  /** What is ended at the gateway once the batch is committed: holds, and payments that wait for their guest. */
  readonly atGateway: TransactionRow[];
  /** Further batches, for what did not fit into the first one. */
  readonly later: Write[][];
}

/**
 * Ends what a cancelled booking has open, in the batch that cancels the booking: cancels its pending schedules, and makes
 * due its holds and the payments that stop with it. If the steps after that batch are cut off, the alarm does them: it
 * cancels a due schedule, releases a due hold and abandons a stopped payment.
 */
export function cancelPendingPayments(
  work: BookingWork,
  state: BookingState,
  open: readonly TransactionRow[],
): PendingCancellation {
  const ended = open.flatMap((row) => {
    const change = endingChange(state, row, work.now());
    return change === null ? [] : [{ row, change }];
  });
  const batches: Write[][] = [];
  for (let from = 0; from < ended.length; from += MOST_CHANGES) {
    const some = ended.slice(from, from + MOST_CHANGES);
    batches.push(
      some.flatMap(({ row, change }) =>
        row.status === 'Authorized'
          ? [updateTransaction(row, change)]
          : changeWrites(work, row, change, { why: BY_BOOKING }),
      ),
    );
  }
  const [writes = [], ...later] = batches;
  const atGateway = ended.slice(0, MOST_CHANGES).filter(({ row }) => row.status !== 'Pending');
  return { writes, later, atGateway: atGateway.map(({ row, change }) => changed(row, change)) };
}

/** How a transaction ends with its booking, as far as D1 alone can end it; null if it stays. */
function endingChange(
  state: BookingState,
  row: TransactionRow,
  nowMs: number,
): TransactionChange | null {
  if (row.status === 'Processing') {
    const isNew = state.booking.status === 'cancelled' && row.unwantedSinceMs === null;
    const stops = isNew && stopsOnCancellation(row);
    return stops ? { unwantedSinceMs: nowMs, dueAtMs: nowMs } : null;
  }
  if (!endsWithBooking(state, row)) return null;
  return row.status === 'Pending' ? cancellation(nowMs, BY_BOOKING).change : { dueAtMs: nowMs };
}

/** The audit trail's reason. */
const BY_BOOKING = 'the booking was cancelled';

/** Runs the further batches of a cancellation. */
export async function cancelRemaining(work: BookingWork, later: readonly Write[][]): Promise<void> {
  for (const writes of later) await commit(work, 'd1.schedule.cancel', writes);
}

/** How long a cancellation spends at the gateway. */
const ENDING_MS = 5 * SECOND_MS;

/**
 * Releases the holds of a cancelled booking at the gateway, and abandons what waits for its guest there. The alarm does
 * what is left after the time.
 */
export async function endAtGateway(
  work: BookingWork,
  state: BookingState,
  rows: readonly TransactionRow[],
): Promise<void> {
  const untilMs = work.now() + ENDING_MS;
  for (const row of rows) {
    if (work.now() > untilMs) return work.wakeBy(work.now() + SECOND_MS);
    const found = { state, row, card: await cardOf(work, state, row) };
    if (row.status === 'Processing') {
      await resolveUnknown(work, transactionOperation(work, found));
    } else {
      await execute(work, await start(work, { ...found, pending: 'release', caller: null }));
    }
  }
}
