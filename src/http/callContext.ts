import { clockOf } from '../core/propertyClock.ts';
import type { CallContext } from '../operation/reply.ts';
import type { AppContext, CallerProperty } from './context.ts';

/** The booking of a request and its caller, for a call of the booking object. */
export function callContext(
  c: AppContext,
  property: CallerProperty,
  reference: string,
): CallContext {
  return {
    propertyId: property.id,
    reference,
    requestId: c.get('requestId'),
    actor: c.get('caller').clientId,
    clock: clockOf(property),
  };
}
