import { v7 as timeOrderedUuid } from 'uuid';
import { MINUTE_MS } from '../core/time.ts';
import type { Gateway, GatewayTraits } from '../gateways/gateway.ts';
import { selectGateway } from '../gateways/select.ts';
import type { Config } from '../platform/config.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import type { Env } from '../platform/env.ts';
import type { Trace } from '../platform/trace.ts';
import type { ReconciliationRunRow } from '../schema/reconciliationTables.ts';
import type { NewRun } from './runStore.ts';

export interface ReconciliationWork {
  readonly env: Env;
  /** The property's that is compared, or the database whose properties are. */
  readonly database: Database;
  /** The name of that database. */
  readonly home: string;
  readonly trace: Trace;
  readonly gateway: Gateway;
  readonly accounts: GatewayTraits['accounts'];
  readonly requestId: string;
  readonly now: () => number;
  readonly counts: PageCounts;
}

/** The result of a page so far. Whoever asks a booking or the acquirer, or records a difference, counts it here. */
export interface PageCounts {
  compared: number;
  corrected: number;
  exceptions: number;
  /** The earliest movement that is left for the next hourly run; null if there is none. */
  leftFromMs: number | null;
  /** Calls of bookings and acquirers. */
  calls: number;
}

export function newCounts(): PageCounts {
  return { compared: 0, corrected: 0, exceptions: 0, leftFromMs: null, calls: 0 };
}

export function reconciliationWork(
  env: Env,
  config: Config,
  trace: Trace,
  requestId: string,
): ReconciliationWork {
  const gateway = selectGateway(config, env);
  const database = openDatabase(env, trace);
  return {
    env,
    database,
    home: database.each[0].name,
    trace,
    gateway,
    accounts: gateway.traits.accounts,
    requestId,
    now: () => Date.now(),
    counts: newCounts(),
  };
}

export function newRun(
  { gateway, now }: ReconciliationWork,
  run: Pick<NewRun, 'account' | 'cause' | 'fromMs' | 'toMs' | 'propertyId'>,
  startedAtMs = now(),
): NewRun {
  const id = timeOrderedUuid({ msecs: startedAtMs });
  return { ...run, id, gateway: gateway.name, phase: 'theirs', startedAtMs };
}

/** How long a caller may work on a run before somebody else goes on with it. */
export const LEASE_MS = 3 * MINUTE_MS;

/** A run whose lease this caller has. `agreed`: the subjects that were found to agree since the run was saved. */
export interface LeasedRun {
  readonly run: ReconciliationRunRow;
  readonly agreed: readonly string[];
}

/**
 * The result of a page:
 * - `done`: the run after the page;
 * - `failed`: the acquirer did not answer; the page is repeated later;
 * - `lost`: the lease has gone to somebody else.
 */
export type Paged =
  | { readonly kind: 'done'; readonly leased: LeasedRun }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'lost' };
