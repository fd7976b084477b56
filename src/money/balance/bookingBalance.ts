import type { Failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Standing } from '../../operation/work.ts';
import type { Database, Queries } from '../../platform/db/database.ts';
import type { TransactionRow } from '../../platform/db/moneyTables.ts';
import { bookingNotFound } from '../../records/bookings/rules.ts';
import type { BookingName } from '../../records/bookings/store.ts';
import { type ChargeTotals, overpaidOf, type Share, shareOf } from './balance.ts';
import { selectChargeTotalsAsOf, selectOpenAmountsAsOf, selectTotalCostAsOf } from './store.ts';

/** What a booking has open, in minor units without fees. Bonds are left out. */
export interface OpenAmounts {
  /** What is `Pending`, `Processing` and `Authorized`. */
  readonly scheduledMinor: number;
  readonly uncertainMinor: number;
  readonly heldMinor: number;
}

/** A booking's balance, in minor units without fees (interface: Get the balance). */
export interface BookingBalance extends OpenAmounts, Share {
  readonly totalCostMinor: number;
  /** What accepted Bonds brought, less what was given back. */
  readonly bondsMinor: number;
  readonly dueMinor: number;
  readonly overpaidMinor: number;
}

/** A charge's sums in the journal, with its purpose. */
export type PurposeTotals = Omit<ChargeTotals, 'transactionId'> & Pick<TransactionRow, 'purpose'>;

/** Computes a balance. A total cost of 0 is not known: then nothing is due. */
export function bookingBalance(
  totalCostMinor: number,
  totals: readonly PurposeTotals[],
  open: OpenAmounts,
): BookingBalance {
  const share = sumOf(totals.filter(({ purpose }) => purpose !== 'Bond'));
  const bonds = sumOf(totals.filter(({ purpose }) => purpose === 'Bond'));
  const { paidMinor } = share;
  return {
    ...open,
    ...share,
    totalCostMinor,
    bondsMinor: bonds.paidMinor,
    dueMinor: Math.max(0, totalCostMinor - paidMinor),
    overpaidMinor: overpaidOf(totalCostMinor, paidMinor),
  };
}

function sumOf(totals: readonly PurposeTotals[]): Share {
  return totals.map(shareOf).reduce(
    (all, share) => ({
      paidMinor: all.paidMinor + share.paidMinor,
      disputedMinor: all.disputedMinor + share.disputedMinor,
      refundedMinor: all.refundedMinor + share.refundedMinor,
    }),
    { paidMinor: 0, disputedMinor: 0, refundedMinor: 0 },
  );
}

/** As of now, whatever the clock of the machine that recorded something said. */
const NOW_MS = Number.MAX_SAFE_INTEGER;

/** Selects what a booking's paid and open amounts follow from, as of an instant; for a batch. */
export function selectSums(queries: Queries, name: BookingName, asOfMs = NOW_MS) {
  return [
    selectChargeTotalsAsOf(queries, name, asOfMs),
    selectOpenAmountsAsOf(queries, name, asOfMs),
  ] as const;
}

/** What is paid and uncertain of a booking, from the rows of {@link selectSums}. */
export function standingOf(
  totals: readonly PurposeTotals[],
  open: Pick<OpenAmounts, 'uncertainMinor'> | undefined,
): Standing {
  const { paidMinor } = sumOf(totals.filter(({ purpose }) => purpose !== 'Bond'));
  return { paidMinor, uncertainMinor: open?.uncertainMinor ?? 0 };
}

/**
 * Reads the balance of a booking as this service knew it at an instant; with null, as it is known now, whatever the clock
 * of the machine that recorded it said. One round trip.
 */
export async function readBalance(
  database: Database,
  name: BookingName,
  asOf: number | null,
): Promise<Result<BookingBalance & { readonly currency: string }, Failure>> {
  const { queries } = database;
  const asOfMs = asOf ?? NOW_MS;
  const [[booking], totals, [open]] = await database.batch('d1.balance.read', [
    selectTotalCostAsOf(queries, name, asOfMs),
    ...selectSums(queries, name, asOfMs),
  ]);
  if (!booking || !open) return err(bookingNotFound());
  const { currency, totalCostMinor } = booking;
  return ok({ ...bookingBalance(totalCostMinor, totals, open), currency });
}
