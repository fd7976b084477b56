import { Stripe } from 'stripe';
import { SECOND_MS } from '../../core/time.ts';
import type { Outcome } from '../gateway.ts';
import {
  disputeRejection,
  meaningOf,
  rejection,
  temporaryRejection,
  unknown,
} from '../rules/outcome.ts';
import { type Refusal, refusal } from '../vault.ts';
import { stripeDecline } from './declines.ts';

/** Stripe's error codes for an operation that is still running. */
const UNDER_WAY = new Set(['idempotency_key_in_use', 'lock_timeout']);

/** Stripe's error codes for its limits, and for the state of the account or its key. */
const TEMPORARY = new Set([
  'account_invalid',
  'api_key_expired',
  'capability_not_active',
  'livemode_mismatch',
  'payment_intent_rate_limit_exceeded',
  'platform_account_required',
  'platform_api_key_expired',
  'rate_limit',
  'secret_key_required',
  'testmode_charges_only',
  'tls_version_unsupported',
]);

/** Stripe's error code for the refund of a charge that is disputed. */
const CHARGE_DISPUTED = 'charge_disputed';

/** The outcome of a request that threw: `declined`, `rejected` or `unknown`. */
export function outcomeOfError(error: unknown): Outcome {
  if (isDecline(error)) return stripeDecline(error);
  if (error instanceof Stripe.errors.StripeIdempotencyError)
    return unknown('the idempotency key is in use, or was used for another request');
  if (!(error instanceof Stripe.errors.StripeError)) return unknown('the call to Stripe failed');
  const { code, rawType, statusCode = 0 } = error;
  const meaning = meaningOf(statusCode);
  const waitMs = retryAfterMs(error, Date.now());
  if (meaning === 'open' || UNDER_WAY.has(code ?? '')) return unknown(reasonOfError(error), waitMs);
  if (code === CHARGE_DISPUTED) return disputeRejection(reasonOfError(error));
  const temporary = meaning === 'temporary' || TEMPORARY.has(code ?? '') || rawType === 'api_error';
  return temporary
    ? temporaryRejection(reasonOfError(error), waitMs)
    : rejection(reasonOfError(error));
}

/**
 * The outcome of a request that threw although it also asked for more than it does. A key that lacks only the right to read
 * that gets 403, perhaps for a payment that was made: unless Stripe's code names the account or the key itself, the outcome
 * is unknown.
 */
export function outcomeOfExpanding(error: unknown): Outcome {
  const outcome = outcomeOfError(error);
  if (!(error instanceof Stripe.errors.StripeError) || error.statusCode !== 403) return outcome;
  return TEMPORARY.has(error.code ?? '') ? outcome : unknown(reasonOfError(error));
}

/** Stripe's client takes every 402 for a decline, even one that refuses a request for what it says, not for its card. */
function isDecline(error: unknown): error is InstanceType<typeof Stripe.errors.StripeCardError> {
  return (
    error instanceof Stripe.errors.StripeCardError &&
    (error.rawType ?? 'card_error') === 'card_error'
  );
}

/** Whether Stripe certainly has no such object. Other errors, such as a rate limit, leave that open. */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.statusCode === 404;
}

/** What Stripe answers; null if it certainly has no such object. Throws for other errors. */
export function unlessMissing<Answer>(call: Promise<Answer>): Promise<Answer | null> {
  return call.catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
}

/** Whether Stripe does not do what a request asks for, however often it is asked: it is not for this account or key. */
export function isNotForUs(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeError && [400, 403, 404].includes(error.statusCode ?? 0)
  );
}

/** Whether Stripe refused a request, before anything was done, for a parameter, or by a message with some words. */
export function isRefusedFor(error: unknown, parameter: string, words?: RegExp): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError &&
    error.statusCode === 400 &&
    (error.param?.includes(parameter) === true || words?.test(error.message) === true)
  );
}

/** Why a request that only reads failed, and how long Stripe asks to wait. */
export function unreadable(error: unknown): Outcome & { kind: 'unknown' } {
  const outcome = outcomeOfError(error);
  const reason = 'reason' in outcome ? outcome.reason : outcome.kind;
  return unknown(reason, 'retryAfterMs' in outcome ? outcome.retryAfterMs : null);
}

/** Stripe's own words for the refusal of a card, without card data. */
export function refusalOfError(error: unknown): Refusal {
  if (!(error instanceof Stripe.errors.StripeError)) return refusal('the call to Stripe failed');
  return refusal(reasonOfError(error), {
    message: withoutNumbers(error.message),
    parameter: error.param ?? null,
    requestId: error.requestId ?? null,
  });
}

/** Stripe's code or type for an error, the parameter at fault and the id of the request, as far as it names them. */
function reasonOfError({ code, param, rawType, requestId, statusCode, type }: StripeError): string {
  const what = code || rawType || `${type} ${statusCode ?? ''}`.trim();
  const where = [param, requestId].filter(Boolean).join(', ');
  return withoutNumbers(where === '' ? what : `${what} (${where})`);
}

type StripeError = InstanceType<typeof Stripe.errors.StripeError>;

/** Stripe may repeat what it was sent. Whatever can be a card number is left out, however it is grouped. */
export function withoutNumbers(text: string): string {
  return text.replace(/\d(?:[\s\p{Pd}.]*\d){11,}/gu, '[number]');
}

/** How long Stripe asks to wait: `Retry-After` holds seconds or a date. */
function retryAfterMs({ headers }: StripeError, nowMs: number): number | null {
  const header = headers?.['retry-after'];
  if (header === undefined || header === '') return null;
  const seconds = Number(header);
  const waitMs = Number.isNaN(seconds) ? Date.parse(header) - nowMs : seconds * SECOND_MS;
  return Number.isNaN(waitMs) ? null : Math.max(0, Math.round(waitMs));
}
