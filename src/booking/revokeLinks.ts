import { err, ok, type Result } from '../core/result.ts';
import { commitIntent } from '../operation/commit.ts';
import { draftEntry } from '../operation/draft.ts';
import { type BookingWork, bookingState, onCurrentState } from '../operation/work.ts';
import { bookingNotFound, changedBooking, uncertain } from '../records/bookings/rules.ts';
import { updateBooking } from '../records/bookings/store.ts';
import type { BookingRow } from '../schema/bookingTables.ts';
import { isSaved } from './saveBooking.ts';

/** Revokes every link to the guest's page that was made so far (interface: Links). */
export function revokeLinks(work: BookingWork): Promise<Result<BookingRow>> {
  return onCurrentState(work, async () => {
    const state = await bookingState(work);
    if (!state) return err(bookingNotFound());
    const linkVersion = state.booking.linkVersion + 1;
    const booking = changedBooking(state, { linkVersion }, work.now());
    const subject = { kind: 'links', id: '' } as const;
    const recorded = await commitIntent(
      work,
      'd1.booking.save',
      [updateBooking(booking), draftEntry(work, booking.updatedAtMs, subject, { to: 'revoked' })],
      () => isSaved(work, booking),
    );
    if (recorded === 'unknown') return err(uncertain());
    work.memory.state = { ...state, booking };
    return ok(booking);
  });
}
