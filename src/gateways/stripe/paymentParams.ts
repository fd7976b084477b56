import type { Stripe } from 'stripe';
import type { CardPaymentRequest } from '../gateway.ts';
import { toStripeAmount } from './amounts.ts';
import { partsOf } from './cards.ts';
import { metadataOf } from './origin.ts';
import { PAYMENT_PARTS } from './outcomes.ts';

/** The most characters that Stripe takes as a description. */
const LONGEST_DESCRIPTION = 1_000;

/** Asks for the longest hold that the card's network gives. */
export const LONG_HOLD = { request_extended_authorization: 'if_available' } as const;

/** What every charge and hold sends; null for an amount that Stripe does not support. */
export function paymentParams(
  request: CardPaymentRequest,
): Stripe.PaymentIntentCreateParams | null {
  const amount = toStripeAmount(request.amountMinor, request.currency);
  if (amount === null) return null;
  const { account, customer, method } = partsOf(request.gatewayToken);
  // An account of the property's own has its own name on statements.
  const suffix = account === null ? statementSuffix(request.statementName) : null;
  return {
    amount,
    currency: request.currency.toLowerCase(),
    customer,
    payment_method: method,
    allowed_payment_method_types: ['card'],
    confirm: true,
    ...presenceParams(request),
    description: request.description.slice(0, LONGEST_DESCRIPTION),
    ...(suffix !== null && { statement_descriptor_suffix: suffix }),
    metadata: metadataOf(request),
    expand: PAYMENT_PARTS,
  };
}

/** Who is there (stripe: Who pays). Only a guest can be sent to the bank; for others its question is a decline. */
function presenceParams(request: CardPaymentRequest): Partial<Stripe.PaymentIntentCreateParams> {
  const { initiator, returnUrl } = request;
  switch (initiator) {
    case 'guest':
      // Without Stripe's script on the page, the bank's own page asks the guest.
      return { ...(returnUrl !== null && { return_url: returnUrl }), use_stripe_sdk: false };
    case 'property':
      return { off_session: true, error_on_requires_action: true };
    case 'phone':
      return {
        error_on_requires_action: true,
        payment_method_options: { card: { moto: true } },
      };
  }
}

/**
 * A complete statement text has at most 22 characters: the account's prefix with at most 10, an asterisk, a space and
 * the suffix. So this many always fit.
 */
const LONGEST_SUFFIX = 10;

/** Letters that do not fall apart into a Latin letter and a mark. */
const SPELT_OUT: Readonly<Record<string, string>> = {
  Æ: 'Ae',
  æ: 'ae',
  Œ: 'Oe',
  œ: 'oe',
  Ø: 'O',
  ø: 'o',
  Đ: 'D',
  đ: 'd',
  Ł: 'L',
  ł: 'l',
  ß: 'ss',
};

/**
 * A name as the end of a card statement's text (stripe: What people read). Stripe takes Latin characters other than
 * `< > \ ' " *`, at least one letter among them. Null if nothing useful remains.
 */
function statementSuffix(name: string): string | null {
  const latin = name
    .replace(/[ÆæŒœØøĐđŁłß]/g, (letter) => SPELT_OUT[letter] ?? '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]|[<>\\'"*]/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
  const suffix = latin.slice(0, LONGEST_SUFFIX).trim();
  return /[A-Za-z]/.test(suffix) ? suffix : null;
}
