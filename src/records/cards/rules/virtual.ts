import { type Failure, failure } from '../../../core/failure.ts';
import { storedDecimal } from '../../../core/money.ts';
import { DAY_MS, localDate, localInstantMs, offsetTimestamp } from '../../../core/time.ts';
import type { CardRow, VirtualTerms } from '../../../schema/cardTables.ts';

/** What was done with a virtual card, in minor units. */
export type CardUse = Pick<CardRow, 'takenMinor' | 'heldMinor' | 'refundedMinor'>;

/** What says whether a card may be charged, and how much. */
export type ChargeableCard = Pick<CardRow, 'virtual'> & CardUse;

/** A card that is no virtual one. */
export const NOT_VIRTUAL = {
  virtual: null,
  takenMinor: 0,
  heldMinor: 0,
  refundedMinor: 0,
} as const;

/** A card after more was done with it. */
export function withUse<Card extends CardUse>(card: Card, use: CardUse): Card {
  return {
    ...card,
    takenMinor: card.takenMinor + use.takenMinor,
    heldMinor: card.heldMinor + use.heldMinor,
    refundedMinor: card.refundedMinor + use.refundedMinor,
  };
}

/** What may still be charged on a virtual card, in minor units; null without a limit, and for any other card. */
export function remainingOf(card: ChargeableCard): number | null {
  const { virtual, takenMinor, heldMinor, refundedMinor } = card;
  if (virtual === null || virtual.limitMinor === null) return null;
  return Math.max(0, virtual.limitMinor - takenMinor - heldMinor + refundedMinor);
}

/** The currency and the zone that a card's terms are shown in. */
export interface ShownIn {
  readonly currency: string;
  readonly timeZone: string;
}

/** Why a card may not be charged at an instant; null if it may, or is no virtual card. */
export function whyNotActive(
  { virtual }: Pick<CardRow, 'virtual'>,
  atMs: number,
  { timeZone }: Pick<ShownIn, 'timeZone'>,
): Failure | null {
  if (virtual === null) return null;
  const { activeFromMs, activeUntilMs } = virtual;
  if (atMs < activeFromMs) {
    const activeFrom = offsetTimestamp(activeFromMs, timeZone);
    return failure('virtual_card_not_active', NOT_ACTIVE, { activeFrom });
  }
  return activeUntilMs !== null && atMs > activeUntilMs
    ? failure('virtual_card_ended', 'The virtual card has ended. Nothing was charged.')
    : null;
}

const NOT_ACTIVE = 'The virtual card is not active yet. Nothing was charged.';

/** Why an amount may not be charged on a card; null if it may. `amountMinor` is what the card would pay. */
export function whyTooMuch(
  card: ChargeableCard,
  amountMinor: number,
  { currency }: Pick<ShownIn, 'currency'>,
): Failure | null {
  const remainingMinor = remainingOf(card);
  if (remainingMinor === null || amountMinor <= remainingMinor) return null;
  return failure(
    'exceeds_virtual_card',
    'The amount is more than remains on the virtual card. Nothing was charged.',
    { remaining: storedDecimal(remainingMinor, currency) },
  );
}

/** For how long a card that became active may not work yet at its issuer. */
const FRESH_MS = DAY_MS;

/** Whether a virtual card became active so recently that its issuer may still decline it. */
export function isFresh({ virtual }: Pick<CardRow, 'virtual'>, atMs: number): boolean {
  return virtual !== null && atMs < virtual.activeFromMs + FRESH_MS;
}

/** When a virtual card is charged by itself on the day of an instant, by the property's local time. */
const AUTO_CHARGE_TIME = '09:00';

/**
 * When a virtual card is charged by itself: at `nowMs`, but not before it is active nor before 09:00 of that day, unless it
 * ends before; null once it has ended.
 */
export function autoChargeAtMs(
  { activeFromMs, activeUntilMs }: VirtualTerms,
  nowMs: number,
  timeZone: string,
): number | null {
  const earliestMs = Math.max(nowMs, activeFromMs);
  if (activeUntilMs !== null && earliestMs > activeUntilMs) return null;
  const day = localDate(earliestMs, timeZone);
  const atMs = Math.max(earliestMs, localInstantMs(day, AUTO_CHARGE_TIME, timeZone));
  return activeUntilMs !== null && atMs > activeUntilMs ? earliestMs : atMs;
}

/** How long before its end a card that could still be charged is lapsing. */
const LAPSING_MS = 3 * DAY_MS;

/** When a virtual card begins to lapse; null if it has no end. */
export function lapsesFromMs({ activeUntilMs }: VirtualTerms): number | null {
  return activeUntilMs === null ? null : activeUntilMs - LAPSING_MS;
}

/** The states of a virtual card, in the order in which the first that fits counts. */
export const VIRTUAL_STATES = [
  'ended',
  'notActive',
  'refundable',
  'lapsing',
  'chargeable',
  'charged',
] as const;

export type VirtualState = (typeof VIRTUAL_STATES)[number];

/** The state of a virtual card, by what its booking owes; a total of 0 is one that nobody knows (interface: Virtual cards). */
export function virtualState(
  terms: VirtualTerms,
  use: CardUse,
  { dueMinor, totalCostMinor }: { readonly dueMinor: number; readonly totalCostMinor: number },
  nowMs: number,
): VirtualState {
  const { activeFromMs, activeUntilMs } = terms;
  if (activeUntilMs !== null && nowMs > activeUntilMs) return 'ended';
  if (nowMs < activeFromMs) return 'notActive';
  const keptMinor = use.takenMinor - use.refundedMinor;
  if (totalCostMinor > 0 && keptMinor > totalCostMinor) return 'refundable';
  const remainingMinor = remainingOf({ virtual: terms, ...use });
  if (dueMinor === 0 || remainingMinor === 0) return 'charged';
  const lapsesMs = lapsesFromMs(terms);
  return lapsesMs !== null && nowMs >= lapsesMs ? 'lapsing' : 'chargeable';
}
