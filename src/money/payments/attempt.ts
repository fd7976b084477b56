import type { Result } from '../../core/result.ts';
import { commitIntent, type Recorded } from '../../operation/commit.ts';
import type { Write } from '../../operation/draft.ts';
import type { CallerKey } from '../../operation/idempotency.ts';
import type { BookingWork } from '../../operation/work.ts';
import { endsWithBooking } from '../../records/bookings/rules.ts';
import type { PendingOperation, TransactionRow } from '../../schema/moneyTables.ts';
import { scheduleStatusCheck, submit, writeOutcome } from '../gateway/operation.ts';
import { awaitBank } from '../gateway/resolve.ts';
import { SAFETY_NET_MS } from '../gateway/rules/statusChecks.ts';
import { correctedAnswer, correctTransaction, readPayment } from './correct.ts';
import { changed, changeWrites, isWritten, unlessUsed } from './entries.ts';
import { transactionOperation } from './gatewayOperation.ts';
import { type LoadedTransaction, readTransaction } from './loadTransaction.ts';
import { cardAfter } from './rules/history.ts';
import type { TransactionChange } from './states.ts';
import { outcomeAnswer, recordedAnswer, type TransactionAnswer } from './views.ts';

/** The next operation of an existing transaction: a schedule's charge, a capture, a release or an expiry. */
export interface NextStep extends LoadedTransaction {
  readonly pending: PendingOperation;
  /** Further changes of the intent, such as the amount of a capture. */
  readonly change?: TransactionChange;
  /** For the audit trail; what is pending if left out. */
  readonly why?: string;
  readonly caller: CallerKey | null;
}

/** A transaction whose intent is in D1, or may be. */
export interface Attempt extends LoadedTransaction {
  /** `unknown`: D1 did not say. */
  readonly recorded: Recorded;
}

/** Records the intent of the next operation, under a new gateway key. */
export async function start(work: BookingWork, step: NextStep): Promise<Attempt> {
  const { state, card, row, caller } = step;
  const { after, writes } = await intend(work, step);
  const recorded = await commitIntent(
    work,
    'd1.transaction.begin',
    [{ takes: { caller, commandReference: row.reference, answer: null } }, ...writes],
    async () => isWritten(await readTransaction(work, { id: row.id }), after),
  );
  return { state, row: after, card: cardAfter(card, { before: row, after }), recorded };
}

/** The intent of the next operation under a new gateway key, and what writes it. */
export async function intend(
  work: BookingWork,
  step: NextStep,
): Promise<{ readonly after: TransactionRow; readonly writes: Write[] }> {
  const { state, row, card, pending, caller } = step;
  const nowMs = work.now();
  const attempts = row.attempts + 1;
  const keyNumber = Math.max(attempts, lastKeyNumber(row) + 1);
  const gatewayKey = `${row.reference}-${keyNumber}`;
  const change: TransactionChange = {
    ...step.change,
    status: 'Processing',
    pendingOperation: pending,
    attempts,
    gatewayKey,
    askedAtMs: nowMs,
    sentAtMs: null,
    absentAtMs: null,
    statusChecks: 0,
    dueAtMs: nowMs + SAFETY_NET_MS,
    idempotencyKey: caller?.key ?? null,
    cardToken: card.token,
    // What ends with its booking still ends with it if this operation fails.
    ...(!endsWithBooking(state, row) && { bookingVersion: state.booking.version }),
    propertyVersion: state.property.version,
  };
  await work.wakeBy(nowMs + SAFETY_NET_MS);
  if (pending === 'charge' && keyNumber > 1) await work.retried.note(row.reference, keyNumber);
  const after = changed(row, change);
  return {
    after,
    writes: [
      ...changeWrites(work, row, change, { why: step.why ?? pending, card }),
      ...(pending === 'charge' ? unlessUsed(work, after, card) : []),
    ],
  };
}

/** The number of the last gateway key. It exceeds the attempts if some did not count: no key is used twice. */
export function lastKeyNumber({ gatewayKey, reference }: TransactionRow): number {
  return gatewayKey === null ? 0 : Number(gatewayKey.slice(reference.length + 1));
}

/** Sends a recorded intent to the gateway and applies the outcome, or leaves it to the alarm. */
export async function execute(
  work: BookingWork,
  attempt: Attempt,
): Promise<Result<TransactionAnswer>> {
  const { state, row, card, recorded } = attempt;
  const { timeZone } = state.property;
  if (recorded === 'unknown') return recordedAnswer(row, card, timeZone);
  const operation = transactionOperation(work, attempt);
  const outcome = await submit(work, operation);
  if (outcome.kind === 'unknown') {
    return outcomeAnswer(await scheduleStatusCheck(work, operation), outcome, card, timeZone);
  }
  if (outcome.kind === 'open') {
    return recordedAnswer(await awaitBank(work, operation, outcome), card, timeZone);
  }
  if (outcome.kind === 'rejected' && row.kind === 'authorization') {
    const corrected = await correctHold(work, attempt);
    if (corrected) return corrected;
  }
  const { row: after, expected } = await writeOutcome(work, operation, outcome);
  const left = cardAfter(card, { before: row, after });
  // If D1 has another outcome, or did not say whether it has this one, answer from D1's record.
  return after.status === expected.status
    ? outcomeAnswer(after, outcome, left, timeZone)
    : recordedAnswer(after, left, timeZone);
}

/**
 * The acquirer rejects a capture or release of a hold that was captured or let go there meanwhile. Then its record
 * corrects ours, and what was asked is answered by the corrected state. Null if the hold is as it was.
 */
async function correctHold(
  work: BookingWork,
  { state, row, card }: Attempt,
): Promise<Result<TransactionAnswer> | null> {
  if (row.gatewayReference === null) return null;
  const report = await readPayment(work, row.gatewayReference, card.gatewayToken);
  if (report.kind !== 'payment') return null;
  const subject = { state, row, card };
  const { row: after, corrected } = await correctTransaction(work, subject, report.payment).catch(
    () => ({ row, corrected: false }),
  );
  return corrected ? correctedAnswer(subject, after) : null;
}
