import { requireConfig } from './config.ts';
import type { Env } from './env.ts';
import { sweepExports } from './exports/sweep.ts';
import { createApp } from './http/app.ts';
import { sweepOutbox } from './outbox/sweep.ts';
import { sweepOverdue } from './payments/sweep.ts';

export { BookingObject } from './bookings/object.ts';
export { ExportObject } from './exports/object.ts';
export { SandboxAcquirer } from './gateways/sandbox/acquirer.ts';
export { PmsDispatcher } from './outbox/object.ts';

const app = createApp();

export default {
  fetch: (request, env, context) => app.fetch(request, env, context),

  async scheduled(_controller, env) {
    await requireConfig(env);
    const nowMs = Date.now();
    await Promise.all([
      sweepOverdue(env, nowMs),
      sweepOutbox(env, nowMs),
      sweepExports(env, nowMs),
    ]);
  },
} satisfies ExportedHandler<Env>;
