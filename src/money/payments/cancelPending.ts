import { SECOND_MS } from '../../core/time.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { Statement } from '../../platform/db/database.ts';
import type { TransactionRow } from '../../platform/db/moneyTables.ts';
import { type BookingState, cancelsPending } from '../../records/bookings/rules.ts';
import { execute, start } from './attempt.ts';
import { changed, changeStatements } from './change.ts';
import { cancellation } from './firing.ts';
import { cardByToken } from './loadTransaction.ts';
import { updateTransaction } from './store.ts';

/** The schedules and holds that end with their cancelled booking. */
export interface PendingCancellation {
  /** For the batch that cancels the booking. */
  readonly statements: Statement[];
  /** Holds to release at the gateway once the batch is committed. */
  readonly holds: TransactionRow[];
  /** Further batches, for what did not fit into the first one. */
  readonly later: Statement[][];
}

/** How many schedules and holds one batch changes: D1 limits the statements of an invocation. */
const MOST_AT_ONCE = 100;

/**
 * Cancels a booking's pending schedules and makes its holds due, in the batch that cancels the booking. If the steps
 * after that batch are cut off, the alarm does them: it cancels a due schedule and releases a due hold of a cancelled
 * booking.
 */
export function cancelPendingPayments(
  work: BookingWork,
  state: BookingState,
  waiting: readonly TransactionRow[],
): PendingCancellation {
  if (!cancelsPending(state)) return { statements: [], holds: [], later: [] };
  const nowMs = work.now();
  const { change, why } = cancellation(nowMs, 'the booking was cancelled');
  const due = { dueAtMs: nowMs };
  const batches: Statement[][] = [];
  for (let from = 0; from < waiting.length; from += MOST_AT_ONCE) {
    const rows = waiting.slice(from, from + MOST_AT_ONCE);
    batches.push(
      rows.flatMap((row): Statement[] =>
        row.status === 'Pending'
          ? changeStatements(work, row, change, why)
          : [updateTransaction(work.database.queries, row, due)],
      ),
    );
  }
  const [statements = [], ...later] = batches;
  const held = waiting.slice(0, MOST_AT_ONCE).filter(({ status }) => status === 'Authorized');
  return { statements, later, holds: held.map((row) => changed(row, due)) };
}

/** Runs the further batches of a cancellation. */
export async function cancelRemaining(
  work: BookingWork,
  later: readonly Statement[][],
): Promise<void> {
  for (const [first, ...rest] of later) {
    if (first) await work.database.batch('d1.schedule.cancel', [first, ...rest]);
  }
}

/** How long a cancellation spends on releasing holds. */
const RELEASING_MS = 5 * SECOND_MS;

/** Releases the holds of a cancelled booking at the gateway. The alarm releases those that are left after the time. */
export async function releaseHolds(
  work: BookingWork,
  state: BookingState,
  holds: readonly TransactionRow[],
): Promise<void> {
  const untilMs = work.now() + RELEASING_MS;
  for (const row of holds) {
    if (work.now() > untilMs) return work.wakeBy(work.now() + SECOND_MS);
    const card = row.cardToken ? await cardByToken(work, state, row.cardToken) : null;
    if (card === null) continue;
    await execute(work, await start(work, { state, row, card, pending: 'release', caller: null }));
  }
}
