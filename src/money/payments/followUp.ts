import type { Result } from '../../core/result.ts';
import { type CallerKey, keepFirst } from '../../operation/idempotency.ts';
import { type BookingWork, decideAgain } from '../../operation/work.ts';
import { type Attempt, execute } from './attempt.ts';
import { callOff, type Unwanted } from './callOff.ts';
import { type LoadedTransaction, loadTransaction } from './loadTransaction.ts';
import type { TransactionAnswer } from './views.ts';

/** A command that acts on one of the booking's transactions. */
export interface FollowUpCommand {
  readonly chargeId: number;
  readonly caller: CallerKey | null;
}

interface Answer {
  readonly answer: Result<TransactionAnswer>;
  /** The reference of what had ended before: nothing is written but the answer, under the caller's key. */
  readonly endedBefore?: string;
}

/**
 * Decides on a transaction in its current state, and carries out what was recorded, if that did not answer already. What
 * takes a caller's key alone comes after: only what writes nothing on remembered rows is decided again on D1's.
 */
export async function followUp(
  work: BookingWork,
  { caller, chargeId }: FollowUpCommand,
  decide: (found: LoadedTransaction) => Promise<Result<Attempt | Unwanted | Answer>>,
): Promise<Result<TransactionAnswer>> {
  const decided = await decideAgain(work, async () => {
    const found = await loadTransaction(work, chargeId);
    return found.ok ? decide(found.value) : found;
  });
  if (!decided.ok) return decided;
  const step = decided.value;
  if ('unwanted' in step) return callOff(work, step, caller);
  if (!('answer' in step)) return execute(work, step);
  const { answer, endedBefore } = step;
  if (caller && endedBefore !== undefined) await keepFirst(work, caller, endedBefore, answer);
  return answer;
}
