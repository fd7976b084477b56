import { commit } from '../../operation/commit.ts';
import type { Write } from '../../operation/draft.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { BookingState } from '../../records/bookings/rules.ts';
import { changedPlan, lookedAt } from '../../records/plans/rules/changes.ts';
import { cardEndMs, isForetold, outlivesCard } from '../../records/plans/rules/foresight.ts';
import { expiryWarningMs } from '../../records/properties/rules.ts';
import { endRecoveries, foretellParts } from '../../records/recoveries/store.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { PlanPart, PlanRow } from '../../schema/planTables.ts';

/**
 * Foretells which parts of a plan its card will have expired for (interface: Recovery): the recovery of each begins, with
 * an id of its own until the part is charged. That of a part of which it is not true any more ends.
 */
export async function foretell(
  work: BookingWork,
  { property }: BookingState,
  plan: PlanRow,
  card: CardRow | null,
): Promise<void> {
  const nowMs = work.now();
  const cardEndsAtMs = cardEndMs(card, property.timeZone);
  const parts = plan.parts.map((part): PlanPart => {
    if (isForetold(part, cardEndsAtMs)) return part;
    const { foretold, ...rest } = part;
    if (!outlivesCard(part, cardEndsAtMs)) return rest;
    const recoveryId = foretold?.recoveryId ?? work.ids.next('charge', nowMs);
    return { ...rest, foretold: { recoveryId, dueAtMs: part.dueAtMs } };
  });
  const begun = parts.filter((part, at) => part !== plan.parts[at]);
  const told = begun.flatMap(({ foretold }) => foretold ?? []);
  const after = { ...plan, parts, cardEndsAtMs };
  const isTold = ({ foretold }: PlanPart) =>
    told.some(({ recoveryId }) => recoveryId === foretold?.recoveryId);
  const row = changedPlan(plan, { parts, cardEndsAtMs, ...lookedAt(after, nowMs) }, nowMs);
  const aheadMs = expiryWarningMs(property.cardRecovery);
  await commit(work, 'd1.plan.save', [
    ...endForetold(
      work,
      plan.parts.filter((part) => !parts.includes(part) && !isTold(part)),
    ),
    ...(card && told.length > 0
      ? [foretellParts(work, told, { cardToken: card.token, nowMs, aheadMs })]
      : []),
    { plan: { row, events: row.status === 'completed' ? ['plan.completed'] : [] } },
  ]);
}

/** Ends what was foretold of some parts: the card is another, or they are not to be charged any more. */
export function endForetold(work: BookingWork, parts: readonly PlanPart[]): Write[] {
  const idsOf = (isToCome: boolean) =>
    parts
      .filter(({ status }) => (status === 'planned') === isToCome)
      .flatMap(({ foretold }) => foretold?.recoveryId ?? []);
  const ends = [
    { ids: idsOf(true), as: 'answered' },
    { ids: idsOf(false), as: 'over' },
  ] as const;
  return ends.flatMap((which) =>
    which.ids.length === 0 ? [] : [endRecoveries(work, work.now(), which)],
  );
}
