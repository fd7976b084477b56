import type { Failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { type Answered, keepFirst, once } from '../../operation/idempotency.ts';
import { type BookingWork, onCurrentState } from '../../operation/work.ts';
import { busy } from '../../records/bookings/rules.ts';
import { type Attempt, execute, start } from './attempt.ts';
import { asRecorded } from './create.ts';
import {
  type FollowUpCommand,
  type LoadedTransaction,
  loadTransaction,
} from './loadTransaction.ts';
import { priceCapture, wrongKind, wrongState } from './rules.ts';
import { surchargeWarnings } from './surcharge.ts';
import { recordedAnswer, type TransactionAnswer } from './views.ts';

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
    const stepMinor = work.gateway.amountStepMinor(command.currency);
    const moment = { atMs: work.now(), stepMinor };
    const { property } = found.state;
    const priced = priceCapture(property, found.card, found.row, command.amountMinor, moment);
    if (!priced.ok) return priced;
    const { requestedMinor: captureRequestedMinor, amountMinor: captureAmountMinor } = priced.value;
    const others = found.row.warnings.filter((warning) => warning !== 'surcharge_not_allowed');
    const lawful = surchargeWarnings(property, found.card, priced.value, moment);
    const change = { captureRequestedMinor, captureAmountMinor, warnings: [...others, ...lawful] };
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
    if (row.status !== 'Authorized') return err(wrongState('pre-authorization', row));
    return ok(await start(work, { ...found, pending: 'release', caller: command.caller }));
  });
}

/** A transaction before the decision, and the attempt recorded on it; null if there was nothing to do. */
interface Decided {
  readonly found: LoadedTransaction;
  readonly attempt: Attempt | null;
}

/** Decides on a transaction in its current state, records the decision and executes it. */
function followUp(
  work: BookingWork,
  command: FollowUpCommand,
  decide: (found: LoadedTransaction) => Promise<Result<Attempt | null, Failure>>,
): Promise<Answered<TransactionAnswer>> {
  return once(
    work,
    command.caller,
    async () => {
      const decided = await onCurrentState(work, async () => {
        const found = await loadTransaction(work, command.chargeId);
        if (!found.ok) return found;
        const attempt = await decide(found.value);
        return attempt.ok ? ok<Decided>({ found: found.value, attempt: attempt.value }) : attempt;
      });
      if (!decided.ok) return decided;
      const { found, attempt } = decided.value;
      if (attempt) return execute(work, attempt);
      const { state, row, card } = found;
      const answer = recordedAnswer(row, card, state.property.timeZone);
      if (command.caller) await keepFirst(work, command.caller, row.reference, answer);
      return answer;
    },
    (kept) => asRecorded(work, kept.commandReference ?? ''),
  );
}
