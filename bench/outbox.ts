/**
 * `npm run bench:outbox`: how fast a queue is sent to a PMS on this machine, beside as many bare posts to it; and what
 * the outbox costs a charge, beside charges of a property without a PMS. The ratios tell something of the service.
 * Ends with 1 when a message did not come exactly once and in order.
 */
import { openProperty } from './api.ts';
import { type Drain, measureDrain } from './drain.ts';
import { openService } from './fixtures.ts';
import { startLocalPms } from './localPms.ts';
import { type ChargeRounds, measureCharges } from './outboxCost.ts';
import { startRuntime } from './runtime.ts';
import { inFolder, stopOnSignals } from './scratch.ts';
import { summarize, throughputRatio } from './statistics.ts';

/** How often a queue is drained. */
const DRAINS = 3;

/** Nothing listens here, so that messages wait. */
const NOWHERE = 'http://127.0.0.1:9/pms';

const signal = stopOnSignals();

try {
  const { drains, rounds } = await inFolder(measureAll);
  report(drains, rounds);
  const faults = drains.flatMap((drain) => drain.faults);
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function measureAll(folder: string): Promise<{ drains: Drain[]; rounds: ChargeRounds }> {
  progress('Bundling the Workers');
  const runtime = await startRuntime(folder, signal);
  const pms = await startLocalPms();
  try {
    await openService(runtime);
    const drains: Drain[] = [];
    for (let run = 1; run <= DRAINS; run += 1) {
      progress(`Draining a queue, ${run} of ${DRAINS}`);
      const name = `drain-${run}`;
      const api = await openProperty(runtime.service, name, NOWHERE);
      const letIn = async () => void (await openProperty(runtime.service, name, pms.url));
      drains.push(await measureDrain(api, pms, String(run), letIn));
      signal.throwIfAborted();
    }
    const withPms = await openProperty(runtime.service, 'with-pms', pms.url);
    const without = await openProperty(runtime.service, 'without-pms', null);
    const rounds = await measureCharges(runtime, { withPms, without }, signal, progress);
    return { drains, rounds };
  } finally {
    await pms.stop();
    await runtime.stop();
  }
}

function report(drains: readonly Drain[], { withPms, without }: ChargeRounds): void {
  console.log('\n1,000 messages over 100 bookings, 8 under way at once');
  for (const { dispatchedPerSecond, barePerSecond } of drains) {
    const ratio = dispatchedPerSecond / barePerSecond;
    console.log(
      `  dispatcher ${dispatchedPerSecond.toFixed(0)}/s   bare posts ${barePerSecond.toFixed(0)}/s   ratio ${ratio.toFixed(2)} ×`,
    );
  }
  const [told, silent] = [summarize(withPms), summarize(without)];
  console.log('\nCharges at 16 connections, with a PMS that is told of each / without one');
  console.log(
    `  charges per second ${throughputRatio(withPms, without).toFixed(2)} × (the dispatcher works beside them)`,
  );
  console.log(
    `  p50 ${(told.p50Ms / silent.p50Ms).toFixed(2)} ×   p99 ${(told.p99Ms / silent.p99Ms).toFixed(2)} ×`,
  );
  console.log(
    `  ${told.requests} and ${silent.requests} charges, ${told.errors + silent.errors} errors`,
  );
}

function progress(line: string): void {
  console.log(`› ${line}`);
}
