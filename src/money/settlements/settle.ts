import type { Result } from '../../core/result.ts';
import { SECOND_MS } from '../../core/time.ts';
import { commit } from '../../operation/commit.ts';
import { draftEntry, type Write } from '../../operation/draft.ts';
import { type CallerKey, completeKey } from '../../operation/idempotency.ts';
import { selectRefunds } from '../../operation/shownStore.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { BookingState } from '../../records/bookings/rules.ts';
import { beginRecoveries } from '../../records/recoveries/store.ts';
import { updateSettlement } from '../../records/settlements/store.ts';
import type { SettlementRow } from '../../schema/settlementTables.ts';
import type { History } from '../folio/history.ts';
import { type Attempt, execute } from '../payments/attempt.ts';
import { NEEDS_GUEST } from '../payments/beginRecovery.ts';
import { endAtGateway } from '../payments/cancelPending.ts';
import type { LoadedTransaction } from '../payments/loadTransaction.ts';
import { selectTransactions } from '../payments/store.ts';
import type { Charges } from '../refunds/charges.ts';
import { executeRound } from '../refunds/refund.ts';
import type { Reserved } from '../refunds/reserve.ts';
import { updateRefund } from '../refunds/store.ts';
import {
  isIncoming,
  isSettled,
  nextOfSettlement,
  progressOf,
  type StepProgress,
  type StepRows,
} from './rules/progress.ts';
import { settlementView } from './views.ts';

/** A settlement whose steps are all recorded, with what each needs to be carried out. */
export interface RecordedSettlement {
  readonly state: BookingState;
  readonly settlement: SettlementRow;
  readonly incoming: readonly Attempt[];
  readonly outgoing: readonly Reserved[];
  readonly charges: Pick<Charges, 'cardOf'>;
  readonly releases: readonly LoadedTransaction[];
}

/** How long an application spends on its steps. The alarm does what is left after the time. */
const AT_ONCE_MS = 10 * SECOND_MS;

/** Carries out what a settlement recorded: money comes in before it goes out. What is left open, the alarm goes on with. */
export async function carryOut(
  work: BookingWork,
  { charges, incoming, outgoing, releases, settlement, state }: RecordedSettlement,
): Promise<void> {
  const untilMs = work.now() + AT_ONCE_MS;
  for (const attempt of incoming) {
    if (work.now() < untilMs) await execute(work, attempt);
  }
  const parts = (await isIn(work, settlement)) ? await allowed(work, outgoing) : [];
  for (const part of parts) {
    if (work.now() >= untilMs) break;
    await executeRound(work, { state, parts: [part], recorded: 'committed', charges }, new Set());
  }
  await endAtGateway(work, releases);
}

/** Whether all came in that a settlement brings in, or will not. */
async function isIn(work: BookingWork, settlement: SettlementRow): Promise<boolean> {
  if (!settlement.steps.some(({ what }) => isIncoming(what))) return true;
  const progress = progressOf(settlement, await readStepRows(work));
  return !progress.some(({ state, what }) => isIncoming(what) && state === 'open');
}

/** The refunds that wait for what comes in may be sent from now on. */
async function allowed(
  work: BookingWork,
  parts: readonly Reserved[],
): Promise<readonly Reserved[]> {
  const dueAtMs = work.now();
  const waiting = parts.filter(({ refund }) => refund.dueAtMs === null);
  const [first, ...rest] = waiting.map(({ refund }) => updateRefund(refund, { dueAtMs }));
  if (first === undefined) return parts;
  await work.database.batch('d1.settlement.save', [first, ...rest]);
  return parts.map((part) => {
    const { refund } = part;
    if (refund.dueAtMs !== null) return part;
    return { ...part, refund: { ...refund, dueAtMs, version: refund.version + 1 } };
  });
}

/** Looks at a settlement that is due, and does what is next about it. */
export async function processSettlement(
  work: BookingWork,
  state: BookingState,
  row: SettlementRow,
): Promise<void> {
  const rows = await readStepRows(work);
  const progress = progressOf(row, rows);
  const nowMs = work.now();
  const next = nextOfSettlement(row, progress, nowMs);
  switch (next.kind) {
    case 'wait':
      await waitUntil(work, row, next.untilMs);
      return;
    case 'giveBack': {
      const waiting = rows.refunds.filter(({ id }) => next.refundIds.includes(id));
      await work.database.batch('d1.settlement.save', [
        updateSettlement(row, { dueAtMs: nowMs + SECOND_MS }),
        ...waiting.map((refund) => updateRefund(refund, { dueAtMs: nowMs })),
      ]);
      return;
    }
    case 'end':
      return end(work, state, { row, rows, progress, status: next.status });
  }
}

/** Looks at a settlement again at a time. Returns it as it is then. */
async function waitUntil(
  work: BookingWork,
  row: SettlementRow,
  dueAtMs: number,
): Promise<SettlementRow> {
  await work.wakeBy(dueAtMs);
  await work.database.batch('d1.settlement.save', [updateSettlement(row, { dueAtMs })]);
  return { ...row, dueAtMs, version: row.version + 1 };
}

/** Ends a settlement if all its steps have; otherwise it is looked at again soon. Returns it as it is then. */
export async function endIfDone(
  work: BookingWork,
  state: BookingState,
  row: SettlementRow,
  answer: KeptAnswer | null,
): Promise<SettlementRow> {
  const rows = await readStepRows(work);
  const progress = progressOf(row, rows);
  const next = nextOfSettlement(row, progress, work.now());
  if (next.kind === 'wait') return waitUntil(work, row, next.untilMs);
  if (next.kind === 'giveBack') return row;
  const ended = { ...row, status: next.status };
  await end(work, state, { row, rows, progress, status: next.status }, answer);
  return ended;
}

/** A caller's key, and what is kept under it once the settlement has ended. */
export interface KeptAnswer {
  readonly caller: CallerKey;
  readonly of: (row: SettlementRow, rows: StepRows) => Result<unknown>;
}

interface Ending {
  readonly row: SettlementRow;
  readonly rows: StepRows;
  readonly progress: readonly StepProgress[];
  readonly status: 'settled' | 'incomplete';
}

async function end(
  work: BookingWork,
  { booking, property }: BookingState,
  ending: Ending,
  answer: KeptAnswer | null = null,
): Promise<void> {
  const { progress, row, rows } = ending;
  const { after, writes } = endingOf(work, booking.currency, ending);
  const asks = property.cardRecovery !== null ? recovered(work, progress, rows) : [];
  if (asks.length > 0) await work.wakeBy(work.now());
  const kept = answer ? [completeKey(work, answer.caller, row.id, answer.of(after, rows))] : [];
  await commit(work, 'd1.settlement.save', [...writes, ...asks, ...kept]);
}

/** The settlement as it ends, and what records that, with its event. */
function endingOf(
  work: BookingWork,
  currency: string,
  { row, rows, status }: Pick<Ending, 'row' | 'rows' | 'status'>,
): { readonly after: SettlementRow; readonly writes: readonly Write[] } {
  const endedAtMs = work.now();
  const change = { status, dueAtMs: null, endedAtMs } as const;
  const after = { ...row, ...change, version: row.version + 1 };
  const settlement = settlementView(after, rows, currency);
  const subject = { kind: 'settlement', id: row.id } as const;
  const event = { type: `settlement.${status}`, snapshot: () => ({ settlement }) } as const;
  const entry = draftEntry(work, endedAtMs, subject, { from: row.status, to: status, event });
  return { after, writes: [updateSettlement(row, change), entry] };
}

/** What records that a settlement which ended incomplete is settled since: a new card paid (interface: Recovery). */
export function settledSince(
  work: BookingWork,
  { settlement, state, ...rows }: Pick<History, 'settlement' | 'state'> & StepRows,
): readonly Write[] {
  const isSince =
    settlement?.status === 'incomplete' && isSettled(settlement, progressOf(settlement, rows));
  if (!isSince) return [];
  const ending = { row: settlement, rows, status: 'settled' } as const;
  return endingOf(work, state.booking.currency, ending).writes;
}

/** The guest is asked for another card where the one on file did not pay (interface: Recovery). */
function recovered(
  work: BookingWork,
  progress: readonly StepProgress[],
  { transactions }: StepRows,
): Write[] {
  const { propertyId } = work;
  const nowMs = work.now();
  return progress
    .filter(({ status, what }) => what === 'charge' && status === 'Declined')
    .flatMap(({ chargeId }) => transactions.filter(({ id }) => id === chargeId))
    .flatMap(({ cardToken, declineCode, id }): Write[] => {
      if (cardToken === null) return [];
      const cause = declineCode === NEEDS_GUEST ? 'authentication' : 'declined';
      const start = { cause, cardToken, dueAtMs: nowMs, nowMs, ofSettlement: true } as const;
      const subject = { kind: 'recovery', id: String(id) } as const;
      return [
        beginRecoveries({ propertyId, ids: [id] }, start),
        draftEntry(work, nowMs, subject, { to: 'begun' }),
      ];
    });
}

/** The rows that a settlement's steps are, from memory or by one round trip. */
export async function readStepRows(work: BookingWork): Promise<StepRows> {
  const { database, memory, propertyId, reference } = work;
  if (memory.rows) return memory.rows;
  const [transactions, refunds] = await database.batch('d1.settlement.read', [
    selectTransactions({ propertyId, reference }),
    selectRefunds(propertyId, reference),
  ]);
  return { transactions, refunds };
}
