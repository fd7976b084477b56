import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundle, wrangler } from '../scripts/bundle.ts';
import { type Figure, NOISE } from './figures.ts';
import { isIdle, type Profile, timesOf } from './profile.ts';

/** This service's own limits for its compressed size and its start-up time. */
export const MOST_KIB = 550;
const MOST_STARTUP_MS = 100;

/** Starts of each Worker. The fastest counts, because other work of the machine only adds time. */
const STARTS = 5;

/** The size and the start-up time of the service. */
export interface Size {
  /** Compressed. */
  readonly kib: number;
  readonly startupMs: number;
  /** The start-up of an almost empty Worker. */
  readonly emptyStartupMs: number;
}

/** Measures the service, and an almost empty Worker beside it. */
export async function measureSize(folder: string, signal: AbortSignal): Promise<Size> {
  return {
    kib: await measureBundle(folder, signal),
    startupMs: await fastestStartMs('wrangler.toml', folder, signal),
    emptyStartupMs: await fastestStartMs('bench/yardstick/wrangler.toml', folder, signal),
  };
}

/** The size of the service's bundle, compressed, in KiB. */
export async function measureBundle(folder: string, signal: AbortSignal): Promise<number> {
  const outdir = path.join(folder, 'size');
  await bundle('wrangler.toml', outdir, { signal });
  return gzipSync(readFileSync(path.join(outdir, 'index.js'))).length / 1_024;
}

/** The same as text. */
export function sizeReport({ kib, startupMs, emptyStartupMs }: Size): string {
  const timesEmpty = (startupMs / emptyStartupMs).toFixed(1);
  return [
    `Bundle: ${kib.toFixed(0)} KiB compressed, ${(kib / MOST_KIB).toFixed(2)} × of ${MOST_KIB} KiB`,
    `Start-up: ${startupMs.toFixed(0)} ms with the profiler on, ${(startupMs / MOST_STARTUP_MS).toFixed(2)} × of ${MOST_STARTUP_MS} ms; ${timesEmpty} × of an almost empty Worker`,
  ].join('\n');
}

/** The same as figures: the size is the same in each run. */
export function sizeFigures({ kib, startupMs, emptyStartupMs }: Size): Figure[] {
  return [
    {
      name: 'bundle, compressed',
      values: [kib],
      unit: 'KiB',
      digits: 0,
      target: { bound: 'most', value: MOST_KIB },
      tolerance: 1.01,
    },
    {
      name: 'start-up, with the profiler on',
      values: [startupMs],
      unit: 'ms',
      digits: 0,
      target: { bound: 'most', value: MOST_STARTUP_MS },
      tolerance: NOISE,
    },
    {
      name: 'start-up / that of an almost empty Worker',
      values: [startupMs / emptyStartupMs],
      unit: '×',
      digits: 1,
      target: null,
      tolerance: NOISE,
    },
  ];
}

async function fastestStartMs(
  configPath: string,
  folder: string,
  signal: AbortSignal,
): Promise<number> {
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
