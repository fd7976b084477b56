/**
 * `npm run bench:schedules`: measures the delay of many scheduled charges that fall due in the same second, and
 * compares it with the same number of direct charges. The times depend on this machine; judge the service by the ratios. Exits
 * with 1 when a schedule was not charged exactly once.
 */
import { openAdmin } from './api.ts';
import { makeBookings, openService } from './fixtures.ts';
import { chargeDirectly, chargeScheduled, type Volley } from './lateness.ts';
import { latenessReport } from './latenessReport.ts';
import { startRuntime } from './runtime.ts';
import { inFolder, stopOnSignals } from './scratch.ts';

/** The bookings with charges due in that second. */
const BOOKINGS = 100;

/** How often to measure both, in turn. */
const CYCLES = 3;

const signal = stopOnSignals();

try {
  const { scheduled, direct, faults } = await inFolder(measure);
  console.log(`\n${latenessReport(scheduled, direct)}`);
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

interface Measured {
  readonly scheduled: readonly Volley[];
  readonly direct: readonly Volley[];
  /** Charges that were not made exactly once. */
  readonly faults: readonly string[];
}

async function measure(folder: string): Promise<Measured> {
  progress('Bundling the Workers');
  const runtime = await startRuntime(folder, signal);
  try {
    progress('Creating bookings');
    const api = await openService(runtime);
    const sandbox = await openAdmin(runtime.service);
    const scheduled: Volley[] = [];
    const direct: Volley[] = [];
    progress('Warming up');
    const first = await makeBookings(api, 'FIRST', BOOKINGS);
    await chargeDirectly(runtime, api, sandbox, first);
    for (let cycle = 1; cycle <= CYCLES; cycle += 1) {
      progress(`Cycle ${cycle} of ${CYCLES}`);
      const asked = await makeBookings(api, `DIRECT-${cycle}`, BOOKINGS);
      direct.push(await chargeDirectly(runtime, api, sandbox, asked));
      signal.throwIfAborted();
      const waiting = await makeBookings(api, `DUE-${cycle}`, BOOKINGS);
      scheduled.push(await chargeScheduled(runtime, api, sandbox, waiting, signal));
    }
    const faults = [...scheduled, ...direct].flatMap((volley) => volley.faults);
    return { scheduled, direct, faults };
  } finally {
    await runtime.stop();
  }
}

function progress(line: string): void {
  console.log(`› ${line}`);
}
