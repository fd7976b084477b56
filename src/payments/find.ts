import { type BookingState, bookingNotFound } from '../bookings/rules.ts';
import { type BookingWork, bookingState } from '../bookings/work.ts';
import { findCard } from '../cards/store.ts';
import type { Failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { CardRow } from '../db/cardTables.ts';
import type { TransactionRow } from '../db/moneyTables.ts';
import type { CallerKey } from '../idempotency/actions.ts';
import { transactionNotFound } from './rules.ts';
import { selectTransaction } from './store.ts';

/** An operation on one of the booking's transactions. */
export interface FollowUpCommand {
  readonly chargeId: number;
  readonly caller: CallerKey | null;
}

/** A transaction with what is needed to act on it. */
export interface Found {
  readonly state: BookingState;
  readonly row: TransactionRow;
  readonly card: CardRow;
}

/** One of the booking's transactions with its card, read afresh. */
export async function findTransaction(
  work: BookingWork,
  id: number,
): Promise<Result<Found, Failure>> {
  const state = await bookingState(work);
  if (!state) return err(bookingNotFound());
  const [[row]] = await work.database.batch('d1.transaction.read', [
    selectTransaction(work.database.queries, work.propertyId, work.reference, { id }),
  ]);
  const card = row?.cardToken ? await cardByToken(work, state, row.cardToken) : null;
  return row && card ? ok({ state, row, card }) : err(transactionNotFound());
}

/** A card by its token: one of the booking's, or another of the property's. */
export async function cardByToken(
  work: BookingWork,
  state: BookingState,
  token: string,
): Promise<CardRow | null> {
  const attached = state.cards.find((card) => card.token === token);
  return attached ?? (await findCard(work.database, work.propertyId, token));
}
