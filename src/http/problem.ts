import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { getPath } from 'hono/utils/url';
import { holdsCardNumber } from '../core/cardNumbers.ts';
import { type Failure, type FailureCode, failure, type JsonObject } from '../core/failure.ts';

/** The HTTP status and the title of every failure (interface: Errors). No other file maps a failure to a status. */
const problems = {
  malformed_json: [400, 'The body is not valid JSON'],
  invalid_request: [400, 'Invalid request'],
  unauthorized: [401, 'Authentication is missing or invalid'],
  card_declined: [402, 'The card was declined'],
  insufficient_scope: [403, 'The access token lacks the required scope'],
  not_permitted: [403, 'Your role does not allow this'],
  not_found: [404, 'Not found'],
  booking_not_found: [404, 'Booking not found'],
  transaction_not_found: [404, 'Transaction not found'],
  token_not_found: [404, 'Card token not found'],
  disbursement_not_found: [404, 'Disbursement not found'],
  application_not_found: [404, 'Application not found'],
  property_not_found: [404, 'Property not found'],
  client_not_found: [404, 'Client not found'],
  user_not_found: [404, 'User not found'],
  message_not_found: [404, 'Message not found'],
  export_not_found: [404, 'Export not found'],
  dispute_not_found: [404, 'Dispute not found'],
  exception_not_found: [404, 'Exception not found'],
  endpoint_not_found: [404, 'Endpoint not found'],
  event_not_found: [404, 'Event not found'],
  method_not_allowed: [405, 'Method not allowed'],
  invalid_state: [409, 'Not possible in the current state'],
  preauth_expired: [409, 'The pre-authorization has expired'],
  possible_duplicate: [409, 'The booking has a payment like this one'],
  quote_stale: [409, 'The quote no longer holds'],
  card_of_former_account: [409, 'The card is kept at a former account of the property'],
  body_too_large: [413, 'The body is too large'],
  unsupported_media_type: [415, 'The body must be JSON'],
  range_not_satisfiable: [416, 'The range is outside the file'],
  validation_failed: [422, 'Some fields are invalid'],
  amount_precision: [422, 'The amount has more decimals than its currency'],
  amount_out_of_range: [422, 'The amount is out of range'],
  no_card: [422, 'No card to charge'],
  card_expired: [422, 'The card has expired'],
  time_in_past: [422, 'The time is in the past'],
  time_too_far: [422, 'The time is too far ahead'],
  refund_exceeds_charge: [422, 'The refund exceeds the refundable amount'],
  capture_exceeds_authorization: [422, 'The amount exceeds the pre-authorization'],
  amount_exceeds_due: [422, 'The amount exceeds what is due'],
  quote_invalid: [422, 'The quote is of another payment'],
  surcharge_not_allowed: [422, 'The law does not allow this fee'],
  idempotency_key_reused: [422, 'The idempotency key was used for another request'],
  rate_limited: [429, 'Too many requests'],
  internal_error: [500, 'Internal error'],
  gateway_error: [502, 'Payment gateway, PMS or e-mail service error'],
  busy: [503, 'The service is busy'],
  not_configured: [503, 'The service is not configured'],
  outcome_unknown: [504, 'Outcome unknown'],
} as const satisfies Record<FailureCode, readonly [number, string]>;

/** The parts of a problem that its failure does not hold. */
interface ProblemContext {
  /** Of the request that got this answer first, where that is an earlier one. */
  readonly requestId?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Additional members of the body, such as those of a PMS message's envelope. */
  readonly members?: JsonObject;
}

export function statusOf(code: FailureCode): number {
  return problems[code][0];
}

/** Answers a failure as `application/problem+json` (RFC 9457). */
export function problemResponse(
  c: Context,
  failed: Failure,
  context: ProblemContext = {},
): Response {
  c.set('failureCode', failed.code);
  const [status, title] = problems[failed.code];
  const body: z.infer<typeof problemSchema> = {
    type: `urn:problem:${failed.code}`,
    title,
    status,
    detail: failed.detail,
    instance: pathOf(c),
    success: false,
    code: failed.code,
    requestId: context.requestId ?? c.get('requestId'),
    ...(failed.fields && { errors: failed.fields }),
    ...failed.members,
    ...context.members,
  };
  return c.body(JSON.stringify(body), status, {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    ...(failed.retryAfterSeconds && { 'Retry-After': String(failed.retryAfterSeconds) }),
    ...context.headers,
  });
}

/** The path of the request as it was sent. No answer repeats a card number that a caller put into the path. */
function pathOf(c: Context): string {
  const path = getPath(c.req.raw);
  // What is still escaped is a separator, such as a comma.
  const readable = path.replace(/%[0-9a-f]{2}/gi, ' ');
  return holdsCardNumber(readable) ? '/' : path;
}

export function routeNotFound(): Failure {
  return failure('not_found', 'No route has this path.');
}

/** With a status where the outcome of one is unknown. The schemas of money are registered with its operations. */
const REFUNDS = [
  { $ref: '#/components/schemas/Refund' },
  { $ref: '#/components/schemas/ListedRefund' },
];

/** The shape of every problem, for the OpenAPI document. */
export const problemSchema = z
  .looseObject({
    type: z.string().describe('`urn:problem:` and the code'),
    title: z.string().describe('the code in words; the same for every occurrence'),
    status: z.int().describe('the HTTP status'),
    detail: z.string().describe('one sentence about this occurrence'),
    instance: z.string().describe('the path of the request'),
    success: z.literal(false),
    code: z
      .enum(Object.keys(problems) as [FailureCode, ...FailureCode[]])
      .describe('the member to decide on: see Statuses and codes'),
    requestId: z.string().describe('the request to name when you report the error'),
    errors: z
      .array(
        z.object({
          field: z.string().describe('its path: `agent.email`, `roomStays.0.endDate`'),
          code: z.string().describe('what is wrong with it: see Codes of members'),
          message: z.string().describe('the same in words, for developers'),
        }),
      )
      .readonly()
      .optional()
      .describe('every faulty member at once, where members are at fault'),
    declineCode: z
      .string()
      .nullable()
      .optional()
      .describe("with `card_declined`: the gateway's code, such as `insufficient_funds`"),
    retryable: z
      .boolean()
      .nullable()
      .optional()
      .describe('with `card_declined`: `true` for a soft decline: the card may work later'),
    transaction: z
      .unknown()
      .optional()
      .openapi({ allOf: [{ $ref: '#/components/schemas/Transaction' }] })
      .describe('as it was recorded; with `possible_duplicate`: the earlier one'),
    due: z.number().optional().describe('with `amount_exceeds_due`: what is due'),
    refunds: z
      .array(z.unknown().openapi({ anyOf: REFUNDS }))
      .readonly()
      .optional()
      .describe('what was refunded so far, where a refund is incomplete or its outcome unknown'),
    jurisdiction: z.string().optional().describe('with `surcharge_not_allowed`: whose law it is'),
    since: z.string().optional().describe('with `surcharge_not_allowed`: from when on it holds'),
    source: z.string().optional().describe('with `surcharge_not_allowed`: where it stands'),
  })
  .openapi('Problem');
