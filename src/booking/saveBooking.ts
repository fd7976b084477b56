import type { Failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import { SAFETY_NET_MS } from '../money/gateway/statusChecks.ts';
import {
  cancelPendingPayments,
  cancelRemaining,
  type PendingCancellation,
  releaseHolds,
} from '../money/payments/cancelPending.ts';
import { tokenNotFound } from '../money/payments/rules.ts';
import { selectInStates } from '../money/payments/store.ts';
import {
  type Answerable,
  answerStatements,
  chargeAnswered,
  readAnswerable,
} from '../money/recovery/newCard.ts';
import { commitIntent } from '../operation/commit.ts';
import { auditEntry, type BookingWork, bookingState, onCurrentState } from '../operation/work.ts';
import type { BookingRow } from '../platform/db/bookingTables.ts';
import type { CardRow } from '../platform/db/cardTables.ts';
import type { Statement } from '../platform/db/database.ts';
import { violatesUnique } from '../platform/db/errors.ts';
import type { PropertyRow } from '../platform/db/propertyTables.ts';
import type { RoomType } from '../platform/db/roomTables.ts';
import { aboutBooking, logError } from '../platform/log.ts';
import { bookingMessage, cardMessage, isByLink } from '../pms/messages.ts';
import { queueMessage } from '../pms/outbox/queue.ts';
import { moveOfBooking } from '../records/applications/store.ts';
import { appendAudit } from '../records/audit/store.ts';
import {
  type BookingDetails,
  type BookingState,
  bookingNotFound,
  bookingRow,
  busy,
  uncertain,
} from '../records/bookings/rules.ts';
import {
  insertBooking,
  readBooking,
  selectBooking,
  updateBooking,
} from '../records/bookings/store.ts';
import { requestUsed } from '../records/cardRequests/rules.ts';
import { completeRequest, wasUsed } from '../records/cardRequests/store.ts';
import { findCard, insertCard } from '../records/cards/store.ts';
import { availabilityStatements, selectCatalogue } from '../records/rooms/store.ts';

/** A saved booking, with the cancellations that are still to do. */
interface Saved extends Pick<PendingCancellation, 'holds' | 'later'> {
  readonly saved: BookingState;
}

/** Makes, changes or cancels a booking (interface: Bookings). The costs in `details` were parsed in `currency`. */
export async function saveBooking(
  work: BookingWork,
  details: BookingDetails,
  currency: string,
): Promise<Result<BookingState, Failure>> {
  const outcome = await onCurrentState(work, () => save(work, details, currency));
  if (!outcome.ok) return outcome;
  const { saved, holds, later } = outcome.value;
  // The booking is saved already. If these fail, the alarm does the rest.
  try {
    await cancelRemaining(work, later);
    await releaseHolds(work, saved, holds);
  } catch (error) {
    logError('release_failed', error, aboutBooking(work));
  }
  return ok(saved);
}

/** Decides and commits the booking, with everything that its change brings in the same batch. */
async function save(
  work: BookingWork,
  details: BookingDetails,
  currency: string,
): Promise<Result<Saved, Failure>> {
  const { property, state, waiting, roomTypes } = await readForSaving(work);
  if (!property) return err(bookingNotFound());
  if ((state?.booking.currency ?? property.currency) !== currency) return err(busy());

  const before = state?.booking ?? null;
  const row = bookingRow(property, before, work.reference, details, work.now());
  const { queries } = work.database;
  const saved = { property, booking: row, cards: state?.cards ?? [] };
  const { statements, holds, later } = cancelPendingPayments(work, saved, waiting);
  if (waiting.length > 0) await work.wakeBy(work.now() + SAFETY_NET_MS);
  const change = { subject: 'booking', from: before?.status ?? null, to: row.status };
  const recorded = await commitIntent(
    work,
    'd1.booking.save',
    [
      before ? updateBooking(queries, row) : insertBooking(queries, row),
      appendAudit(queries, auditEntry(work, change)),
      ...statements,
      ...withdrawApplications(work, row),
      ...availabilityStatements(queries, work.propertyId, before, row),
      ...queueMessage(work, property, bookingMessage({ property, roomTypes }, before, row)),
    ],
    () => isSaved(work, row),
  );
  if (recorded === 'unknown') return err(uncertain());
  work.memory.state = saved;
  if (before === null) work.memory.standing = { paidMinor: 0, uncertainMinor: 0 };
  else if (holds.length === 0) work.memory.keepStanding();
  return ok({ saved, holds, later });
}

/** Cancels the application that belongs to a cancelled booking. */
function withdrawApplications(work: BookingWork, { status }: BookingRow): Statement[] {
  if (status !== 'cancelled') return [];
  return [moveOfBooking(work.database.queries, work, 'Cancelled', work.now())];
}

/** Whether D1 has the booking as this operation wrote it. */
async function isSaved(work: BookingWork, row: BookingRow): Promise<boolean> {
  const { state } = await readBooking(
    work.database,
    'd1.booking.load',
    work.propertyId,
    work.reference,
  );
  return state?.booking.version === row.version && state.booking.updatedAtMs === row.updatedAtMs;
}

/** The booking as D1 has it, with its property, the rooms of that, and its own pending schedules and holds. */
async function readForSaving(work: BookingWork) {
  const { queries } = work.database;
  const [[property], [booking], cards, waiting, [catalogue]] = await work.database.batch(
    'd1.booking.load',
    [
      ...selectBooking(queries, work.propertyId, work.reference),
      selectInStates(queries, work.propertyId, work.reference, ['Pending', 'Authorized']),
      selectCatalogue(queries, work.propertyId),
    ],
  );
  const state = property && booking ? { property, booking, cards } : null;
  if (property) work.follow(property);
  return { property: property ?? null, state, waiting, roomTypes: catalogue?.roomTypes ?? [] };
}

/** Revokes every link to the guest's page that was made so far (interface: Links). */
export function revokeLinks(work: BookingWork): Promise<Result<BookingRow, Failure>> {
  return onCurrentState(work, async () => {
    const state = await bookingState(work);
    if (!state) return err(bookingNotFound());
    const booking = {
      ...state.booking,
      linkVersion: state.booking.linkVersion + 1,
      version: state.booking.version + 1,
      propertyVersion: state.property.version,
      updatedAtMs: work.now(),
    };
    const { queries } = work.database;
    const change = { subject: 'links', from: null, to: 'revoked' };
    const recorded = await commitIntent(
      work,
      'd1.booking.save',
      [updateBooking(queries, booking), appendAudit(queries, auditEntry(work, change))],
      () => isSaved(work, booking),
    );
    if (recorded === 'unknown') return err(uncertain());
    work.memory.state = { ...state, booking };
    work.memory.keepStanding();
    return ok(booking);
  });
}

/**
 * Attaches a new card to the booking and makes it the card in use (interface: Cards). If the guest entered it, the PMS
 * gets a message. If a card request asked for it, the request is completed and accepts no other card. `agreement` names
 * what the guest agreed to; the audit trail keeps it.
 */
export async function attachCard(
  work: BookingWork,
  card: CardRow,
  agreement: string | null = null,
): Promise<Result<CardRow, Failure>> {
  try {
    return await attach(work, card, agreement);
  } catch (error) {
    if (wasUsed(error)) return err(requestUsed());
    // The way back from the bank, opened again after its card was removed.
    if (violatesUnique(error, 'cards.token')) return err(tokenNotFound());
    throw error;
  }
}

function attach(
  work: BookingWork,
  card: CardRow,
  agreement: string | null,
): Promise<Result<CardRow, Failure>> {
  return onCurrentState(work, async () => {
    const state = await bookingState(work);
    if (!state) return err(bookingNotFound());
    // The acquirer's own form can deliver the same card twice.
    const known = state.cards.find(({ token }) => token === card.token);
    if (known) return ok(known);
    const answerable = await readAnswerable(work);
    const attached = { ...card, bookingReference: work.reference };
    const roomTypes = await roomTypesToTell(work, state, card);
    const booking = {
      ...state.booking,
      cardToken: card.token,
      version: state.booking.version + 1,
      // What the PMS is told depends on the property.
      propertyVersion: state.property.version,
      updatedAtMs: work.now(),
    };
    const { queries } = work.database;
    const answers = answerStatements(work, state.property, answerable, attached);
    if (answers.length > 0) await work.wakeBy(work.now());
    const isAttached = async () =>
      (await findCard(work.database, work.propertyId, card.token)) !== null;
    const recorded = await commitIntent(
      work,
      'd1.card.attach',
      [
        insertCard(queries, attached),
        updateBooking(queries, booking),
        appendAudit(
          queries,
          auditEntry(work, {
            subject: `card ${card.token}`,
            from: null,
            to: 'attached',
            ...(agreement === null ? {} : { detail: `agreed to ${agreement}` }),
          }),
        ),
        ...(card.requestId === null ? [] : [completeRequest(queries, card.requestId)]),
        ...answers,
        ...queueMessage(
          work,
          state.property,
          cardMessage({ ...state, roomTypes }, state.booking, attached),
        ),
      ],
      isAttached,
    );
    if (recorded === 'unknown') return err(uncertain());
    work.memory.state = { ...state, booking, cards: [attached, ...state.cards] };
    work.memory.keepStanding();
    if (answers.length > 0) await answer(work, state.property, answerable);
    return ok(attached);
  });
}

/** Charges the new card what was declined before. The card is attached already: if this fails, the alarm does it. */
async function answer(
  work: BookingWork,
  property: PropertyRow,
  answerable: Answerable,
): Promise<void> {
  try {
    await chargeAnswered(work, property, answerable);
  } catch (error) {
    logError('recovery_failed', error, aboutBooking(work));
  }
}

/** The rooms and rates that the message about a card has to name; most cards need none, and no round trip. */
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
