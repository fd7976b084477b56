import type { Address } from '../bookings/reply.ts';
import type { AppContext, CallerProperty } from './context.ts';

/** The booking that a request means, and who asks: what its object is called with. */
export function addressOf(c: AppContext, property: CallerProperty, reference: string): Address {
  return {
    propertyId: property.id,
    reference,
    requestId: c.get('requestId'),
    actor: c.get('caller').clientId,
  };
}
