import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root, wranglerEnvironment } from '../scripts/environment.ts';

/** Runs `work` with a folder for all its files. Removes the folder when this process ends. */
export function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  Object.assign(process.env, wranglerEnvironment(), { WRANGLER_LOG: 'error' });
  const home = path.join(root, '.wrangler');
  mkdirSync(home, { recursive: true });
  const folder = mkdtempSync(path.join(home, 'bench-'));
  // Not in a `finally`: a running Miniflare handles a signal by ending this process.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return work(folder);
}

/** A signal that aborts when this process gets SIGINT, SIGTERM or SIGHUP. */
export function stopOnSignals(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => stop.abort(new Error('Stopped.')));
  }
  return stop.signal;
}
