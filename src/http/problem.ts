import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { holdsCardNumber } from '../core/cardNumbers.ts';
import type { Failure, FailureCode } from '../core/failure.ts';

/** The HTTP status and the title of every failure (decisions: section 3): the only place that knows statuses. */
const problems = {
  malformed_json: [400, 'The body is not JSON'],
  invalid_request: [400, 'The request is not understood'],
  unauthorized: [401, 'Authentication is missing or not valid'],
  card_declined: [402, 'The card was declined'],
  insufficient_scope: [403, 'The access token does not allow this'],
  not_found: [404, 'There is nothing at this address'],
  booking_not_found: [404, 'Booking not found'],
  transaction_not_found: [404, 'Transaction not found'],
  token_not_found: [404, 'Card token not found'],
  disbursement_not_found: [404, 'Disbursement not found'],
  application_not_found: [404, 'Application not found'],
  property_not_found: [404, 'Property not found'],
  client_not_found: [404, 'Client not found'],
  message_not_found: [404, 'Message not found'],
  export_not_found: [404, 'Export not found'],
  method_not_allowed: [405, 'Method not allowed'],
  invalid_state: [409, 'Not possible in the present state'],
  preauth_expired: [409, 'The pre-authorization has expired'],
  body_too_large: [413, 'The body is too large'],
  unsupported_media_type: [415, 'The body must be JSON'],
  range_not_satisfiable: [416, 'The range is outside the file'],
  validation_failed: [422, 'Some fields are not acceptable'],
  amount_precision: [422, 'The amount is finer than the currency'],
  amount_out_of_range: [422, 'The amount is out of range'],
  no_card: [422, 'There is no card to charge'],
  card_expired: [422, 'The card has expired'],
  time_in_past: [422, 'The time is in the past'],
  time_too_far: [422, 'The time is too far ahead'],
  refund_exceeds_charge: [422, 'The refund exceeds what can be refunded'],
  capture_exceeds_authorization: [422, 'The amount exceeds the pre-authorization'],
  idempotency_key_reused: [422, 'The idempotency key was used for another request'],
  rate_limited: [429, 'Too many requests'],
  internal_error: [500, 'Something went wrong here'],
  gateway_error: [502, 'The other side did not take the request'],
  busy: [503, 'Busy'],
  not_configured: [503, 'The service is not set up'],
  outcome_unknown: [504, 'The outcome is not known yet'],
} as const satisfies Record<FailureCode, readonly [number, string]>;

/** An answer's status and headers beside its body. */
interface Occasion {
  readonly requestId: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The HTTP status of a failure. */
export function statusOf(code: FailureCode): number {
  return problems[code][0];
}

/** Answers a failure as `application/problem+json` (RFC 9457). */
export function problemResponse(c: Context, failure: Failure, occasion: Occasion): Response {
  c.set('refusal', failure.code);
  const [status, title] = problems[failure.code];
  const body = {
    type: `urn:problem:${failure.code}`,
    title,
    status,
    detail: failure.detail,
    instance: pathOf(c),
    success: false,
    code: failure.code,
    requestId: occasion.requestId,
    ...(failure.fields && { errors: failure.fields }),
    ...failure.members,
  };
  return c.body(JSON.stringify(body), status, {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    ...(failure.retryAfterSeconds && { 'Retry-After': String(failure.retryAfterSeconds) }),
    ...occasion.headers,
  });
}

/** The path that was asked for; a caller that puts a card number into an address is not told it again. */
function pathOf(c: Context): string {
  return holdsCardNumber(c.req.path) ? '/' : c.req.path;
}

/** The shape of every problem, for the OpenAPI document. */
export const problemSchema = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string(),
    success: z.literal(false),
    code: z.enum(Object.keys(problems) as [FailureCode, ...FailureCode[]]),
    requestId: z.string(),
    errors: z
      .array(z.object({ field: z.string(), code: z.string(), message: z.string() }))
      .optional()
      .describe('The faulty fields, where fields are at fault.'),
    declineCode: z.string().nullable().optional().describe('With card_declined.'),
    retryable: z.boolean().nullable().optional().describe('With card_declined.'),
    transaction: z
      .looseObject({ id: z.int(), status: z.string() })
      .optional()
      .describe('What was recorded, where something was.'),
    refunds: z
      .array(z.looseObject({ id: z.int() }))
      .optional()
      .describe('What was refunded, where a refund was not wholly made or is not known yet.'),
  })
  .openapi('Problem');
