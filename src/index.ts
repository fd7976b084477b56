import { createApp } from './app.ts';
import type { Api } from './http/operation.ts';
import { requireConfig } from './platform/config.ts';
import type { Env } from './platform/env.ts';
import { logError } from './platform/log.ts';
import { sweeps } from './sweeps.ts';

export { BookingObject } from './booking/object.ts';
export { EventDispatcher } from './events/delivery/object.ts';
export { ExportObject } from './exports/object.ts';
export { MailDispatcher } from './mails/object.ts';
export { PropertyMover } from './moves/object.ts';
export { DatabaseObject } from './platform/db/store/object.ts';
export { PmsDispatcher } from './pms/outbox/object.ts';
export { SandboxAcquirer } from './sandbox/acquirer/acquirer.ts';
export { PropertyClockObject } from './sandbox/clock/object.ts';

/** The routes, made for the first request: objects, alarms and sweeps start without them. */
let app: Api | null = null;

export default {
  fetch: (request, env, context) => {
    app ??= createApp();
    return app.fetch(request, env, context);
  },

  async scheduled(_controller, env) {
    const config = await requireConfig(env);
    const nowMs = Date.now();
    const swept = await Promise.allSettled(
      Object.values(sweeps).map((sweep) => sweep(env, config, nowMs)),
    );
    const failures = swept.filter((one) => one.status === 'rejected');
    for (const { reason } of failures) {
      logError('sweep_failed', reason);
    }
    // Every sweep has run. Throwing makes the platform record the trigger as failed.
    if (failures.length > 0) throw new Error('a sweep failed');
  },
} satisfies ExportedHandler<Env>;
