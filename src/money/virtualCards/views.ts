import { z } from '@hono/zod-openapi';
import { storedDecimal } from '../../core/money.ts';
import { offsetTimestamp } from '../../core/time.ts';
import { named, shownTime } from '../../platform/views.ts';
import {
  type CardUse,
  remainingOf,
  VIRTUAL_STATES,
  type VirtualState,
  virtualState,
} from '../../records/cards/rules/virtual.ts';
import type { CardRow, VirtualTerms } from '../../schema/cardTables.ts';

/** A virtual card in the list of them (interface: List virtual cards). */
export const listedCardSchema = named('ListedVirtualCard', {
  bookingReference: z.string().nullable().describe('null for a card of no booking'),
  token: z.string().describe('names the card in other operations'),
  cardNumber: z
    .string()
    .openapi({ example: 'XXXX-XXXX-XXXX-X242' })
    .describe('masked, with the last three digits'),
  channel: z.string().nullable().describe('who gave it, as the client said'),
  activeFrom: shownTime.describe('from when it is charged'),
  activeUntil: shownTime.nullable().describe('until when it is charged; null: no end is known'),
  limit: z.number().nullable().describe('the most that it takes; null: no limit is known'),
  taken: z.number().describe('what was taken from it, before refunds'),
  remaining: z.number().nullable().describe('what may still be charged; null without `limit`'),
  due: z.number().describe('what is due of its booking'),
  state: z.enum(VIRTUAL_STATES).describe('see Virtual cards'),
});

/** A virtual card, and what its booking comes to, in minor units. */
export interface VirtualCardToShow
  extends Pick<CardRow, 'propertyId' | 'bookingReference' | 'token' | keyof CardUse>,
    Pick<CardRow, 'masked' | 'brand' | 'last4'> {
  readonly virtual: VirtualTerms;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** 0 for one that is not known. */
  readonly totalCostMinor: number;
  readonly dueMinor: number;
}

export function stateOf(card: VirtualCardToShow, nowMs: number): VirtualState {
  return virtualState(card.virtual, card, card, nowMs);
}

/** Shows a virtual card in a property's currency and zone. */
export function listedCardView(
  card: VirtualCardToShow,
  { currency, timeZone }: { readonly currency: string; readonly timeZone: string },
  nowMs: number,
): z.infer<typeof listedCardSchema> {
  const { activeFromMs, activeUntilMs, channel, limitMinor } = card.virtual;
  const amount = (minor: number | null) => (minor === null ? null : storedDecimal(minor, currency));
  return {
    bookingReference: card.bookingReference,
    token: card.token,
    cardNumber: card.masked,
    channel,
    activeFrom: offsetTimestamp(activeFromMs, timeZone),
    activeUntil: activeUntilMs === null ? null : offsetTimestamp(activeUntilMs, timeZone),
    limit: amount(limitMinor),
    taken: storedDecimal(card.takenMinor, currency),
    remaining: amount(remainingOf(card)),
    due: storedDecimal(card.dueMinor, currency),
    state: stateOf(card, nowMs),
  };
}
