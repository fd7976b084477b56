import type { BookingRow } from '../../../schema/bookingTables.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
import type { PlanPart, PlanRow } from '../../../schema/planTables.ts';
import { endsWithBooking } from '../../bookings/rules.ts';
import { endOf, type Followed, isDone, nextLookAtMs, settled, workOut } from './follow.ts';
import { isForetold } from './foresight.ts';

/** A plan's own charge as a batch leaves it. */
export type OwnCharge = Pick<TransactionRow, 'id' | 'planId' | 'partId' | 'status' | 'version'>;

/** What a plan follows, as a batch leaves it. */
export interface PlanFacts extends Omit<Followed, 'stay'> {
  readonly booking: BookingRow;
  /** The charges that the batch changes, the plan's own or not. */
  readonly charges: readonly OwnCharge[];
}

/** What becomes of a plan by a change of its booking or its payments: the plan itself if nothing does. */
export function afterChange(plan: PlanRow, facts: PlanFacts): PlanRow {
  const { booking, charges, nowMs, totals } = facts;
  const parts = plan.parts.map((part) => withCharge(plan, part, charges));
  const isEnding = plan.status === 'active' && endsWithBooking({ booking }, plan);
  if (isEnding) return changedPlan(plan, cancelled({ ...plan, parts }, facts), nowMs);
  if (plan.status !== 'active') {
    return changedPlan(plan, { parts: settled(endedOf(plan, parts), totals) }, nowMs);
  }
  const worked = workOut({ ...plan, parts }, { ...facts, stay: booking });
  return changedPlan(
    plan,
    { parts: worked, ...lookedAt({ ...plan, parts: worked }, nowMs) },
    nowMs,
  );
}

/** The state of an active plan by its parts, and when to look at it next: at once where a card's end is to be foretold. */
export function lookedAt(
  { cardEndsAtMs, parts, putAtMs }: Pick<PlanRow, 'cardEndsAtMs' | 'parts' | 'putAtMs'>,
  nowMs: number,
) {
  if (isDone(parts, nowMs)) return { status: 'completed', dueAtMs: null } as const;
  const isForeseen = parts.every((part) => isForetold(part, cardEndsAtMs));
  return { status: 'active', dueAtMs: isForeseen ? nextLookAtMs(parts) : putAtMs } as const;
}

/** A cancelled plan charges nothing more: what is under way goes on to its outcome. */
export function cancelled(
  { parts }: Pick<PlanRow, 'parts'>,
  { totals }: Pick<PlanFacts, 'totals'>,
): Pick<PlanRow, 'parts' | 'status' | 'dueAtMs'> {
  const ended = parts.map((part) => (part.status === 'planned' ? endOf(part) : part));
  return { parts: settled(ended, totals), status: 'cancelled', dueAtMs: null };
}

/** In a cancelled plan, a part whose charge was called off ends. */
function endedOf({ status }: PlanRow, parts: readonly PlanPart[]): readonly PlanPart[] {
  if (status !== 'cancelled') return parts;
  return parts.map((part) => {
    const isCalledOff = part.chargeStatus === 'Cancelled' && !part.hasEnded;
    return isCalledOff ? endOf(part) : part;
  });
}

/** A part with its own charge as it is now. A charge of terms before has the id of none. */
function withCharge(plan: PlanRow, part: PlanPart, charges: readonly OwnCharge[]): PlanPart {
  const own = charges.findLast(
    ({ id, partId, planId, version }) =>
      id === part.chargeId ||
      (planId === plan.id && partId === part.id && version === 1 && part.chargeId === null),
  );
  if (!own) return part;
  const later = charges.findLast(({ id }) => id === own.id) ?? own;
  const { foretold: _foretold, ...rest } = part;
  return { ...rest, chargeId: own.id, chargeStatus: later.status };
}

/** The plan after a change; the plan itself if that changes nothing. */
export function changedPlan(
  plan: PlanRow,
  change: Partial<Pick<PlanRow, 'cardEndsAtMs' | 'cardToken' | 'parts' | 'status' | 'dueAtMs'>>,
  nowMs: number,
): PlanRow {
  const after = { ...plan, ...change };
  if (JSON.stringify(after) === JSON.stringify(plan)) return plan;
  return { ...after, version: plan.version + 1, changedAtMs: nowMs };
}

/** A part's amount and time before a change and after it; null where it was not, or is not any more. */
export interface PartChange {
  readonly id: string;
  readonly from: PartTerms | null;
  readonly to: PartTerms | null;
}

type PartTerms = Pick<PlanPart, 'amountMinor' | 'dueAtMs'>;

/** Which parts have another amount or time after a change, in their order then. */
export function partChanges(before: readonly PlanPart[], after: readonly PlanPart[]): PartChange[] {
  const ids = new Set([...after, ...before].map(({ id }) => id));
  return [...ids].flatMap((id) => {
    const from = termsOf(before, id);
    const to = termsOf(after, id);
    const isSame = from?.amountMinor === to?.amountMinor && from?.dueAtMs === to?.dueAtMs;
    return isSame ? [] : [{ id, from, to }];
  });
}

function termsOf(parts: readonly PlanPart[], id: string): PartTerms | null {
  const part = parts.find((one) => one.id === id && one.status !== 'void');
  return part ? { amountMinor: part.amountMinor, dueAtMs: part.dueAtMs } : null;
}
