/**
 * The service with a rate limiter that lets everybody through. On the platform a limiter is a look into the memory of the
 * same machine; as it is simulated here, it costs about as much as a read of D1. Measured beside the service itself,
 * this tells what is the simulation's.
 */

import type { Env } from '../src/env.ts';
import service from '../src/index.ts';

// biome-ignore lint/performance/noBarrelFile: the runtime finds an object's class in the entry's exports.
export { BookingObject } from '../src/bookings/object.ts';
export { ExportObject } from '../src/exports/object.ts';
export { SandboxAcquirer } from '../src/gateways/sandbox/acquirer.ts';
export { PmsDispatcher } from '../src/outbox/object.ts';

/** One for each environment, as the service keeps what it has read from it. */
const unlimited = new WeakMap<Env, Env>();

export default {
  fetch(request, env, context) {
    const known = unlimited.get(env) ?? {
      ...env,
      CLIENT_RATE_LIMIT: { limit: () => Promise.resolve({ success: true }) },
    };
    unlimited.set(env, known);
    return service.fetch(request, known, context);
  },
} satisfies ExportedHandler<Env>;
