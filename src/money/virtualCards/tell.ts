import { sql } from 'drizzle-orm';
import { commit } from '../../operation/commit.ts';
import { type DraftedEvent, draftEntry } from '../../operation/draft.ts';
import { type BookingWork, bookingState } from '../../operation/work.ts';
import type { BookingState } from '../../records/bookings/rules.ts';
import { updateCard } from '../../records/cards/store.ts';
import { eventCardView } from '../../records/cards/views.ts';
import { staleUnless } from '../../records/properties/store.ts';
import { type CardRow, cards } from '../../schema/cardTables.ts';
import { readTotals } from '../balance/readBalance.ts';
import { dueOf } from '../balance/rules/balance.ts';
import { toldOf } from './rules.ts';
import { listedCardView, stateOf, type VirtualCardToShow } from './views.ts';

/**
 * Tells that a virtual card of the booking is active, or will soon end while something can still be charged on it, each
 * once, and plans when to look at it next. A due time that was used is refused, so nothing is told twice.
 */
export async function tellOfCard(work: BookingWork, card: CardRow): Promise<void> {
  const state = await bookingState(work);
  if (!state || card.virtual === null || card.dueAtMs === null) return;
  const { booking } = state;
  const atMs = work.now();
  const dueMinor = dueOf(booking.totalCostMinor, await readTotals(work));
  const { firstName, lastName, totalCostMinor } = booking;
  const guest = { firstName, lastName };
  const shown = { ...card, ...guest, virtual: card.virtual, totalCostMinor, dueMinor };
  const told = toldOf(card.virtual, card.dueAtMs, stateOf(shown, atMs), atMs);
  const change = { dueAtMs: told.dueAtMs };
  const isAsRead = sql`EXISTS (SELECT 1 FROM ${cards} WHERE ${cards.token} = ${card.token} AND ${cards.dueAtMs} = ${card.dueAtMs})`;
  const writes = [staleUnless(work.propertyId, isAsRead), updateCard(card, change)] as const;
  if (told.event === null) {
    await work.database.batch('d1.card.save', writes);
  } else {
    const event = eventOf(told.event, state, shown, atMs);
    const to = told.event === 'card.virtual_active' ? 'active' : 'lapsing';
    const subject = { kind: 'card', id: card.token } as const;
    await commit(work, 'd1.card.save', [...writes, draftEntry(work, atMs, subject, { to, event })]);
  }
  const changed = state.cards.map((one) =>
    one.token === card.token ? { ...one, ...change } : one,
  );
  work.memory.state = { ...state, cards: changed };
}

/** The event shows the card as bookings do, and as the list of virtual cards. */
function eventOf(
  type: DraftedEvent['type'],
  { booking: { currency }, property: { timeZone } }: BookingState,
  card: VirtualCardToShow & CardRow,
  nowMs: number,
): DraftedEvent {
  const shownIn = { currency, timeZone };
  return {
    type,
    snapshot: () => ({
      card: { ...eventCardView(card, shownIn), ...listedCardView(card, shownIn, nowMs) },
    }),
  };
}
