import type { Entry } from '../records/history/rules/entry.ts';
import { afterChange, partChanges } from '../records/plans/rules/changes.ts';
import { plannedMinor } from '../records/plans/rules/follow.ts';
import { planChangesView, planView } from '../records/plans/views.ts';
import type { PlanRow } from '../schema/planTables.ts';
import type { Draft, PlanEvent, PlanWrite } from './draft.ts';
import type { Known } from './shown.ts';
import type { BookingWork } from './work.ts';

/** What a batch makes of its booking's plan (interface: A plan follows its booking); null for nothing. */
export function followPlan(
  work: BookingWork,
  { booking, history, plan, shown }: Known,
  drafts: readonly Draft[],
): PlanWrite | null {
  if (plan === null) return null;
  const row = afterChange(plan, {
    booking,
    charges: drafts.flatMap(({ charge }) => charge ?? []),
    totals: history.totals,
    timeZone: shown.property.timeZone,
    nowMs: work.now(),
  });
  return row === plan ? null : { row, events: planEvents(plan, row) };
}

export function planEvents(before: PlanRow, after: PlanRow): PlanEvent[] {
  const isNew = before.status !== after.status;
  if (isNew && after.status === 'cancelled') return ['plan.cancelled'];
  const events: PlanEvent[] =
    partChanges(before.parts, after.parts).length > 0 ? ['plan.changed'] : [];
  return isNew && after.status === 'completed' ? [...events, 'plan.completed'] : events;
}

/**
 * The charges that wait although their part is covered or gone by now: they are due at once, to end. `before` is the plan
 * until then.
 */
export function endedCharges(before: PlanRow, after: PlanRow): number[] {
  const waiting = before.parts.filter(
    ({ chargeStatus, status }) => chargeStatus === 'Pending' && status === 'planned',
  );
  return waiting.flatMap(({ chargeId, id }) => {
    const now = after.parts.find((part) => part.id === id);
    const isEnded = now?.chargeStatus === 'Pending' && now.status !== 'planned';
    return isEnded && chargeId !== null ? [chargeId] : [];
  });
}

/**
 * The entries of a plan that is saved: one for each event, and one that nobody sees where only what is planned changes.
 * `before` is the booking's plan until then.
 */
export function planEntries(
  work: BookingWork,
  { booking, shown }: Known,
  before: PlanRow | null,
  { detail, events, row }: PlanWrite,
): Entry[] {
  const { actor, actorName, propertyId, reference } = work;
  const { timeZone } = shown.property;
  const addedMinor = plannedMinor(row) - plannedMinor(before);
  const entry: Entry = {
    propertyId,
    bookingReference: reference,
    atMs: work.now(),
    actor,
    actorName,
    subject: { kind: 'plan', id: row.id },
  };
  const same = before?.id === row.id ? before : null;
  const plan = planView(row, booking, timeZone);
  const changes = partChanges(same?.parts ?? [], row.parts);
  const told = events.map((type): Entry => {
    const planChanges = planChangesView(changes, row.currency, timeZone);
    const snapshot = type === 'plan.changed' ? { plan, planChanges } : { plan };
    const states = { from: same?.status ?? null, to: row.status, detail };
    return { ...entry, ...states, event: { type, snapshot, timeZone } };
  });
  const [first = entry, ...further] = told;
  if (addedMinor === 0) return told;
  const open = { scheduledMinor: null, uncertainMinor: null, heldMinor: null };
  return [{ ...first, open: { ...open, plannedMinor: addedMinor } }, ...further];
}
