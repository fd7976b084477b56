/** Every reason to refuse a request, by the code that the caller sees: its HTTP status and title (interface: Errors). */
export const failures = {
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
  plan_not_found: [404, 'Payment plan not found'],
  exception_not_found: [404, 'Exception not found'],
  endpoint_not_found: [404, 'Endpoint not found'],
  event_not_found: [404, 'Event not found'],
  move_not_found: [404, 'Move not found'],
  settlement_not_found: [404, 'Settlement not found'],
  report_not_found: [404, 'Report not found'],
  method_not_allowed: [405, 'Method not allowed'],
  invalid_state: [409, 'Not possible in the current state'],
  preauth_expired: [409, 'The pre-authorization has expired'],
  possible_duplicate: [409, 'The booking has a payment like this one'],
  quote_stale: [409, 'The quote no longer holds'],
  card_of_former_account: [409, 'The card is kept at a former account of the property'],
  virtual_card_not_active: [409, 'The virtual card is not active yet'],
  virtual_card_ended: [409, 'The virtual card has ended'],
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
  no_policy: [422, 'There is no cancellation policy'],
  exceeds_virtual_card: [422, 'The amount exceeds what remains on the virtual card'],
  plan_too_long: [422, 'The plan has too many parts'],
  quote_invalid: [422, 'The quote is of another payment'],
  surcharge_not_allowed: [422, 'The law does not allow this fee'],
  idempotency_key_reused: [422, 'The idempotency key was used for another request'],
  rate_limited: [429, 'Too many requests'],
  internal_error: [500, 'Internal error'],
  gateway_error: [502, 'Payment gateway, PMS or e-mail service error'],
  busy: [503, 'The service is busy'],
  not_configured: [503, 'The service is not configured'],
  outcome_unknown: [504, 'Outcome unknown'],
} as const satisfies Record<string, readonly [number, string]>;

export type FailureCode = keyof typeof failures;

/** One faulty field of a request: `field` is its path in the body, such as `agent.email`. */
export interface FieldIssue {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

export function fieldIssue(field: string, code: string, message: string): FieldIssue {
  return { field, code, message };
}

export type JsonObject = { readonly [key: string]: unknown };

export interface FailureMembers {
  readonly declineCode?: string;
  readonly retryable?: boolean;
  /** The recorded transaction, if the request recorded one. */
  readonly transaction?: { readonly id: number; readonly status: string };
  /** The recorded refunds, when part of a refund failed or its outcome is unknown. */
  readonly refunds?: readonly { readonly id: number }[];
  /** The dispute whose answer was not taken, or may not have been. */
  readonly dispute?: { readonly disputeId: string; readonly status: string };
  /** With `amount_exceeds_due`: what is due, in the currency. */
  readonly due?: number;
  /** With `virtual_card_not_active`: from when the card is charged. */
  readonly activeFrom?: string;
  /** With `exceeds_virtual_card`: what remains on the card, in the currency. */
  readonly remaining?: number;
  /** With `surcharge_not_allowed`: the law. */
  readonly jurisdiction?: string;
  readonly since?: string;
  readonly source?: string;
  /** With `invalid_state`: what has to be over first. */
  readonly open?: readonly {
    readonly bookingReference: string;
    readonly what: string;
    readonly id: string;
  }[];
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
  /** How to authenticate (`unauthorized`, `insufficient_scope`). */
  readonly authenticate?: string;
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
