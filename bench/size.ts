import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundle, wrangler } from './bundle.ts';
import { isIdle, type Profile, timesOf } from './profile.ts';

/** The most that a Worker may come to, compressed, and take until it is ready: what this service sets itself. */
const MOST_KIB = 1_024;
const MOST_STARTUP_MS = 100;

/** Starts of each Worker, of which the quickest counts: whatever else the machine does only adds to it. */
const STARTS = 5;

/** How large the service is, and how long its code takes until it is ready, beside a Worker that does next to nothing. */
export async function sizeReport(folder: string, signal: AbortSignal): Promise<string> {
  const outdir = path.join(folder, 'size');
  await bundle('wrangler.toml', outdir, signal);
  const kib = gzipSync(readFileSync(path.join(outdir, 'index.js'))).length / 1_024;
  const service = await startupMs('wrangler.toml', folder, signal);
  const empty = await startupMs('bench/yardstick/wrangler.toml', folder, signal);
  return [
    `Bundle: ${kib.toFixed(0)} KiB compressed, ${(kib / MOST_KIB).toFixed(2)} × of 1 MiB`,
    `Start-up: ${service.toFixed(0)} ms with the profiler on, ${(service / MOST_STARTUP_MS).toFixed(2)} × of ${MOST_STARTUP_MS} ms; ${(service / empty).toFixed(1)} × of a Worker that does next to nothing`,
  ].join('\n');
}

async function startupMs(configPath: string, folder: string, signal: AbortSignal): Promise<number> {
  const worker = path.join(folder, 'startup.bundle');
  const build = ['deploy', '--dry-run', '--env=', '--config', configPath, '--outfile', worker];
  await wrangler(build, signal);
  const times: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const outfile = path.join(folder, 'startup.cpuprofile');
    await wrangler(['check', 'startup', '--worker', worker, '--outfile', outfile], signal);
    times.push(busyMs(JSON.parse(readFileSync(outfile, 'utf8')) as Profile));
  }
  return Math.min(...times);
}

/** How long a processor was busy with it. */
function busyMs(profile: Profile): number {
  const busy = timesOf(profile).filter(({ frame }) => !isIdle(frame));
  return busy.reduce((sum, { us }) => sum + us, 0) / 1_000;
}
