import { commitIntent } from '../bookings/commit.ts';
import type { BookingState } from '../bookings/rules.ts';
import type { BookingWork } from '../bookings/work.ts';
import type { Failure } from '../core/failure.ts';
import type { Result } from '../core/result.ts';
import type { CardRow } from '../db/cardTables.ts';
import type { TransactionRow } from '../db/moneyTables.ts';
import { type CallerKey, keyRow, keyTakenOr } from '../idempotency/actions.ts';
import { takeKey } from '../idempotency/store.ts';
import { ask } from './ask.ts';
import { SAFETY_NET_MS } from './inquiries.ts';
import { awaitInquiry, changed, changeStatements, settle } from './settle.ts';
import { type PendingOperation, settlement, type TransactionChange } from './states.ts';
import { selectTransaction } from './store.ts';
import { outcomeAnswer, recordedAnswer, type TransactionAnswer } from './views.ts';

/** An operation on a transaction that exists: a schedule's charge, a capture, a release. */
export interface Operation {
  readonly state: BookingState;
  readonly row: TransactionRow;
  readonly card: CardRow;
  readonly pending: PendingOperation;
  /** What the intent changes besides, such as what a capture takes. */
  readonly change?: TransactionChange;
  readonly caller: CallerKey | null;
}

/** An operation whose intent stands in D1, or perhaps does. */
export type Begun = Operation & { readonly recorded: 'yes' | 'perhaps' };

/** Records that an operation is about to be asked for, under a gateway key of its own. */
export async function begin(work: BookingWork, operation: Operation): Promise<Begun> {
  const { state, row, card, pending, caller } = operation;
  const nowMs = work.now();
  const attempts = row.attempts + 1;
  const gatewayKey = `${row.reference}-${attempts}`;
  const change: TransactionChange = {
    ...operation.change,
    status: 'Processing',
    pendingOperation: pending,
    attempts,
    gatewayKey,
    askedAtMs: nowMs,
    inquiries: 0,
    dueAtMs: nowMs + SAFETY_NET_MS,
    idempotencyKey: caller?.key ?? null,
    cardToken: card.token,
    bookingVersion: state.booking.version,
  };
  await work.wakeBy(nowMs + SAFETY_NET_MS);
  const statements = changeStatements(work, row, change, pending);
  if (caller) {
    const taken = await keyRow(work, caller, row.reference, null);
    statements.unshift(takeKey(work.database.queries, taken));
  }
  const isOurs = async () => {
    const [[current]] = await work.database.batch('d1.transaction.read', [
      selectTransaction(work.database.queries, work.propertyId, work.reference, { id: row.id }),
    ]);
    return (
      current?.version === row.version + 1 &&
      current.gatewayKey === gatewayKey &&
      current.pendingOperation === pending &&
      current.askedAtMs === nowMs
    );
  };
  try {
    const recorded = await commitIntent(work, 'd1.transaction.begin', statements, isOurs);
    return { ...operation, row: changed(row, change), recorded };
  } catch (error) {
    throw keyTakenOr(error);
  }
}

/** Asks the gateway for a begun operation and settles it, or leaves it to the alarm. */
export async function carryOut(
  work: BookingWork,
  { state, row, card, recorded }: Pick<Begun, 'state' | 'row' | 'card' | 'recorded'>,
): Promise<Result<TransactionAnswer, Failure>> {
  const { timeZone } = state.property;
  if (recorded === 'perhaps') return recordedAnswer(row, card, timeZone);
  const outcome = await ask(work, row, card);
  if (outcome.kind === 'unknown') {
    return outcomeAnswer(await awaitInquiry(work, row), outcome, card, timeZone);
  }
  const expected = settlement(state, row, outcome, work.now());
  const settled = await settle(work, state, row, card, outcome);
  // Settled otherwise, or not known to be settled: what D1 says counts.
  return settled.status === expected.status
    ? outcomeAnswer(settled, outcome, card, timeZone)
    : recordedAnswer(settled, card, timeZone);
}
