import type { Failure } from '../../core/failure.ts';
import { err, type Result } from '../../core/result.ts';
import { sumOf } from '../../core/sum.ts';
import { SECOND_MS } from '../../core/time.ts';
import type { Outcome } from '../../gateways/gateway.ts';
import { rejection } from '../../gateways/rules/outcome.ts';
import type { Write } from '../../operation/draft.ts';
import { completeKey } from '../../operation/idempotency.ts';
import type { IdempotencyRow } from '../../operation/idempotencyStore.ts';
import { type BookingWork, bookingState, decideAgain } from '../../operation/work.ts';
import type { Statement } from '../../platform/db/database.ts';
import { aboutBooking, logError } from '../../platform/log.ts';
import { type BookingState, bookingNotFound, busy } from '../../records/bookings/rules.ts';
import { withUse } from '../../records/cards/rules/virtual.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { RefundRow } from '../../schema/moneyTables.ts';
import { disputeFailure } from '../disputes/rules.ts';
import { applyOutcome, scheduleStatusCheck, submit } from '../gateway/operation.ts';
import { tooFine } from '../pricing/fees.ts';
import { type Charges, readCharges } from './charges.ts';
import { correctRejected, disputeOfRejected } from './correct.ts';
import { type RefundSubject, readRefunds, refundOperation } from './gatewayOperation.ts';
import { type RefundCommand, type Round, reserve } from './reserve.ts';
import { type RefundsAnswer, refundAnswer } from './views.ts';

/**
 * Sends money back (interface: Refunds). The parts are reserved on their charges before the gateway gets any request.
 * The service refunds a part that the gateway rejects on one charge from other charges that have enough left. Where that
 * was because our record of the charge was wrong, the request is decided again on the corrected one. Where it was because
 * the charge is disputed, the refund ends: it would be a second way back to the guest.
 */
export async function refund(
  work: BookingWork,
  command: RefundCommand,
): Promise<Result<RefundsAnswer>> {
  const state = await bookingState(work);
  if (!state) return err(bookingNotFound());
  if (state.booking.currency !== command.currency) return err(busy());
  if (command.amountMinor % work.gateway.amountStepMinor(command.currency) !== 0) {
    return err(tooFine());
  }
  const { answer, isKept } = await refundInRounds(work, state, command);
  if (!isKept) await keepAnswer(work, command, answer);
  return answer;
}

/** What a refund is answered, and whether the outcome of its last part kept that under the caller's key. */
interface Refunded {
  readonly answer: Result<RefundsAnswer>;
  readonly isKept: boolean;
}

/** One part of a refund after it was sent. */
interface Attempted {
  readonly refund: RefundRow;
  /** The outcome that failed it; null if it succeeded, or its outcome is unknown. */
  readonly rejection: Outcome | null;
  /** Whether the acquirer's record of the charge corrected ours after that: then the charge is tried once more. */
  readonly isCorrected: boolean;
  /** Why nothing more is refunded: the charge is disputed. Null otherwise. */
  readonly disputed: Failure | null;
}

function refused(failure: Failure): Refunded {
  return { answer: err(failure), isKept: false };
}

/** Refunds in rounds: a round takes what the gateway rejected in the one before from other charges. */
async function refundInRounds(
  work: BookingWork,
  state: BookingState,
  command: RefundCommand,
): Promise<Refunded> {
  const attempted: Attempted[] = [];
  let charges: Charges | null = null;
  let kept: RefundRow | null = null;
  const answerTo = (all: readonly Attempted[]) =>
    refundAnswer(
      {
        askedMinor: command.amountMinor,
        refunds: all.map(({ refund }) => refund),
        rejection: all.findLast((one) => one.rejection)?.rejection ?? null,
        disputed: disputedOf(all),
      },
      (chargeId) => charges && cardLeft(charges, chargeId, all),
      state.property.timeZone,
    );
  const keep = (ofRound: readonly Attempted[], last: RefundRow) => {
    const all = [...attempted, ...ofRound];
    if (assignedMinor(all) < command.amountMinor) return [];
    kept = last;
    return keepingWrites(work, command, answerTo(all));
  };
  while (disputedOf(attempted) === null) {
    const leftMinor = command.amountMinor - assignedMinor(attempted);
    if (leftMinor === 0) break;
    const round = await nextRound(work, command, leftMinor, attempted);
    if (!round) break;
    if (!round.ok && attempted.length === 0) return refused(round.error);
    // The failure has members because the request has its key and records: it is kept with them.
    if (!round.ok && mayStillRefuse(attempted)) {
      return refused({ ...round.error, members: { ...round.error.members, refunds: [] } });
    }
    if (!round.ok || round.value.parts.length === 0) break;
    charges ??= round.value.charges;
    const rejected = rejectedCharges(attempted);
    attempted.push(...(await executeRound(work, round.value, rejected, keep)));
  }
  // The row is another one where D1 did not take that write.
  const isKept = attempted.some(({ refund }) => refund === kept);
  return { answer: answerTo(attempted), isKept };
}

/** The card of a charge as the refund leaves it: what was given back may be charged on a virtual card again. */
function cardLeft(charges: Charges, chargeId: number, attempted: readonly Attempted[]): CardRow {
  const card = charges.cardOf(chargeId);
  const made = attempted
    .map(({ refund }) => refund)
    .filter(({ status }) => status === 'Refunded')
    .filter(({ transactionId }) => charges.cardOf(transactionId).token === card.token);
  const refundedMinor = sumOf(made, 'amountMinor');
  return withUse(card, { takenMinor: 0, heldMinor: 0, refundedMinor });
}

/** Why the refund ends: a charge is disputed. */
function disputedOf(attempted: readonly Attempted[]): Failure | null {
  return attempted.find(({ disputed }) => disputed)?.disputed ?? null;
}

/** The sum of the parts that were refunded, or may have been. */
function assignedMinor(attempted: readonly Attempted[]): number {
  return attempted
    .filter(({ refund }) => refund.status !== 'Failed')
    .reduce((sum, { refund }) => sum + refund.amountMinor, 0);
}

/** Whether the request can still be refused as a whole: nothing was refunded, and what was rejected was for a wrong record here. */
function mayStillRefuse(attempted: readonly Attempted[]): boolean {
  return assignedMinor(attempted) === 0 && attempted.every(({ isCorrected }) => isCorrected);
}

function rejectedCharges(attempted: readonly Attempted[]): ReadonlySet<number> {
  const failed = attempted.filter(({ refund }) => refund.status === 'Failed');
  return new Set(failed.map(({ refund }) => refund.transactionId));
}

/** Reserves the next parts; null if that cannot be done. After the first round money may have moved: an error ends them. */
async function nextRound(
  work: BookingWork,
  command: RefundCommand,
  leftMinor: number,
  attempted: readonly Attempted[],
): Promise<Result<Round> | null> {
  const rejecting = rejectedCharges(attempted.filter(({ isCorrected }) => !isCorrected));
  const reach = {
    leftMinor,
    rejecting,
    isFirst: attempted.length === 0,
    isWhole: mayStillRefuse(attempted),
  };
  try {
    return await decideAgain(work, async () => {
      const state = await bookingState(work);
      if (!state) return err(bookingNotFound());
      return reserve(work, state, command, reach);
    });
  } catch (error) {
    if (reach.isFirst) throw error;
    logError('refund_round_failed', error, aboutBooking(work));
    return null;
  }
}

/**
 * Sends the parts of a round to the gateway, one after the other. Where it rejects one, its record of the charge is read,
 * once for each charge (`rejected` was read): its desk may have refunded the charge, or the charge is disputed. Then the
 * parts that follow are not sent.
 */
export async function executeRound(
  work: BookingWork,
  {
    state,
    parts,
    recorded,
    charges,
  }: Omit<Round, 'charges'> & {
    readonly charges: Pick<Charges, 'cardOf'>;
  },
  rejected: ReadonlySet<number>,
  keep: (attempted: readonly Attempted[], last: RefundRow) => Write[] = () => [],
): Promise<Attempted[]> {
  const attempted: Attempted[] = [];
  const nothingFound = { isCorrected: false, disputed: null };
  for (const { refund, charge } of parts) {
    // If D1 did not say whether the part is recorded, its outcome is unknown here, and the alarm finds out.
    if (recorded !== 'committed') {
      attempted.push({ refund, rejection: null, ...nothingFound });
      continue;
    }
    const subject = { state, refund, charge, card: charges.cardOf(charge.id) };
    if (disputedOf(attempted)) {
      const ended = rejection('not sent: another charge of the refund is disputed');
      const after = await applyOutcome(work, refundOperation(work, subject), ended);
      attempted.push({ refund: after, rejection: ended, ...nothingFound });
      continue;
    }
    const { refund: after, rejection: why } = await execute(work, subject, (made) =>
      keep([...attempted, { refund: made, rejection: null, ...nothingFound }], made),
    );
    const part = { refund: after, rejection: why };
    if (why?.kind !== 'rejected' || rejected.has(charge.id)) {
      attempted.push({ ...part, ...nothingFound });
      continue;
    }
    const isCorrected = await correctRejected(work, subject);
    const disputed = await disputeOfRejected(work, { ...subject, rejection: why });
    attempted.push({ ...part, isCorrected, disputed });
  }
  return attempted;
}

/** How often a part that the acquirer rejects for a temporary reason is sent at once, and how long each wait may be. */
const SENT_AT_ONCE = 3;
const LONGEST_WAIT_MS = 2 * SECOND_MS;

/**
 * Sends one part to the gateway and applies the outcome, or leaves it to the alarm. A part that is rejected for a
 * temporary reason stays on its charge: it is sent again soon, and then by the alarm.
 */
async function execute(
  work: BookingWork,
  subject: RefundSubject,
  alsoWrites: (refund: RefundRow) => Write[],
): Promise<Pick<Attempted, 'refund' | 'rejection'>> {
  const operation = refundOperation(work, subject, alsoWrites);
  let outcome = await submit(work, operation);
  for (let sent = 1; sent < SENT_AT_ONCE && isTemporary(outcome); sent += 1) {
    const waitMs = outcome.retryAfterMs ?? SECOND_MS;
    if (waitMs > LONGEST_WAIT_MS) break;
    await scheduler.wait(waitMs);
    outcome = await submit(work, operation);
  }
  if (outcome.kind === 'unknown' || isTemporary(outcome)) {
    return { refund: await scheduleStatusCheck(work, operation), rejection: null };
  }
  const refund = await applyOutcome(work, operation, outcome);
  return { refund, rejection: outcome.kind === 'approved' ? null : outcome };
}

function isTemporary(outcome: Outcome): outcome is Outcome & { kind: 'rejected' } {
  return outcome.kind === 'rejected' && outcome.temporary;
}

/** The answer to a repeated request, from the current records of the refunds that the first one made. */
export async function recordedRefund(
  work: BookingWork,
  { commandReference }: Pick<IdempotencyRow, 'commandReference'>,
  command: RefundCommand,
): Promise<Result<RefundsAnswer>> {
  const state = await bookingState(work);
  if (!state) return err(bookingNotFound());
  const charges = await readCharges(work);
  const refunds = (await readRefunds(work)).filter(
    (row) => row.commandReference === commandReference,
  );
  const failed = refunds.filter(({ status }) => status === 'Failed');
  // A dispute that was opened later is not why the first request failed.
  const [disputed = null] = failed.flatMap(({ createdAtMs, transactionId }) => {
    const known = charges.disputes.filter(({ openedAtMs }) => openedAtMs <= createdAtMs);
    return disputeFailure(transactionId, known) ?? [];
  });
  return refundAnswer(
    { askedMinor: command.amountMinor, refunds, rejection: null, disputed },
    charges.cardOf,
    state.property.timeZone,
  );
}

/** What keeps a certain answer under the caller's key. */
function keepingWrites(
  work: BookingWork,
  { caller, commandReference }: RefundCommand,
  answer: Result<RefundsAnswer>,
): { readonly beside: Statement }[] {
  const recorded = answer.ok || answer.error.members !== undefined;
  const certain = answer.ok || answer.error.code !== 'outcome_unknown';
  if (caller === null || !recorded || !certain) return [];
  return [{ beside: completeKey(work, caller, commandReference, answer) }];
}

/** Keeps the answer by a batch of its own. If this fails, a retry makes the answer from the refunds. */
async function keepAnswer(
  work: BookingWork,
  command: RefundCommand,
  answer: Result<RefundsAnswer>,
): Promise<void> {
  const [write] = keepingWrites(work, command, answer);
  if (write) await work.database.batch('d1.answer.keep', [write.beside]).catch(() => undefined);
}
