import type { Statement } from '../platform/db/database.ts';
import { closeExceptions } from './exceptionStore.ts';
import { saveRun } from './runStore.ts';
import { type Held, LEASE_MS, type ReconciliationWork } from './work.ts';

/**
 * The statements that save what the pages before this one came to, and extend the lease. Each page begins with them, so
 * that a page on which everything agrees takes one round trip. A page whose progress is lost is compared again, which
 * changes nothing.
 */
export function progressOf({ database, gateway, now }: ReconciliationWork, { agreed, run }: Held) {
  const { queries } = database;
  const nowMs = now();
  const leasedUntilMs = Math.max(nowMs + LEASE_MS, run.leasedUntilMs + 1);
  return {
    saved: saveRun(queries, run, leasedUntilMs),
    closed: closeExceptions(queries, gateway.name, agreed, nowMs) satisfies Statement,
    /** The run as the next page saves it. */
    leased: { ...run, leasedUntilMs },
  };
}

/** Saves the run and gives the lease back, or keeps others away from it until a time. False if the lease was lost. */
export async function release(
  { database, gateway, now }: ReconciliationWork,
  { agreed, run }: Held,
  untilMs = 0,
): Promise<boolean> {
  const { queries } = database;
  const [saved] = await database.batch('d1.reconciliation.save', [
    saveRun(queries, run, untilMs),
    closeExceptions(queries, gateway.name, agreed, now()),
  ]);
  return saved.length > 0;
}
