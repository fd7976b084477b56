import { sweepOverdue } from '../booking/sweep.ts';
import { sweepPayouts } from '../disbursements/mirror.ts';
import { sweepEvents } from '../events/delivery/stub.ts';
import { sweepExports } from '../exports/sweep.ts';
import { selectGateway, selectPayouts } from '../gateways/select.ts';
import { sweepMails } from '../mails/stub.ts';
import { sweepMoves } from '../moves/actions.ts';
import type { Config } from '../platform/config.ts';
import type { Env } from '../platform/env.ts';
import { type About, logError } from '../platform/log.ts';
import { sweepOutbox } from '../pms/outbox/stub.ts';
import { sweepReconciliation } from '../reconciliation/sweep.ts';
import { sweepKeyring } from '../records/keyring/sweep.ts';
import { sweepLetGo } from '../retention/letGo.ts';
import { sweepRetention } from '../retention/retain.ts';
import { sweepSandboxDisbursements } from '../sandbox/disbursements.ts';

/** Mirrors the payouts of the configured acquirer. The sandbox has none: what it pays out is made from its ledger. */
async function sweepDisbursements(env: Env, config: Config, nowMs: number): Promise<number> {
  const payouts = selectPayouts(config);
  if (payouts !== null) return sweepPayouts(env, payouts, nowMs);
  return config.gateway.name === 'sandbox' ? sweepSandboxDisbursements(env, nowMs) : 0;
}

/** Does what alarms and notifications missed: `of` one of the databases, or of all. */
export type Sweep = (env: Env, config: Config, nowMs: number, of?: string) => Promise<unknown>;

/** What the Cron Triggers look after for the whole deployment. */
const sweepsOfAll = {
  exports: sweepExports,
  disbursements: sweepDisbursements,
  keyring: sweepKeyring,
  moves: sweepMoves,
} satisfies Record<string, Sweep>;

/** What they look after in each database, by a sweeper of its own where there are many. */
export const sweepsOfEach = {
  payments: (env, _config, nowMs, of?: string) => sweepOverdue(env, nowMs, of),
  messages: (env, _config, nowMs, of?: string) => sweepOutbox(env, nowMs, of),
  events: (env, _config, nowMs, of?: string) => sweepEvents(env, nowMs, of),
  mails: (env, _config, nowMs, of?: string) => sweepMails(env, nowMs, of),
  reconciliation: sweepReconciliation,
  retention: (env, config, _nowMs, of?: string) =>
    sweepRetention(env, selectGateway(config, env), of),
  lettingGo: (env, _config, nowMs, of?: string) => sweepLetGo(env, nowMs, of),
} satisfies Record<string, Sweep>;

export type SweepOfEach = keyof typeof sweepsOfEach;

export const sweeps = { ...sweepsOfAll, ...sweepsOfEach };

/** Runs a sweep, and returns whether it succeeded. A failure is logged, and holds up no other. */
export async function succeeds(about: About, sweep: () => Promise<unknown>): Promise<boolean> {
  try {
    await sweep();
    return true;
  } catch (error) {
    logError('sweep_failed', error, about);
    return false;
  }
}
