import { type Config, requireConfig } from './config.ts';
import { sweepPayouts } from './disbursements/mirror.ts';
import { sweepSandboxDisbursements } from './disbursements/sandboxSweep.ts';
import type { Env } from './env.ts';
import { sweepExports } from './exports/sweep.ts';
import { selectPayouts } from './gateways/select.ts';
import { createApp } from './http/app.ts';
import { logError } from './io/log.ts';
import { sweepOutbox } from './outbox/sweep.ts';
import { sweepOverdue } from './payments/sweep.ts';

export { BookingObject } from './bookings/object.ts';
export { ExportObject } from './exports/object.ts';
export { SandboxAcquirer } from './gateways/sandbox/acquirer.ts';
export { PmsDispatcher } from './outbox/object.ts';

const app = createApp();

/** What the acquirer that is used here pays out. */
function sweepDisbursements(env: Env, { stripe }: Config, nowMs: number): Promise<number> {
  return stripe === null
    ? sweepSandboxDisbursements(env, nowMs)
    : sweepPayouts(env, selectPayouts(stripe), nowMs);
}

export default {
  fetch: (request, env, context) => app.fetch(request, env, context),

  async scheduled(_controller, env) {
    const config = await requireConfig(env);
    const nowMs = Date.now();
    const swept = await Promise.allSettled([
      sweepOverdue(env, nowMs),
      sweepOutbox(env, nowMs),
      sweepExports(env, config, nowMs),
      sweepDisbursements(env, config, nowMs),
    ]);
    const failures = swept.filter((one) => one.status === 'rejected');
    for (const { reason } of failures) {
      logError('sweep_failed', reason);
    }
    // Each has had its turn; the platform records a trigger that threw as one that failed.
    if (failures.length > 0) throw new Error('a sweep failed');
  },
} satisfies ExportedHandler<Env>;
