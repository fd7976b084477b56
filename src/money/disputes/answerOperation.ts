import type { CertainOutcome, Outcome } from '../../gateways/gateway.ts';
import { draftEntry, type Write } from '../../operation/draft.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { DisputeAnswer, DisputeEvidenceRow } from '../../schema/disputeTables.ts';
import type { Applied, GatewayOperation } from '../gateway/operation.ts';
import { sentUntilMs } from '../gateway/rules/statusChecks.ts';
import type { LoadedTransaction } from '../payments/loadTransaction.ts';
import { disputeEvent } from './record.ts';
import { answeredState, nextLookAtMs } from './rules.ts';
import { readDispute, type StagedDispute, updateDispute } from './store.ts';

/** A dispute whose answer is on its way, with its charge. */
export interface AnsweredDispute {
  readonly row: StagedDispute;
  readonly charge: LoadedTransaction;
  /** What was sent as evidence; null for an acceptance. */
  readonly evidence: SentEvidence | null;
}

export interface SentEvidence extends Pick<DisputeEvidenceRow, 'document' | 'stayHappened'> {
  readonly texts: NonNullable<DisputeEvidenceRow['texts']>;
}

/** The gateway operation that a dispute's answer waits for. The answer's reference is its key. */
export function answerOperation(
  work: BookingWork,
  subject: AnsweredDispute,
): GatewayOperation<StagedDispute, Outcome> {
  const { charge, evidence, row } = subject;
  const kind: DisputeAnswer = evidence ? 'evidence' : 'acceptance';
  const { gatewayToken } = charge.card;
  const reference = row.answerReference ?? '';
  const askedAtMs = row.askedAtMs ?? row.learntAtMs;
  const named = { idempotencyKey: reference, propertyId: row.propertyId, gatewayToken };
  return {
    row,
    kind,
    askedAtMs,
    isWanted: true,
    lookUpRequest: {
      ...named,
      kind,
      reference,
      gatewayReference: row.id,
      sinceMs: askedAtMs,
      untilMs: sentUntilMs(askedAtMs, work.now()),
    },
    spans: { apply: 'd1.dispute.apply', postpone: 'd1.dispute.postpone' },
    send: (gateway) => {
      const request = { ...named, disputeId: row.id, askedAtMs: work.now() };
      return evidence
        ? gateway.submitEvidence({ ...request, ...evidence })
        : gateway.acceptDispute(request);
    },
    apply: (outcome, why) => apply(work, subject, kind, outcome, why),
    bankStep: null,
    postpone: (change) => [updateDispute(row, change)],
    withRow: (later) => answerOperation(work, { ...subject, row: later }),
    read: () => readDispute(work.database, work.propertyId, row.id),
  };
}

/** The state after an answer was taken, or certainly not, with its entry in the history. */
function apply(
  work: BookingWork,
  { charge, row: before }: AnsweredDispute,
  answer: DisputeAnswer,
  outcome: CertainOutcome,
  why: string | undefined,
): Applied<StagedDispute> {
  const nowMs = work.now();
  const isTaken = outcome.kind === 'approved';
  const taken = isTaken && {
    ...answeredState(before, answer, outcome.atMs ?? nowMs),
    answer,
    answeredAtMs: nowMs,
  };
  const change = { ...taken, pendingAnswer: null, changedAtMs: nowMs, learntAtMs: nowMs };
  const changed = { ...before, ...change, version: before.version + 1 };
  const row = { ...changed, dueAtMs: nextLookAtMs(changed, nowMs) };
  const isLost = row.status === 'lost' && before.status !== 'lost';
  const writes: Write[] = [
    updateDispute(before, { ...change, dueAtMs: row.dueAtMs }),
    draftEntry(
      work,
      nowMs,
      { kind: 'dispute', id: row.id },
      {
        from: 'Processing',
        to: row.status,
        detail: isTaken ? answer : why,
        charge: charge.row,
        event: isLost ? disputeEvent('dispute.lost', row) : null,
      },
    ),
  ];
  return { row, writes };
}
