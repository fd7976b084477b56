import type { Failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Database } from '../../platform/db/database.ts';
import type { BookingRow } from '../../schema/bookingTables.ts';
import type { PlanRow } from '../../schema/planTables.ts';
import { bookingNotFound } from '../bookings/rules.ts';
import { type BookingName, selectBooking } from '../bookings/store.ts';
import { PLAN_NOT_FOUND } from './rules.ts';
import { selectPlan } from './store.ts';

/** Finds a booking's plan, the active one or else the last; one round trip. */
export async function findPlan(
  database: Database,
  name: BookingName,
): Promise<Result<{ readonly booking: BookingRow; readonly plan: PlanRow }, Failure>> {
  const [, [booking], , [plan]] = await database.batch('d1.plan.read', [
    ...selectBooking(name.propertyId, name.reference),
    selectPlan(name),
  ]);
  if (!booking) return err(bookingNotFound());
  return plan ? ok({ booking, plan }) : err(PLAN_NOT_FOUND);
}
