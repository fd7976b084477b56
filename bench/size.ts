import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundle, wrangler } from './bundle.ts';
import { isIdle, type Profile, timesOf } from './profile.ts';

/** This service's own limits for its compressed size and its start-up time. */
const MOST_KIB = 1_024;
const MOST_STARTUP_MS = 100;

/** Starts of each Worker. The fastest counts, because other work of the machine only adds time. */
const STARTS = 5;

/** The size and the start-up time of the service, compared with an almost empty Worker. */
export async function sizeReport(folder: string, signal: AbortSignal): Promise<string> {
  const outdir = path.join(folder, 'size');
  await bundle('wrangler.toml', outdir, signal);
  const kib = gzipSync(readFileSync(path.join(outdir, 'index.js'))).length / 1_024;
  const service = await startupMs('wrangler.toml', folder, signal);
  const empty = await startupMs('bench/yardstick/wrangler.toml', folder, signal);
  return [
    `Bundle: ${kib.toFixed(0)} KiB compressed, ${(kib / MOST_KIB).toFixed(2)} × of 1 MiB`,
    `Start-up: ${service.toFixed(0)} ms with the profiler on, ${(service / MOST_STARTUP_MS).toFixed(2)} × of ${MOST_STARTUP_MS} ms; ${(service / empty).toFixed(1)} × of an almost empty Worker`,
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

/** The processor time. */
function busyMs(profile: Profile): number {
  const busy = timesOf(profile).filter(({ frame }) => !isIdle(frame));
  return busy.reduce((sum, { us }) => sum + us, 0) / 1_000;
}
