import { Dispatcher, type DispatcherKind } from '../../delivery/object.ts';
import { requireConfig } from '../../platform/config.ts';
import { Database } from '../../platform/db/database.ts';
import type { Env } from '../../platform/env.ts';
import { OutgoingEvents } from './outgoing.ts';
import type { DueDelivery } from './store.ts';

/** An endpoint's dispatcher: it delivers events to the endpoint that it is named by. */
const KIND: DispatcherKind<DueDelivery> = {
  receiverKey: 'endpointId',
  outgoing: async (env, trace, endpointId, advanced) => {
    const { keyring, local } = await requireConfig(env);
    const database = new Database(env.DB, trace);
    return new OutgoingEvents({ endpointId, advanced, keyring, local, trace, database });
  },
  about: (endpoint) => ({ endpoint }),
};

/** Delivers events to one endpoint, so that one endpoint's trouble holds up no other. */
export class EventDispatcher extends Dispatcher<DueDelivery> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, KIND);
  }
}
