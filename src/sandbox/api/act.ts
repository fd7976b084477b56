import { type Failure, failure, fieldFailure } from '../../core/failure.ts';
import { exponentOf, toMinor } from '../../core/money.ts';
import { err, ok, type Result, refuse } from '../../core/result.ts';
import { SECOND_MS } from '../../core/time.ts';
import { amountMessages } from '../../http/fields.ts';
import { TRANSACTION_NOT_FOUND } from '../../money/payments/rules.ts';
import { selectTransaction } from '../../money/payments/store.ts';
import { selectRefunds } from '../../operation/shownStore.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Env } from '../../platform/env.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import type { Trace } from '../../platform/trace.ts';
import { type BookingState, bookingNotFound, cardInUse } from '../../records/bookings/rules.ts';
import { readBooking } from '../../records/bookings/store.ts';
import { propertyNotFound } from '../../records/properties/rules.ts';
import { findProperty } from '../../records/properties/store.ts';
import type { DashboardAction, DashboardOutcome } from '../acquirer/dashboard.ts';
import type { LedgerEntry } from '../acquirer/operations.ts';
import { sandboxAcquirer } from '../stub.ts';
import type { ActBody, BookingAct } from './schemas.ts';

interface ActWork {
  readonly env: Env;
  readonly database: Database;
  readonly trace: Trace;
}

/** Does on the acquirer's dashboard what a person could do there (interface: Act at the sandbox's desk). */
export async function act(work: ActWork, body: ActBody): Promise<Result<LedgerEntry | null>> {
  const { action, reference = '' } = body;
  return action === 'outage' || action === 'resume'
    ? setOutage(work, body)
    : actOnBooking(work, { ...body, action, reference });
}

/** Begins or ends an outage of the acquirer for a property. */
async function setOutage(
  { env, database, trace }: ActWork,
  { action, lookUps = false, property: id, retryAfter, status }: ActBody,
): Promise<Result<null>> {
  if ((await findProperty(database, id)) === null) return err(propertyNotFound());
  const retryAfterMs = retryAfter === undefined ? null : retryAfter * SECOND_MS;
  // The schema requires the status of an outage.
  const outage = action === 'outage' ? { status: status ?? 503, retryAfterMs, lookUps } : null;
  await trace.span('object.sandbox', () => sandboxAcquirer(env).setOutage(id, outage));
  return ok(null);
}

async function actOnBooking(
  { env, database, trace }: ActWork,
  body: BookingAct,
): Promise<Result<LedgerEntry | null>> {
  const { property, state } = await readBooking(
    database,
    'd1.booking.read',
    body.property,
    body.reference,
  );
  if (!property) return err(propertyNotFound());
  if (!state) return err(bookingNotFound());
  const amount = amountOf(body, state.booking.currency);
  if (!amount.ok) return amount;
  const action = await actionOf(database, body, state, amount.value);
  if (!action.ok) return action;
  const outcome = await trace.span<DashboardOutcome>(
    'object.sandbox',
    async () =>
      await sandboxAcquirer(env).act(action.value, propertyNow(property), body.notify ?? true),
  );
  return resultOf(outcome);
}

function amountOf({ amount }: BookingAct, currency: string): Result<number | null> {
  if (amount === undefined) return ok(null);
  const minor = toMinor(amount, exponentOf(currency) ?? 2, 1);
  if (minor.ok) return minor;
  const code = minor.error;
  return err(fieldFailure([{ field: 'amount', code, message: amountMessages[code] }]));
}

/** The action, with the acquirer's own ids of the charge or refund. */
async function actionOf(
  database: Database,
  body: BookingAct,
  state: BookingState,
  amountMinor: number | null,
): Promise<Result<DashboardAction>> {
  const { action, disputeId = null } = body;
  if (action === 'failRefund') {
    const refund = await refundAt(database, body);
    return refund.ok ? ok({ action, refund: refund.value }) : refund;
  }
  if (action !== 'renewCard' && action !== 'charge') {
    const payment = await paymentAt(database, body);
    return payment.ok ? ok({ action, payment: payment.value, amountMinor, disputeId }) : payment;
  }
  const card = cardInUse(state);
  if (card === null) return refuse('no_card', 'The booking has no card.');
  const { gatewayToken } = card;
  if (action === 'charge') {
    const { propertyId, currency } = state.booking;
    // The schema requires the amount of a charge.
    return ok({ action, propertyId, gatewayToken, amountMinor: amountMinor ?? 0, currency });
  }
  // The schema requires the expiry.
  const [expiryMonth = card.expiryMonth, expiryYear = card.expiryYear] = (body.cardExpiry ?? '')
    .split('/')
    .map(Number);
  return ok({ action, gatewayToken, expiryMonth, expiryYear });
}

/** What the acquirer knows a charge by: its id, or the key of the latest attempt. */
async function paymentAt(
  database: Database,
  { property, reference, chargeId = 0 }: BookingAct,
): Promise<Result<string>> {
  const [[row]] = await database.batch('d1.transaction.read', [
    selectTransaction({ propertyId: property, reference, id: chargeId }),
  ]);
  if (!row) return err(TRANSACTION_NOT_FOUND);
  const known = row.gatewayReference ?? row.gatewayKey;
  return known === null ? err(refused('it never reached the acquirer')) : ok(known);
}

/** What the acquirer knows a refund by: its id, or its key. */
async function refundAt(
  database: Database,
  { property, reference, refundId }: BookingAct,
): Promise<Result<string>> {
  const [all] = await database.batch('d1.refund.read', [selectRefunds(property, reference)]);
  const row = all.find(({ id }) => id === refundId);
  return row ? ok(row.gatewayReference ?? row.reference) : err(TRANSACTION_NOT_FOUND);
}

function resultOf(outcome: DashboardOutcome): Result<LedgerEntry | null> {
  switch (outcome.kind) {
    case 'done':
      return ok(outcome.operation);
    case 'refused':
      return err(refused(outcome.code));
    case 'no-dispute':
      return refuse('dispute_not_found', 'The charge has no such dispute.');
    case 'which-dispute': {
      const message = 'The charge has several open disputes: name one.';
      return err(fieldFailure([{ field: 'disputeId', code: 'required', message }]));
    }
  }
}

function refused(why: string): Failure {
  return failure('invalid_state', `The acquirer refuses this: ${why}.`);
}
