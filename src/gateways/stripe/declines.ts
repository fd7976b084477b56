/** Declines that another attempt with the same card cannot change. */
const HARD = new Set([
  'authentication_required',
  'card_not_supported',
  'currency_not_supported',
  'do_not_try_again',
  'expired_card',
  'fraudulent',
  'incorrect_cvc',
  'incorrect_number',
  'incorrect_zip',
  'invalid_account',
  'invalid_cvc',
  'invalid_expiry_month',
  'invalid_expiry_year',
  'invalid_number',
  'lost_card',
  'merchant_blacklist',
  'new_account_information_available',
  'no_action_taken',
  'not_permitted',
  'pickup_card',
  'restricted_card',
  'revocation_of_all_authorizations',
  'revocation_of_authorization',
  'security_violation',
  'service_not_allowed',
  'stolen_card',
  'stop_payment_order',
  'testmode_decline',
  'transaction_not_allowed',
]);

/** Advice of the issuer after which another attempt with the same card data is pointless. */
const FORBIDDING_ADVICE = new Set(['confirm_card_data', 'do_not_try_again']);

/**
 * Advice of a card network after which it fines another attempt: the account has new data (01), do not try again (03),
 * the cardholder has cancelled (21).
 */
const FORBIDDING_NETWORK_ADVICE = new Set(['01', '03', '21']);

/** What Stripe says of a decline, in an error or on a payment. */
export interface ReportedDecline {
  readonly code?: string | null | undefined;
  readonly decline_code?: string | null | undefined;
  readonly advice_code?: string | null | undefined;
  readonly network_advice_code?: string | null | undefined;
}

/** The decline that Stripe reports. One with an unfamiliar code is retryable, unless advice forbids it. */
export function stripeDecline(reported: ReportedDecline): {
  readonly kind: 'declined';
  readonly declineCode: string;
  readonly retryable: boolean;
} {
  const declineCode = reported.decline_code || reported.code || 'generic_decline';
  const hard =
    HARD.has(declineCode) ||
    FORBIDDING_ADVICE.has(reported.advice_code ?? '') ||
    FORBIDDING_NETWORK_ADVICE.has(reported.network_advice_code ?? '');
  return { kind: 'declined', declineCode, retryable: !hard };
}
