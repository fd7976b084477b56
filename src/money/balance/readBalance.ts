import type { Failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Database } from '../../platform/db/database.ts';
import { bookingNotFound } from '../../records/bookings/rules.ts';
import type { BookingName } from '../../records/bookings/store.ts';
import { standingOf } from '../../records/history/rules/standing.ts';
import { selectSums, selectTotalCost } from '../../records/history/sumsStore.ts';
import { type Balance, balanceOf } from './rules/balance.ts';

/**
 * Reads the balance of a booking as this service knew it at an instant; with null, as it is known now, whatever the clock
 * of the machine that recorded it said. One round trip.
 */
export async function readBalance(
  database: Database,
  name: BookingName,
  asOf: number | null,
): Promise<Result<Balance & { readonly currency: string }, Failure>> {
  const { queries } = database;
  const asOfMs = asOf ?? undefined;
  const [[booking], totals, [open]] = await database.batch('d1.balance.read', [
    selectTotalCost(queries, name, asOfMs),
    ...selectSums(queries, name, asOfMs),
  ]);
  if (!booking || !open) return err(bookingNotFound());
  const { currency, totalCostMinor } = booking;
  return ok({ ...balanceOf(totalCostMinor, standingOf({ totals, open })), currency });
}
