/**
 * `npm run bench [-- --seconds 0.5]`: the service beside the least that the platform lets it do, on this
 * machine's workerd. The figures are this machine's; the ratios are what tells something of the service.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root, wranglerEnvironment } from '../scripts/environment.ts';
import { prepare } from './fixtures.ts';
import { firstErrors, report } from './report.ts';
import { type Measured, measureAll } from './rounds.ts';
import { startRuntime } from './runtime.ts';
import { makeTargets } from './targets.ts';

/** How long a round takes, unless the command line says otherwise. */
const ROUND_SECONDS = '0.5';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stop.abort(new Error('Stopped.')));
}

try {
  const seconds = readSeconds();
  const measured = await inFolder((folder) => run(folder, seconds, stop.signal));
  console.log(`\n${report(measured)}`);
  const errors = firstErrors(measured);
  for (const error of errors) console.error(error);
  process.exitCode = errors.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function readSeconds(): number {
  const options = { seconds: { type: 'string', default: ROUND_SECONDS } } as const;
  const seconds = Number(parseArgs({ options }).values.seconds);
  if (seconds >= 0.05 && seconds <= 5) return seconds;
  throw new Error('--seconds is how long a round takes: from 0.05 to 5.');
}

/** Everything that is written lies in one folder, which is removed when this process ends. */
function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  Object.assign(process.env, wranglerEnvironment(), { WRANGLER_LOG: 'error' });
  const home = path.join(root, '.wrangler');
  mkdirSync(home, { recursive: true });
  const folder = mkdtempSync(path.join(home, 'bench-'));
  // Not in a `finally`: once Miniflare runs, it answers a signal by ending its runtime and this process.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return work(folder);
}

async function run(folder: string, seconds: number, signal: AbortSignal): Promise<Measured[]> {
  progress('Bundling both Workers');
  const runtime = await startRuntime(folder, signal);
  try {
    progress('Making bookings');
    const targets = makeTargets(runtime, await prepare(runtime));
    return await measureAll(targets, seconds, signal, progress);
  } finally {
    await runtime.stop();
  }
}

function progress(line: string): void {
  console.log(`› ${line}`);
}
