import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root, wranglerEnvironment } from '../scripts/environment.ts';

/** Everything that a benchmark writes lies in one folder, which is removed when this process ends. */
export function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  Object.assign(process.env, wranglerEnvironment(), { WRANGLER_LOG: 'error' });
  const home = path.join(root, '.wrangler');
  mkdirSync(home, { recursive: true });
  const folder = mkdtempSync(path.join(home, 'bench-'));
  // Not in a `finally`: once Miniflare runs, it answers a signal by ending its runtime and this process.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return work(folder);
}

/** Aborted when this process is told to end. */
export function stopOnSignals(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => stop.abort(new Error('Stopped.')));
  }
  return stop.signal;
}
