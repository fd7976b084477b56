import { appendAudit } from '../audit/store.ts';
import type { Failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { CardRow } from '../db/schema.ts';
import {
  type BookingDetails,
  type BookingState,
  bookingNotFound,
  bookingRow,
  busy,
} from './rules.ts';
import { insertBooking, insertCard, readBooking, updateBooking } from './store.ts';
import { auditEntry, type BookingWork, bookingState, onCurrentState } from './work.ts';

/** Makes, changes or cancels a booking (interface: 4.5). `currency` is the one that the costs were read in. */
export function saveBooking(
  work: BookingWork,
  details: BookingDetails,
  currency: string,
): Promise<Result<BookingState, Failure>> {
  return onCurrentState(work, async () => {
    const { property, state } = await readBooking(
      work.database,
      'd1.booking.load',
      work.propertyId,
      work.reference,
    );
    if (!property) return err(bookingNotFound());
    if ((state?.booking.currency ?? property.currency) !== currency) return err(busy());

    const before = state?.booking ?? null;
    const row = bookingRow(property, before, work.reference, details, work.now());
    const { queries } = work.database;
    await work.database.batch('d1.booking.save', [
      before ? updateBooking(queries, row) : insertBooking(queries, row),
      appendAudit(
        queries,
        auditEntry(work, { subject: 'booking', from: before?.status ?? null, to: row.status }),
      ),
    ]);
    const saved = { property, booking: row, cards: state?.cards ?? [] };
    work.memory.state = saved;
    return ok(saved);
  });
}

/** Attaches a new card to the booking, which uses it from then on (decisions: section 6). */
export function attachCard(work: BookingWork, card: CardRow): Promise<Result<CardRow, Failure>> {
  return onCurrentState(work, async () => {
    const state = await bookingState(work);
    if (!state) return err(bookingNotFound());
    const attached = { ...card, bookingReference: work.reference };
    const booking = {
      ...state.booking,
      cardToken: card.token,
      version: state.booking.version + 1,
      updatedAtMs: work.now(),
    };
    const { queries } = work.database;
    await work.database.batch('d1.card.attach', [
      insertCard(queries, attached),
      updateBooking(queries, booking),
      appendAudit(
        queries,
        auditEntry(work, { subject: `card ${card.token}`, from: null, to: 'attached' }),
      ),
    ]);
    work.memory.state = { ...state, booking, cards: [attached, ...state.cards] };
    return ok(attached);
  });
}
