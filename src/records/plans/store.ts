import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { queries } from '../../platform/db/database.ts';
import { listed } from '../../platform/db/listed.ts';
import { columnsOf, prepared } from '../../platform/db/prepared.ts';
import { transactions } from '../../schema/moneyTables.ts';
import { type PlanRow, paymentPlans } from '../../schema/planTables.ts';
import { type BookingName, isOfBooking } from '../bookings/store.ts';

/** Selects the plan of a booking: the one that is active, else the last. */
export const selectPlan = prepared<BookingName>()((name) =>
  queries
    .select()
    .from(paymentPlans)
    .where(isOfBooking(paymentPlans, name))
    .orderBy(desc(paymentPlans.createdAtMs), desc(paymentPlans.id))
    .limit(1),
);

/** The statement that saves a plan: a new one, or one that changed. The schema refuses a change of an older version. */
export function savePlan(before: PlanRow | null, after: PlanRow) {
  return before?.id === after.id ? updatePlan(after) : insertPlan(after);
}

const insertPlan = prepared<PlanRow>()((row) => queries.insert(paymentPlans).values(row));

function updatePlan({ id, propertyId, ...row }: PlanRow) {
  const {
    bookingReference: _reference,
    createdAtMs: _createdAtMs,
    currency: _currency,
    ...changes
  } = row;
  return changePlan({ ...changes, ofId: id, ofProperty: propertyId });
}

const changePlan = prepared<
  Omit<PlanRow, 'id' | 'propertyId' | 'bookingReference' | 'createdAtMs' | 'currency'> & {
    readonly ofId: string;
    readonly ofProperty: string;
  }
>()(({ ofId, ofProperty, ...changes }) =>
  queries
    .update(paymentPlans)
    .set(columnsOf<Partial<PlanRow>>(changes))
    .where(and(eq(paymentPlans.id, ofId), eq(paymentPlans.propertyId, ofProperty))),
);

/** Makes those of a property's charges due now that still wait for another attempt. */
export function hastenWaiting(propertyId: string, ids: readonly number[], nowMs: number) {
  return queries
    .update(transactions)
    .set({ dueAtMs: nowMs, version: sql`${transactions.version} + 1` })
    .where(
      and(
        sql`+${transactions.propertyId} = ${propertyId}`,
        inArray(transactions.id, listed(ids)),
        eq(transactions.status, 'Pending'),
      ),
    );
}
