import { err, ok, type Result } from '../../core/result.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { Database } from '../../platform/db/database.ts';
import { bookingNotFound } from '../../records/bookings/rules.ts';
import type { BookingName } from '../../records/bookings/store.ts';
import { bookingTotals } from '../../records/history/rules/totals.ts';
import type { BookingTotals } from '../../records/history/sums.ts';
import {
  knownHistory,
  selectHistory,
  selectSums,
  selectTotalCost,
} from '../../records/history/sumsStore.ts';
import { type Balance, balanceOf } from './rules/balance.ts';

/**
 * Reads the balance of a booking as this service knew it at an instant; with null, as it is known now, whatever the clock
 * of the machine that recorded it said. One round trip.
 */
export async function readBalance(
  database: Database,
  name: BookingName,
  asOf: number | null,
): Promise<Result<Balance & { readonly currency: string }>> {
  const asOfMs = asOf ?? undefined;
  const [[booking], totals, [open]] = await database.batch('d1.balance.read', [
    selectTotalCost(name, asOfMs),
    ...selectSums(name, asOfMs),
  ]);
  if (!booking || !open) return err(bookingNotFound());
  const { currency, totalCostMinor } = booking;
  return ok({ ...balanceOf(totalCostMinor, bookingTotals({ totals, open })), currency });
}

/** The sums of a booking's payments, from memory or by one round trip. */
export async function readTotals(work: BookingWork): Promise<BookingTotals> {
  const { database, memory, propertyId, reference } = work;
  if (memory.history === null) {
    const entries = await database.batch(
      'd1.balance.read',
      selectHistory({ propertyId, reference }),
    );
    memory.history = knownHistory(...entries);
  }
  return bookingTotals(memory.history);
}
