import { digestOf } from '../../core/digest.ts';
import { type Failure, failure } from '../../core/failure.ts';
import { localDate } from '../../core/time.ts';
import { type BookingState, bookingCancelled, cardInUse } from '../../records/bookings/rules.ts';
import { isOfFormerAccount } from '../../records/cards/rules.ts';
import type { Agreed } from '../../records/guestActs/rules.ts';
import type { ChargeTotals } from '../../records/history/sums.ts';
import { lackingMinor, partsToCome, workOut } from '../../records/plans/rules/follow.ts';
import { termOf } from '../../records/plans/rules/parts.ts';
import { isTooLong } from '../../records/plans/rules.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { PlanPart, PlanRow } from '../../schema/planTables.ts';
import type { PlanTemplate, PropertyRow } from '../../schema/propertyTables.ts';
import { cardExpired } from '../payments/rules.ts';

/** A guest's choice of a template (interface: Choosing a plan). */
export interface PlanChoice {
  /** What the page showed: `shownParts()`. */
  readonly shown: string;
  readonly agreed: Agreed;
}

/** A template that a guest may choose, with the parts that would be charged. */
export interface OfferedPlan {
  readonly template: PlanTemplate;
  /** Not empty. */
  readonly parts: readonly PlanPart[];
}

/** What an offer depends on beside the booking. */
interface Circumstances {
  /** The booking's plan, the active one or else the last. */
  readonly plan: PlanRow | null;
  readonly totals: readonly ChargeTotals[];
  /** What is scheduled, in minor units. */
  readonly scheduledMinor: number;
  readonly nowMs: number;
}

/** The templates that a booking's guest may choose: none beside a plan or a schedule. */
export function offeredPlans(
  state: BookingState,
  { nowMs, plan, scheduledMinor, totals }: Circumstances,
): OfferedPlan[] {
  const { booking, property } = state;
  const hasPlan = plan !== null && plan.status !== 'cancelled';
  if (booking.status === 'cancelled' || hasPlan || scheduledMinor > 0) return [];
  const followed = { stay: booking, timeZone: property.timeZone, totals, nowMs };
  return property.planTemplates
    .filter(({ offered, spec }) => offered && !isTooLong({ spec, putAtMs: nowMs }, state))
    .map((template) => {
      const parts = workOut({ spec: template.spec, parts: null, putAtMs: nowMs }, followed);
      return { template, parts: partsToCome({ parts, status: 'active' }) };
    })
    .filter(({ parts }) => parts.length > 0);
}

/** The card that a chosen plan charges; null if the guest has to add one first. */
export function cardForPlan(state: BookingState, nowMs: number): CardRow | null {
  const card = cardInUse(state);
  const { property } = state;
  if (card === null || card.virtual !== null || isOfFormerAccount(property, card)) return null;
  return cardExpired(card, property.timeZone, nowMs) ? null : card;
}

/** What tells whether guests still see the same: a digest of the card, and of each part's name, amount and local day. */
export async function shownParts(
  { parts, template }: OfferedPlan,
  { timeZone }: Pick<PropertyRow, 'timeZone'>,
  { token }: Pick<CardRow, 'token'>,
): Promise<string> {
  const lines = parts.map((part) => [
    termOf(template.spec, part.id).label,
    lackingMinor(part),
    localDate(part.dueAtMs, timeZone),
  ]);
  return digestOf(JSON.stringify([token, template.name, ...lines]));
}

/** Why a template cannot be chosen as the page showed it; null if it can. */
export async function checkChoice(
  state: BookingState,
  circumstances: Circumstances,
  { shown, template: key }: Pick<PlanChoice, 'shown'> & { readonly template: string | null },
): Promise<Failure | null> {
  if (state.booking.status === 'cancelled') return bookingCancelled();
  const offer = offeredPlans(state, circumstances).find(({ template }) => template.key === key);
  const card = cardForPlan(state, circumstances.nowMs);
  if (!offer || !card) return NOT_AS_SHOWN;
  return (await shownParts(offer, state.property, card)) === shown ? null : NOT_AS_SHOWN;
}

const NOT_AS_SHOWN = failure('invalid_state', 'The plan is not as the page showed it any more.');
