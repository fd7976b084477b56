import { err, ok, type Result } from '../../core/result.ts';
import { commitIntent } from '../../operation/commit.ts';
import { type CallerKey, keepFirst } from '../../operation/idempotency.ts';
import { type BookingWork, bookingState, decideAgain } from '../../operation/work.ts';
import { bookingNotFound, uncertain } from '../../records/bookings/rules.ts';
import { cancelled, changedPlan } from '../../records/plans/rules/changes.ts';
import { PLAN_NOT_FOUND } from '../../records/plans/rules.ts';
import { type PlanView, planView } from '../../records/plans/views.ts';
import { readTotals } from '../balance/readBalance.ts';
import { BY_REQUEST } from '../payments/callOff.ts';
import { endOpenParts, readPlan } from './open.ts';

interface Cancelled {
  readonly answer: PlanAnswer;
  /** Whether the plan had ended before, so that nothing was written. */
  readonly hadEnded: boolean;
}

export interface PlanAnswer {
  readonly plan: PlanView;
}

/** Cancels a booking's plan; one that has ended stays as it is (interface: Cancel a plan). */
export async function cancelPlan(
  work: BookingWork,
  { caller }: { readonly caller: CallerKey | null },
): Promise<Result<PlanAnswer>> {
  const decided = await decideAgain(work, () => cancel(work, caller));
  if (!decided.ok) return decided;
  const { answer, hadEnded } = decided.value;
  // Only now: before anything is written, what was remembered is decided again on D1's rows.
  if (caller && hadEnded) await keepFirst(work, caller, null, ok(answer));
  return ok(answer);
}

async function cancel(work: BookingWork, caller: CallerKey | null): Promise<Result<Cancelled>> {
  const state = await bookingState(work);
  if (!state) return err(bookingNotFound());
  await readTotals(work);
  const plan = await readPlan(work);
  if (plan === null) return err(PLAN_NOT_FOUND);
  const { timeZone } = state.property;
  if (plan.status !== 'active') {
    const answer = { plan: planView(plan, state.booking, timeZone) };
    return ok({ answer, hadEnded: true });
  }
  const totals = work.memory.history?.totals ?? [];
  const row = changedPlan(plan, cancelled(plan, { totals }), work.now());
  const answer = { plan: planView(row, state.booking, timeZone) };
  const recorded = await commitIntent(
    work,
    'd1.plan.save',
    [
      { takes: { caller, commandReference: null, answer: ok(answer) } },
      { plan: { row, events: ['plan.cancelled'], detail: BY_REQUEST } },
      ...(await endOpenParts(work, plan, 'its plan was cancelled')),
    ],
    async () => {
      work.memory.plan = undefined;
      const now = await readPlan(work);
      return now?.id === row.id && now.status === 'cancelled';
    },
  );
  return recorded === 'unknown' ? err(uncertain()) : ok({ answer, hadEnded: false });
}
