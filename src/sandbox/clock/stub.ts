import type { Env } from '../../platform/env.ts';
import type { Trace } from '../../platform/trace.ts';
import { forgetClientsOf } from '../../records/clients/clientCache.ts';
import type { ClockCalls, PropertyClockObject, ResetOutcome } from './object.ts';

/**
 * Advances a property's clock to `toMs`. Returns how many things were done on the way. Throws if it was cut off: the
 * next advance goes on from there, or the object itself a minute later.
 */
export async function advanceClock(
  env: Env,
  trace: Trace,
  propertyId: string,
  toMs: number,
): Promise<number> {
  // From here on, a failure does not say how far the clock came.
  trace.writeSent();
  let fired = 0;
  for (;;) {
    const stretch = await trace.span('object.clock', () =>
      clockObject(env, propertyId).advance(propertyId, toMs),
    );
    fired += stretch.fired;
    if (stretch.done) break;
  }
  forgetClientsOf(propertyId);
  return fired;
}

/** Sets a property's clock to real time, unless records lie ahead of that. */
export async function resetClock(
  env: Env,
  trace: Trace,
  propertyId: string,
): Promise<ResetOutcome> {
  trace.writeSent();
  const outcome = await trace.span('object.clock', () =>
    clockObject(env, propertyId).reset(propertyId),
  );
  forgetClientsOf(propertyId);
  return outcome;
}

function clockObject(env: Env, propertyId: string): ClockCalls {
  return (env.CLOCKS as DurableObjectNamespace<PropertyClockObject>).getByName(propertyId);
}
