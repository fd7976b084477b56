import { err, ok, type Result } from '../../core/result.ts';
import { commitIntent } from '../../operation/commit.ts';
import { type CallerKey, keepFirst } from '../../operation/idempotency.ts';
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

/** A lost schedule or hold, once it is recorded that it is not wanted any more. */
export interface Unwanted {
  readonly unwanted: LoadedTransaction;
  /** Whether it was wanted until now: then the batch of the wish took the caller's key. */
  readonly isNew: boolean;
}

/**
 * Ends a schedule or hold whose outcome is not known, as far as anybody can: once it is recorded that it is not wanted
 * any more, asks the acquirer once. What arrived after all is recorded, and a hold is let go. Repeating it changes nothing
 * more. The answer is that of the record, so a caller's key keeps none.
 */
export async function callOff(
  work: BookingWork,
  { unwanted, isNew }: Unwanted,
  caller: CallerKey | null,
): Promise<Result<TransactionAnswer>> {
  if (caller && !isNew) await keepFirst(work, caller, unwanted.row.reference, null);
  const row = await askOnce(work, unwanted);
  const after = row.status === 'Authorized' ? await letGo(work, { ...unwanted, row }) : row;
  return calledOffAnswer(after, unwanted.card, unwanted.state.property.timeZone);
}

/** Releases a hold that arrived after all. Returns the row as D1 has it. */
async function letGo(work: BookingWork, found: LoadedTransaction): Promise<TransactionRow> {
  const attempt = await start(work, { ...found, pending: 'release', caller: null });
  await execute(work, attempt);
  return (await readTransaction(work, { id: found.row.id })) ?? attempt.row;
}

/**
 * Records the wish with its reason, and takes the caller's key with it, unless the wish is recorded already: then it writes
 * nothing. {@link uncertain} if D1 does not say whether it has the wish.
 */
export async function recordWish(
  work: BookingWork,
  found: LoadedTransaction,
  caller: CallerKey | null,
  why: string = BY_REQUEST,
): Promise<Result<Unwanted>> {
  const { row } = found;
  const isNew = row.status === 'Processing' && row.unwantedSinceMs === null;
  if (!isNew) return ok({ unwanted: found, isNew });
  const change = wish(row, work.now());
  const writes = [
    { takes: { caller, commandReference: row.reference, answer: null } },
    ...changeWrites(work, row, change, { why }),
  ];
  await work.wakeBy(change.dueAtMs);
  const after = changed(row, change);
  const recorded = await commitIntent(work, 'd1.transaction.begin', writes, async () =>
    isWritten(await readTransaction(work, { id: row.id }), after),
  );
  return recorded === 'unknown'
    ? err(uncertain())
    : ok({ unwanted: { ...found, row: after }, isNew });
}

/** Asks the acquirer for the outcome, and records it if it is certain. The alarm keeps its time otherwise. */
async function askOnce(work: BookingWork, found: LoadedTransaction): Promise<TransactionRow> {
  if (found.row.status !== 'Processing') return found.row;
  const operation = transactionOperation(work, found);
  const said = await lookUp(work, operation.lookUpRequest);
  return isCertain(said) ? applyOutcome(work, operation, said) : found.row;
}
