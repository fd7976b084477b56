import { sweepOverdue } from './booking/sweep.ts';
import { sweepPayouts } from './disbursements/mirror.ts';
import { sweepEvents } from './events/delivery/stub.ts';
import { sweepExports } from './exports/sweep.ts';
import { selectGateway, selectPayouts } from './gateways/select.ts';
import { sweepMails } from './mails/stub.ts';
import { sweepMoves } from './moves/actions.ts';
import type { Config } from './platform/config.ts';
import type { Env } from './platform/env.ts';
import { sweepOutbox } from './pms/outbox/stub.ts';
import { sweepReconciliation } from './reconciliation/sweep.ts';
import { sweepKeyring } from './records/keyring/sweep.ts';
import { sweepLetGo } from './retention/letGo.ts';
import { sweepRetention } from './retention/retain.ts';
import { sweepSandboxDisbursements } from './sandbox/disbursements.ts';

/** Mirrors the payouts of the configured acquirer. The sandbox has none: what it pays out is made from its ledger. */
async function sweepDisbursements(env: Env, config: Config, nowMs: number): Promise<number> {
  const payouts = selectPayouts(config);
  if (payouts !== null) return sweepPayouts(env, payouts, nowMs);
  return config.gateway.name === 'sandbox' ? sweepSandboxDisbursements(env, nowMs) : 0;
}

/** All that the Cron Triggers look after. Each does what alarms and notifications missed, and holds up no other. */
export const sweeps = {
  payments: (env, _config, nowMs) => sweepOverdue(env, nowMs),
  messages: (env, _config, nowMs) => sweepOutbox(env, nowMs),
  events: (env, _config, nowMs) => sweepEvents(env, nowMs),
  mails: (env, _config, nowMs) => sweepMails(env, nowMs),
  exports: sweepExports,
  disbursements: sweepDisbursements,
  reconciliation: sweepReconciliation,
  keyring: sweepKeyring,
  moves: sweepMoves,
  retention: (env, config) => sweepRetention(env, selectGateway(config, env)),
  lettingGo: (env, _config, nowMs) => sweepLetGo(env, nowMs),
} satisfies Record<string, (env: Env, config: Config, nowMs: number) => Promise<unknown>>;
