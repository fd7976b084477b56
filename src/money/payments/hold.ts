import type { Failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { type Answered, keepFirst, once } from '../../operation/idempotency.ts';
import { type BookingWork, decideAgain } from '../../operation/work.ts';
import { busy } from '../../records/bookings/rules.ts';
import { readTotals } from '../balance/readBalance.ts';
import { type Attempt, execute, start } from './attempt.ts';
import { callOff, isLost } from './callOff.ts';
import { asRecorded } from './charge.ts';
import {
  type FollowUpCommand,
  type LoadedTransaction,
  loadTransaction,
} from './loadTransaction.ts';
import { decideCapture } from './rules/decideCapture.ts';
import { isGuarded } from './rules/overcharge.ts';
import { wrongKind, wrongState } from './rules.ts';
import { calledOffAnswer, recordedAnswer, type TransactionAnswer } from './views.ts';

/** Charges a pre-authorization; `amountMinor` is without fees, null for the whole authorized amount. */
export interface CaptureCommand extends FollowUpCommand {
  readonly amountMinor: number | null;
  readonly currency: string;
}

/** Charges a pre-authorization once, fully or partly; the rest is released (interface: Charge a pre-authorization). */
export function capture(
  work: BookingWork,
  command: CaptureCommand,
): Promise<Answered<TransactionAnswer>> {
  return followUp(work, command, async (found) => {
    if (found.state.booking.currency !== command.currency) return err(busy());
    const { property } = found.state;
    const totals = isGuarded(property, found.row.purpose) ? await readTotals(work) : null;
    const moment = {
      atMs: work.now(),
      stepMinor: work.gateway.amountStepMinor(command.currency),
    };
    const decided = decideCapture(found.state, found, command.amountMinor, totals, moment);
    if (!decided.ok) return decided;
    const { priced, warnings } = decided.value;
    const { requestedMinor: captureRequestedMinor, amountMinor: captureAmountMinor } = priced;
    const change = { captureRequestedMinor, captureAmountMinor, warnings };
    return ok(await start(work, { ...found, pending: 'capture', change, caller: command.caller }));
  });
}

/** Releases a pre-authorization; a repetition gives the same answer (interface: Cancel a pre-authorization). */
export function release(
  work: BookingWork,
  command: FollowUpCommand,
): Promise<Answered<TransactionAnswer>> {
  return followUp(work, command, async (found) => {
    const { row } = found;
    if (row.kind !== 'authorization') return err(wrongKind('a pre-authorization'));
    if (row.status === 'Released') return ok(null);
    if (isLost(row)) return ok({ answer: await callOff(work, found, command.caller) });
    if (row.status !== 'Authorized') return err(wrongState('pre-authorization', row));
    return ok(await start(work, { ...found, pending: 'release', caller: command.caller }));
  });
}

/** The attempt that was recorded on a transaction, or an answer without one; null if there was nothing to do. */
type Decision = Attempt | { readonly answer: Result<TransactionAnswer, Failure> } | null;

/** A transaction before the decision. */
interface Decided {
  readonly found: LoadedTransaction;
  readonly decision: Decision;
}

/** Decides on a transaction in its current state, records the decision and executes it. */
function followUp(
  work: BookingWork,
  command: FollowUpCommand,
  decide: (found: LoadedTransaction) => Promise<Result<Decision, Failure>>,
): Promise<Answered<TransactionAnswer>> {
  return once(
    work,
    command.caller,
    async () => {
      const decided = await decideAgain(work, async () => {
        const found = await loadTransaction(work, command.chargeId);
        if (!found.ok) return found;
        const decision = await decide(found.value);
        return decision.ok
          ? ok<Decided>({ found: found.value, decision: decision.value })
          : decision;
      });
      if (!decided.ok) return decided;
      const { found, decision } = decided.value;
      if (decision !== null && 'answer' in decision) return decision.answer;
      if (decision !== null) return execute(work, decision);
      const { state, row, card } = found;
      const answer = recordedAnswer(row, card, state.property.timeZone);
      if (command.caller) await keepFirst(work, command.caller, row.reference, answer);
      return answer;
    },
    (kept) => asRecorded(work, kept, calledOffAnswer),
  );
}
