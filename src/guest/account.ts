import type { Database } from '../db/database.ts';
import { type Balance, balanceOf } from '../payments/balance.ts';
import { type History, readHistory } from '../payments/history.ts';

/** Everything that a guest's page shows of a booking. */
export interface Account extends History {
  readonly balance: Balance;
}

/** Reads a booking's account in one round trip; null when there is no such booking. */
export async function readAccount(
  database: Database,
  propertyId: string,
  reference: string,
): Promise<Account | null> {
  const history = await readHistory(database, propertyId, reference);
  if (history === null) return null;
  const { state, transactions, refunds } = history;
  const balance = balanceOf(state.booking.totalCostMinor, transactions, refunds);
  return { ...history, balance };
}
