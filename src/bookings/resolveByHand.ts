import { type Failure, failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { CertainOutcome, LookUp } from '../gateways/gateway.ts';
import { lookUp } from '../payments/ask.ts';
import { cardByToken } from '../payments/find.ts';
import { mayResend } from '../payments/inquiries.ts';
import { transactionNotFound, wrongState } from '../payments/rules.ts';
import { settle } from '../payments/settle.ts';
import { selectTransaction } from '../payments/store.ts';
import { findRefund, lookUpRefund, settleRefund } from '../refunds/settle.ts';
import { uncertain } from './rules.ts';
import { type BookingWork, bookingState } from './work.ts';

/** What an administrator says became of an operation that no gateway can tell any more (decisions: section 13). */
export interface Verdict {
  readonly id: number;
  readonly outcome: 'Accepted' | 'Declined' | 'Failed';
  readonly reason: string;
}

/** How the operation stands after it. */
export interface Resolved {
  readonly id: number;
  readonly status: string;
}

/**
 * Settles an operation in `Processing` by an administrator's word. The gateway is asked once more before: as long
 * as it has a certain answer, that one counts, and the administrator is told so.
 */
export async function resolveByHand(
  work: BookingWork,
  verdict: Verdict,
): Promise<Result<Resolved, Failure>> {
  const state = await bookingState(work);
  const { queries } = work.database;
  const [[row]] = await work.database.batch('d1.transaction.read', [
    selectTransaction(queries, work.propertyId, work.reference, { id: verdict.id }),
  ]);
  if (!state) return err(transactionNotFound());
  if (!row) return resolveRefundByHand(work, verdict);
  if (row.status !== 'Processing') return err(wrongState('transaction', row));
  const card = row.cardToken === null ? null : await cardByToken(work, state, row.cardToken);
  const found = await lookUp(work, row, card);
  const decided = decide(found, verdict, row.askedAtMs ?? row.createdAtMs, work.now());
  if (!decided.ok) return decided;
  const { outcome, why } = decided.value;
  const settled = await settle(work, state, row, card, outcome, why);
  return answer(outcome, verdict, settled.status, why);
}

async function resolveRefundByHand(
  work: BookingWork,
  verdict: Verdict,
): Promise<Result<Resolved, Failure>> {
  const found = await findRefund(work, verdict.id);
  if (!found) return err(transactionNotFound());
  if (found.refund.status !== 'Processing') {
    return err(failure('invalid_state', `The refund is ${found.refund.status}.`));
  }
  const looked = await lookUpRefund(work, found.refund, found.charge);
  const decided = decide(looked, verdict, found.refund.createdAtMs, work.now());
  if (!decided.ok) return decided;
  const { outcome, why } = decided.value;
  const settled = await settleRefund(work, found.refund, found.charge, outcome, why);
  return answer(outcome, verdict, settled.status, why);
}

interface Decided {
  readonly outcome: CertainOutcome;
  /** What the audit trail says; undefined where the gateway itself could tell. */
  readonly why?: string;
}

/** The gateway's word where it has one, else the administrator's. One that is only out of reach may still have it. */
function decide(
  found: LookUp,
  verdict: Verdict,
  askedAtMs: number,
  nowMs: number,
): Result<Decided, Failure> {
  if (found.kind === 'unknown' && mayResend(askedAtMs, nowMs)) {
    return err(
      failure(
        'invalid_state',
        'The operation is Processing; the gateway is out of reach and may still tell.',
      ),
    );
  }
  return found.kind === 'unknown' || found.kind === 'absent'
    ? ok({ outcome: byHand(verdict), why: `by hand: ${verdict.reason}` })
    : ok({ outcome: found });
}

function byHand({ outcome, reason }: Verdict): CertainOutcome {
  switch (outcome) {
    case 'Accepted':
      return { kind: 'approved', gatewayReference: null, lapsesAtMs: null };
    case 'Declined':
      return { kind: 'declined', declineCode: 'resolved_by_hand', retryable: false };
    case 'Failed':
      return { kind: 'refused', reason };
  }
}

/** Where the gateway could tell after all, its word counts; the administrator is told so if theirs was another. */
function answer(
  outcome: CertainOutcome,
  verdict: Verdict,
  status: string,
  why: string | undefined,
): Result<Resolved, Failure> {
  if (status === 'Processing') return err(uncertain());
  const agreed = why !== undefined || outcome.kind === byHand(verdict).kind;
  if (agreed) return ok({ id: verdict.id, status });
  return err(
    failure(
      'invalid_state',
      `The gateway could still tell: the operation is ${status} by its word.`,
    ),
  );
}
