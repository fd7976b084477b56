/**
 * Every way in which an operation can be refused, by the code that the caller sees.
 * The HTTP status of each is decided in one place, `src/http/problem.ts`.
 */
export type FailureCode =
  | 'malformed_json'
  | 'invalid_request'
  | 'unauthorized'
  | 'card_declined'
  | 'insufficient_scope'
  | 'not_found'
  | 'booking_not_found'
  | 'transaction_not_found'
  | 'token_not_found'
  | 'disbursement_not_found'
  | 'application_not_found'
  | 'property_not_found'
  | 'client_not_found'
  | 'message_not_found'
  | 'export_not_found'
  | 'method_not_allowed'
  | 'invalid_state'
  | 'preauth_expired'
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
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'internal_error'
  | 'gateway_error'
  | 'busy'
  | 'not_configured'
  | 'outcome_unknown';

/** One faulty field of a request: `field` is its path in the body, such as `agent.email`. */
export interface FieldFault {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** A plain JSON object, as it stands in an answer. */
export type JsonObject = { readonly [key: string]: unknown };

/**
 * A refusal, told in the domain's words. It is plain data, so that it can cross a Durable Object
 * call and be stored as the first answer to an idempotency key.
 */
export interface Failure {
  readonly code: FailureCode;
  /** One sentence for the caller; it never repeats what the caller sent. */
  readonly detail: string;
  readonly fields?: readonly FieldFault[];
  /** Further members of the answer, such as `declineCode` or the recorded `transaction`. */
  readonly members?: JsonObject;
  /** Seconds after which trying again makes sense (`busy`, `rate_limited`). */
  readonly retryAfterSeconds?: number;
}

/** Makes a failure without faulty fields. */
export function failure(code: FailureCode, detail: string, members?: JsonObject): Failure {
  return members === undefined ? { code, detail } : { code, detail, members };
}

/**
 * Makes a failure from faulty fields. When all of them share one code that the interface gives a
 * name of its own (such as `amount_precision`), the whole answer carries it; else `validation_failed`.
 */
export function fieldFailure(fields: readonly FieldFault[]): Failure {
  const codes = new Set(fields.map((fault) => fault.code));
  const only = codes.size === 1 ? [...codes][0] : undefined;
  const code = fieldCodes.find((candidate) => candidate === only) ?? 'validation_failed';
  const names = [...new Set(fields.map((fault) => fault.field || 'the body'))].join(', ');
  return { code, detail: `Not acceptable: ${names}.`, fields };
}

/** Codes that may stand for a whole answer when every faulty field carries the same one. */
const fieldCodes = [
  'amount_precision',
  'amount_out_of_range',
  'card_expired',
  'time_in_past',
  'time_too_far',
] as const satisfies readonly FailureCode[];
