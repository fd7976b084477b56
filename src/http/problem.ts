import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { routePath } from 'hono/route';
import { getPath } from 'hono/utils/url';
import { holdsCardNumber } from '../core/cardNumbers.ts';
import {
  type Failure,
  type FailureCode,
  failure,
  failures,
  internalFailure,
  type JsonObject,
} from '../core/failure.ts';
import { DatabaseUnavailable, PropertyMoving } from '../platform/db/errors.ts';
import { logError } from '../platform/log.ts';
import { moving, uncertain } from '../records/bookings/rules.ts';
import type { AppContext } from './context.ts';

/** The parts of a problem that its failure does not hold. */
interface ProblemContext {
  /** Of the request that got this answer first, where that is an earlier one. */
  readonly requestId?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Additional members of the body, such as those of a PMS message's envelope. */
  readonly members?: JsonObject;
}

export function statusOf(code: FailureCode): number {
  return failures[code][0];
}

/** Answers a failure as `application/problem+json` (RFC 9457). */
export function problemResponse(
  c: Context,
  failed: Failure,
  context: ProblemContext = {},
): Response {
  c.set('failureCode', failed.code);
  const [status, title] = failures[failed.code];
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
    ...(failed.authenticate && { 'WWW-Authenticate': failed.authenticate }),
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

/**
 * Logs an unexpected exception and returns the failure to answer: `outcome_unknown` where the request may have recorded
 * something.
 */
export function internalError(c: AppContext, error: unknown): Failure {
  const { requestId, property, trace } = c.var;
  logError('unexpected_error', error, { requestId, property, route: routePath(c, -1) });
  if (trace.mayBeRecorded) return uncertain();
  if (error instanceof PropertyMoving) return moving(error);
  return error instanceof DatabaseUnavailable ? DATABASE_UNAVAILABLE : internalFailure();
}

/** D1 did not answer a request that had only read. */
const DATABASE_UNAVAILABLE: Failure = {
  code: 'busy',
  detail: 'The database did not answer. This request recorded nothing: try again.',
  retryAfterSeconds: 1,
};

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
      .enum(Object.keys(failures) as [FailureCode, ...FailureCode[]])
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
    dispute: z
      .object({
        disputeId: z.string().describe("the gateway's id"),
        status: z.string().describe('as it is now'),
      })
      .optional()
      .describe('whose answer was not taken, or may not have been'),
    jurisdiction: z.string().optional().describe('with `surcharge_not_allowed`: whose law it is'),
    since: z.string().optional().describe('with `surcharge_not_allowed`: from when on it holds'),
    source: z.string().optional().describe('with `surcharge_not_allowed`: where it stands'),
    open: z
      .array(
        z.object({
          bookingReference: z.string().describe('whose it is'),
          what: z.string().describe('such as `schedule` or `dispute`'),
          id: z.string().describe("the service's id of it, or the gateway's of a dispute"),
        }),
      )
      .readonly()
      .optional()
      .describe('with `invalid_state`: what has to be over first'),
  })
  .openapi('Problem');
