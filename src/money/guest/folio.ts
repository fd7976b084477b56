import type { Database } from '../../platform/db/database.ts';
import type { BookingName } from '../../records/bookings/store.ts';
import { plannedMinor } from '../../records/plans/rules/follow.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import { type Balance, balanceOf, balanceOfRows } from '../balance/rules/balance.ts';
import { type History, readHistory } from '../folio/history.ts';
import { type OfferedPlan, offeredPlans } from '../plans/choice.ts';
import { type AskedFor, askedFor } from '../recovery/guestView.ts';

/** All that the guest's pages show of a booking: its history and balance. */
export interface Folio extends History {
  readonly balance: Balance;
  /** What the guest is asked for because cards fail. */
  readonly asked: AskedFor;
}

/** A folio, and when it was read, by the property's clock. */
export interface FolioNow {
  readonly folio: Folio;
  readonly nowMs: number;
}

/** A history as guests see it: virtual cards, and what is asked because one fails, are between their agency and the property. */
export function withoutVirtualCards(history: History): History {
  const { state, usedCards, recoveries } = history;
  const hidden = new Set(
    [...state.cards, ...usedCards].filter((card) => !isGuests(card)).map(({ token }) => token),
  );
  return {
    ...history,
    state: { ...state, cards: state.cards.filter(isGuests) },
    usedCards: usedCards.filter(isGuests),
    recoveries: recoveries.filter(({ cardToken }) => !hidden.has(cardToken)),
  };
}

/** The plans that the guest may choose. */
export function plansFor({ folio, nowMs }: FolioNow): OfferedPlan[] {
  const { balance, plan, state, totals } = folio;
  const { scheduledMinor } = balance;
  return offeredPlans(state, { plan, totals, scheduledMinor, nowMs });
}

/** Whether the guest of a cancelled booking is asked for a card that pays what its settlement kept. */
export function owesSettlement({ recoveries }: Pick<Folio, 'recoveries'>): boolean {
  return recoveries.some(({ endedAtMs, ofSettlement }) => ofSettlement && endedAtMs === null);
}

/** What a booking's cancellation keeps, in minor units; null for a booking that was not cancelled by a settlement. */
export function keptMinor(folio: Pick<Folio, 'settlement' | 'state'>): number | null {
  const { settlement, state } = folio;
  return state.booking.status === 'cancelled' ? (settlement?.terms.keepMinor ?? null) : null;
}

/** The balance that a guest reads: that of a cancelled booking goes by what its cancellation keeps. */
export function shownBalance(folio: Pick<Folio, 'balance' | 'settlement' | 'state'>): Balance {
  const { balance } = folio;
  const kept = keptMinor(folio);
  if (kept === null) return balance;
  const overpaidMinor = Math.max(0, balance.paidMinor - kept);
  return { ...balanceOf(kept, balance), overpaidMinor };
}

function isGuests({ virtual }: CardRow): boolean {
  return virtual === null;
}

/** Reads a booking's folio in one round trip; null if the booking does not exist. */
export async function readFolio(database: Database, name: BookingName): Promise<Folio | null> {
  const read = await readHistory(database, name);
  if (read === null) return null;
  const history = withoutVirtualCards(read);
  const { plan, state, transactions, totals } = history;
  const { totalCostMinor } = state.booking;
  const balance = balanceOfRows(totalCostMinor, transactions, totals, plannedMinor(plan));
  return { ...history, balance, asked: askedFor(history) };
}
