import { err, ok, type Result } from '../../core/result.ts';
import type { BookingWork } from '../../operation/work.ts';
import { busy } from '../../records/bookings/rules.ts';
import { readTotals } from '../balance/readBalance.ts';
import { start } from './attempt.ts';
import { recordWish } from './callOff.ts';
import { type FollowUpCommand, followUp } from './followUp.ts';
import { decideCapture } from './rules/decideCapture.ts';
import { isGuarded } from './rules/overcharge.ts';
import { isLost, whyNotReleased } from './rules.ts';
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
): Promise<Result<TransactionAnswer>> {
  const { amountMinor, caller, currency } = command;
  return followUp(work, command, async (found) => {
    const { property, booking } = found.state;
    if (booking.currency !== currency) return err(busy());
    const totals = isGuarded(property, found.row.purpose) ? await readTotals(work) : null;
    const moment = { atMs: work.now(), stepMinor: work.gateway.amountStepMinor(currency) };
    const decided = decideCapture(found.state, found, amountMinor, totals, moment);
    if (!decided.ok) return decided;
    const { priced, warnings } = decided.value;
    const { requestedMinor: captureRequestedMinor, amountMinor: captureAmountMinor } = priced;
    const change = { captureRequestedMinor, captureAmountMinor, warnings };
    return ok(await start(work, { ...found, pending: 'capture', change, caller }));
  });
}

/** Releases a pre-authorization; a repetition gives the same answer (interface: Cancel a pre-authorization). */
export function release(
  work: BookingWork,
  command: FollowUpCommand,
): Promise<Result<TransactionAnswer>> {
  const { caller } = command;
  return followUp(work, command, async (found) => {
    const { card, row, state } = found;
    const refused = whyNotReleased(row);
    if (refused) return err(refused);
    if (row.status === 'Released') {
      const answer = recordedAnswer(row, card, state.property.timeZone);
      return ok({ answer, endedBefore: row.reference });
    }
    if (isLost(row)) return recordWish(work, found, caller);
    return ok(await start(work, { ...found, pending: 'release', caller }));
  });
}
