/**
 * `npm run bench:export [-- --bookings 1000000]`: rows per second and memory of both exports of a filled database,
 * compared with a bare read of the same pages, with and without R2, on the same runtime. The figures depend on this
 * machine; judge the service by the ratios. Exits with 1 when an export fails or a count is wrong, never for speed.
 */
import { parseArgs } from 'node:util';
import { type Api, openAdmin } from './api.ts';
import { type BareRead, moveBare, readBare } from './bareRead.ts';
import { customersWith, type Expected, growTo, type Variant, variants } from './exportFill.ts';
import { type Cycle, exportReport, type Results } from './exportReport.ts';
import { type ExportRun, runExport } from './exportRun.ts';
import { openService } from './fixtures.ts';
import { type Inspector, openInspector } from './inspector.ts';
import { type MemoryUse, watchMemory } from './memory.ts';
import { type Runtime, startRuntime } from './runtime.ts';
import { inFolder, stopOnSignals } from './scratch.ts';
import { findWorkerd } from './workerdProcess.ts';

/** The default number of bookings. */
const BOOKINGS = '1000000';

/** The number of bookings of the first memory measurement. */
const FEW_BOOKINGS = 10_000;

/** How often to export few bookings while measuring memory: one export is too short. */
const FEW_RUNS = 5;

/** How often to measure an export and a bare read, in turn. */
const CYCLES = 3;

const signal = stopOnSignals();

try {
  const bookings = readBookings();
  const { results, faults } = await inFolder((folder) => measure(folder, bookings));
  console.log(`\n${exportReport(results, { small: FEW_BOOKINGS, large: bookings })}`);
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function readBookings(): number {
  const options = { bookings: { type: 'string', default: BOOKINGS } } as const;
  const bookings = Number(parseArgs({ options }).values.bookings);
  if (bookings >= FEW_BOOKINGS && bookings <= 10_000_000 && bookings % 4 === 0) return bookings;
  throw new Error('--bookings must be a multiple of 4 from 10000 to 10000000.');
}

/** The context of the measurements. */
interface Bench {
  readonly runtime: Runtime;
  readonly admin: Api;
  readonly inspector: Inspector;
  readonly statusFile: string | null;
  /** Wrong counts. */
  readonly faults: string[];
}

async function measure(
  folder: string,
  bookings: number,
): Promise<{ results: Results; faults: readonly string[] }> {
  progress('Bundling the Workers');
  const runtime = await startRuntime(folder, signal, { inspect: true });
  try {
    if (runtime.inspector === null) throw new Error('there is no inspector');
    await openService(runtime);
    const bench: Bench = {
      runtime,
      admin: await openAdmin(runtime.service),
      inspector: await openInspector(runtime.inspector),
      statusFile: findWorkerd(),
      faults: [],
    };
    try {
      return { results: await measureAll(bench, bookings), faults: bench.faults };
    } finally {
      bench.inspector.close();
    }
  } finally {
    await runtime.stop();
  }
}

async function measureAll(bench: Bench, bookings: number): Promise<Results> {
  const { database } = bench.runtime;
  const few = await growTo(database, customersWith(FEW_BOOKINGS), 0, progress);
  progress('Warming up');
  for (const variant of variants) await measureCycle(bench, variant, few);
  const small = await eachVariant((variant) => measureMemory(bench, variant, few, FEW_RUNS));
  const all = await growTo(database, customersWith(bookings), few.lines, progress);
  const large = await eachVariant((variant) => measureMemory(bench, variant, all, 1));
  const cycles: Record<Variant, Cycle[]> = { propertySystem: [], applicationConsole: [] };
  for (let cycle = 1; cycle <= CYCLES; cycle += 1) {
    progress(`Cycle ${cycle} of ${CYCLES}`);
    for (const variant of variants) cycles[variant].push(await measureCycle(bench, variant, all));
  }
  return eachVariant(async (variant) => ({
    cycles: cycles[variant],
    small: small[variant],
    large: large[variant],
  }));
}

async function eachVariant<T>(
  work: (variant: Variant) => Promise<T>,
): Promise<Readonly<Record<Variant, T>>> {
  return {
    propertySystem: await work('propertySystem'),
    applicationConsole: await work('applicationConsole'),
  };
}

/** Measures speed and memory with separate exports, so that neither changes the other. */
async function measureMemory(
  bench: Bench,
  variant: Variant,
  expected: Expected,
  runs: number,
): Promise<MemoryUse> {
  progress(`Memory of ${variant} with ${expected.rows.propertySystem} bookings`);
  return watchMemory(bench.inspector, bench.statusFile, async () => {
    for (let run = 1; run <= runs; run += 1) await exportOnce(bench, variant, expected);
  });
}

async function measureCycle(bench: Bench, variant: Variant, expected: Expected): Promise<Cycle> {
  const exported = await exportOnce(bench, variant, expected);
  const bare = await readOnce(bench, variant, expected);
  const movedMs = await moveBare(bench.runtime.yardstick, exported.bytes, signal);
  return { exported, bare, movedMs };
}

async function exportOnce(
  { runtime, admin, faults }: Bench,
  variant: Variant,
  { lines }: Expected,
): Promise<ExportRun> {
  const exported = await runExport(admin, runtime.database, variant, signal, progress);
  if (exported.lines !== lines) faults.push(`${variant}: ${exported.lines} lines, not ${lines}`);
  return exported;
}

async function readOnce(
  { runtime, faults }: Bench,
  variant: Variant,
  { rows, sources }: Expected,
): Promise<BareRead> {
  const bare = await readBare(runtime.yardstick, sources[variant], signal);
  if (bare.rows !== rows[variant]) {
    faults.push(`${variant}: ${bare.rows} rows read, not ${rows[variant]}`);
  }
  return bare;
}

function progress(line: string): void {
  console.log(`› ${line}`);
}
