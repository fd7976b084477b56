import type { Stripe } from 'stripe';
import type { MoneyRequest, Origin } from '../gateway.ts';

/** What Stripe's records of a payment or refund say of ours, so that the two can be matched. */
export function metadataOf(request: MoneyRequest): Stripe.MetadataParam {
  const { idempotencyKey: key, propertyId: property, bookingReference, reference } = request;
  return { key, property, booking: bookingReference, reference };
}

/** Which transaction or refund a record of Stripe's is of; null for what this service did not make. */
export function originOf(metadata: Stripe.Metadata | null | undefined): Origin | null {
  const { property, booking, reference } = metadata ?? {};
  return property && booking && reference
    ? { propertyId: property, bookingReference: booking, reference }
    : null;
}
