import { failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import { NEEDING_CARD, needsCard, TOKEN_NOT_FOUND } from '../money/payments/rules.ts';
import { selectInStates, selectNeedingCard } from '../money/payments/store.ts';
import { commitIntent } from '../operation/commit.ts';
import { draftEntry } from '../operation/draft.ts';
import { type BookingWork, onCurrentState } from '../operation/work.ts';
import {
  type BookingState,
  bookingNotFound,
  changedBooking,
  uncertain,
} from '../records/bookings/rules.ts';
import { selectBooking, updateBooking } from '../records/bookings/store.ts';
import { findCard, updateCard } from '../records/cards/store.ts';
import { nextPart } from '../records/plans/rules/follow.ts';
import { selectPlan } from '../records/plans/store.ts';
import type { BookingRow } from '../schema/bookingTables.ts';
import type { CardRow } from '../schema/cardTables.ts';
import type { PlanRow } from '../schema/planTables.ts';

/**
 * Removes a card that the guest entered: it is neither shown nor charged any more (interface: Removing a card). What was
 * charged on it can still be refunded. Where it was the card in use, the newest of the others is, if there is one. A card
 * that was removed already stays so. Fails with `token_not_found`, and with `invalid_state` while something needs the card.
 */
export function removeCard(
  work: BookingWork,
  { token }: Pick<CardRow, 'token'>,
): Promise<Result<null>> {
  return onCurrentState(work, async () => {
    const { state, open, plan, elsewhere } = await readForRemoving(work, token);
    if (!state) return err(bookingNotFound());
    const card = state.cards.find((one) => one.token === token && one.enteredBy === 'guest');
    if (!card) return (await isRemoved(work, token)) ? ok(null) : err(TOKEN_NOT_FOUND);
    const isNeeded =
      open.some((row) => needsCard(row, state.booking, card)) ||
      isNeededByPlan(plan, state.booking, card);
    if (isNeeded || elsewhere) return err(CARD_NEEDED);
    const removedAtMs = work.now();
    const after = without(state, card, removedAtMs);
    const recorded = await commitIntent(
      work,
      'd1.card.save',
      [
        updateCard(card, { removedAtMs }),
        updateBooking(after.booking),
        draftEntry(work, removedAtMs, { kind: 'card', id: token }, { to: 'removed' }),
      ],
      () => isRemoved(work, token),
    );
    if (recorded === 'unknown') return err(uncertain());
    work.memory.state = after;
    return ok(null);
  });
}

/** Whether a plan still has parts to charge on a card. */
function isNeededByPlan(
  plan: PlanRow | null,
  booking: Pick<BookingRow, 'cardToken'>,
  { token }: Pick<CardRow, 'token'>,
): boolean {
  return (
    plan !== null &&
    nextPart(plan.parts) !== null &&
    (plan.cardToken ?? booking.cardToken) === token
  );
}

/**
 * The booking as D1 has it, with all that may still be charged on its cards, and whether another booking's schedule or
 * hold needs the card.
 */
async function readForRemoving(work: BookingWork, token: string) {
  const [[property], [booking], cards, open, [plan], needing] = await work.database.batch(
    'd1.booking.load',
    [
      ...selectBooking(work.propertyId, work.reference),
      selectInStates(work.propertyId, work.reference, NEEDING_CARD),
      selectPlan(work),
      selectNeedingCard(work.propertyId, token),
    ],
  );
  if (property) work.follow(property);
  const state = property && booking ? { property, booking, cards } : null;
  const elsewhere = needing.some(({ bookingReference }) => bookingReference !== work.reference);
  return { state, open, plan: plan ?? null, elsewhere };
}

async function isRemoved(work: BookingWork, token: string): Promise<boolean> {
  const card = await findCard(work.database, work.propertyId, token);
  return card?.bookingReference === work.reference && card.removedAtMs !== null;
}

/** The booking without a card. */
function without(state: BookingState, card: CardRow, nowMs: number): BookingState {
  const inUse = state.booking.cardToken;
  const cards = state.cards.filter((one) => one !== card);
  const cardToken = inUse === card.token ? (cards[0]?.token ?? null) : inUse;
  return {
    ...state,
    cards,
    booking: changedBooking(state, { cardToken }, nowMs),
  };
}

const CARD_NEEDED = failure(
  'invalid_state',
  'A scheduled charge, a hold or a payment needs this card.',
);
