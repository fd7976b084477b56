import { err, ok, type Result } from '../../core/result.ts';
import { type BookingWork, bookingState } from '../../operation/work.ts';
import { type BookingState, bookingNotFound } from '../../records/bookings/rules.ts';
import { findCard } from '../../records/cards/store.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { TRANSACTION_NOT_FOUND, wrongState } from './rules.ts';
import { selectByReference, selectTransaction } from './store.ts';

export interface LoadedTransaction {
  readonly state: BookingState;
  readonly row: TransactionRow;
  readonly card: CardRow;
}

/** Loads one of the booking's transactions, from memory or as D1 has it. */
export async function loadTransaction(
  work: BookingWork,
  id: number,
): Promise<Result<LoadedTransaction>> {
  const state = await bookingState(work);
  if (!state) return err(bookingNotFound());
  const remembered = work.memory.rows?.transactions.find((one) => one.id === id);
  const row = remembered ?? (await readTransaction(work, { id }));
  if (!row) return err(TRANSACTION_NOT_FOUND);
  // Only a part of a plan that failed for want of a card has none.
  if (row.cardToken === null) return err(wrongState('transaction', row));
  return ok({ state, row, card: await cardOf(work, state, row) });
}

/** Reads one of the booking's transactions from D1; null if there is none. */
export async function readTransaction(
  { database, propertyId, reference }: BookingWork,
  by: { readonly id: number } | { readonly reference: string },
): Promise<TransactionRow | null> {
  const [[row]] = await database.batch('d1.transaction.read', [
    'id' in by
      ? selectTransaction({ propertyId, reference, id: by.id })
      : selectByReference({ propertyId, reference, own: by.reference }),
  ]);
  return row ?? null;
}

/** The card that a transaction was made on. Each has one, and cards are never deleted. */
export async function cardOf(
  work: Pick<BookingWork, 'database' | 'propertyId'>,
  state: BookingState,
  { cardToken }: Pick<TransactionRow, 'cardToken'>,
): Promise<CardRow> {
  const card = cardToken === null ? null : await cardByToken(work, state, cardToken);
  if (card === null) throw new Error('a transaction has no card');
  return card;
}

/** A card that may be charged, by its token: the guest has not removed it. */
export async function cardToCharge(
  work: Pick<BookingWork, 'database' | 'propertyId'>,
  state: BookingState,
  token: string,
): Promise<CardRow | null> {
  const card = await cardByToken(work, state, token);
  return card?.removedAtMs === null ? card : null;
}

/** A card by its token, also one that was removed: one of the booking's, or another of the property's. */
export async function cardByToken(
  work: Pick<BookingWork, 'database' | 'propertyId'>,
  state: BookingState,
  token: string,
): Promise<CardRow | null> {
  const attached = state.cards.find((card) => card.token === token);
  return attached ?? (await findCard(work.database, work.propertyId, token));
}
