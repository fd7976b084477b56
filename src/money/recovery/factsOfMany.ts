import { and, asc, type Column, eq, inArray } from 'drizzle-orm';
import type { Database } from '../../platform/db/database.ts';
import { listed } from '../../platform/db/listed.ts';
import { selectTotalsOfBookings } from '../../records/history/sumsStore.ts';
import { bookings } from '../../schema/bookingTables.ts';
import { transactions } from '../../schema/moneyTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { recoveries } from '../../schema/recoveryTables.ts';
import type { RecoveryFacts } from './situation.ts';

/** What the recoveries of some bookings are decided on, by their references; without the bookings' cards. */
export type FactsByBooking = ReadonlyMap<string, RecoveryFacts>;

/** Reads what the recoveries of some of a property's bookings are decided on; one round trip, none for no booking. */
export async function readFactsOf(
  database: Database,
  property: PropertyRow,
  references: readonly string[],
): Promise<FactsByBooking> {
  if (references.length === 0) return new Map();
  const { queries } = database;
  const among = (propertyId: Column, reference: Column) =>
    and(eq(propertyId, property.id), inArray(reference, listed(references)));
  const of = (table: { readonly propertyId: Column; readonly bookingReference: Column }) =>
    among(table.propertyId, table.bookingReference);
  const [booked, charges, totals, recovered] = await database.batch('d1.recovery.read', [
    queries.select().from(bookings).where(among(bookings.propertyId, bookings.reference)),
    queries.select().from(transactions).where(of(transactions)).orderBy(asc(transactions.id)),
    selectTotalsOfBookings(queries, property.id, references),
    queries.select().from(recoveries).where(of(recoveries)),
  ]);
  return new Map(
    booked.map((booking) => {
      const isOf = ({ bookingReference }: { readonly bookingReference: string }) =>
        bookingReference === booking.reference;
      const ofBooking = charges.filter(isOf);
      return [
        booking.reference,
        {
          state: { property, booking, cards: [] },
          transactions: ofBooking,
          totals: totals.filter(({ transactionId }) =>
            ofBooking.some(({ id }) => id === transactionId),
          ),
          recoveries: recovered.filter(isOf),
        },
      ];
    }),
  );
}
