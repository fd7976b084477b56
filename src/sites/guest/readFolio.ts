import { type Balance, balanceOfRows } from '../../money/balance/rules/balance.ts';
import { type History, readHistory } from '../../money/folio/history.ts';
import { type AskedFor, askedFor } from '../../money/recovery/guestView.ts';
import type { Database } from '../../platform/db/database.ts';
import type { BookingLinkClaims } from '../../records/links/linkToken.ts';

/** All that the guest's pages show of a booking: its history and balance. */
export interface Folio extends History {
  readonly balance: Balance;
  /** What the guest is asked for because cards fail. */
  readonly asked: AskedFor;
}

/** A guest's session on a booking's payment page. */
export interface GuestContext {
  readonly claims: BookingLinkClaims;
  /** The path of this session's pages. */
  readonly home: string;
  readonly folio: Folio;
  /** When the folio was read, by the property's clock. */
  readonly nowMs: number;
}

/** Reads a booking's folio in one round trip; null if the booking does not exist. */
export async function readFolio(
  database: Database,
  propertyId: string,
  reference: string,
): Promise<Folio | null> {
  const history = await readHistory(database, propertyId, reference);
  if (history === null) return null;
  const { state, transactions, totals } = history;
  const balance = balanceOfRows(state.booking.totalCostMinor, transactions, totals);
  return { ...history, balance, asked: askedFor(history) };
}
