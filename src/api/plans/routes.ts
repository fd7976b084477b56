import { err, ok, type Result } from '../../core/result.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import { planPutSchema } from '../../money/plans/views.ts';
import type { Database } from '../../platform/db/database.ts';
import { bookingNotFound } from '../../records/bookings/rules.ts';
import { type BookingName, selectBooking } from '../../records/bookings/store.ts';
import { PLAN_NOT_FOUND } from '../../records/plans/rules.ts';
import { selectPlan } from '../../records/plans/store.ts';
import { planSchema, planView } from '../../records/plans/views.ts';
import type { BookingRow } from '../../schema/bookingTables.ts';
import type { PlanRow } from '../../schema/planTables.ts';
import { referenceBody } from '../bookings/schemas.ts';
import { planBody } from './schemas.ts';

export function registerPlans(api: Api): void {
  propertyOperation(api, {
    path: '/payment-plan/v1/put',
    summary: "Put a booking's payment plan, in place of the active one",
    scope: 'payments',
    body: planBody,
    answer: planPutSchema.shape,
    idempotent: 'put-plan',
    problems: [
      'booking_not_found',
      'token_not_found',
      'invalid_state',
      'card_of_former_account',
      'plan_too_long',
      'amount_precision',
      'amount_out_of_range',
      'idempotency_key_reused',
    ],
    handle: ({ body, callerKey, perform, property }) => {
      const { reference, ...put } = body;
      const command = { ...put, currency: property.currency, caller: callerKey };
      return perform(reference, 'putPlan', command);
    },
  });

  propertyOperation(api, {
    path: '/payment-plan/v1/get',
    summary: "Get a booking's payment plan: the active one, else the last",
    scope: 'payments:read',
    body: referenceBody,
    answer: { plan: planSchema },
    problems: ['booking_not_found', 'plan_not_found'],
    handle: async ({ c, body, property }) => {
      const name = { propertyId: property.id, reference: body.reference };
      const found = await findPlan(c.get('database'), name);
      if (!found.ok) return err(found.error);
      const { booking, plan } = found.value;
      return ok({ plan: planView(plan, booking, property.timeZone) });
    },
  });

  propertyOperation(api, {
    path: '/payment-plan/v1/cancel',
    summary: "Cancel a booking's payment plan",
    scope: 'payments',
    body: referenceBody,
    answer: { plan: planSchema },
    idempotent: 'cancel-plan',
    problems: ['booking_not_found', 'plan_not_found', 'idempotency_key_reused'],
    handle: ({ body, callerKey, perform }) =>
      perform(body.reference, 'cancelPlan', { caller: callerKey }),
  });
}

/** Finds a booking's plan, the active one or else the last; one round trip. */
async function findPlan(
  database: Database,
  name: BookingName,
): Promise<Result<{ readonly booking: BookingRow; readonly plan: PlanRow }>> {
  const [, [booking], , [plan]] = await database.batch('d1.plan.read', [
    ...selectBooking(name.propertyId, name.reference),
    selectPlan(name),
  ]);
  if (!booking) return err(bookingNotFound());
  return plan ? ok({ booking, plan }) : err(PLAN_NOT_FOUND);
}
