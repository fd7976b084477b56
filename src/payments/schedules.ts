import { type BookingState, bookingNotFound } from '../bookings/rules.ts';
import { type BookingWork, bookingState, onCurrentState } from '../bookings/work.ts';
import { type Failure, failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { Statement } from '../db/database.ts';
import type { TransactionRow } from '../db/schema.ts';
import { type Answered, type CallerKey, keyRow, keyTakenOr, once } from '../idempotency/actions.ts';
import { takeKey } from '../idempotency/store.ts';
import { asRecorded } from './create.ts';
import { cardByToken, type FollowUpCommand, type Found, findTransaction } from './find.ts';
import { wrongState } from './rules.ts';
import { changed, changeStatements } from './settle.ts';
import { cancellation } from './states.ts';
import { selectTransactions } from './store.ts';
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
  const statements = done ? [] : changeStatements(work, row, change, why);
  const after = done ? row : changed(row, change);
  const answer = recordedAnswer(after, card, state.property.timeZone);
  await commit(work, caller, row.reference, statements, answer);
  return answer;
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
  const [all] = await work.database.batch('d1.transaction.read', [
    selectTransactions(work.database.queries, work.propertyId, work.reference),
  ]);
  const schedules = all.filter(({ kind }) => kind === 'schedule');
  const pending = schedules.filter(({ status }) => status === 'Pending');
  const { change, why } = cancellation(work.now(), BY_REQUEST);
  const cancelled: TransactionView[] = [];
  for (const row of pending) {
    const card = row.cardToken ? await cardByToken(work, state, row.cardToken) : null;
    cancelled.push(transactionView(changed(row, change), card, state.property.timeZone));
  }
  const skipped = schedules
    .filter(({ status }) => status !== 'Pending' && status !== 'Cancelled')
    .map(({ id, status }) => ({ id, status }));
  const statements = pending.flatMap((row) => changeStatements(work, row, change, why));
  const answer = ok({ cancelled, skipped });
  await commit(work, caller, null, statements, answer);
  return answer;
}

/** Writes a change that no gateway takes part in, with the answer that its key keeps. */
async function commit(
  work: BookingWork,
  caller: CallerKey | null,
  commandReference: string | null,
  statements: Statement[],
  answer: Result<unknown, Failure>,
): Promise<void> {
  const all = [...statements];
  if (caller) {
    const kept = await keyRow(work, caller, commandReference, JSON.stringify(answer));
    all.unshift(takeKey(work.database.queries, kept));
  }
  const [first, ...rest] = all;
  if (!first) return;
  try {
    await work.database.batch('d1.schedule.cancel', [first, ...rest]);
  } catch (error) {
    throw keyTakenOr(error);
  }
}
