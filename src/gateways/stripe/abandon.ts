import { Stripe } from 'stripe';
import type { PaymentOutcome } from '../gateway.ts';
import { accountOptions } from './cardTokens.ts';
import { ABANDONED, outcomeOfAuthorization, outcomeOfCharge, PAYMENT_PARTS } from './outcomes.ts';

/**
 * Cancels a payment that its cardholder did not confirm, and returns what became of it. If Stripe does not cancel it, it
 * may have been confirmed or canceled just before: only its present state tells. Throws if Stripe does not answer.
 */
export async function abandonPayment(
  stripe: Stripe,
  id: string,
  account: string | null,
): Promise<PaymentOutcome> {
  const options = accountOptions(account);
  const params = { cancellation_reason: ABANDONED, expand: PAYMENT_PARTS } as const;
  const intent = await stripe.paymentIntents.cancel(id, params, options).catch((error: unknown) => {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return null;
    throw error;
  });
  const now =
    intent ?? (await stripe.paymentIntents.retrieve(id, { expand: PAYMENT_PARTS }, options));
  return now.capture_method === 'manual' ? outcomeOfAuthorization(now) : outcomeOfCharge(now);
}
