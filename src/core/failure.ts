/** Every reason to refuse a request, by the code that the caller sees. `src/http/problem.ts` gives each its status. */
export type FailureCode =
  | 'malformed_json'
  | 'invalid_request'
  | 'unauthorized'
  | 'card_declined'
  | 'insufficient_scope'
  | 'not_permitted'
  | 'not_found'
  | 'booking_not_found'
  | 'transaction_not_found'
  | 'token_not_found'
  | 'disbursement_not_found'
  | 'application_not_found'
  | 'property_not_found'
  | 'client_not_found'
  | 'user_not_found'
  | 'message_not_found'
  | 'export_not_found'
  | 'dispute_not_found'
  | 'exception_not_found'
  | 'endpoint_not_found'
  | 'event_not_found'
  | 'method_not_allowed'
  | 'invalid_state'
  | 'preauth_expired'
  | 'possible_duplicate'
  | 'quote_stale'
  | 'card_of_former_account'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'range_not_satisfiable'
  | 'validation_failed'
  | 'amount_precision'
  | 'amount_out_of_range'
  | 'no_card'
  | 'card_expired'
  | 'time_in_past'
  | 'time_too_far'
  | 'refund_exceeds_charge'
  | 'capture_exceeds_authorization'
  | 'amount_exceeds_due'
  | 'quote_invalid'
  | 'surcharge_not_allowed'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'internal_error'
  | 'gateway_error'
  | 'busy'
  | 'not_configured'
  | 'outcome_unknown';

/** One faulty field of a request: `field` is its path in the body, such as `agent.email`. */
export interface FieldIssue {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** Makes the issue of one field. */
export function fieldIssue(field: string, code: string, message: string): FieldIssue {
  return { field, code, message };
}

/** A plain JSON object in an answer. */
export type JsonObject = { readonly [key: string]: unknown };

/** Extra members of an error answer. */
export interface FailureMembers {
  readonly declineCode?: string;
  readonly retryable?: boolean;
  /** The recorded transaction, if the request recorded one. */
  readonly transaction?: { readonly id: number; readonly status: string };
  /** The recorded refunds, when part of a refund failed or its outcome is unknown. */
  readonly refunds?: readonly { readonly id: number }[];
  /** With `amount_exceeds_due`: what is due, in the currency. */
  readonly due?: number;
  /** With `surcharge_not_allowed`: the law. */
  readonly jurisdiction?: string;
  readonly since?: string;
  readonly source?: string;
}

/**
 * An expected failure, in the domain's terms. It is plain data: Durable Objects return it, and the service stores it
 * as the answer to an idempotency key.
 */
export interface Failure {
  readonly code: FailureCode;
  /** One sentence for the caller. It never repeats input, which may be personal data. */
  readonly detail: string;
  readonly fields?: readonly FieldIssue[];
  readonly members?: FailureMembers;
  /** When to try again (`busy`, `rate_limited`, `gateway_error`). */
  readonly retryAfterSeconds?: number;
}

/** Makes a failure without faulty fields. */
export function failure(code: FailureCode, detail: string, members?: FailureMembers): Failure {
  return members === undefined ? { code, detail } : { code, detail, members };
}

/** Something unforeseen went wrong, and nothing was recorded. The answer says no more than its request id. */
export function internalFailure(): Failure {
  return failure('internal_error', 'Internal error. Quote requestId when you report it.');
}

/**
 * Makes a failure from faulty fields. Its code is `validation_failed`, unless all fields share a code that the
 * interface lists as an error code too, such as `amount_precision`.
 */
export function fieldFailure(fields: readonly FieldIssue[]): Failure {
  const codes = new Set(fields.map((fault) => fault.code));
  const only = codes.size === 1 ? [...codes][0] : undefined;
  const code = fieldCodes.find((candidate) => candidate === only) ?? 'validation_failed';
  const names = [...new Set(fields.map((fault) => fault.field || 'the body'))].join(', ');
  return { code, detail: `Not acceptable: ${names}.`, fields };
}

/** Field codes that become the code of the answer when every faulty field has the same one. */
const fieldCodes = [
  'amount_precision',
  'amount_out_of_range',
  'card_expired',
  'time_in_past',
  'time_too_far',
] as const satisfies readonly FailureCode[];
