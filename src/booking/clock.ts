import type { PropertyClock } from '../core/propertyClock.ts';
import type { CallContext } from '../operation/reply.ts';
import { propertyNow } from '../platform/propertyNow.ts';

/** The clock for every decision about a booking. The model test gives each booking a clock of its own. */
export const bookingClock = {
  /** What the clock of the booking's property shows, in milliseconds since 1970. */
  nowMs(_booking: Pick<CallContext, 'propertyId' | 'reference'>, property: PropertyClock): number {
    return propertyNow(property);
  },
};
