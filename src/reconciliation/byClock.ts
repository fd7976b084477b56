import { SECOND_MS } from '../core/time.ts';
import type { Config } from '../platform/config.ts';
import type { Env } from '../platform/env.ts';
import { Trace } from '../platform/trace.ts';
import { accountsOf } from './actions.ts';
import { advance, Budget } from './advance.ts';
import { beginningByClock } from './rules/runs.ts';
import { insertRun, selectLastByClock } from './runStore.ts';
import { newRun, reconciliationWork } from './work.ts';

/** What comparing may do while a clock is being advanced. What is left, the sweep does. */
const CALLS = 400;
const LONGEST_MS = 20 * SECOND_MS;

/**
 * Compares a property's movements up to an instant of its moved clock (parts: Clocks): no run by real time looks that far
 * ahead. Returns how many corrections it made and how many differences it found.
 */
export async function compareByClock(
  env: Env,
  config: Config,
  propertyId: string,
  atMs: number,
): Promise<number> {
  const work = reconciliationWork(env, config, new Trace(), crypto.randomUUID());
  const { database, gateway } = work;
  const { queries } = database;
  const accounts = await accountsOf(work, propertyId);
  if (!accounts.ok) return 0;
  const [[last]] = await database.batch('d1.reconciliation.read', [
    selectLastByClock(queries, gateway.name, propertyId),
  ]);
  const fromMs = beginningByClock(last?.toMs ?? null, atMs);
  const budget = new Budget(CALLS, work.now() + LONGEST_MS, work.now);
  let found = 0;
  for (const account of accounts.value) {
    const begun = newRun(work, { account, propertyId, cause: 'clock', fromMs, toMs: atMs });
    await database.batch('d1.reconciliation.save', [insertRun(queries, begun)]);
    const run = await advance(work, begun.id, budget);
    found += (run?.corrected ?? 0) + (run?.exceptions ?? 0);
  }
  return found;
}
