import { digestOf } from '../../core/digest.ts';
import { err, ok, type Result, refuse } from '../../core/result.ts';
import { commitIntent, type Recorded } from '../../operation/commit.ts';
import { draftEntry } from '../../operation/draft.ts';
import { type CallerKey, completeKey } from '../../operation/idempotency.ts';
import type { IdempotencyRow } from '../../operation/idempotencyStore.ts';
import { type BookingWork, bookingState, decideAgain } from '../../operation/work.ts';
import { newReference } from '../../platform/ids.ts';
import { bookingNotFound } from '../../records/bookings/rules.ts';
import type { DisputeRow } from '../../schema/disputeTables.ts';
import { applyOutcome, scheduleStatusCheck, submit } from '../gateway/operation.ts';
import { SAFETY_NET_MS } from '../gateway/rules/statusChecks.ts';
import { type LoadedTransaction, loadTransaction } from '../payments/loadTransaction.ts';
import { type AnsweredDispute, answerOperation, type SentEvidence } from './answerOperation.ts';
import type { EvidenceToSend } from './evidence/toSend.ts';
import { DISPUTE_NOT_FOUND, whyNotAnswered } from './rules.ts';
import { insertEvidence, readDispute, type StagedDispute, updateDispute } from './store.ts';
import { type DisputeView, disputeView } from './views.ts';

/** An answer to a dispute as it reaches the booking's object. */
export interface AnswerCommand {
  readonly disputeId: string;
  /** What is sent as evidence; null to give the dispute up. */
  readonly evidence: EvidenceToSend | null;
  readonly caller: CallerKey | null;
}

export interface DisputeAnswered {
  readonly dispute: DisputeView;
}

/**
 * Answers a dispute, once (interface: Submit evidence): sends evidence to the acquirer, or gives it up. The intent is in
 * D1 before the acquirer hears of it; an unknown outcome stays unknown until the alarm finds it out.
 */
export async function answerDispute(
  work: BookingWork,
  command: AnswerCommand,
): Promise<Result<DisputeAnswered>> {
  const begun = await decideAgain(work, () => begin(work, command));
  if (!begun.ok) return begun;
  const { recorded, ...subject } = begun.value;
  const { timeZone } = subject.charge.state.property;
  if (recorded === 'unknown') return answerOf(subject.row, timeZone);
  const operation = answerOperation(work, subject);
  const outcome = await submit(work, operation);
  if (outcome.kind === 'unknown') {
    return answerOf(await scheduleStatusCheck(work, operation), timeZone);
  }
  const row = await applyOutcome(work, operation, outcome);
  const answer = answerOf(row, timeZone);
  await keepAnswer(work, command.caller, row, answer);
  return answer;
}

/** Records that the dispute is being answered, with what is sent. */
async function begin(
  work: BookingWork,
  { caller, disputeId, evidence: given }: AnswerCommand,
): Promise<Result<AnsweredDispute & { readonly recorded: Recorded }>> {
  const state = await bookingState(work);
  if (!state) return err(bookingNotFound());
  const before = await readDispute(work.database, work.propertyId, disputeId);
  if (before?.bookingReference !== work.reference) return err(DISPUTE_NOT_FOUND);
  const answer = given ? 'evidence' : 'acceptance';
  const refused = whyNotAnswered(before, answer, before.stage);
  if (refused) return err(refused);
  const charge = await loadTransaction(work, before.transactionId);
  if (!charge.ok) return charge;
  const evidence = given && (await withDocument(work, charge.value, disputeId, given));
  const nowMs = work.now();
  const reference = newReference();
  const change = {
    pendingAnswer: answer,
    answerReference: reference,
    askedAtMs: nowMs,
    sentAtMs: null,
    absentAtMs: null,
    statusChecks: 0,
    dueAtMs: nowMs + SAFETY_NET_MS,
  } as const;
  await work.wakeBy(change.dueAtMs);
  const row = { ...before, ...change, version: before.version + 1 };
  const { bookingReference, propertyId, status: from } = row;
  const about = { reference, propertyId, bookingReference, disputeId, createdAtMs: nowMs };
  const recorded = await commitIntent(
    work,
    'd1.dispute.intend',
    [
      { takes: { caller, commandReference: reference, answer: null } },
      updateDispute(before, change),
      ...(evidence ? [insertEvidence({ ...evidence, ...about })] : []),
      draftEntry(
        work,
        nowMs,
        { kind: 'dispute', id: disputeId },
        { from, to: 'Processing', detail: answer, charge: charge.value.row },
      ),
    ],
    async () => {
      const now = await readDispute(work.database, work.propertyId, disputeId);
      return now?.answerReference === reference;
    },
  );
  return ok({ row, charge: charge.value, evidence, recorded });
}

/**
 * Hands the acquirer the PDF of the evidence, under a key of what is in it. This comes before the intent, which names the
 * document, so that what is sent again is the same. It is of no effect by itself: without it, the texts go alone.
 */
async function withDocument(
  work: BookingWork,
  { card }: LoadedTransaction,
  disputeId: string,
  { pdf, ...evidence }: EvidenceToSend,
): Promise<SentEvidence> {
  if (pdf === null) return { ...evidence, document: null };
  const request = {
    idempotencyKey: `${disputeId}/${await digestOf(pdf)}`,
    gatewayToken: card.gatewayToken,
    pdf,
  };
  const document = await work.trace
    .span('gateway.document', () => work.gateway.keepDocument(request))
    .catch(() => null);
  return { ...evidence, document };
}

/** What the caller is told of an answer, by the dispute as it is now. */
function answerOf(row: StagedDispute, timeZone: string): Result<DisputeAnswered> {
  const { answer, id: disputeId, pendingAnswer, status } = row;
  const members = { dispute: { disputeId, status } };
  if (pendingAnswer !== null) return refuse('outcome_unknown', UNKNOWN, members);
  return answer === null || status === 'needs_response'
    ? refuse('gateway_error', REFUSED, members)
    : ok({ dispute: disputeView(row, timeZone) });
}

const UNKNOWN =
  'The gateway did not answer. The service finds out whether it took the answer: list the dispute to see.';
const REFUSED = 'The gateway did not take the answer.';

/** Keeps a certain answer under the caller's key. If this fails, a retry makes the answer from the dispute. */
async function keepAnswer(
  work: BookingWork,
  caller: CallerKey | null,
  { answerReference }: DisputeRow,
  answer: Result<DisputeAnswered>,
): Promise<void> {
  const isUnknown = !answer.ok && answer.error.code === 'outcome_unknown';
  if (caller === null || answerReference === null || isUnknown) return;
  await work.database
    .batch('d1.answer.keep', [completeKey(work, caller, answerReference, answer)])
    .catch(() => undefined);
}

/** The answer to a repeated request, from the dispute as it is now. */
export async function recordedDispute(
  work: BookingWork,
  { commandReference }: Pick<IdempotencyRow, 'commandReference'>,
  { disputeId }: AnswerCommand,
): Promise<Result<DisputeAnswered>> {
  const state = await bookingState(work);
  const row = await readDispute(work.database, work.propertyId, disputeId);
  if (!state || !row) return err(DISPUTE_NOT_FOUND);
  // A later answer says nothing of this one: the acquirer had refused it.
  const isIts = row.answerReference === commandReference;
  const of = isIts ? row : { ...row, pendingAnswer: null, answer: null };
  return answerOf(of, state.property.timeZone);
}
