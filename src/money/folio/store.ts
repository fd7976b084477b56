import { and, eq, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/database.ts';
import { type JournalRow, journal } from '../../platform/db/journalTables.ts';
import { transactions } from '../../platform/db/moneyTables.ts';
import { prepared } from '../../platform/db/prepared.ts';
import type { BookingName } from '../../records/bookings/store.ts';

/**
 * Selects the sums of the journal for each of a booking's charges that was taken (architecture: The journal). Like the
 * view `charge_totals`, but it reads this booking's rows only: SQLite sums up a view before it filters.
 */
export function selectChargeTotals(queries: Queries, propertyId: string, reference: string) {
  return totalsOfBooking(queries, { propertyId, reference });
}

const totalsOfBooking = prepared<BookingName>()((queries, { propertyId, reference }) =>
  queries
    .select({
      transactionId: transactions.id,
      takenMinor: sumOf(['charge', 'capture', 'correction'], 1).as('taken_minor'),
      feeMinor: sql<number>`sum(${journal.feeMinor})`.as('fee_minor'),
      refundedMinor: sumOf(['refund', 'reversal'], -1).as('refunded_minor'),
      disputedMinor: sumOf(['chargeback', 'chargeback_reversal'], -1).as('disputed_minor'),
    })
    .from(transactions)
    .innerJoin(journal, eq(journal.transactionId, transactions.id))
    .where(
      and(eq(transactions.propertyId, propertyId), eq(transactions.bookingReference, reference)),
    )
    .groupBy(transactions.id),
);

function sumOf(kinds: readonly JournalRow['kind'][], sign: 1 | -1) {
  const listed = sql.raw(kinds.map((kind) => `'${kind}'`).join(', '));
  return sql<number>`sum(CASE WHEN ${journal.kind} IN (${listed}) THEN ${sql.raw(String(sign))} * ${journal.amountMinor} ELSE 0 END)`;
}
