import type { CallContext } from '../operation/reply.ts';

/** The clock for every decision about a booking. The model test gives each booking a clock of its own. */
export const bookingClock = {
  /** Milliseconds since 1970. */
  nowMs(_booking: Pick<CallContext, 'propertyId' | 'reference'>): number {
    return Date.now();
  },
};
