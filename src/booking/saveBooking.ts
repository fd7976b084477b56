import { err, ok, type Result } from '../core/result.ts';
import { SAFETY_NET_MS } from '../money/gateway/rules/statusChecks.ts';
import {
  cancelPendingPayments,
  cancelRemaining,
  endAtGateway,
  type PendingCancellation,
} from '../money/payments/cancelPending.ts';
import { selectInStates } from '../money/payments/store.ts';
import { autoChargeWrites } from '../money/virtualCards/autoCharge.ts';
import { moveApplications } from '../operation/applications.ts';
import { commitIntent } from '../operation/commit.ts';
import { type BookingWork, bookingState, decideAgain } from '../operation/work.ts';
import { aboutBooking, logError } from '../platform/log.ts';
import { queueMessage } from '../pms/outbox/queue.ts';
import { bookingMessage } from '../pms/rules/messages.ts';
import { selectOfBooking } from '../records/applications/store.ts';
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
  saveWords,
  selectBooking,
  updateBookingFrom,
} from '../records/bookings/store.ts';
import { knownHistory, selectHistory } from '../records/history/sumsStore.ts';
import { type PartChange, partChanges } from '../records/plans/rules/changes.ts';
import { isTooLong, PLAN_TOO_LONG } from '../records/plans/rules.ts';
import { selectPlan } from '../records/plans/store.ts';
import { availabilityStatements, selectCatalogue } from '../records/rooms/store.ts';
import type { BookingRow } from '../schema/bookingTables.ts';
import type { TransactionRow } from '../schema/moneyTables.ts';
import type { PlanRow } from '../schema/planTables.ts';
import { bookingEntry } from './bookingEntry.ts';

/** A booking after a save, and the parts of its plan that this changed. */
export interface SavedBooking extends BookingState {
  readonly planChanges: readonly PartChange[];
}

/** A saved booking, with the cancellations that are still to do. */
interface Saved extends Pick<PendingCancellation, 'atGateway' | 'later'> {
  readonly saved: SavedBooking;
}

/** Makes, changes or cancels a booking (interface: Bookings). The costs in `details` were parsed in `currency`. */
export async function saveBooking(
  work: BookingWork,
  { currency, details }: { readonly currency: string; readonly details: BookingDetails },
): Promise<Result<SavedBooking>> {
  const outcome = await decideAgain(work, () => save(work, details, currency));
  if (!outcome.ok) return outcome;
  const { saved, atGateway, later } = outcome.value;
  // The booking is saved already. If these fail, the alarm does the rest.
  try {
    await cancelRemaining(work, later);
    await endAtGateway(work, atGateway);
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
): Promise<Result<Saved>> {
  const { property, state, open, roomTypes } =
    remembered(work, details) ?? (await readForSaving(work));
  if (!property) return err(bookingNotFound());
  if ((state?.booking.currency ?? property.currency) !== currency) return err(busy());

  const before = state?.booking ?? null;
  const row = bookingRow(property, before, work.reference, details, work.now());
  const saved = { property, booking: row, cards: state?.cards ?? [] };
  const { plan = null } = work.memory;
  if (plan?.status === 'active' && isTooLong(plan, saved)) return err(PLAN_TOO_LONG);
  const { writes, atGateway, later } = await cancelPendingPayments(
    work,
    saved,
    mayEnd(before, open),
  );
  if (writes.length > 0) await work.wakeBy(work.now() + SAFETY_NET_MS);
  const isOwedAnew = before !== null && isOwedOtherwise(before, row);
  const charges = isOwedAnew
    ? await autoChargeWrites(work, { state: saved, open }, saved.cards)
    : [];
  work.memory.state = saved;
  const recorded = await commitIntent(
    work,
    'd1.booking.save',
    [
      before ? updateBookingFrom(before, row) : insertBooking(row),
      ...saveWords(before, row),
      bookingEntry(work, before, saved),
      ...writes,
      ...charges,
      ...(row.status === 'cancelled' ? await moveApplications(work, property, 'Cancelled') : []),
      ...availabilityStatements(work.propertyId, before, row),
      ...queueMessage(work, property, bookingMessage({ property, roomTypes }, before, row)),
    ],
    () => isSaved(work, row),
  );
  if (recorded === 'unknown') return err(uncertain());
  const planChanges = changesOf(plan, work.memory.plan);
  // The cards name their new schedules.
  if (charges.length > 0) work.memory.state = null;
  return ok({ saved: { ...saved, planChanges }, atGateway, later });
}

/**
 * The open payments that a save may end. What is under way of a booking that was cancelled before pays what that kept,
 * however often the booking is saved.
 */
function mayEnd(before: BookingRow | null, open: readonly TransactionRow[]) {
  if (before?.status !== 'cancelled') return open;
  return open.filter(({ status }) => status !== 'Processing');
}

/** Which parts of an active plan a save changed. One that it cancelled has no parts to come. */
function changesOf(before: PlanRow | null, after: PlanRow | null | undefined): PartChange[] {
  const isFollowed = before?.status === 'active' && after && after.status !== 'cancelled';
  return isFollowed ? partChanges(before.parts, after.parts) : [];
}

/** Whether a save changes what is owed of a booking whose schedules stay: its total cost, or that it is booked again. */
function isOwedOtherwise(before: BookingRow, after: BookingRow): boolean {
  if (after.pendingCancelledVersion === after.version) return false;
  return (
    after.totalCostMinor !== before.totalCostMinor ||
    (before.status === 'cancelled' && after.status === 'booked')
  );
}

/** Whether D1 has the booking as this operation wrote it. */
export async function isSaved(work: BookingWork, row: BookingRow): Promise<boolean> {
  const { database, propertyId, reference } = work;
  const { state } = await readBooking(database, 'd1.booking.load', propertyId, reference);
  return state?.booking.version === row.version && state.booking.updatedAtMs === row.updatedAtMs;
}

/** What is read for saving, as it is remembered; null if that is not all. The rooms of a property are not. */
function remembered(work: BookingWork, details: BookingDetails) {
  const { applications, history, plan, rows, state } = work.memory;
  if (!state || !rows || !history || !applications || plan === undefined) return null;
  const stays = [details.roomStays, state.booking.roomStays];
  if (stays.some((some) => some && some.length > 0)) return null;
  const open = rows.transactions.filter(({ status }) => OPEN.some((one) => one === status));
  return { property: state.property, state, open, roomTypes: [] };
}

/** The booking as D1 has it, with its property, the rooms of that, and its own payments that are open. */
async function readForSaving(work: BookingWork) {
  const [[property], [booking], cards, open, [catalogue], applications, [plan], ...entries] =
    await work.database.batch('d1.booking.load', [
      ...selectBooking(work.propertyId, work.reference),
      selectInStates(work.propertyId, work.reference, OPEN),
      selectCatalogue(work.propertyId),
      selectOfBooking(work),
      selectPlan(work),
      ...selectHistory(work),
    ]);
  const state = property && booking ? { property, booking, cards } : null;
  if (property) work.follow(property);
  work.memory.history = knownHistory(...entries);
  work.memory.applications = applications;
  work.memory.plan = plan ?? null;
  return { property: property ?? null, state, open, roomTypes: catalogue?.roomTypes ?? [] };
}

/** The states of payments that a cancellation may end. */
const OPEN = ['Pending', 'Authorized', 'Processing'] as const;

/** Finds out whether the booking exists, from memory if it is remembered. */
export async function requireBooking(work: BookingWork): Promise<Result<null>> {
  return (await bookingState(work)) ? ok(null) : err(bookingNotFound());
}
