import { err, ok, type Result } from '../core/result.ts';
import { cardEntry } from '../money/payments/entries.ts';
import { TOKEN_NOT_FOUND } from '../money/payments/rules.ts';
import {
  type CardDependents,
  newCardWrites,
  notifyOfCard,
  readCardDependents,
} from '../money/payments/takeCard.ts';
import { chargeNewCard } from '../money/recovery/process.ts';
import { autoChargeWrites } from '../money/virtualCards/autoCharge.ts';
import { commitIntent } from '../operation/commit.ts';
import type { Write } from '../operation/draft.ts';
import type { CallerKey } from '../operation/idempotency.ts';
import type { IdempotencyRow } from '../operation/idempotencyStore.ts';
import { type BookingWork, bookingState, onCurrentState } from '../operation/work.ts';
import { violatesUnique } from '../platform/db/errors.ts';
import { aboutBooking, logError } from '../platform/log.ts';
import {
  type BookingState,
  bookingNotFound,
  changedBooking,
  uncertain,
} from '../records/bookings/rules.ts';
import { updateBooking } from '../records/bookings/store.ts';
import { REQUEST_USED } from '../records/cardRequests/rules.ts';
import { completeRequest, wasUsed } from '../records/cardRequests/store.ts';
import { CARD_OF_FORMER_ACCOUNT, isOfFormerAccount } from '../records/cards/rules.ts';
import { findCard, insertCard } from '../records/cards/store.ts';
import type { Agreed } from '../records/guestActs/rules.ts';
import { agreementOfCard } from '../records/guestActs/store.ts';
import type { CardRow } from '../schema/cardTables.ts';
import type { PropertyRow } from '../schema/propertyTables.ts';

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
  const charges = await autoChargeWrites(work, { state: attached, open: answerable.pending }, [
    card,
  ]);
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
