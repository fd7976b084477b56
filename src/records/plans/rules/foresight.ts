import { monthEndMs } from '../../../core/time.ts';
import type { CardRow } from '../../../schema/cardTables.ts';
import type { PlanPart } from '../../../schema/planTables.ts';

/** When the card that a plan charges will have expired, in the property's zone; null for no card. */
export function cardEndMs(
  card: Pick<CardRow, 'expiryMonth' | 'expiryYear'> | null,
  timeZone: string,
): number | null {
  return card && monthEndMs(card.expiryYear, card.expiryMonth, timeZone);
}

/** Whether the card of a plan will have expired by the time of a part that is still to be charged. */
export function outlivesCard(
  { chargeId, dueAtMs, status }: PlanPart,
  cardEndsAtMs: number | null,
): boolean {
  return (
    status === 'planned' && chargeId === null && cardEndsAtMs !== null && dueAtMs >= cardEndsAtMs
  );
}

/** Whether what is foretold of a part is right: that its card will have expired at its time, or nothing. */
export function isForetold(part: PlanPart, cardEndsAtMs: number | null): boolean {
  const foretoldMs = part.foretold?.dueAtMs;
  return foretoldMs === (outlivesCard(part, cardEndsAtMs) ? part.dueAtMs : undefined);
}
