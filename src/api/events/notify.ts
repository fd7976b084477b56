import { notifyEndpointsOf } from '../../events/delivery/stub.ts';
import type { AppContext } from '../../http/context.ts';

/** Notifies a property's endpoints in the background, if the request may have recorded something. */
export function notifyEndpoints(c: AppContext, propertyId: string): void {
  if (!c.get('trace').mayBeRecorded) return;
  c.executionCtx.waitUntil(notifyEndpointsOf(c.env, propertyId));
}
