import { err, ok, type Result } from '../core/result.ts';
import { readTotals } from '../money/balance/readBalance.ts';
import { SAFETY_NET_MS } from '../money/gateway/rules/statusChecks.ts';
import {
  cancelPendingPayments,
  cancelRemaining,
  endAtGateway,
  type PendingCancellation,
} from '../money/payments/cancelPending.ts';
import { cardEntry } from '../money/payments/entries.ts';
import { TOKEN_NOT_FOUND } from '../money/payments/rules.ts';
import { selectInStates } from '../money/payments/store.ts';
import {
  type CardDependents,
  newCardWrites,
  notifyOfCard,
  readCardDependents,
} from '../money/payments/takeCard.ts';
import { chargeNewCard } from '../money/recovery/process.ts';
import { autoChargeWrites } from '../money/virtualCards/autoCharge.ts';
import { moveApplications } from '../operation/applications.ts';
import { commitIntent } from '../operation/commit.ts';
import { draftEntry, type Write } from '../operation/draft.ts';
import type { CallerKey } from '../operation/idempotency.ts';
import type { IdempotencyRow } from '../operation/idempotencyStore.ts';
import { type BookingWork, bookingState, decideAgain, onCurrentState } from '../operation/work.ts';
import { violatesUnique } from '../platform/db/errors.ts';
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
  changedBooking,
  uncertain,
} from '../records/bookings/rules.ts';
import {
  insertBooking,
  readBooking,
  saveWords,
  selectBooking,
  updateBooking,
  updateBookingFrom,
} from '../records/bookings/store.ts';
import { REQUEST_USED } from '../records/cardRequests/rules.ts';
import { completeRequest, wasUsed } from '../records/cardRequests/store.ts';
import { CARD_OF_FORMER_ACCOUNT, isOfFormerAccount } from '../records/cards/rules.ts';
import { findCard, insertCard } from '../records/cards/store.ts';
import type { Agreed } from '../records/guestActs/rules.ts';
import { agreementOfCard } from '../records/guestActs/store.ts';
import { knownHistory, selectHistory } from '../records/history/sumsStore.ts';
import { type PartChange, partChanges } from '../records/plans/rules/changes.ts';
import { isTooLong, PLAN_TOO_LONG } from '../records/plans/rules.ts';
import { selectPlan } from '../records/plans/store.ts';
import { availabilityStatements, selectCatalogue } from '../records/rooms/store.ts';
import type { BookingRow } from '../schema/bookingTables.ts';
import type { CardRow } from '../schema/cardTables.ts';
import type { TransactionRow } from '../schema/moneyTables.ts';
import type { PlanRow } from '../schema/planTables.ts';
import type { PropertyRow } from '../schema/propertyTables.ts';
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
  const charges = isOwedAnew ? await autoCharges(work, saved, saved.cards, open) : [];
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
async function isSaved(work: BookingWork, row: BookingRow): Promise<boolean> {
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

/**
 * Attaches a new card to the booking and makes it the card in use (interface: Cards). If the guest entered it, the PMS
 * gets a message. If a card request asked for it, the request is completed and accepts no other card. `agreement` names
 * what the guest agreed to; the audit trail keeps it. `returnBase` is the page below which each payment of a guest who is
 * there has its own; null if nobody is.
 */
export async function attachCard(work: BookingWork, entry: CardEntry): Promise<Result<CardRow>> {
  try {
    return await attach(work, entry);
  } catch (error) {
    if (wasUsed(error)) return err(REQUEST_USED);
    // The way back from the bank, opened again after its card was removed.
    if (violatesUnique(error, 'cards.token')) return err(TOKEN_NOT_FOUND);
    throw error;
  }
}

/** The card that the first request with a key attached, as it is now. */
export async function attachedCard(
  work: BookingWork,
  { commandReference }: Pick<IdempotencyRow, 'commandReference'>,
): Promise<Result<CardRow>> {
  const card =
    commandReference && (await findCard(work.database, work.propertyId, commandReference));
  return card ? ok(card) : err(TOKEN_NOT_FOUND);
}

/** A card, with what its guest agreed to, and where their bank returns them, if they are there. */
interface CardEntry {
  readonly card: CardRow;
  readonly agreement?: string | null;
  /** The words of that, and from where the guest agreed. */
  readonly agreed?: Agreed | null;
  readonly returnBase?: string | null;
  readonly caller?: CallerKey | null;
}

function attach(work: BookingWork, entry: CardEntry): Promise<Result<CardRow>> {
  const { agreed = null, agreement = null, caller = null, card, returnBase = null } = entry;
  return onCurrentState(work, async () => {
    const state = await bookingState(work);
    if (!state) return err(bookingNotFound());
    // The acquirer's own form can deliver the same card twice.
    const known = state.cards.find(({ token }) => token === card.token);
    if (known) return ok(known);
    if (isOfFormerAccount(state.property, card)) return err(CARD_OF_FORMER_ACCOUNT);
    const attached = { ...card, bookingReference: work.reference };
    return card.enteredToPay
      ? keepToPay(work, state, { card: attached, agreed, agreement })
      : putInUse(work, state, { card: attached, agreed, agreement, caller, returnBase });
  });
}

/** Attaches a card and makes it the card in use, with all that follows from that. */
async function putInUse(
  work: BookingWork,
  state: BookingState,
  { agreed, agreement, caller, card, returnBase }: Required<CardEntry>,
): Promise<Result<CardRow>> {
  const answerable = await readCardDependents(work, state, card);
  const booking = changedBooking(state, { cardToken: card.token }, work.now());
  const answers = newCardWrites(work, state.property, answerable, card);
  if (answers.length > 0) await work.wakeBy(work.now());
  if (card.dueAtMs !== null) await work.wakeBy(card.dueAtMs);
  const attached = { ...state, booking, cards: [card, ...state.cards] };
  const charges = await autoCharges(work, attached, [card], answerable.pending);
  const recorded = await commitIntent(
    work,
    'd1.card.attach',
    [
      { takes: { caller, commandReference: card.token, answer: null } },
      insertCard(card),
      updateBooking(booking),
      newCardEntry(work, card, agreement),
      ...agreementOfCard(card, agreed),
      ...(card.requestId === null ? [] : [completeRequest(card.requestId)]),
      ...answers,
      ...charges,
      ...(await notifyOfCard(work, state, card)),
    ],
    () => isAttached(work, card),
  );
  if (recorded === 'unknown') return err(uncertain());
  work.memory.state = charges.length > 0 ? null : attached;
  if (answers.length > 0) await answer(work, state.property, answerable, returnBase);
  return ok(card);
}

/** The writes by which those of a booking's cards charge what is due that do so by themselves. */
async function autoCharges(
  work: BookingWork,
  state: BookingState,
  cards: readonly CardRow[],
  open: readonly TransactionRow[],
): Promise<Write[]> {
  const charging = cards.filter(({ virtual }) => virtual?.autoCharge);
  if (charging.length === 0) return [];
  return autoChargeWrites(work, { state, open, totals: await readTotals(work) }, charging);
}

/**
 * Keeps a card that its guest enters to pay. The card in use stays: another becomes it once its payment is accepted
 * (interface: Paying).
 */
async function keepToPay(
  work: BookingWork,
  state: BookingState,
  { agreed, agreement, card }: Required<Omit<CardEntry, 'caller' | 'returnBase'>>,
): Promise<Result<CardRow>> {
  const recorded = await commitIntent(
    work,
    'd1.card.attach',
    [insertCard(card), newCardEntry(work, card, agreement), ...agreementOfCard(card, agreed)],
    () => isAttached(work, card),
  );
  if (recorded === 'unknown') return err(uncertain());
  work.memory.state = { ...state, cards: [card, ...state.cards] };
  return ok(card);
}

/** The entry of a new card, with what its guest agreed to. One that is entered to pay is not attached yet. */
function newCardEntry(work: BookingWork, card: CardRow, agreement: string | null): Write {
  const detail = agreement === null ? undefined : `agreed to ${agreement}`;
  const to = card.enteredToPay ? 'entered' : 'attached';
  return cardEntry(work, card.createdAtMs, card, card.enteredToPay ? null : 'card.attached', {
    to,
    detail,
  });
}

async function isAttached(work: BookingWork, { token }: CardRow): Promise<boolean> {
  return (await findCard(work.database, work.propertyId, token)) !== null;
}

/** Charges the new card what was declined before. The card is attached already: if this fails, the alarm does it. */
async function answer(
  work: BookingWork,
  property: PropertyRow,
  answerable: CardDependents,
  returnBase: string | null,
): Promise<void> {
  try {
    await chargeNewCard(work, property, answerable, returnBase);
  } catch (error) {
    logError('recovery_failed', error, aboutBooking(work));
  }
}
