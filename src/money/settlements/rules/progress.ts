import { sumOf } from '../../../core/sum.ts';
import type { RefundRow, TransactionRow } from '../../../schema/moneyTables.ts';
import type { SettlementRow, SettlementStep } from '../../../schema/settlementTables.ts';

/** The rows of a booking that a settlement's steps are. */
export interface StepRows {
  readonly transactions: readonly TransactionRow[];
  readonly refunds: readonly RefundRow[];
}

/** How far a step has come: `waiting` for others, `open` without an outcome, or at its end. */
export interface StepProgress extends SettlementStep {
  readonly state: 'waiting' | 'open' | 'done' | 'failed';
  /** The status of the transaction or refund that the step is. */
  readonly status: TransactionRow['status'] | RefundRow['status'];
  /** When its row is processed next; null where nothing is planned. */
  readonly dueAtMs: number | null;
  /** What it brought in or gave back so far, without fees. */
  readonly movedMinor: number;
}

/** How far each step of a settlement has come, by the rows that the steps are. */
export function progressOf(
  { steps }: Pick<SettlementRow, 'steps'>,
  rows: StepRows,
): StepProgress[] {
  return steps.map((step) => {
    const progress = step.refundId === null ? ofTransaction(step, rows) : ofRefund(step, rows);
    if (!progress) throw new Error('a step of a settlement has no row');
    return { ...step, ...progress };
  });
}

type Progress = Omit<StepProgress, keyof SettlementStep>;

function ofTransaction(
  { chargeId, what }: SettlementStep,
  { transactions }: StepRows,
): Progress | null {
  const row = transactions.find(({ id }) => id === chargeId);
  if (!row) return null;
  const { dueAtMs, requestedMinor, status } = row;
  const own = { status, dueAtMs };
  if (what === 'release') {
    const isGone = status === 'Released' || status === 'Expired';
    const state = isGone ? 'done' : status === 'Accepted' ? 'failed' : 'open';
    return { ...own, state, movedMinor: isGone ? requestedMinor : 0 };
  }
  const again = transactions.find(
    (one) => one.replacesCharge === row.id && one.status === 'Accepted',
  );
  const taken = row.status === 'Accepted' ? row : again;
  if (taken) return { ...own, state: 'done', movedMinor: taken.requestedMinor };
  const isAsked = row.pendingOperation === 'capture' || row.pendingOperation === 'charge';
  return { ...own, state: isAsked ? 'open' : 'failed', movedMinor: 0 };
}

function ofRefund(
  { amountMinor, refundId }: SettlementStep,
  { refunds }: StepRows,
): Progress | null {
  const row = refunds.find(({ id }) => id === refundId);
  if (!row) return null;
  const { dueAtMs, status } = row;
  const own = { status, dueAtMs };
  switch (status) {
    case 'Processing':
      return { ...own, state: dueAtMs === null ? 'waiting' : 'open', movedMinor: 0 };
    case 'Refunded':
      return { ...own, state: 'done', movedMinor: amountMinor };
    case 'Failed':
      return { ...own, state: 'failed', movedMinor: 0 };
  }
}

/** What a settlement has come to, in minor units without fees. Kept and refunded are what was paid and taken. */
export interface SettlementSums {
  readonly keptMinor: number;
  readonly chargedMinor: number;
  readonly capturedMinor: number;
  readonly refundedMinor: number;
  readonly releasedMinor: number;
  readonly uncollectedMinor: number;
}

export function sumsOf(
  { terms }: Pick<SettlementRow, 'terms'>,
  progress: readonly StepProgress[],
): SettlementSums {
  const moved = (what: SettlementStep['what']) =>
    sumOf(
      progress.filter((step) => step.what === what),
      'movedMinor',
    );
  const chargedMinor = moved('charge');
  const capturedMinor = moved('capture');
  const refundedMinor = moved('refund');
  const lost = progress.filter(({ state, what }) => isIncoming(what) && state === 'failed');
  return {
    keptMinor: terms.paidMinor + chargedMinor + capturedMinor - refundedMinor,
    chargedMinor,
    capturedMinor,
    refundedMinor,
    releasedMinor: moved('release'),
    uncollectedMinor: terms.uncollectableMinor + sumOf(lost, 'amountMinor'),
  };
}

export function isIncoming(what: SettlementStep['what']): boolean {
  return what === 'capture' || what === 'charge';
}

/** Whether all came in and went back that was to. */
export function isSettled(
  { terms }: Pick<SettlementRow, 'terms'>,
  progress: readonly StepProgress[],
): boolean {
  const isWhole = terms.uncollectableMinor === 0 && terms.unrefundableMinor === 0;
  return isWhole && progress.every(({ state }) => state === 'done');
}

/** What is to be done about a settlement next. */
export type NextOfSettlement =
  /** Its steps are under way; they are looked at again at this time. */
  | { readonly kind: 'wait'; readonly untilMs: number }
  /** What comes in has come: what goes out may. */
  | { readonly kind: 'giveBack'; readonly refundIds: readonly number[] }
  | { readonly kind: 'end'; readonly status: 'settled' | 'incomplete' };

/** The least and the longest time after which a settlement is looked at again. */
const SOON_MS = 1_000;

/** Decides what is done about a settlement next: no refund is sent while the outcome of what comes in is not known. */
export function nextOfSettlement(
  settlement: Pick<SettlementRow, 'terms'>,
  progress: readonly StepProgress[],
  nowMs: number,
): NextOfSettlement {
  const open = progress.filter(({ state }) => state === 'open');
  const waiting = progress.flatMap((step) =>
    step.state === 'waiting' && step.refundId !== null ? [step.refundId] : [],
  );
  if (waiting.length > 0 && !open.some(({ what }) => isIncoming(what))) {
    return { kind: 'giveBack', refundIds: waiting };
  }
  if (open.length + waiting.length > 0) {
    const times = open.map(({ dueAtMs }) => dueAtMs ?? nowMs);
    return { kind: 'wait', untilMs: Math.max(nowMs, Math.min(...times)) + SOON_MS };
  }
  return { kind: 'end', status: isSettled(settlement, progress) ? 'settled' : 'incomplete' };
}
