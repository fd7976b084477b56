import { SECOND_MS } from '../../core/time.ts';
import { commit } from '../../operation/commit.ts';
import type { Write } from '../../operation/draft.ts';
import type { BookingWork } from '../../operation/work.ts';
import { type BookingState, endsWithBooking } from '../../records/bookings/rules.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { resolveUnknown } from '../gateway/resolve.ts';
import { type Attempt, execute, intend } from './attempt.ts';
import { changed, changeWrites, MOST_CHANGES } from './entries.ts';
import { transactionOperation } from './gatewayOperation.ts';
import { cardOf } from './loadTransaction.ts';
import { stopsOnCancellation } from './rules/cases.ts';
import { cancellation } from './rules/firing.ts';

export interface PendingCancellation {
  readonly writes: Write[];
  /** What is ended at the gateway once the batches are committed: holds, and payments that wait for their guest. */
  readonly atGateway: Attempt[];
  /** Further batches, for what did not fit into the first one. */
  readonly later: Write[][];
}

/**
 * Ends what a cancelled booking has open, in the batch that cancels the booking: cancels its pending schedules, records
 * that its holds are to be released, and makes due the payments that stop with it. If the steps after that batch are cut
 * off, the alarm does them: it resends a release that never arrived, and abandons a stopped payment.
 */
export async function cancelPendingPayments(
  work: BookingWork,
  state: BookingState,
  open: readonly TransactionRow[],
): Promise<PendingCancellation> {
  const ended: Ended[] = [];
  for (const row of open) ended.push(...(await ending(work, state, row)));
  const batches: Write[][] = [];
  for (let from = 0; from < ended.length; from += MOST_CHANGES) {
    batches.push(ended.slice(from, from + MOST_CHANGES).flatMap(({ writes }) => writes));
  }
  const [writes = [], ...later] = batches;
  return { writes, later, atGateway: ended.flatMap(({ attempt }) => attempt ?? []) };
}

/** A transaction that ends with its booking: what writes that, and what is to be done at the gateway after it. */
interface Ended {
  readonly writes: Write[];
  readonly attempt: Attempt | null;
}

/** How a transaction ends with its booking; nothing if it stays. */
async function ending(
  work: BookingWork,
  state: BookingState,
  row: TransactionRow,
): Promise<Ended[]> {
  if (row.status === 'Processing') return stopping(work, state, row);
  if (!endsWithBooking(state, row)) return [];
  if (row.status === 'Pending') {
    const { change, why } = cancellation(work.now(), BY_BOOKING);
    return [{ writes: changeWrites(work, row, change, { why }), attempt: null }];
  }
  const found = { state, row, card: await cardOf(work, state, row) };
  const { after, writes } = await intend(work, { ...found, pending: 'release', caller: null });
  return [{ writes, attempt: { ...found, row: after, recorded: 'committed' } }];
}

/** How a payment stops that may be under way at the gateway; nothing if it outlives its booking. */
async function stopping(
  work: BookingWork,
  state: BookingState,
  row: TransactionRow,
): Promise<Ended[]> {
  const isNew = state.booking.status === 'cancelled' && row.unwantedSinceMs === null;
  if (!isNew || !stopsOnCancellation(row)) return [];
  const nowMs = work.now();
  const change = { unwantedSinceMs: nowMs, dueAtMs: nowMs };
  const card = await cardOf(work, state, row);
  const writes = changeWrites(work, row, change, { why: BY_BOOKING });
  return [{ writes, attempt: { state, row: changed(row, change), card, recorded: 'committed' } }];
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
export async function endAtGateway(work: BookingWork, attempts: readonly Attempt[]): Promise<void> {
  const untilMs = work.now() + ENDING_MS;
  for (const attempt of attempts) {
    if (work.now() > untilMs) return work.wakeBy(work.now() + SECOND_MS);
    if (attempt.row.pendingOperation === 'release') await execute(work, attempt);
    else await resolveUnknown(work, transactionOperation(work, attempt));
  }
}
