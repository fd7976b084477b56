import { err, type Result } from '../core/result.ts';
import { answerDispute, recordedDispute } from '../money/disputes/answerDispute.ts';
import { followGuestPayment, payAsGuest } from '../money/guest/pay.ts';
import { answerNow, firstAnswer } from '../money/payments/charge.ts';
import { capture, release } from '../money/payments/hold.ts';
import { pay } from '../money/payments/pay.ts';
import { refreshCardByToken } from '../money/payments/renewCard.ts';
import { cancelSchedule, cancelSchedules } from '../money/payments/schedule.ts';
import { cancelPlan } from '../money/plans/cancel.ts';
import { putPlan } from '../money/plans/put.ts';
import { recordedRefund, refund } from '../money/refunds/refund.ts';
import {
  type Answered,
  answered,
  type CallerKey,
  once,
  type Resolved,
} from '../operation/idempotency.ts';
import type { IdempotencyRow } from '../operation/idempotencyStore.ts';
import type { BookingWork } from '../operation/work.ts';
import { uncertain } from '../records/bookings/rules.ts';
import type { Erased } from '../records/privacy/rules.ts';
import type { BookingRow } from '../schema/bookingTables.ts';
import { archive, dropLeftover, orFromArchive } from './archive.ts';
import { attachCard, attachedCard } from './attachCard.ts';
import { appliedCancellation, cancelBooking } from './cancelBooking.ts';
import { countGuest, eraseGuest, forgetGuest } from './eraseGuest.ts';
import { resolveOnce } from './manualResolution.ts';
import { refreshDispute, refreshFromGateway } from './refreshFromGateway.ts';
import { removeCard } from './removeCard.ts';
import { revokeLinks } from './revokeLinks.ts';
import { requireBooking, saveBooking } from './saveBooking.ts';

const verbs = {
  requireBooking: unkeyed<null, null>(requireBooking),
  saveBooking: unkeyed(saveBooking),
  cancelBooking: keyed(cancelBooking, appliedCancellation),
  attachCard: keyed(attachCard, attachedCard),
  removeCard: unkeyed(removeCard),
  eraseGuest: unkeyed<null, readonly Erased[]>(eraseGuest),
  countGuest: outsideArchive(countGuest),
  archive: outsideArchive(archive),
  dropLeftover: outsideArchive(dropLeftover),
  forgetGuest: unkeyed<null, null>(forgetGuest),
  revokeLinks: unkeyed<null, BookingRow>(revokeLinks),
  pay: resolved(pay, firstAnswer),
  payAsGuest: resolved(payAsGuest, firstAnswer),
  followGuestPayment: unkeyed(followGuestPayment),
  capture: keyed(capture, answerNow),
  release: keyed(release, answerNow),
  cancelSchedule: keyed(cancelSchedule, answerNow),
  cancelSchedules: keyed(cancelSchedules, noAnswer),
  putPlan: keyed(putPlan, noAnswer),
  cancelPlan: keyed(cancelPlan, noAnswer),
  refund: keyed(refund, recordedRefund),
  answerDispute: keyed(answerDispute, recordedDispute),
  refreshFromGateway: unkeyed(refreshFromGateway),
  refreshDispute: unkeyed(refreshDispute),
  refreshCard: unkeyed(refreshCardByToken),
  resolveManually: keyed(resolveOnce, noAnswer),
};

export type OperationName = keyof typeof verbs;

export type CommandOf<N extends OperationName> = Parameters<(typeof verbs)[N]>[1];

export type AnswerOf<N extends OperationName> =
  Awaited<ReturnType<(typeof verbs)[N]>> extends Answered<infer T> ? T : never;

/** An operation together with its command. */
export type BookingCall<Names extends OperationName = OperationName> = {
  [N in Names]: readonly [name: N, command: CommandOf<N>];
}[Names];

/** A booking's operations, each by the verb that does it. */
export const operations: {
  readonly [N in OperationName]: (
    work: BookingWork,
    command: CommandOf<N>,
  ) => Promise<Answered<AnswerOf<N>>>;
} = verbs;

/** A verb whose callers have no idempotency key: its answers are always fresh. */
function unkeyed<Command, T>(
  verb: (work: BookingWork, command: Command) => Promise<Result<T>>,
): (work: BookingWork, command: Command) => Promise<Answered<T>> {
  return async (work, command) =>
    answered(work, await orFromArchive(work, () => verb(work, command)));
}

/** A verb about the archive itself: what is archived stays so. */
function outsideArchive<T>(
  verb: (work: BookingWork) => Promise<Result<T>>,
): (work: BookingWork, command: null) => Promise<Answered<T>> {
  return async (work) => answered(work, await verb(work));
}

/** A verb that does the requests with one key once; `replay` answers one whose answer was not kept with its key. */
function keyed<Command extends { readonly caller?: CallerKey | null }, T>(
  verb: (work: BookingWork, command: Command) => Promise<Result<T>>,
  replay: (work: BookingWork, kept: IdempotencyRow, command: Command) => Promise<Result<T>>,
): (work: BookingWork, command: Command) => Promise<Answered<T>> {
  return resolved(verb, (work, command) => ({ answer: (kept) => replay(work, kept, command) }));
}

/** The same, where more than the key's row is read to answer. */
function resolved<Command extends { readonly caller?: CallerKey | null }, T, Found>(
  verb: (work: BookingWork, command: Command) => Promise<Result<T>>,
  again: (work: BookingWork, command: Command) => Resolved<T, Found>,
): (work: BookingWork, command: Command) => Promise<Answered<T>> {
  return async (work, command) => {
    const { caller = null } = command;
    const run = () => orFromArchive(work, () => verb(work, command));
    // The verb of a request that came too late is not run, and its answer may follow from the booking's rows.
    if (caller?.tooLate) await orFromArchive(work, () => requireBooking(work));
    return once(work, caller, run, again(work, command));
  };
}

/** The key is taken together with its answer, so there is none to be found out later. */
function noAnswer(): Promise<Result<never>> {
  return Promise.resolve(err(uncertain()));
}
