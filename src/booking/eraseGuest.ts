import { failure } from '../core/failure.ts';
import { andThen, err, ok, type Result } from '../core/result.ts';
import { commitIntent } from '../operation/commit.ts';
import { draftEntry, type Write } from '../operation/draft.ts';
import { type BookingWork, onCurrentState } from '../operation/work.ts';
import type { Statement } from '../platform/db/database.ts';
import { packedPayload, payloadOf } from '../pms/outbox/payloads.ts';
import { changePayload } from '../pms/outbox/store.ts';
import { withoutGuestIn } from '../pms/rules/messages.ts';
import { databaseWith } from '../records/archive/read.ts';
import { bookingNotFound, changedBooking, uncertain } from '../records/bookings/rules.ts';
import { readBooking, saveWords, selectBooking, updateBooking } from '../records/bookings/store.ts';
import { forgetting } from '../records/history/forget.ts';
import { dropMails } from '../records/mails/queue.ts';
import {
  erasureOf,
  selectCardsToDetach,
  selectMessages,
  selectOpen,
  selectTelling,
  tellsOfGuest,
  withoutGuestOf,
} from '../records/privacy/eraseStore.ts';
import { addedUp, type Erased, stillOpen } from '../records/privacy/rules.ts';
import { endRecoveries } from '../records/recoveries/store.ts';
import type { BookingRow } from '../schema/bookingTables.ts';
import type { OutboxRow } from '../schema/outboxTables.ts';
import { dropLeftover } from './archive.ts';

/**
 * Takes a booking's guest out of everything that the service keeps of it, and detaches its cards at the acquirer
 * (interface: Erase a guest). Money, dates and ids stay. Returns how many rows of each kind told of the guest. Fails with
 * `invalid_state` while something is open, and with `gateway_error` if the acquirer does not say that it detached a card:
 * then nothing is erased. Done again, it changes nothing.
 */
export function eraseGuest(work: BookingWork): Promise<Result<readonly Erased[]>> {
  return onCurrentState(work, async () => {
    const found = await readErasable(work);
    if (!found.ok) return found;
    const { booking, erased, cards } = found.value;
    await dropLeftover(work);
    if (!(await detachCards(work, cards))) return err(NOT_DETACHED);
    // What the object remembers tells of the guest; after this, it is read again.
    if (erased.length > 0) {
      const recorded = await commitIntent(work, 'd1.privacy.erase', found.value.writes, () =>
        isErased(work, booking),
      );
      if (recorded === 'unknown') return err(uncertain());
    }
    forgetRemembered(work);
    // The object has nothing to keep any more.
    await work.wakeBy(work.now());
    return ok(erased);
  });
}

/** Counts what {@link eraseGuest} would erase, also of a booking in the archive, which stays there. Writes nothing. */
export async function countGuest(work: BookingWork): Promise<Result<readonly Erased[]>> {
  const found = await readErasable(work);
  if (found.ok || found.error.code !== 'booking_not_found') return andThen(found, counted);
  const database = await databaseWith(work, work);
  if (database === null) return found;
  const home = database.of(work.propertyId);
  return andThen(await readErasable({ ...work, database: home }), counted);
}

function counted({ erased }: Erasable): Result<readonly Erased[]> {
  return ok(erased);
}

async function readErasable(work: BookingWork): Promise<Result<Erasable>> {
  const read = await readForErasing(work);
  if (!read) return err(bookingNotFound());
  return read.open.length > 0 ? err(stillOpen(work.reference, read.open)) : ok(read);
}

/** Whether the acquirer says of each card that it is detached. One that another booking uses stays there. */
async function detachCards(
  { gateway, trace }: BookingWork,
  cards: readonly { readonly gatewayToken: string; readonly isShared: number }[],
): Promise<boolean> {
  for (const { gatewayToken, isShared } of cards) {
    if (isShared) continue;
    const detached = await trace.span('gateway.detach', () => gateway.detach(gatewayToken));
    if (detached.kind === 'unknown') return false;
  }
  return true;
}

/** Makes the object forget its booking, also in its storage. */
export async function forgetGuest(work: BookingWork): Promise<Result<null>> {
  forgetRemembered(work);
  return ok(null);
}

function forgetRemembered({ memory }: BookingWork): void {
  memory.forget();
  memory.isNew = true;
}

type Erasable = NonNullable<Awaited<ReturnType<typeof readForErasing>>>;

/** The booking as D1 has it, what an erasure has to do, and what keeps it from being done; null for an unknown booking. */
async function readForErasing(work: BookingWork) {
  const { propertyId, reference } = work;
  const name = { propertyId, reference };
  const nowMs = work.now();
  const tables = erasureOf(name, nowMs);
  const [[property], [booking], , open, cards, telling, messages, ...counts] =
    await work.database.batch('d1.privacy.read', [
      ...selectBooking(propertyId, reference),
      selectOpen(name),
      selectCardsToDetach(name),
      selectTelling(name),
      selectMessages(name),
      ...tables.map(({ count }) => count),
    ]);
  if (property) work.follow(property);
  if (!property || !booking) return null;
  const after = changedBooking({ booking, property }, withoutGuestOf(booking, nowMs), nowMs);
  const entries = forgetting(telling);
  const texts = messages.flatMap(textWithoutGuest);
  const erased = addedUp([
    { what: 'bookings', count: tellsOfGuest(booking) ? 1 : 0 },
    { what: 'audit trail and events', count: entries.length },
    { what: 'messages', count: texts.length },
    ...tables.map(({ what }, at) => ({ what, count: counts[at]?.[0]?.count ?? 0 })),
  ]);
  const writes: Write[] = [
    // First: the schema lets go of what tells of a guest once its booking says that it is erased.
    updateBooking(after),
    ...saveWords(booking, after),
    draftEntry(work, nowMs, { kind: 'booking', id: '' }, { to: 'erased' }),
    ...entries,
    ...texts,
    ...tables.map(({ erase }) => erase),
    endRecoveries(name, nowMs),
    dropMails(name, nowMs),
  ];
  return { booking: after, erased, cards, open, writes };
}

/** What takes the guest out of a message to the PMS: one about the stay that is settled says nothing any more. */
function textWithoutGuest(message: OutboxRow): Statement[] {
  if (message.payload === null) return [];
  const isSettled = message.status === 'Confirmed' || message.status === 'Dismissed';
  if (isSettled && message.messageType !== 'PushTransaction') {
    return [changePayload(message.messageId, null)];
  }
  const before = payloadOf(message);
  const after = withoutGuestIn(before);
  const isOther = JSON.stringify(after) !== JSON.stringify(before);
  return isOther ? [changePayload(message.messageId, packedPayload(after, message))] : [];
}

async function isErased(work: BookingWork, { erasedAtMs }: BookingRow): Promise<boolean> {
  const { database, propertyId, reference } = work;
  const { state } = await readBooking(database, 'd1.booking.load', propertyId, reference);
  return state?.booking.erasedAtMs === erasedAtMs;
}

const NOT_DETACHED = failure(
  'gateway_error',
  'The acquirer did not say that it detached the card. Nothing was erased; try again.',
);
