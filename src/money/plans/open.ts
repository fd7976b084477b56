import type { Write } from '../../operation/draft.ts';
import type { BookingWork } from '../../operation/work.ts';
import { selectPlan } from '../../records/plans/store.ts';
import { endRecoveries } from '../../records/recoveries/store.ts';
import type { PlanRow } from '../../schema/planTables.ts';
import { wish } from '../payments/callOff.ts';
import { changeWrites } from '../payments/entries.ts';
import { cancellation } from '../payments/rules/firing.ts';
import { selectInStates } from '../payments/store.ts';
import { endForetold } from './foretell.ts';

/** The plan of a booking, from memory or by one round trip: the active one, else the last; null for none. */
export async function readPlan(work: BookingWork): Promise<PlanRow | null> {
  const { database, memory, propertyId, reference } = work;
  if (memory.plan === undefined) {
    const [[plan]] = await database.batch('d1.plan.read', [selectPlan({ propertyId, reference })]);
    memory.plan = plan ?? null;
  }
  return memory.plan;
}

/**
 * Ends the charges of a plan's parts that wait or are under way, because its terms hold no more: one that waits is
 * cancelled, one whose outcome is not known is not sent again. What was foretold of parts ends, too, and no new card is
 * charged what was declined.
 */
export async function endOpenParts(
  work: BookingWork,
  { id, parts }: PlanRow,
  why: string,
): Promise<Write[]> {
  const nowMs = work.now();
  const ids = parts.flatMap(({ chargeId, chargeStatus }) =>
    chargeId !== null && chargeStatus === 'Declined' ? [chargeId] : [],
  );
  const asked = [
    ...endForetold(work, parts),
    ...(ids.length === 0 ? [] : [endRecoveries(work, nowMs, { ids })]),
  ];
  const isOpen = parts.some(
    ({ chargeStatus }) => chargeStatus === 'Pending' || chargeStatus === 'Processing',
  );
  if (!isOpen) return asked;
  const { database, propertyId, reference } = work;
  const [open] = await database.batch('d1.transaction.read', [
    selectInStates(propertyId, reference, ['Pending', 'Processing']),
  ]);
  const own = open.filter(({ planId }) => planId === id);
  if (own.length > 0) await work.wakeBy(nowMs);
  const ended = own.flatMap((row) => {
    const change = row.status === 'Pending' ? cancellation(nowMs, why).change : wish(row, nowMs);
    return changeWrites(work, row, change, { why });
  });
  return [...asked, ...ended];
}
