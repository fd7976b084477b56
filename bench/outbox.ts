/**
 * `npm run bench:outbox`: compares the delivery of a queue to a PMS on this machine with the same number of bare posts,
 * and charges of a property with a PMS with those of one without. Judge the service by the ratios. Exits with 1 when a
 * message did not arrive exactly once and in order.
 */
import { openProperty } from './api.ts';
import { type Drain, measureDrain } from './drain.ts';
import { openService } from './fixtures.ts';
import { startLocalPms } from './localPms.ts';
import { type ChargeRounds, measureCharges } from './outboxCost.ts';
import { startRuntime } from './runtime.ts';
import { inFolder, stopOnSignals } from './scratch.ts';
import { summarize, throughputRatio } from './statistics.ts';

/** How many queues to deliver. */
const DRAINS = 3;

/** A URL without a server, so that messages wait. */
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
      progress(`Delivering a queue, ${run} of ${DRAINS}`);
      const name = `drain-${run}`;
      const api = await openProperty(runtime.service, name, { pmsUrl: NOWHERE });
      const letIn = async () =>
        void (await openProperty(runtime.service, name, { pmsUrl: pms.url }));
      drains.push(await measureDrain(api, pms, String(run), letIn));
      signal.throwIfAborted();
    }
    const withPms = await openProperty(runtime.service, 'with-pms', { pmsUrl: pms.url });
    const without = await openProperty(runtime.service, 'without-pms', {});
    const rounds = await measureCharges(runtime, { withPms, without }, signal, progress);
    return { drains, rounds };
  } finally {
    await pms.stop();
    await runtime.stop();
  }
}

function report(drains: readonly Drain[], { withPms, without }: ChargeRounds): void {
  console.log('\nDelivery of 1,000 messages of 100 bookings, 8 at once');
  for (const { dispatchedPerSecond, barePerSecond } of drains) {
    const ratio = dispatchedPerSecond / barePerSecond;
    console.log(
      `  dispatcher ${dispatchedPerSecond.toFixed(0)}/s   bare posts ${barePerSecond.toFixed(0)}/s   ratio ${ratio.toFixed(2)} ×`,
    );
  }
  const [one, other] = [summarize(withPms), summarize(without)];
  console.log(
    '\nCharges at 16 connections: with a PMS, which gets a message for each / without a PMS',
  );
  console.log(
    `  charges per second ${throughputRatio(withPms, without).toFixed(2)} × (the dispatcher runs at the same time)`,
  );
  console.log(
    `  p50 ${(one.p50Ms / other.p50Ms).toFixed(2)} ×   p99 ${(one.p99Ms / other.p99Ms).toFixed(2)} ×`,
  );
  console.log(
    `  ${one.requests} and ${other.requests} charges, ${one.errors + other.errors} errors`,
  );
}

function progress(line: string): void {
  console.log(`› ${line}`);
}
