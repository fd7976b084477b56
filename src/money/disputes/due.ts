import { commit } from '../../operation/commit.ts';
import { draftEntry } from '../../operation/draft.ts';
import { type BookingWork, onCurrentState } from '../../operation/work.ts';
import type { DisputeEvidenceRow, DisputeRow } from '../../schema/disputeTables.ts';
import { ask } from '../gateway/operation.ts';
import { resolveUnknown } from '../gateway/resolve.ts';
import { nextStatusCheckAtMs } from '../gateway/rules/statusChecks.ts';
import { loadTransaction } from '../payments/loadTransaction.ts';
import { answerOperation, type SentEvidence } from './answerOperation.ts';
import { disputeEvent, recordDispute } from './record.ts';
import { isToldNow, nextLookAtMs } from './rules.ts';
import { readDispute, type StagedDispute, selectEvidence, updateDispute } from './store.ts';

/**
 * Does what is due of a dispute (parts: Disputes): finds out whether the acquirer took its answer, says that an answer is
 * due soon, or asks the acquirer what became of it.
 */
export async function processDispute(work: BookingWork, { id }: DisputeRow): Promise<void> {
  const row = await readDispute(work.database, work.propertyId, id);
  if (!row) throw new Error('a due dispute is missing');
  if (row.pendingAnswer !== null) return resolveAnswer(work, row);
  const nowMs = work.now();
  if (!isToldNow(row, nowMs)) {
    return row.status === 'needs_response' ? rest(work, row) : lookAtAcquirer(work, row);
  }
  const told = { ...row, toldDeadlineMs: row.respondByMs };
  const { toldDeadlineMs } = told;
  const charge = await chargeOf(work, row);
  await commit(work, 'd1.dispute.save', [
    updateDispute(row, { toldDeadlineMs, dueAtMs: nextLookAtMs(told, nowMs) }),
    draftEntry(
      work,
      nowMs,
      { kind: 'dispute', id },
      { charge: charge.row, event: disputeEvent('dispute.due_soon', row) },
    ),
  ]);
}

/** Lets a dispute rest until the acquirer tells of it: nothing of it is due any more. */
async function rest(work: BookingWork, row: DisputeRow): Promise<void> {
  const dueAtMs = nextLookAtMs(row, work.now());
  await work.database.batch('d1.dispute.postpone', [updateDispute(row, { dueAtMs })]);
}

async function resolveAnswer(work: BookingWork, row: StagedDispute): Promise<void> {
  const [[sent]] = await work.database.batch('d1.dispute.read', [
    selectEvidence(row.answerReference ?? ''),
  ]);
  const evidence = row.pendingAnswer === 'evidence' ? evidenceIn(sent) : null;
  const charge = await chargeOf(work, row);
  await resolveUnknown(work, answerOperation(work, { row, charge, evidence }));
}

/** What was sent. The guest of an open dispute is not erased, so that it is there. */
function evidenceIn(row: DisputeEvidenceRow | undefined): SentEvidence {
  if (!row?.texts) throw new Error('evidence is missing');
  const { document, stayHappened, texts } = row;
  return { document, stayHappened, texts };
}

async function chargeOf(work: BookingWork, { transactionId }: DisputeRow) {
  const charge = await loadTransaction(work, transactionId);
  if (!charge.ok) throw new Error('a dispute has no charge');
  return charge.value;
}

/** Asks what became of a dispute, and records it. One that is as it was is looked at again later. */
async function lookAtAcquirer(work: BookingWork, row: DisputeRow): Promise<void> {
  const charge = await chargeOf(work, row);
  const account = work.gateway.accountOf(charge.card.gatewayToken);
  const report = await ask(work, 'gateway.dispute', (gateway) =>
    gateway.dispute(row.id, account, work.now()),
  );
  const isRecorded =
    report.kind === 'dispute' &&
    (await onCurrentState(work, async () =>
      recordDispute(work, await chargeOf(work, row), report.dispute),
    ));
  if (isRecorded) return;
  const nowMs = work.now();
  const isUnknown = report.kind === 'unknown';
  const checks = isUnknown ? row.statusChecks + 1 : 0;
  const dueAtMs = isUnknown ? nextStatusCheckAtMs(checks, nowMs) : nextLookAtMs(row, nowMs);
  const later = updateDispute(row, { dueAtMs, statusChecks: checks });
  await work.database.batch('d1.dispute.postpone', [later]);
}
