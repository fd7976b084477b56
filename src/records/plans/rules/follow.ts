import { sumOf } from '../../../core/sum.ts';
import { DAY_MS } from '../../../core/time.ts';
import type { PlanPart, PlanRow } from '../../../schema/planTables.ts';
import type { ChargeTotals } from '../../history/sums.ts';
import { MOST_PARTS, type PlannedStay, partsOfTerms, type TermsPart } from './parts.ts';

/** How long after a change a part is due whose time the change left behind. */
const AFTER_CHANGE_MS = DAY_MS;

/** What a plan follows: its booking, and the sums of each charge of that. */
export interface Followed {
  readonly stay: PlannedStay;
  readonly timeZone: string;
  readonly totals: readonly ChargeTotals[];
  readonly nowMs: number;
}

/** What the parts of a plan are worked out from: its terms, and its parts until then; null for a plan that is put now. */
export interface WorkedPlan extends Pick<PlanRow, 'spec' | 'putAtMs'> {
  readonly parts: readonly PlanPart[] | null;
}

/**
 * Works out the parts of a plan again (interface: A plan follows its booking). Parts whose own charge is under way or was
 * taken stay; the terms give all others from the booking as it is now; what other charges took covers what those lack, in
 * the order of their times. What is past by the terms when a plan is put is due at once.
 */
export function workOut(
  { spec, parts: before, putAtMs }: WorkedPlan,
  followed: Followed,
): PlanPart[] {
  const { nowMs, stay, timeZone, totals } = followed;
  const parts = before ?? [];
  const given = partsOfTerms(spec, stay, { timeZone, putAtMs });
  const lateAtMs = before === null ? nowMs : nowMs + AFTER_CHANGE_MS;
  const gone = parts.filter(({ id }) => !given.some((one) => one.id === id));
  const drawn = [
    ...given.map((one) => {
      const known = parts.find(({ id }) => id === one.id);
      return known && stays(known) ? kept(known, totals) : drawnPart(one, known, nowMs, lateAtMs);
    }),
    ...gone.map((part) =>
      stays(part) ? kept(part, totals) : { ...part, coveredMinor: 0, status: 'void' as const },
    ),
  ];
  const withRest = drawn.map((part) => {
    const isRest = given.some(({ id, amountMinor }) => id === part.id && amountMinor === null);
    if (!isRest || stays(part)) return part;
    const others = drawn.filter(({ id, status }) => id !== part.id && status !== 'void');
    const restMinor = stay.totalCostMinor - sumOf(others, 'amountMinor');
    return { ...part, amountMinor: Math.max(0, restMinor) };
  });
  return openedAgain(covered(withRest, totals), parts, followed);
}

/** Whether the terms change a part no more: its charge is under way or was taken, or it ended at its time. */
function stays({ chargeStatus, hasEnded }: PlanPart): boolean {
  return hasEnded || chargeStatus === 'Processing' || chargeStatus === 'Accepted';
}

/** A part that stays. One whose charge was taken amounts to what that brought, and to what covers the part besides. */
function kept(part: PlanPart, totals: readonly ChargeTotals[]): PlanPart {
  if (part.chargeStatus !== 'Accepted') return part;
  const taken = totals.find(({ transactionId }) => transactionId === part.chargeId);
  const broughtMinor = taken ? taken.takenMinor - taken.feeMinor : part.broughtMinor;
  const coveredMinor = Math.min(part.coveredMinor, Math.max(0, part.amountMinor - broughtMinor));
  return { ...part, broughtMinor, coveredMinor, amountMinor: coveredMinor + broughtMinor };
}

/** A part as the terms give it now; its cover comes later. */
function drawnPart(
  { id, amountMinor, atMs }: TermsPart,
  before: PlanPart | undefined,
  nowMs: number,
  lateAtMs: number,
): PlanPart {
  const known = before && before.status !== 'void' ? before : null;
  return {
    id,
    amountMinor: amountMinor ?? 0,
    coveredMinor: 0,
    broughtMinor: 0,
    termsAtMs: atMs,
    dueAtMs: known ? movedTo(known, atMs, nowMs) : atMs <= nowMs ? lateAtMs : atMs,
    status: 'planned',
    chargeId: before?.chargeId ?? null,
    chargeStatus: before?.chargeStatus ?? null,
    hasEnded: false,
    ...(before?.foretold && { foretold: before.foretold }),
  };
}

/**
 * When a part is charged whose terms give another time, perhaps. One that was left behind keeps its later time until the
 * terms give a later one still.
 */
function movedTo({ dueAtMs, termsAtMs }: PlanPart, atMs: number, nowMs: number): number {
  if (atMs === termsAtMs) return dueAtMs;
  if (dueAtMs !== termsAtMs) return Math.max(dueAtMs, atMs);
  return atMs <= nowMs ? nowMs + AFTER_CHANGE_MS : atMs;
}

/** The parts in the order in which they are due, covered by what other charges took, those that are due first first. */
function covered(parts: readonly PlanPart[], totals: readonly ChargeTotals[]): PlanPart[] {
  const own = new Set(parts.filter(stays).map(({ chargeId }) => chargeId));
  const others = totals.filter(
    ({ purpose, transactionId }) => purpose !== 'Bond' && !own.has(transactionId),
  );
  const tookMinor = sumOf(others, 'takenMinor') - sumOf(others, 'feeMinor');
  let leftMinor = Math.max(0, tookMinor - sumOf(parts.filter(stays), 'coveredMinor'));
  return inOrder(parts).map((part) => {
    if (stays(part) || part.status === 'void') return { ...part, status: statusOf(part) };
    const coveredMinor = Math.min(part.amountMinor, leftMinor);
    leftMinor -= coveredMinor;
    const after = { ...part, coveredMinor };
    return { ...after, status: statusOf(after) };
  });
}

/** Parts of one time stand in the order of the terms, whatever times they had before. */
function inOrder(parts: readonly PlanPart[]): PlanPart[] {
  return parts.toSorted(
    (one, other) => one.dueAtMs - other.dueAtMs || placeInTerms(one) - placeInTerms(other),
  );
}

function placeInTerms({ id }: PlanPart): number {
  return Number(id.slice(1)) + (id.startsWith('r') ? MOST_PARTS : 0);
}

/** A part that had nothing open and lacks something after its time is due a day later; the cover follows the new order. */
function openedAgain(
  parts: readonly PlanPart[],
  before: readonly PlanPart[],
  { nowMs, totals }: Followed,
): PlanPart[] {
  const wasPaid = new Set(before.filter(({ status }) => status === 'paid').map(({ id }) => id));
  const opened = parts.map((part) => {
    const isOpened = part.status === 'planned' && wasPaid.has(part.id) && part.dueAtMs <= nowMs;
    return isOpened ? { ...part, dueAtMs: nowMs + AFTER_CHANGE_MS } : part;
  });
  return covered(opened, totals);
}

/** What the state of a part is, by what covers it and what became of its charge. */
function statusOf(part: PlanPart): PlanPart['status'] {
  const { amountMinor, broughtMinor, chargeStatus, coveredMinor, status } = part;
  if (chargeStatus === 'Processing') return 'processing';
  if (chargeStatus === 'Accepted') return 'paid';
  if (status === 'void') return 'void';
  if (coveredMinor + broughtMinor >= amountMinor) return 'paid';
  return chargeStatus === null || chargeStatus === 'Pending' ? 'planned' : 'failed';
}

/** What a part lacks, in minor units. */
export function lackingMinor({ amountMinor, broughtMinor, coveredMinor }: PlanPart): number {
  return amountMinor - coveredMinor - broughtMinor;
}

/** The parts of a plan that are still to be charged; null for no plan. */
export function partsToCome(plan: Pick<PlanRow, 'parts' | 'status'> | null): readonly PlanPart[] {
  if (plan?.status !== 'active') return [];
  return plan.parts.filter((part) => part.status === 'planned');
}

/** What the parts of a plan that are still to be charged lack. */
export function plannedMinor(plan: Pick<PlanRow, 'parts' | 'status'> | null): number {
  return partsToCome(plan).reduce((sum, part) => sum + lackingMinor(part), 0);
}

/** A part that ends without a charge: paid where anything covers it, else void. */
export function endOf(part: PlanPart): PlanPart {
  const status = part.coveredMinor > 0 ? 'paid' : 'void';
  const amountMinor = status === 'paid' ? part.coveredMinor : part.amountMinor;
  return { ...part, amountMinor, status, hasEnded: true };
}

/** The part to be charged next; null for none. One that waits for another attempt has its own schedule. */
export function nextPart(parts: readonly PlanPart[]): PlanPart | null {
  return parts.find(({ chargeId, status }) => status === 'planned' && chargeId === null) ?? null;
}

/** Whether nothing of a plan is to come: all was charged, failed, ended, or is covered with its time past. */
export function isDone(parts: readonly PlanPart[], nowMs: number): boolean {
  return parts.length > 0 && parts.every((part) => isPartDone(part, nowMs));
}

function isPartDone({ chargeStatus, dueAtMs, status }: PlanPart, nowMs: number): boolean {
  if (status === 'paid') return chargeStatus === 'Accepted' || dueAtMs <= nowMs;
  return status === 'failed' || status === 'void';
}

/** When a plan is to be looked at next: the time of its next part, or when the last that is covered is past; null for never. */
export function nextLookAtMs(parts: readonly PlanPart[]): number | null {
  const next = nextPart(parts);
  if (next) return next.dueAtMs;
  const waits = parts.some(({ status }) => status === 'planned' || status === 'processing');
  const paid = parts.filter(({ status }) => status === 'paid').map(({ dueAtMs }) => dueAtMs);
  return waits || paid.length === 0 ? null : Math.max(...paid);
}

/** The parts of a plan that its booking changes no more: with what its own charges brought, and what covers the others. */
export function settled(parts: readonly PlanPart[], totals: readonly ChargeTotals[]): PlanPart[] {
  return covered(
    parts.map((part) => kept(part, totals)),
    totals,
  );
}
