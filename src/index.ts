import { createApp } from './app.ts';
import { sweepOverdue } from './booking/sweep.ts';
import { sweepPayouts } from './disbursements/mirror.ts';
import { sweepEvents } from './events/delivery/stub.ts';
import { sweepExports } from './exports/sweep.ts';
import { selectGateway, selectPayouts } from './gateways/select.ts';
import type { Api } from './http/operation.ts';
import { sweepMails } from './mails/stub.ts';
import { sweepMoves } from './moves/actions.ts';
import { type Config, requireConfig } from './platform/config.ts';
import type { Env } from './platform/env.ts';
import { logError } from './platform/log.ts';
import { sweepOutbox } from './pms/outbox/stub.ts';
import { sweepReconciliation } from './reconciliation/sweep.ts';
import { sweepKeyring } from './records/keyring/sweep.ts';
import { sweepLetGo } from './retention/letGo.ts';
import { sweepRetention } from './retention/retain.ts';
import { sweepSandboxDisbursements } from './sandbox/disbursements.ts';

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

/** Mirrors the payouts of the configured acquirer. The sandbox has none: what it pays out is made from its ledger. */
async function sweepDisbursements(env: Env, config: Config, nowMs: number): Promise<number> {
  const payouts = selectPayouts(config);
  if (payouts !== null) return sweepPayouts(env, payouts, nowMs);
  return config.gateway.name === 'sandbox' ? sweepSandboxDisbursements(env, nowMs) : 0;
}

export default {
  fetch: (request, env, context) => {
    app ??= createApp();
    return app.fetch(request, env, context);
  },

  async scheduled(_controller, env) {
    const config = await requireConfig(env);
    const nowMs = Date.now();
    const swept = await Promise.allSettled([
      sweepOverdue(env, nowMs),
      sweepOutbox(env, nowMs),
      sweepEvents(env, nowMs),
      sweepMails(env, nowMs),
      sweepExports(env, config, nowMs),
      sweepDisbursements(env, config, nowMs),
      sweepReconciliation(env, config, nowMs),
      sweepKeyring(env, config, nowMs),
      sweepMoves(env),
      sweepRetention(env, selectGateway(config, env)),
      sweepLetGo(env, nowMs),
    ]);
    const failures = swept.filter((one) => one.status === 'rejected');
    for (const { reason } of failures) {
      logError('sweep_failed', reason);
    }
    // Every sweep has run. Throwing makes the platform record the trigger as failed.
    if (failures.length > 0) throw new Error('a sweep failed');
  },
} satisfies ExportedHandler<Env>;
