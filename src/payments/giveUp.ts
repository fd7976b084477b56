import { type BookingState, givesUp } from '../bookings/rules.ts';
import type { BookingWork } from '../bookings/work.ts';
import { SECOND_MS } from '../core/time.ts';
import type { Statement } from '../db/database.ts';
import type { TransactionRow } from '../db/schema.ts';
import { begin, carryOut } from './begin.ts';
import { cardByToken } from './find.ts';
import { changed, changeStatements } from './settle.ts';
import { cancellation } from './states.ts';
import { updateTransaction } from './store.ts';

/** What a cancelled booking gives up, for the batch that cancels it. */
export interface GivenUp {
  readonly statements: Statement[];
  /** Holds that are to be released at the gateway once the batch is committed. */
  readonly holds: TransactionRow[];
}

/**
 * How many schedules, and how many holds, are given up in the batch of the cancellation itself: D1 allows a bounded
 * number of statements. Any further one ends when it is due, since its booking is cancelled by then.
 */
const MOST_AT_ONCE = 200;

/**
 * Cancels a booking's pending schedules and makes its holds due, in the batch that cancels the booking: should
 * the releases that follow be cut off, the alarm does them.
 */
export function giveUpFuturePayments(
  work: BookingWork,
  state: BookingState,
  waiting: readonly TransactionRow[],
): GivenUp {
  if (!givesUp(state)) return { statements: [], holds: [] };
  const nowMs = work.now();
  const cancelled = cancellation(nowMs, 'the booking was cancelled');
  const held = waiting.filter(({ status }) => status === 'Authorized').slice(0, MOST_AT_ONCE);
  const pending = waiting.filter(({ status }) => status === 'Pending').slice(0, MOST_AT_ONCE);
  return {
    statements: [
      ...pending.flatMap((row) => changeStatements(work, row, cancelled.change, cancelled.why)),
      ...held.map((row) => updateTransaction(work.database.queries, row, { dueAtMs: nowMs })),
    ],
    holds: held.map((row) => changed(row, { dueAtMs: nowMs })),
  };
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
