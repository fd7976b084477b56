import type { Stripe } from 'stripe';
import type { CardPurpose } from '../cardElement.ts';
import type { MoneyRequest } from '../gateway.ts';
import type { Origin } from '../movements.ts';

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

/** The metadata of a card setup, by which this service knows whom the card is for. */
export function purposeMetadata(purpose: CardPurpose): Stripe.MetadataParam {
  const { linkId: link, propertyId: property, bookingReference, enteredBy, requestId } = purpose;
  const { agreement } = purpose;
  return {
    link,
    property,
    enteredBy,
    ...(bookingReference !== null && { booking: bookingReference }),
    ...(requestId !== null && { request: requestId }),
    ...(agreement !== null && { agreed: agreement }),
  };
}

/** Reads whom a card is for; null for a setup that this service's pages did not make. */
export function purposeOf(metadata: Stripe.Metadata | null): CardPurpose | null {
  const { agreed, booking, enteredBy, link, property, request } = metadata ?? {};
  if (!link || !property || (enteredBy !== 'guest' && enteredBy !== 'api')) return null;
  return {
    linkId: link,
    propertyId: property,
    bookingReference: booking ?? null,
    requestId: request ?? null,
    enteredBy,
    agreement: agreed ?? null,
  };
}
