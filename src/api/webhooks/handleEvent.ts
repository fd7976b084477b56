import type { BookingCall } from '../../booking/operations.ts';
import { callBooking } from '../../booking/stub.ts';
import { failure } from '../../core/failure.ts';
import { REAL_TIME } from '../../core/propertyClock.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { type MirrorWork, mirrorPayout } from '../../disbursements/mirror.ts';
import type { Gateway } from '../../gateways/gateway.ts';
import type { Origin } from '../../gateways/movements.ts';
import type { PayoutSource } from '../../gateways/payouts.ts';
import type { WebhookEvent } from '../../gateways/webhookEvent.ts';
import type { Database } from '../../platform/db/database.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { refreshLooseCard } from '../../records/cards/actions.ts';
import { selectByGatewayToken } from '../../records/cards/store.ts';
import { readProperty } from '../../records/properties/read.ts';
import { selectBookingOfCard } from '../../records/recoveries/store.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import { type CardSetupWork, keepCardSetup } from './cardSetup.ts';

export interface WebhookContext extends CardSetupWork {
  readonly gateway: Gateway;
  /** The acquirer's payouts; null where there are none to mirror. */
  readonly payouts: PayoutSource | null;
}

/**
 * Handles an acquirer's event (stripe: Webhooks). It only names an object; the service asks the acquirer for its current
 * state. So events may arrive twice, late or out of order. False if the object is not one of this service.
 */
export async function handleEvent(
  work: WebhookContext,
  event: WebhookEvent,
): Promise<Result<boolean>> {
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
      return handleCard(work, event.id);
    case 'other':
      return ok(false);
  }
}

/** Sends the booking to look at its payment. Only the acquirer says whose a payment or a refund is. */
async function handlePayment(
  work: WebhookContext,
  payment: string,
  account: string | null,
): Promise<Result<boolean>> {
  const report = await work.trace.span('gateway.payment', () =>
    work.gateway.payment(payment, account),
  );
  if (report.kind === 'unknown') return err(NO_ANSWER);
  const about = report.kind === 'payment' ? report.payment.about : null;
  if (about === null) return ok(false);
  const { reference } = about;
  return sendTo(work, about, 'refreshFromGateway', { payment, reference, account });
}

async function handleDispute(
  work: WebhookContext,
  id: string,
  account: string | null,
): Promise<Result<boolean>> {
  const report = await work.trace.span('gateway.dispute', () => work.gateway.dispute(id, account));
  if (report.kind === 'unknown') return err(NO_ANSWER);
  if (report.kind === 'absent') return ok(false);
  const { about } = report;
  const { reference } = about;
  return sendTo(work, about, 'refreshDispute', { reference, disputeId: id, account });
}

/** Takes over what the acquirer says of a card, for each property that keeps it (interface: Renewed cards). */
async function handleCard(work: WebhookContext, gatewayToken: string): Promise<Result<boolean>> {
  const { database } = work;
  const cards = await database.rowsAnywhere('d1.card.find', selectByGatewayToken(gatewayToken));
  for (const card of cards) {
    const handled = await refreshCard(work, card);
    if (!handled.ok) return handled;
  }
  return ok(cards.length > 0);
}

async function refreshCard(work: WebhookContext, card: CardRow): Promise<Result<boolean>> {
  const { gateway, trace } = work;
  const { propertyId, token } = card;
  const database = work.database.of(propertyId);
  const bookingReference = card.bookingReference ?? (await bookingOf(database, card));
  if (bookingReference !== null) {
    return sendTo(work, { propertyId, bookingReference }, 'refreshCard', { token });
  }
  const property = await readProperty(database, propertyId);
  if (!property.ok) return ok(false);
  const { currency, timeZone } = property.value;
  const nowMs = propertyNow(property.value);
  const loose = { database, gateway, trace, nowMs, timeZone, currency };
  const isKnown = await refreshLooseCard(loose, card);
  return isKnown ? ok(true) : err(NO_ANSWER);
}

/** The booking of a charge that names a card without being the booking's; null if there is none. */
async function bookingOf(
  database: Database,
  { propertyId, token }: CardRow,
): Promise<string | null> {
  const [[found]] = await database.batch('d1.recovery.read', [
    selectBookingOfCard(propertyId, token),
  ]);
  return found?.reference ?? null;
}

/**
 * Calls the booking of an event, which checks whether the event's account may change it. The booking takes its clock from
 * what it reads.
 */
async function sendTo(
  work: WebhookContext,
  { propertyId, bookingReference: reference }: Omit<Origin, 'reference'>,
  ...[name, command]: BookingCall
): Promise<Result<boolean>> {
  const { requestId } = work;
  const context = { propertyId, reference, requestId, actor: 'gateway', clock: REAL_TIME };
  const { answer } = await callBooking(work, context, name, command);
  if (answer.ok) return ok(true);
  const unknown = ['booking_not_found', 'transaction_not_found', 'token_not_found'].includes(
    answer.error.code,
  );
  return unknown ? ok(false) : answer;
}

const NO_ANSWER = failure('gateway_error', 'The gateway did not answer.');
