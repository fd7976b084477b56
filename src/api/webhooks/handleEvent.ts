import type { BookingCall } from '../../booking/operations.ts';
import { callBooking } from '../../booking/stub.ts';
import { type Failure, failure } from '../../core/failure.ts';
import { clockOf } from '../../core/propertyClock.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { type MirrorWork, mirrorPayout } from '../../disbursements/mirror.ts';
import type { CardElement } from '../../gateways/cardElement.ts';
import type { Gateway } from '../../gateways/gateway.ts';
import type { Origin } from '../../gateways/movements.ts';
import type { PayoutSource } from '../../gateways/payouts.ts';
import type { WebhookEvent } from '../../gateways/webhookEvent.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Env } from '../../platform/env.ts';
import type { Trace } from '../../platform/trace.ts';
import { selectProperty } from '../../records/properties/store.ts';
import { handleCard } from './cardNews.ts';
import { keepCardSetup } from './cardSetup.ts';

/** The context of a webhook request. */
export interface WebhookContext {
  readonly env: Env;
  readonly database: Database;
  readonly trace: Trace;
  readonly gateway: Gateway;
  /** The acquirer's payouts; null where there are none to mirror. */
  readonly payouts: PayoutSource | null;
  /** The acquirer's card form; null where guests use this service's own form. */
  readonly cardElement: CardElement | null;
  readonly requestId: string;
}

/**
 * Handles an acquirer's event (stripe: Webhooks). It only names an object; the service asks the acquirer for its current
 * state. So events may arrive twice, late or out of order. False if the object is not one of this service.
 */
export async function handleEvent(
  work: WebhookContext,
  event: WebhookEvent,
): Promise<Result<boolean, Failure>> {
  switch (event.kind) {
    case 'payment':
      return handlePayment(work, event.id, event.account);
    case 'dispute':
      return handleDispute(work, event.id, event.account);
    case 'payout': {
      const { trace, database, payouts: source } = work;
      if (source === null) return ok(false);
      const mirroring: MirrorWork = { trace, database, source };
      return ok(await mirrorPayout(mirroring, event.id, event.account));
    }
    case 'card-setup':
      return keepCardSetup(work, event.id, event.account);
    case 'card':
      return handleCard(work, event.id, (booking, ...call) => sendTo(work, booking, ...call));
    case 'other':
      return ok(false);
  }
}

/** Sends the booking to look at its payment. Only the acquirer says whose a payment or a refund is. */
async function handlePayment(
  work: WebhookContext,
  payment: string,
  account: string | null,
): Promise<Result<boolean, Failure>> {
  const report = await work.trace.span('gateway.payment', () =>
    work.gateway.payment(payment, account),
  );
  if (report.kind === 'unknown') return err(noAnswer());
  const about = report.kind === 'payment' ? report.payment.about : null;
  if (about === null) return ok(false);
  const { reference } = about;
  return sendTo(work, about, 'refreshFromGateway', { payment, reference, account });
}

async function handleDispute(
  work: WebhookContext,
  id: string,
  account: string | null,
): Promise<Result<boolean, Failure>> {
  const report = await work.trace.span('gateway.dispute', () => work.gateway.dispute(id, account));
  if (report.kind === 'unknown') return err(noAnswer());
  if (report.kind === 'absent') return ok(false);
  const { about } = report;
  const { reference } = about;
  return sendTo(work, about, 'refreshDispute', { reference, disputeId: id, account });
}

/** Calls the booking of an event. The booking checks whether the event's account may change it. */
async function sendTo(
  work: WebhookContext,
  { propertyId, bookingReference: reference }: Omit<Origin, 'reference'>,
  ...[name, command]: BookingCall
): Promise<Result<boolean, Failure>> {
  const { database, requestId } = work;
  const [[property]] = await database.batch('d1.property.find', [
    selectProperty(database.queries, propertyId),
  ]);
  if (!property) return ok(false);
  const clock = clockOf(property);
  const context = { propertyId, reference, requestId, actor: 'gateway', clock };
  const { answer } = await callBooking(work, context, name, command);
  if (answer.ok) return ok(true);
  const unknown = ['booking_not_found', 'transaction_not_found', 'token_not_found'].includes(
    answer.error.code,
  );
  return unknown ? ok(false) : answer;
}

function noAnswer(): Failure {
  return failure('gateway_error', 'The gateway did not answer.');
}
