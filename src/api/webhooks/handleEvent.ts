import type { BookingCalls } from '../../booking/calls.ts';
import type { Refreshed } from '../../booking/refreshFromGateway.ts';
import { callBooking } from '../../booking/stub.ts';
import { type Failure, failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { type MirrorWork, mirrorPayout } from '../../disbursements/mirror.ts';
import type { Gateway, Origin } from '../../gateways/gateway.ts';
import type { PayoutSource } from '../../gateways/payouts.ts';
import type { WebhookEvent } from '../../gateways/stripe/webhookEvents.ts';
import type { CallContext, Reply } from '../../operation/reply.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Env } from '../../platform/env.ts';
import type { Trace } from '../../platform/trace.ts';
import { selectProperty } from '../../records/properties/store.ts';

/** The context of a webhook request. */
export interface WebhookContext {
  readonly env: Env;
  readonly database: Database;
  readonly trace: Trace;
  readonly gateway: Gateway;
  readonly payouts: PayoutSource;
  readonly requestId: string;
}

/**
 * Handles a webhook event (stripe: Webhooks). The event only names an object; the service asks the acquirer for its
 * current state. So events may arrive twice, late or out of order. False if the object is not one of this service.
 */
export async function handleEvent(
  work: WebhookContext,
  event: WebhookEvent,
): Promise<Result<boolean, Failure>> {
  switch (event.kind) {
    case 'payment':
    case 'refund': {
      const { about, account } = event;
      const { reference } = about;
      return callBookingOf(work, about, (booking, context) =>
        booking.refreshFromGateway(context, { payment: '', reference, account }),
      );
    }
    case 'dispute':
      return handleDispute(work, event.id, event.account);
    case 'payout': {
      const { trace, database, payouts: source } = work;
      const mirroring: MirrorWork = { trace, database, source };
      return ok(await mirrorPayout(mirroring, event.id, event.account));
    }
    case 'other':
      return ok(false);
  }
}

async function handleDispute(
  work: WebhookContext,
  id: string,
  account: string | null,
): Promise<Result<boolean, Failure>> {
  const report = await work.trace.span('gateway.dispute', () => work.gateway.dispute(id, account));
  if (report.kind === 'unknown') return err(failure('gateway_error', 'Stripe did not answer.'));
  if (report.kind === 'absent') return ok(false);
  const { about } = report;
  return callBookingOf(work, about, (booking, context) =>
    booking.refreshDispute(context, about.reference, id, account),
  );
}

/** Calls the booking of an event. The booking checks whether the event's account may change it. */
async function callBookingOf(
  work: WebhookContext,
  { propertyId, bookingReference: reference }: Origin,
  call: (booking: BookingCalls, context: CallContext) => Promise<Reply<Refreshed>>,
): Promise<Result<boolean, Failure>> {
  const { database, env, trace, requestId } = work;
  const [[property]] = await database.batch('d1.property.find', [
    selectProperty(database.queries, propertyId),
  ]);
  if (!property) return ok(false);
  const context = { propertyId, reference, requestId, actor: 'gateway' };
  const { answer } = await callBooking(env, trace, context, (booking) => call(booking, context));
  if (answer.ok) return ok(true);
  const unknown = ['booking_not_found', 'transaction_not_found'].includes(answer.error.code);
  return unknown ? ok(false) : answer;
}
