import type { Stripe } from 'stripe';
import type { MoneyRequest, Origin } from '../gateway.ts';

/** The metadata of a payment or refund at Stripe, by which this service finds its own record. */
export function metadataOf(request: MoneyRequest): Stripe.MetadataParam {
  const { idempotencyKey: key, propertyId: property, bookingReference, reference } = request;
  return { key, property, booking: bookingReference, reference };
}

/** Reads the origin from a record's metadata; null for a record that this service did not make. */
export function originOf(metadata: Stripe.Metadata | null | undefined): Origin | null {
  const { property, booking, reference } = metadata ?? {};
  return property && booking && reference
    ? { propertyId: property, bookingReference: booking, reference }
    : null;
}
