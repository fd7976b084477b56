import { Stripe } from 'stripe';
import { SECOND_MS } from '../../core/time.ts';
import type { PaymentOutcome, PaymentRecord, PaymentReport, RefundRecord } from '../gateway.ts';
import { minorOf } from './amounts.ts';
import { accountOptions, idOf, tokenOf } from './cards.ts';
import { PAGE } from './lookUps.ts';
import { originOf } from './origin.ts';
import {
  ABANDONED,
  chargeOf,
  heldAtMs,
  isOpen,
  lapsesAtMs,
  outcomeOfAuthorization,
  outcomeOfCharge,
  PAYMENT_PARTS,
  takenAtMs,
} from './outcomes.ts';

export async function readPayment(
  stripe: Stripe,
  id: string,
  account: string | null,
): Promise<PaymentReport> {
  const options = accountOptions(account);
  const intent = await stripe.paymentIntents.retrieve(id, { expand: PAYMENT_PARTS }, options);
  const refunds = intent.status === 'succeeded' ? await refundsOf(stripe, id, account) : [];
  return { kind: 'payment', payment: paymentOf(intent, refunds, account) };
}

/** All refunds of a payment, oldest first. What a capture left of a hold is listed like a refund, but is none. */
async function refundsOf(
  stripe: Stripe,
  id: string,
  account: string | null,
): Promise<RefundRecord[]> {
  const found: RefundRecord[] = [];
  const of = { payment_intent: id, limit: PAGE, expand: ['data.balance_transaction'] };
  for await (const refund of stripe.refunds.list(of, accountOptions(account))) {
    if (!isRemainder(refund)) found.push(refundOf(refund));
  }
  return found.toReversed();
}

function isRemainder({ balance_transaction: moved }: Stripe.Refund): boolean {
  return typeof moved === 'object' && moved?.reporting_category === 'partial_capture_reversal';
}

function paymentOf(
  intent: Stripe.PaymentIntent,
  refunds: readonly RefundRecord[],
  account: string | null,
): PaymentRecord {
  const currency = intent.currency.toUpperCase();
  const status = statusOf(intent);
  return {
    id: intent.id,
    gatewayReference: intent.id,
    status,
    about: originOf(intent.metadata),
    idempotencyKey: intent.metadata['key'] ?? null,
    gatewayToken: tokenIn(intent, account),
    currency,
    askedMinor: minorOf(intent.amount, currency),
    takenMinor: status === 'taken' ? minorOf(intent.amount_received, currency) : 0,
    atMs: atMsOf(intent, status),
    lapsesAtMs: status === 'held' ? lapsesAtMs(intent) : null,
    refunds,
  };
}

function tokenIn(
  { customer, payment_method: method }: Stripe.PaymentIntent,
  account: string | null,
): string | null {
  const [customerId, methodId] = [idOf(customer), idOf(method)];
  return customerId && methodId ? tokenOf(account, customerId, methodId) : null;
}

function statusOf(intent: Stripe.PaymentIntent): PaymentRecord['status'] {
  switch (intent.status) {
    case 'succeeded':
      return 'taken';
    case 'requires_capture':
      return 'held';
    case 'canceled':
      return chargeOf(intent)?.status === 'succeeded' ? 'released' : 'failed';
    case 'requires_payment_method':
      return intent.last_payment_error ? 'failed' : 'pending';
    default:
      return isOpen(intent) ? 'open' : 'pending';
  }
}

function atMsOf(intent: Stripe.PaymentIntent, status: PaymentRecord['status']): number {
  const { canceled_at: canceled } = intent;
  if (status === 'taken') return takenAtMs(intent) ?? heldAtMs(intent);
  return canceled ? canceled * SECOND_MS : heldAtMs(intent);
}

function refundOf(refund: Stripe.Refund): RefundRecord {
  const status = refundStatusOf(refund.status);
  return {
    id: refund.id,
    status,
    idempotencyKey: refund.metadata?.['key'] ?? null,
    amountMinor: minorOf(refund.amount, refund.currency),
    atMs: refund.created * SECOND_MS,
    reason: status === 'failed' ? (refund.failure_reason ?? refund.status) : null,
    moved: refund.balance_transaction !== null,
  };
}

function refundStatusOf(status: string | null): RefundRecord['status'] {
  if (status === 'succeeded') return 'succeeded';
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending';
}

/**
 * Cancels a payment that its cardholder did not confirm, and returns what became of it. If Stripe does not cancel it, it
 * may have been confirmed or canceled just before: only its present state says. Throws if Stripe does not answer.
 */
export async function abandonPayment(
  stripe: Stripe,
  id: string,
  account: string | null,
): Promise<PaymentOutcome> {
  const options = accountOptions(account);
  const params = { cancellation_reason: ABANDONED, expand: PAYMENT_PARTS } as const;
  const intent = await stripe.paymentIntents.cancel(id, params, options).catch((error: unknown) => {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return null;
    throw error;
  });
  const now =
    intent ?? (await stripe.paymentIntents.retrieve(id, { expand: PAYMENT_PARTS }, options));
  return now.capture_method === 'manual' ? outcomeOfAuthorization(now) : outcomeOfCharge(now);
}
