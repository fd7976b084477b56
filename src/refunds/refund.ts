import { type BookingState, bookingNotFound, busy } from '../bookings/rules.ts';
import { type BookingWork, bookingState, onCurrentState } from '../bookings/work.ts';
import type { Failure } from '../core/failure.ts';
import { err, type Result } from '../core/result.ts';
import type { RefundRow } from '../db/moneyTables.ts';
import type { Outcome } from '../gateways/gateway.ts';
import { type Answered, type CallerKey, completeKey, once } from '../idempotency/actions.ts';
import { aboutBooking, logError } from '../io/log.ts';
import { type RefundsAnswer, refundAnswer } from './answer.ts';
import { type Charges, readCharges } from './charges.ts';
import { type Reserved, type Round, reserve } from './reserve.ts';
import { askRefund, awaitRefundInquiry, settleRefund } from './settle.ts';
import { selectRefunds } from './store.ts';

/** A refund as it reaches the booking's object (interface: 4.3). */
export interface RefundCommand {
  readonly amountMinor: number;
  readonly currency: string;
  /** The charge to refund against; null for any of the booking's. */
  readonly chargeId: number | null;
  readonly description: string | null;
  /** 32 hex digits that every record of this request carries. */
  readonly commandReference: string;
  readonly caller: CallerKey | null;
}

/** What a request has come to so far. */
interface Progress {
  readonly refunds: RefundRow[];
  refusal: Outcome | null;
  charges: Charges | null;
}

/**
 * Sends money back (interface: 4.3; decisions: section 5). The parts are reserved on their charges before the
 * gateway hears of any; what it refuses of one charge goes to others that have room.
 */
export function refund(
  work: BookingWork,
  command: RefundCommand,
): Promise<Answered<RefundsAnswer>> {
  return once(
    work,
    command.caller,
    async () => {
      const state = await bookingState(work);
      if (!state) return err(bookingNotFound());
      if (state.booking.currency !== command.currency) return err(busy());
      const answer = await refundInRounds(work, state, command);
      await keepAnswer(work, command, answer);
      return answer;
    },
    (kept) => recordedRefund(work, command, kept.commandReference ?? ''),
  );
}

async function refundInRounds(
  work: BookingWork,
  state: BookingState,
  command: RefundCommand,
): Promise<Result<RefundsAnswer, Failure>> {
  const progress: Progress = { refunds: [], refusal: null, charges: null };
  const refused = new Set<number>();
  let leftMinor = command.amountMinor;
  while (leftMinor > 0) {
    const round = await nextRound(work, command, leftMinor, refused);
    if (!round.ok && refused.size === 0) return round;
    if (!round.ok || round.value.parts.length === 0) break;
    progress.charges ??= round.value.charges;
    leftMinor = await carryOutRound(work, round.value, progress, refused);
  }
  const { refunds, refusal, charges } = progress;
  return refundAnswer(
    { askedMinor: command.amountMinor, refunds, refusal },
    (chargeId) => charges?.cardOf(chargeId) ?? null,
    state.property.timeZone,
  );
}

/** Reserves the next parts. Once money may have moved, trouble only ends the search for room. */
async function nextRound(
  work: BookingWork,
  command: RefundCommand,
  leftMinor: number,
  refused: ReadonlySet<number>,
): Promise<Result<Round, Failure>> {
  try {
    return await onCurrentState(work, () => reserve(work, command, leftMinor, refused));
  } catch (error) {
    if (refused.size === 0) throw error;
    logError('refund_round_failed', error, aboutBooking(work));
    return err(busy());
  }
}

/** Carries out the parts of a round; returns the minor units that were certainly not refunded. */
async function carryOutRound(
  work: BookingWork,
  { parts, recorded }: Round,
  progress: Progress,
  refused: Set<number>,
): Promise<number> {
  let leftMinor = 0;
  for (const part of parts) {
    // D1 did not say whether the part is recorded: it is shown as open, and the alarm finds out.
    const row = recorded === 'yes' ? await carryOut(work, part, progress) : part.refund;
    progress.refunds.push(row);
    if (row.status === 'Failed') {
      refused.add(part.charge.id);
      leftMinor += row.amountMinor;
    }
  }
  return leftMinor;
}

/** Asks the gateway for one part and settles it, or leaves it to the alarm. */
async function carryOut(
  work: BookingWork,
  { refund: row, charge }: Reserved,
  progress: Progress,
): Promise<RefundRow> {
  const outcome = await askRefund(work, row, charge);
  if (outcome.kind === 'unknown') return awaitRefundInquiry(work, row);
  if (outcome.kind !== 'approved') progress.refusal = outcome;
  return settleRefund(work, row, charge, outcome);
}

/** The answer that the refunds of an earlier request, with the same key, give now. */
async function recordedRefund(
  work: BookingWork,
  command: RefundCommand,
  commandReference: string,
): Promise<Result<RefundsAnswer, Failure>> {
  const state = await bookingState(work);
  if (!state) return err(bookingNotFound());
  const { database, propertyId, reference } = work;
  const [all] = await database.batch('d1.refund.read', [
    selectRefunds(database.queries, propertyId, reference),
  ]);
  const charges = await readCharges(work);
  const refunds = all.filter((row) => row.commandReference === commandReference);
  return refundAnswer(
    { askedMinor: command.amountMinor, refunds, refusal: null },
    charges.cardOf,
    state.property.timeZone,
  );
}

/** Keeps a certain answer under the caller's key; one that was cut off is found again by its refunds. */
async function keepAnswer(
  work: BookingWork,
  { caller }: RefundCommand,
  answer: Result<RefundsAnswer, Failure>,
): Promise<void> {
  const recorded = answer.ok || answer.error.members !== undefined;
  const certain = answer.ok || answer.error.code !== 'outcome_unknown';
  if (caller === null || !recorded || !certain) return;
  await work.database
    .batch('d1.answer.keep', [completeKey(work, caller, answer)])
    .catch(() => undefined);
}
