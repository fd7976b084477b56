/**
 * `npm run bench [-- --seconds 0.3] [--record] [--only charge]`: compares the service with yardsticks, the least work that
 * the platform needs for the same task, on this machine's workerd. The times depend on this machine; judge the service by
 * the ratios. It fails where a ratio misses its target by more than noise, or the size does, and where bench/README.md
 * shows other figures; `--record` writes them there instead. `--only` measures the targets whose names have that in them,
 * prints their ratios and judges nothing.
 */
import { parseArgs } from 'node:util';
import { missedTargets, record, undocumented } from './figures.ts';
import { prepare } from './fixtures.ts';
import { firstErrors, ratioFigures, report } from './report.ts';
import { type Measured, measureAll } from './rounds.ts';
import { startRuntime } from './runtime.ts';
import { inFolder, stopOnSignals } from './scratch.ts';
import { measureSize, type Size, sizeFigures, sizeReport } from './size.ts';
import { makeTargets } from './targets.ts';
import { findWhereabouts, type Whereabouts, whereaboutsReport } from './whereabouts.ts';

/** The default length of a round. */
const ROUND_SECONDS = '0.3';

/** The targets to profile. */
const PROFILED: ReadonlySet<string> = new Set(['charge', 'list', 'details']);

const signal = stopOnSignals();

try {
  const { seconds, recording, only } = readOptions();
  if (only !== undefined) {
    const measured = await inFolder((folder) => compare(folder, seconds, only));
    console.log(`\n${report(measured)}`);
    process.exit(firstErrors(measured).length === 0 ? 0 : 1);
  }
  const { measured, size, whereabouts } = await inFolder((folder) => run(folder, seconds));
  console.log(`\n${report(measured)}\n\n${whereaboutsReport(whereabouts)}\n\n${sizeReport(size)}`);
  const errors = firstErrors(measured);
  const figures = [...ratioFigures(measured), ...sizeFigures(size)];
  if (!recording) errors.push(...undocumented(figures));
  else if (errors.length === 0) record(figures, new Date().toISOString().slice(0, 10));
  errors.push(...missedTargets(figures));
  for (const error of errors) console.error(error);
  process.exitCode = errors.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function readOptions() {
  const options = {
    seconds: { type: 'string', default: ROUND_SECONDS },
    record: { type: 'boolean', default: false },
    only: { type: 'string' },
  } as const;
  const { values } = parseArgs({ options });
  const { only, record: recording } = values;
  const seconds = Number(values.seconds);
  if (seconds >= 0.05 && seconds <= 5) return { seconds, recording, only };
  throw new Error('--seconds, the length of a round, must be from 0.05 to 5.');
}

/** Measures some of the targets, without size and profile. */
async function compare(folder: string, seconds: number, only: string): Promise<Measured[]> {
  const runtime = await startRuntime(folder, signal);
  try {
    const targets = makeTargets(runtime, await prepare(runtime)).flat();
    const wanted = targets.filter(({ name }) => name.includes(only));
    return await measureAll(wanted, seconds, signal, progress);
  } finally {
    await runtime.stop();
  }
}

interface Found {
  readonly measured: Measured[];
  readonly whereabouts: Whereabouts[];
  readonly size: Size;
}

async function run(folder: string, seconds: number): Promise<Found> {
  progress('Measuring size and start-up');
  const size = await measureSize(folder, signal);
  progress('Bundling the Workers');
  const runtime = await startRuntime(folder, signal, { inspect: true });
  try {
    progress('Creating bookings');
    const groups = makeTargets(runtime, await prepare(runtime));
    const measured: Measured[] = [];
    for (const group of groups) {
      measured.push(...(await measureAll(group, seconds, signal, progress)));
    }
    const whereabouts: Whereabouts[] = [];
    for (const target of groups.flat().filter(({ name }) => PROFILED.has(name))) {
      progress(`Profiling ${target.name}`);
      whereabouts.push(await findWhereabouts(target, runtime, signal));
    }
    return { measured, whereabouts, size };
  } finally {
    await runtime.stop();
  }
}

function progress(line: string): void {
  console.log(`› ${line}`);
}
