import { busy } from '../bookings/rules.ts';
import { type BookingWork, onCurrentState } from '../bookings/work.ts';
import type { Failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import { type Answered, keepFirst, once } from '../idempotency/actions.ts';
import { type Begun, begin, carryOut } from './begin.ts';
import { asRecorded } from './create.ts';
import { type FollowUpCommand, type Found, findTransaction } from './find.ts';
import { priceCapture, wrongState } from './rules.ts';
import { recordedAnswer, type TransactionAnswer } from './views.ts';

/** Charges a pre-authorization; `amountMinor` is without fees, null for all that was authorized. */
export interface CaptureCommand extends FollowUpCommand {
  readonly amountMinor: number | null;
  readonly currency: string;
}

/** Charges a pre-authorization once, wholly or in part; the rest is released (decisions: section 5). */
export function capture(
  work: BookingWork,
  command: CaptureCommand,
): Promise<Answered<TransactionAnswer>> {
  return followUp(work, command, async (found) => {
    if (found.state.booking.currency !== command.currency) return err(busy());
    const priced = priceCapture(found.row, command.amountMinor, work.now());
    if (!priced.ok) return priced;
    const { requestedMinor: captureRequestedMinor, amountMinor: captureAmountMinor } = priced.value;
    const change = { captureRequestedMinor, captureAmountMinor };
    return ok(await begin(work, { ...found, pending: 'capture', change, caller: command.caller }));
  });
}

/** Releases a pre-authorization; doing it again gives the same answer (decisions: section 5). */
export function release(
  work: BookingWork,
  command: FollowUpCommand,
): Promise<Answered<TransactionAnswer>> {
  return followUp(work, command, async (found) => {
    const { row } = found;
    if (row.kind !== 'authorization')
      return err(wrongState('transaction is no pre-authorization; it', row));
    if (row.status === 'Released') return ok(null);
    if (row.status !== 'Authorized') return err(wrongState('pre-authorization', row));
    return ok(await begin(work, { ...found, pending: 'release', caller: command.caller }));
  });
}

/** Decides on a transaction as it is now, begins what was decided (null: it is done already) and carries it out. */
function followUp(
  work: BookingWork,
  command: FollowUpCommand,
  decide: (found: Found) => Promise<Result<Begun | null, Failure>>,
): Promise<Answered<TransactionAnswer>> {
  return once(
    work,
    command.caller,
    async () => {
      const decided = await onCurrentState(work, async () => {
        const found = await findTransaction(work, command.chargeId);
        if (!found.ok) return found;
        const begun = await decide(found.value);
        return begun.ok ? ok({ found: found.value, begun: begun.value }) : begun;
      });
      if (!decided.ok) return decided;
      const { found, begun } = decided.value;
      if (begun) return carryOut(work, begun);
      const { state, row, card } = found;
      const answer = recordedAnswer(row, card, state.property.timeZone);
      if (command.caller) await keepFirst(work, command.caller, row.reference, answer);
      return answer;
    },
    (kept) => asRecorded(work, kept.commandReference ?? ''),
  );
}
