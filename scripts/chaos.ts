/**
 * `npm run chaos [-- --kills 8 --bookings 40 --seed 1]`: runs the whole service under load, kills it repeatedly with
 * SIGKILL, restarts it on the same storage, and compares its records with the acquirer's at the end.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type ChaosOptions, readOptions } from './chaos/options.ts';
import { Outages } from './chaos/outages.ts';
import { ServiceOutput } from './chaos/output.ts';
import { report } from './chaos/report.ts';
import { ChaosRun } from './chaos/run.ts';
import { root } from './environment.ts';

const stop = new AbortController();
const startedMs = Date.now();

try {
  process.exitCode = await chaos(readOptions());
} catch (error) {
  if (stop.signal.aborted) console.error('Stopped.');
  else console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function chaos(options: ChaosOptions): Promise<number> {
  const scratch = path.join(root, '.wrangler');
  mkdirSync(scratch, { recursive: true });
  const persistTo = mkdtempSync(path.join(scratch, 'chaos-'));
  const output = new ServiceOutput();
  const outages = new Outages(persistTo, output.take);
  // Clean up also when something else ends this process, such as Miniflare, which handles signals during seeding.
  process.on('exit', () => {
    void outages.end();
    rmSync(persistTo, { recursive: true, force: true, maxRetries: 5 });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => stop.abort(new Error('Stopped.')));
  }
  progress(`Seed ${options.seed}: ${options.bookings} bookings, ${options.kills} kills`);
  try {
    const result = await new ChaosRun(options, outages, progress, stop.signal).run();
    console.log(`\n${report({ ...result, events: output.events })}`);
    if (result.violations.length === 0) return 0;
    console.error(`\nThe last lines of the service's output:\n${output.lastLines.join('\n')}`);
    return 1;
  } finally {
    await outages.end();
  }
}

function progress(text: string): void {
  const seconds = Math.round((Date.now() - startedMs) / 1_000);
  console.log(`› ${String(seconds).padStart(3)} s  ${text}`);
}
