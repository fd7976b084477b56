import type { Write } from '../../operation/draft.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { Statement } from '../../platform/db/database.ts';
import { queueMessage } from '../../pms/outbox/queue.ts';
import { cardMessage, isByLink } from '../../pms/rules/messages.ts';
import type { BookingState } from '../../records/bookings/rules.ts';
import { useCard } from '../../records/bookings/store.ts';
import { isOfFormerAccount } from '../../records/cards/rules.ts';
import { updateCard } from '../../records/cards/store.ts';
import { selectCatalogue } from '../../records/rooms/store.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import type { RoomType } from '../../schema/roomTables.ts';
import { cardEntry } from './entries.ts';
import { type Answerable, takeOverSchedules } from './takeCard.ts';

/** What a card takes over: the writes, and the schedules that they change, as they are then. */
export interface Adopted {
  readonly writes: Write[];
  readonly schedules: readonly TransactionRow[];
}

/**
 * The writes by which a card that a guest entered to pay becomes the card in use (interface: Paying), for the batch
 * that accepts its payment: it takes over the schedules that this does not end, and the PMS and the events report it. What
 * was declined before is not charged on it: its guest paid the amount that they chose. None for any other card, nor for
 * one that may not be charged again because its property's account changed meanwhile.
 */
export async function adoptCard(
  work: BookingWork,
  state: BookingState,
  { replaces }: Pick<TransactionRow, 'replaces'>,
  card: CardRow | null,
  { pending, recoveries }: Answerable,
): Promise<Adopted> {
  const isKept = card?.enteredToPay && card.removedAtMs === null;
  if (!isKept || isOfFormerAccount(state.property, card)) return { writes: [], schedules: [] };
  const { database, propertyId, reference } = work;
  const { queries } = database;
  const atMs = work.now();
  const staying = pending.filter(({ id }) => !replaces.includes(id));
  // The booking and its cards are read again.
  work.memory.state = null;
  const attached = { from: 'entered', to: 'attached' };
  const answerable = { pending: staying, recoveries };
  const taken = takeOverSchedules(work, state.property, answerable, card);
  return {
    writes: [
      updateCard(queries, card, { enteredToPay: false }),
      useCard(queries, { propertyId, reference }, card.token, atMs),
      cardEntry(work, atMs, card, 'card.attached', attached),
      ...taken.writes,
      ...(await tellOfCard(work, state, card)),
    ],
    schedules: taken.schedules,
  };
}

/** The message to the PMS about a booking's new card, if its guest entered it. */
export async function tellOfCard(
  work: BookingWork,
  state: BookingState,
  card: CardRow,
): Promise<Statement[]> {
  const roomTypes = await roomTypesToTell(work, state, card);
  const message = cardMessage({ ...state, roomTypes }, state.booking, card);
  return queueMessage(work, state.property, message);
}

/** The rooms and rates that the message has to name; most cards need none, and no round trip. */
async function roomTypesToTell(
  work: BookingWork,
  { property, booking }: BookingState,
  card: CardRow,
): Promise<readonly RoomType[]> {
  const isTold = property.pmsUrl !== null && isByLink(card);
  if (!isTold || (booking.roomStays ?? []).length === 0) return [];
  const [[catalogue]] = await work.database.batch('d1.rooms.read', [
    selectCatalogue(work.database.queries, work.propertyId),
  ]);
  return catalogue?.roomTypes ?? [];
}
