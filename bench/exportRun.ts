import { setTimeout as sleep } from 'node:timers/promises';
import type { RunView } from '../src/exports/views.ts';
import type { Api } from './api.ts';
import type { Variant } from './exportFill.ts';

/** How often to check a run: seldom, so that the checks do not slow it down. */
const LOOK_MS = 500;

/** The progress between two printed lines, from 0 to 1. */
const REPORT_SHARE = 0.2;

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

/** Starts an export as the administrator, and waits for its end. Throws when it fails. */
export async function runExport(
  admin: Api,
  database: D1Database,
  variant: Variant,
  signal: AbortSignal,
  progress: (line: string) => void = () => undefined,
): Promise<ExportRun> {
  const { runId } = await admin.post<{ runId: string }>('/admin/v1/export/run', { variant });
  const untilMs = Date.now() + LONGEST_MS;
  let reported = 0;
  while (Date.now() < untilMs) {
    const run = await find(admin, variant, runId);
    if (run.status === 'Complete') {
      return { lines: run.rows, bytes: run.bytes, elapsedMs: await elapsedOf(database, runId) };
    }
    // The service would retry a failed slice, but the measurement would be wrong.
    if (run.failure !== null) throw new Error(`the export of ${variant} failed: ${run.failure}`);
    if (run.rows >= run.expectedRows * (reported + REPORT_SHARE)) {
      reported = run.rows / run.expectedRows;
      progress(`${variant}: ${run.rows} of ${run.expectedRows} rows`);
    }
    await sleep(LOOK_MS, undefined, { signal });
  }
  throw new Error(`The export of ${variant} did not complete in time.`);
}

async function find(admin: Api, variant: Variant, runId: string): Promise<RunView> {
  const wanted = { variant, limit: 1 };
  const { runs } = await admin.post<{ runs: RunView[] }>('/admin/v1/export/list', wanted);
  const run = runs.find((one) => one.runId === runId);
  if (!run) throw new Error(`the export of ${variant} is not listed`);
  return run;
}

/** Reads the duration from D1: the API shows whole seconds only, which are too coarse for a ratio. */
async function elapsedOf(database: D1Database, runId: string): Promise<number> {
  const row = await database
    .prepare('SELECT finished_at_ms - started_at_ms AS elapsed FROM export_runs WHERE id = ?')
    .bind(runId)
    .first<{ elapsed: number }>();
  if (!row) throw new Error(`the run ${runId} is gone`);
  return row.elapsed;
}
