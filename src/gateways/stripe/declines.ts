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

/** The decline for a code of Stripe. An unfamiliar code is retryable. */
export function stripeDecline(code: string | null | undefined): {
  readonly kind: 'declined';
  readonly declineCode: string;
  readonly retryable: boolean;
} {
  const declineCode = code ?? 'generic_decline';
  return { kind: 'declined', declineCode, retryable: !HARD.has(declineCode) };
}
