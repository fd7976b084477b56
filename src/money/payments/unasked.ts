import { MINUTE_MS } from '../../core/time.ts';
import { commit } from '../../operation/commit.ts';
import type { BookingWork } from '../../operation/work.ts';
import { type NewException, openException } from '../../records/exceptions/openException.ts';
import { insertException } from '../../records/exceptions/store.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { changed, changeWrites } from './change.ts';
import type { Firing } from './rules/firing.ts';
import { afterNoAnswerMs } from './rules/retries.ts';
import { updateTransaction } from './store.ts';

/** The acquirer did not say whether it has charged a late schedule already: asks again later, until its time is over. */
export async function awaitAnswer(
  work: BookingWork,
  row: TransactionRow,
  firing: Firing,
  retryAfterMs: number | null,
): Promise<void> {
  const dueAtMs = afterNoAnswerMs(row, retryAfterMs, work.now());
  if (dueAtMs === null && firing.kind === 'end') return endUnasked(work, row, firing);
  const change = {
    dueAtMs: dueAtMs ?? work.now() + 5 * MINUTE_MS,
    rejections: row.rejections + 1,
  };
  await work.database.batch('d1.transaction.postpone', [
    updateTransaction(work.database.queries, row, change),
  ]);
}

/** Ends a schedule although the acquirer could not be asked, and leaves it to a person to compare both records. */
async function endUnasked(
  work: BookingWork,
  row: TransactionRow,
  { change, why }: Extract<Firing, { kind: 'end' }>,
): Promise<void> {
  const reason = `${why}, and the gateway could not be asked`;
  const exception = openException(unaskedException(changed(row, change)), work.now());
  await commit(work, 'd1.transaction.apply', [
    ...changeWrites(work, row, change, { why: reason }),
    insertException(work.database.queries, exception),
  ]);
}

function unaskedException(row: TransactionRow): NewException {
  const { amountMinor, bookingReference, currency, gateway, id, propertyId, scheduledAtMs } = row;
  return {
    kind: 'state_differs',
    subject: `charge ${id}`,
    gateway,
    propertyId,
    bookingReference,
    ours: { status: row.status, amountMinor, currency, id: String(id), atMs: scheduledAtMs },
    theirs: null,
    detail: 'The gateway could not be asked whether it has made this scheduled charge.',
  };
}
