import { type BookingState, givesUp } from '../bookings/rules.ts';
import type { BookingWork } from '../bookings/work.ts';
import { SECOND_MS } from '../core/time.ts';
import type { Statement } from '../db/database.ts';
import type { TransactionRow } from '../db/moneyTables.ts';
import { begin, carryOut } from './begin.ts';
import { cardByToken } from './find.ts';
import { changed, changeStatements } from './settle.ts';
import { cancellation } from './states.ts';
import { updateTransaction } from './store.ts';

/** What a cancelled booking gives up. */
export interface GivenUp {
  /** For the batch that cancels the booking. */
  readonly statements: Statement[];
  /** Holds that are to be released at the gateway once the batch is committed. */
  readonly holds: TransactionRow[];
  /** What did not fit into the batch, in further batches that follow it. */
  readonly later: Statement[][];
}

/** How many schedules and holds one batch gives up: D1 allows a bounded number of statements. */
const MOST_AT_ONCE = 100;

/**
 * Cancels a booking's pending schedules and makes its holds due, in the batch that cancels the booking. Should what
 * follows be cut off, the alarm does it: whatever becomes due of a cancelled booking is given up then.
 */
export function giveUpFuturePayments(
  work: BookingWork,
  state: BookingState,
  waiting: readonly TransactionRow[],
): GivenUp {
  if (!givesUp(state)) return { statements: [], holds: [], later: [] };
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

/** Writes what did not fit into the batch of the cancellation. */
export async function giveUpTheRest(
  work: BookingWork,
  later: readonly Statement[][],
): Promise<void> {
  for (const [first, ...rest] of later) {
    if (first) await work.database.batch('d1.schedule.cancel', [first, ...rest]);
  }
}

/** How long a cancellation stays with its releases; the alarm goes on with the rest. */
const RELEASING_MS = 5 * SECOND_MS;

/** Releases the holds of a cancelled booking at the gateway. What is not done in time, the alarm goes on with. */
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
    const begun = await begin(work, { state, row, card, pending: 'release', caller: null });
    await carryOut(work, begun);
  }
}
