import type { Failure } from '../../core/failure.ts';
import { err, type Result } from '../../core/result.ts';
import { commitIntent } from '../../operation/commit.ts';
import type { Write } from '../../operation/draft.ts';
import { type CallerKey, takeKeyOf } from '../../operation/idempotency.ts';
import type { BookingWork } from '../../operation/work.ts';
import { uncertain } from '../../records/bookings/rules.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { applyOutcome, isCertain, lookUp } from '../gateway/operation.ts';
import { SAFETY_NET_MS } from '../gateway/rules/statusChecks.ts';
import { execute, start } from './attempt.ts';
import { changed, changeWrites, isWritten } from './entries.ts';
import { transactionOperation } from './gatewayOperation.ts';
import { type LoadedTransaction, readTransaction } from './loadTransaction.ts';
import type { TransactionChange } from './states.ts';
import { calledOffAnswer, type TransactionAnswer } from './views.ts';

/** The audit trail's reason for what a caller ends. */
export const BY_REQUEST = 'cancelled by request';

/** The wish that a lost request is not sent again; it is looked up at once, if not sooner. */
export function wish({ dueAtMs, unwantedSinceMs }: TransactionRow, nowMs: number) {
  return {
    unwantedSinceMs: unwantedSinceMs ?? nowMs,
    dueAtMs: Math.min(dueAtMs ?? nowMs, nowMs + SAFETY_NET_MS),
  } satisfies TransactionChange;
}

/**
 * Ends a schedule or hold whose outcome is not known, as far as anybody can: records that it is not wanted any more, then
 * asks the acquirer once. What arrived after all is recorded, and a hold is let go. Repeating it changes nothing more.
 * The answer is that of the record, so a caller's key keeps none.
 */
export async function callOff(
  work: BookingWork,
  found: LoadedTransaction,
  caller: CallerKey | null,
): Promise<Result<TransactionAnswer, Failure>> {
  const recorded = await recordWish(work, found.row, caller);
  if (recorded === null) return err(uncertain());
  const row = await askOnce(work, { ...found, row: recorded });
  const after = row.status === 'Authorized' ? await letGo(work, { ...found, row }) : row;
  return calledOffAnswer(after, found.card, found.state.property.timeZone);
}

/** Releases a hold that arrived after all. Returns the row as D1 has it. */
async function letGo(work: BookingWork, found: LoadedTransaction): Promise<TransactionRow> {
  const attempt = await start(work, { ...found, pending: 'release', caller: null });
  await execute(work, attempt);
  return (await readTransaction(work, { id: found.row.id })) ?? attempt.row;
}

/**
 * Records the wish under the caller's key, with its reason. Returns the row as D1 has it; null if D1 does not say.
 */
export async function recordWish(
  work: BookingWork,
  row: TransactionRow,
  caller: CallerKey | null,
  why: string = BY_REQUEST,
): Promise<TransactionRow | null> {
  const isNew = row.status === 'Processing' && row.unwantedSinceMs === null;
  const change = wish(row, work.now());
  const writes: Write[] = [
    ...(await takeKeyOf(work, caller, row.reference, null)),
    ...(isNew ? changeWrites(work, row, change, { why }) : []),
  ];
  if (isNew) await work.wakeBy(change.dueAtMs);
  const after = isNew ? changed(row, change) : row;
  if (writes.length === 0) return after;
  const recorded = await commitIntent(work, 'd1.transaction.begin', writes, async () =>
    isWritten(await readTransaction(work, { id: row.id }), after),
  );
  return recorded === 'unknown' ? null : after;
}

/** Asks the acquirer for the outcome, and records it if it is certain. The alarm keeps its time otherwise. */
async function askOnce(work: BookingWork, found: LoadedTransaction): Promise<TransactionRow> {
  if (found.row.status !== 'Processing') return found.row;
  const operation = transactionOperation(work, found);
  const said = await lookUp(work, operation.lookUpRequest);
  return isCertain(said) ? applyOutcome(work, operation, said) : found.row;
}
