import { createApp } from './app.ts';
import type { Api } from './http/operation.ts';
import { requireConfig } from './platform/config.ts';
import type { Env } from './platform/env.ts';
import { sweepAll } from './sweeps/minute.ts';

export { BookingObject } from './booking/object.ts';
export { EventDispatcher } from './events/delivery/object.ts';
export { ExportObject } from './exports/object.ts';
export { MailDispatcher } from './mails/object.ts';
export { PropertyMover } from './moves/object.ts';
export { DatabaseObject } from './platform/db/store/object.ts';
export { PmsDispatcher } from './pms/outbox/object.ts';
export { SandboxAcquirer } from './sandbox/acquirer/acquirer.ts';
export { PropertyClockObject } from './sandbox/clock/object.ts';
export { Sweeper } from './sweeps/object.ts';

/** The routes, made for the first request: objects, alarms and sweeps start without them. */
let app: Api | null = null;

export default {
  fetch: (request, env, context) => {
    app ??= createApp();
    return app.fetch(request, env, context);
  },

  async scheduled(_controller, env) {
    const succeeded = await sweepAll(env, await requireConfig(env), Date.now());
    // Every sweep has run. Throwing makes the platform record the trigger as failed.
    if (!succeeded) throw new Error('a sweep failed');
  },
} satisfies ExportedHandler<Env>;
