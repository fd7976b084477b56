import { DurableObject } from 'cloudflare:workers';
import { requireConfig } from '../platform/config.ts';
import type { Env } from '../platform/env.ts';
import { type SweepOfEach, succeeds, sweepsOfEach } from './sweeps.ts';

/**
 * Looks after a database, whose name it has (parts: Many databases). Each call is an invocation of its own, so what the
 * platform allows of one does not shrink with the number of databases, or by what one sweep has to do. It keeps nothing.
 */
export class Sweeper extends DurableObject<Env> {
  /** Runs a sweep of the database, and returns whether it succeeded. */
  async sweep(sweep: SweepOfEach, database: string, nowMs: number): Promise<boolean> {
    const config = await requireConfig(this.env);
    return succeeds({ sweep, database }, () =>
      sweepsOfEach[sweep](this.env, config, nowMs, database),
    );
  }
}
