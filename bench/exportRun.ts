import { setTimeout as sleep } from 'node:timers/promises';
import type { RunView } from '../src/exports/actions.ts';
import type { Variant } from '../src/exports/variants.ts';
import type { Api } from './api.ts';

/** How often it is looked how far a run is: seldom, so that looking does not slow it down. */
const LOOK_MS = 500;

/** How much more must be done until it is told again, from 0 to 1. */
const TOLD_SHARE = 0.2;

/** A run that takes longer has failed. */
const LONGEST_MS = 1_200_000;

/** One export, from its beginning until its file is published. */
export interface ExportRun {
  /** Lines of the file. */
  readonly lines: number;
  readonly bytes: number;
  /** By the service's own clock. */
  readonly elapsedMs: number;
}

/** Makes an export as an administrator would, and waits for it. Throws when it fails. */
export async function runExport(
  admin: Api,
  database: D1Database,
  variant: Variant,
  signal: AbortSignal,
  progress: (line: string) => void = () => undefined,
): Promise<ExportRun> {
  const { runId } = await admin.post<{ runId: string }>('/admin/v1/export/run', { variant });
  const untilMs = Date.now() + LONGEST_MS;
  let told = 0;
  while (Date.now() < untilMs) {
    const run = await find(admin, variant, runId);
    if (run.status === 'Complete') {
      return { lines: run.rows, bytes: run.bytes, elapsedMs: await elapsedOf(database, runId) };
    }
    // A setback would be made good later, but is no measure of anything.
    if (run.failure !== null) throw new Error(`the export of ${variant} failed: ${run.failure}`);
    if (run.rows >= run.expectedRows * (told + TOLD_SHARE)) {
      told = run.rows / run.expectedRows;
      progress(`${variant}: ${run.rows} of ${run.expectedRows} rows`);
    }
    await sleep(LOOK_MS, undefined, { signal });
  }
  throw new Error(`the export of ${variant} was not completed in time`);
}

async function find(admin: Api, variant: Variant, runId: string): Promise<RunView> {
  const wanted = { variant, limit: 1 };
  const { runs } = await admin.post<{ runs: RunView[] }>('/admin/v1/export/list', wanted);
  const run = runs.find((one) => one.runId === runId);
  if (!run) throw new Error(`the export of ${variant} is not listed`);
  return run;
}

/** What is listed goes by whole seconds, which are too coarse for a ratio; what is kept does not. */
async function elapsedOf(database: D1Database, runId: string): Promise<number> {
  const row = await database
    .prepare('SELECT finished_at_ms - started_at_ms AS elapsed FROM export_runs WHERE id = ?')
    .bind(runId)
    .first<{ elapsed: number }>();
  if (!row) throw new Error(`the run ${runId} is gone`);
  return row.elapsed;
}
