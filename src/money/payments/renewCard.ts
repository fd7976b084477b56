import { err, ok, type Result } from '../../core/result.ts';
import { commit } from '../../operation/commit.ts';
import { type BookingWork, bookingState, onCurrentState } from '../../operation/work.ts';
import {
  type BookingState,
  bookingNotFound,
  cardInUse,
  changedBooking,
  uncertain,
} from '../../records/bookings/rules.ts';
import { updateBooking } from '../../records/bookings/store.ts';
import { type CardRenewal, renewalOf } from '../../records/cards/rules.ts';
import { updateCard } from '../../records/cards/store.ts';
import { recheckCard } from '../../records/recoveries/store.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import { ask } from '../gateway/operation.ts';
import { cardEntry } from './entries.ts';
import { cardByToken } from './loadTransaction.ts';
import { TOKEN_NOT_FOUND } from './rules.ts';

/** What asking the acquirer for a card came to. `unknown`: it did not say. */
export type CardRefresh = 'renewed' | 'same' | 'unknown';

/** Reads a card of which the acquirer sent an event. Fails if it does not say what changed, so that it sends that again. */
export function refreshCardByToken(
  work: BookingWork,
  { token }: Pick<CardRow, 'token'>,
): Promise<Result<CardRefresh>> {
  return onCurrentState(work, async () => {
    const state = await bookingState(work);
    if (!state) return err(bookingNotFound());
    const card = await cardByToken(work, state, token);
    if (card === null) return err(TOKEN_NOT_FOUND);
    const refreshed = await refreshCard(work, state, card);
    return refreshed === 'unknown' ? err(uncertain()) : ok(refreshed);
  });
}

/** Whether a card that has expired by our record was renewed by its issuer; null: the booking's card in use. */
export async function isRenewed(work: BookingWork, token: string | null): Promise<boolean> {
  const state = await bookingState(work);
  const card = state && (token === null ? cardInUse(state) : await cardByToken(work, state, token));
  return state !== null && card !== null && (await refreshCard(work, state, card)) === 'renewed';
}

/**
 * Asks the acquirer for a card, and takes over what it says: issuers renew cards in place. Whoever was to be asked for
 * another one no longer is.
 */
export async function refreshCard(
  work: BookingWork,
  state: BookingState,
  card: CardRow,
): Promise<CardRefresh> {
  const report = await ask(work, 'gateway.card', (gateway) => gateway.card(card.gatewayToken));
  if (report.kind === 'unknown') return 'unknown';
  const renewal = renewalOf(card, report);
  if (renewal === null) return 'same';
  await keepRenewal(work, state, card, renewal);
  return 'renewed';
}

async function keepRenewal(
  work: BookingWork,
  state: BookingState,
  card: CardRow,
  renewal: CardRenewal,
): Promise<void> {
  const nowMs = work.now();
  const { expiryMonth, expiryYear } = renewal;
  const detail = `renewed by its issuer until ${expiryMonth}/${expiryYear}`;
  await work.wakeBy(nowMs);
  await commit(work, 'd1.card.save', [
    updateCard(card, renewal),
    cardEntry(work, nowMs, { ...card, ...renewal }, 'card.updated', { to: 'updated', detail }),
    recheckCard(work.propertyId, card.token, nowMs),
    // Whoever remembers the booking remembers its cards, and the clock: they are read again.
    updateBooking(changedBooking(state, {}, nowMs)),
  ]);
  work.memory.state = null;
}
