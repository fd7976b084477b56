import { moveOfBooking } from '../applications/store.ts';
import { appendAudit } from '../audit/store.ts';
import { requestUsed, wasUsed } from '../cardRequests/rules.ts';
import { completeRequest } from '../cardRequests/store.ts';
import { findCard, insertCard } from '../cards/store.ts';
import type { Failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { BookingRow } from '../db/bookingTables.ts';
import type { CardRow } from '../db/cardTables.ts';
import type { Statement } from '../db/database.ts';
import { aboutBooking, logError } from '../io/log.ts';
import { queueMessage } from '../outbox/queue.ts';
import { giveUpFuturePayments, giveUpTheRest, releaseHolds } from '../payments/giveUp.ts';
import { SAFETY_NET_MS } from '../payments/inquiries.ts';
import { selectInStates } from '../payments/store.ts';
import { bookingMessage, cardMessage } from '../pms/messages.ts';
import { availabilityStatements } from '../rooms/store.ts';
import { commitIntent } from './commit.ts';
import {
  type BookingDetails,
  type BookingState,
  bookingNotFound,
  bookingRow,
  busy,
  uncertain,
} from './rules.ts';
import { insertBooking, readBooking, selectBooking, updateBooking } from './store.ts';
import { auditEntry, type BookingWork, bookingState, onCurrentState } from './work.ts';

/** Makes, changes or cancels a booking (interface: 4.5). `currency` is the one that the costs were read in. */
export async function saveBooking(
  work: BookingWork,
  details: BookingDetails,
  currency: string,
): Promise<Result<BookingState, Failure>> {
  const outcome = await onCurrentState(work, async () => {
    const { property, state, waiting } = await readForSaving(work);
    if (!property) return err(bookingNotFound());
    if ((state?.booking.currency ?? property.currency) !== currency) return err(busy());

    const before = state?.booking ?? null;
    const row = bookingRow(property, before, work.reference, details, work.now());
    const { queries } = work.database;
    const saved = { property, booking: row, cards: state?.cards ?? [] };
    const { statements, holds, later } = giveUpFuturePayments(work, saved, waiting);
    if (waiting.length > 0) await work.wakeBy(work.now() + SAFETY_NET_MS);
    const recorded = await commitIntent(
      work,
      'd1.booking.save',
      [
        before ? updateBooking(queries, row) : insertBooking(queries, row),
        appendAudit(
          queries,
          auditEntry(work, { subject: 'booking', from: before?.status ?? null, to: row.status }),
        ),
        ...statements,
        ...withdrawApplications(work, row),
        ...availabilityStatements(queries, work.propertyId, before, row),
        ...queueMessage(work, property, bookingMessage(property, before, row)),
      ],
      () => stands(work, row),
    );
    if (recorded === 'perhaps') return err(uncertain());
    work.memory.state = saved;
    return ok({ saved, holds, later });
  });
  if (!outcome.ok) return outcome;
  const { saved, holds, later } = outcome.value;
  // The booking is saved whatever becomes of these: what they leave open, the alarm goes on with.
  try {
    await giveUpTheRest(work, later);
    await releaseHolds(work, saved, holds);
  } catch (error) {
    logError('release_failed', error, aboutBooking(work));
  }
  return ok(saved);
}

/** Whoever applied for a booking that is cancelled has cancelled. */
function withdrawApplications(work: BookingWork, { status }: BookingRow): Statement[] {
  if (status !== 'cancelled') return [];
  return [moveOfBooking(work.database.queries, work, 'Cancelled', work.now())];
}

/** Whether a booking stands in D1 as it was just written. */
async function stands(work: BookingWork, row: BookingRow): Promise<boolean> {
  const { state } = await readBooking(
    work.database,
    'd1.booking.load',
    work.propertyId,
    work.reference,
  );
  return state?.booking.version === row.version && state.booking.updatedAtMs === row.updatedAtMs;
}

/** The booking as it is, with its property and the payments that wait for a time. */
async function readForSaving(work: BookingWork) {
  const { queries } = work.database;
  const [[property], [booking], cards, waiting] = await work.database.batch('d1.booking.load', [
    ...selectBooking(queries, work.propertyId, work.reference),
    selectInStates(queries, work.propertyId, work.reference, ['Pending', 'Authorized']),
  ]);
  const state = property && booking ? { property, booking, cards } : null;
  return { property: property ?? null, state, waiting };
}

/** Takes back every link to the guest's page that was given out so far (decisions: section 7). */
export function revokeLinks(work: BookingWork): Promise<Result<BookingRow, Failure>> {
  return onCurrentState(work, async () => {
    const state = await bookingState(work);
    if (!state) return err(bookingNotFound());
    const booking = {
      ...state.booking,
      linkVersion: state.booking.linkVersion + 1,
      version: state.booking.version + 1,
      updatedAtMs: work.now(),
    };
    const { queries } = work.database;
    const change = { subject: 'links', from: null, to: 'revoked' };
    const recorded = await commitIntent(
      work,
      'd1.booking.save',
      [updateBooking(queries, booking), appendAudit(queries, auditEntry(work, change))],
      () => stands(work, booking),
    );
    if (recorded === 'perhaps') return err(uncertain());
    work.memory.state = { ...state, booking };
    return ok(booking);
  });
}

/**
 * Attaches a new card to the booking, which uses it from then on (decisions: section 6). The PMS hears of a card that
 * the guest entered; the request that asked for it is completed, and takes no other.
 */
export async function attachCard(
  work: BookingWork,
  card: CardRow,
): Promise<Result<CardRow, Failure>> {
  try {
    return await attach(work, card);
  } catch (error) {
    if (!wasUsed(error)) throw error;
    return err(requestUsed());
  }
}

function attach(work: BookingWork, card: CardRow): Promise<Result<CardRow, Failure>> {
  return onCurrentState(work, async () => {
    const state = await bookingState(work);
    if (!state) return err(bookingNotFound());
    // A card from the acquirer's own form can be brought twice.
    const known = state.cards.find(({ token }) => token === card.token);
    if (known) return ok(known);
    const attached = { ...card, bookingReference: work.reference };
    const booking = {
      ...state.booking,
      cardToken: card.token,
      version: state.booking.version + 1,
      updatedAtMs: work.now(),
    };
    const { queries } = work.database;
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
          auditEntry(work, { subject: `card ${card.token}`, from: null, to: 'attached' }),
        ),
        ...(card.requestId === null ? [] : [completeRequest(queries, card.requestId)]),
        ...queueMessage(work, state.property, cardMessage(state, attached)),
      ],
      isAttached,
    );
    if (recorded === 'perhaps') return err(uncertain());
    work.memory.state = { ...state, booking, cards: [attached, ...state.cards] };
    return ok(attached);
  });
}
