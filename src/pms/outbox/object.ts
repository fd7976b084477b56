import { Dispatcher, type DispatcherKind } from '../../delivery/object.ts';
import { requireConfig } from '../../platform/config.ts';
import { Database } from '../../platform/db/database.ts';
import type { Env } from '../../platform/env.ts';
import { OutgoingMessages } from './outgoing.ts';
import type { DueMessage } from './store.ts';

/** A PMS's dispatcher: it sends the outbox to the address that it is named by. */
const KIND: DispatcherKind<DueMessage> = {
  receiverKey: 'pmsUrl',
  outgoing: async (env, trace, pmsUrl, advanced) => {
    const { keyring, local } = await requireConfig(env);
    const database = new Database(env.DB, trace);
    return new OutgoingMessages({ pmsUrl, advanced, keyring, local, trace, database });
  },
  about: (pmsUrl) => ({ host: new URL(pmsUrl).host }),
};

/** Sends the outbox to one PMS. */
export class PmsDispatcher extends Dispatcher<DueMessage> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, KIND);
  }
}
