import { SECOND_MS } from '../../core/time.ts';
import { commit } from '../../operation/commit.ts';
import type { Write } from '../../operation/draft.ts';
import type { BookingWork } from '../../operation/work.ts';
import { type BookingState, endsWithBooking } from '../../records/bookings/rules.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { resolveUnknown } from '../gateway/resolve.ts';
import { execute, intend, start } from './attempt.ts';
import { changed, changeWrites, MOST_CHANGES } from './entries.ts';
import { transactionOperation } from './gatewayOperation.ts';
import { cardOf, type LoadedTransaction } from './loadTransaction.ts';
import { stopsOnCancellation } from './rules/cases.ts';
import { cancellation } from './rules/firing.ts';
import { updateTransaction } from './store.ts';

export interface PendingCancellation {
  readonly writes: Write[];
  /** What is ended at the gateway once the batches are committed: holds, and payments that wait for their guest. */
  readonly atGateway: LoadedTransaction[];
  /** Further batches, for what did not fit into the first one. */
  readonly later: Write[][];
}

/**
 * Ends what a cancelled booking has open, in the batch that cancels the booking: cancels its pending schedules, and makes
 * due its holds and the payments that stop with it. The first hold is released next, so its intent is in the batch. If the
 * steps after that batch are cut off, the alarm does them: it cancels a due schedule, releases a due hold and abandons a
 * stopped payment.
 */
export async function cancelPendingPayments(
  work: BookingWork,
  state: BookingState,
  open: readonly TransactionRow[],
): Promise<PendingCancellation> {
  const ended: Ended[] = [];
  // The writes of holds depend on the property's version: they fit into the batch that was decided on that.
  for (const row of open.toSorted(holdsFirst)) {
    ended.push(...(await ending(work, state, row, ended.length === 0)));
  }
  const batches: Write[][] = [];
  for (let from = 0; from < ended.length; from += MOST_CHANGES) {
    batches.push(ended.slice(from, from + MOST_CHANGES).flatMap(({ writes }) => writes));
  }
  const [writes = [], ...later] = batches;
  return { writes, later, atGateway: ended.flatMap(({ found }) => found ?? []) };
}

function holdsFirst(one: TransactionRow, other: TransactionRow): number {
  return Number(other.status === 'Authorized') - Number(one.status === 'Authorized');
}

/** A transaction that ends with its booking: what writes that, and how it is then, if the gateway has to hear of it. */
interface Ended {
  readonly writes: Write[];
  readonly found: LoadedTransaction | null;
}

/** How a transaction ends with its booking; nothing if it stays. `isNext` is what goes to the gateway first. */
async function ending(
  work: BookingWork,
  state: BookingState,
  row: TransactionRow,
  isNext: boolean,
): Promise<Ended[]> {
  const nowMs = work.now();
  if (row.status === 'Processing') {
    const isNew = state.booking.status === 'cancelled' && row.unwantedSinceMs === null;
    if (!isNew || !stopsOnCancellation(row)) return [];
    const change = { unwantedSinceMs: nowMs, dueAtMs: nowMs };
    const writes = changeWrites(work, row, change, { why: BY_BOOKING });
    const card = await cardOf(work, state, row);
    return [{ writes, found: { state, row: changed(row, change), card } }];
  }
  if (!endsWithBooking(state, row)) return [];
  if (row.status === 'Pending') {
    const { change, why } = cancellation(nowMs, BY_BOOKING);
    return [{ writes: changeWrites(work, row, change, { why }), found: null }];
  }
  const found = { state, row, card: await cardOf(work, state, row) };
  if (!isNext) {
    const change = { dueAtMs: nowMs };
    const due = { ...found, row: changed(row, change) };
    return [{ writes: [updateTransaction(row, change)], found: due }];
  }
  const { after, writes } = await intend(work, { ...found, pending: 'release', caller: null });
  return [{ writes, found: { ...found, row: after } }];
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
  ended: readonly LoadedTransaction[],
): Promise<void> {
  const untilMs = work.now() + ENDING_MS;
  for (const found of ended) {
    if (work.now() > untilMs) return work.wakeBy(work.now() + SECOND_MS);
    const { pendingOperation, status } = found.row;
    if (status === 'Authorized') {
      await execute(work, await start(work, { ...found, pending: 'release', caller: null }));
    } else if (pendingOperation === 'release') {
      await execute(work, { ...found, recorded: 'committed' });
    } else {
      await resolveUnknown(work, transactionOperation(work, found));
    }
  }
}
