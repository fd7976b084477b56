/**
 * `npm run bench:worst`: sends the worst forms that fit into a request to every operation, page and form of a running
 * service, one after the other, while another caller goes on charging. It fails for an answer of 500 or more, for one that
 * takes longer than a second as often as it is tried, and where the other caller waits as long. Then the slowest of what only
 * reads is repeated without a pause beside charges, in turns with charges alone: it fails where it makes them too slow.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, startService } from '../scripts/service.ts';
import { Client } from '../test/service/client.ts';
import { type Attack, attacksOn } from './attacks.ts';
import { compareReaders, type Measured, slowestOf } from './beside.ts';
import { inFolder } from './scratch.ts';
import { chargesOf, makeExisting, OTHER } from './worstSetting.ts';

/** The longest that one of these may take, in milliseconds. */
const LONGEST_MS = 1_000;

/** How often a slow one is tried again: the machine may have had other things to do. */
const MOST_TRIES = 3;

/** How long another caller waits between its charges, in milliseconds. */
const BETWEEN_CHARGES_MS = 50;

/** How many of the slowest readers are tried beside charges. */
const READERS = 5;

/** How many of the slowest are shown. */
const SHOWN = 10;

/** Whether to send only what reads: `npm run bench:worst -- --readers`. */
const onlyReaders = process.argv.includes('--readers');

try {
  process.exitCode = (await inFolder(run)) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function run(folder: string): Promise<boolean> {
  const service = await startService({
    port: await freePort(),
    persistTo: `${folder}/state`,
    crons: false,
  });
  try {
    const client = new Client(service.url);
    const existing = await makeExisting(client);
    const all = await attacksOn(service.url, client, existing);
    const attacks = onlyReaders ? all.filter(({ reads }) => reads) : all;
    console.log(`› ${attacks.length} requests`);
    const stop = new AbortController();
    const others = chargeMeanwhile(client, stop.signal);
    const measured: Measured[] = [];
    for (const attack of attacks) measured.push(await measure(attack));
    stop.abort();
    const isAnswered = report(measured, await others);
    const plain = {
      name: 'details of a booking',
      send: () => client.post('/booking/v1/get-details', { reference: OTHER }),
    };
    const readers = [plain, ...slowestOf(attacks, measured, READERS)];
    return (await compareReaders(chargesOf(client), readers)) && isAnswered;
  } finally {
    await service.kill();
  }
}

async function measure(
  { name, send }: Pick<Attack, 'name' | 'send'>,
  mostTries = MOST_TRIES,
): Promise<Measured> {
  let best: Measured | null = null;
  for (let tries = 0; tries < mostTries; tries += 1) {
    const startMs = performance.now();
    const answer = await send();
    await answer.arrayBuffer();
    const ms = performance.now() - startMs;
    if (best === null || ms < best.ms) best = { name, status: answer.status, ms };
    if (best.ms <= LONGEST_MS) break;
  }
  return best ?? { name, status: 0, ms: Number.POSITIVE_INFINITY };
}

/** Another caller's charges, one after the other until the signal; what each took, in milliseconds. */
async function chargeMeanwhile(client: Client, signal: AbortSignal): Promise<Measured[]> {
  const charges: Measured[] = [];
  const send = chargesOf(client);
  while (!signal.aborted) {
    charges.push(await measure({ name: 'a charge of another caller', send }, 1));
    await sleep(BETWEEN_CHARGES_MS);
  }
  return charges;
}

/** Prints the slowest, and says whether all was answered in time. */
function report(attacks: readonly Measured[], others: readonly Measured[]): boolean {
  const slowest = attacks.toSorted((one, other) => other.ms - one.ms);
  for (const one of slowest.slice(0, SHOWN)) console.log(lineOf(one));
  const waits = others.toSorted((one, other) => other.ms - one.ms);
  console.log(`\n› ${others.length} charges of another caller meanwhile; the slowest:`);
  for (const one of waits.slice(0, 3)) console.log(lineOf(one));
  const wrong = [...attacks, ...others].filter(
    ({ ms, status }) => ms > LONGEST_MS || (status >= 500 && status !== 502),
  );
  for (const one of wrong) console.error(`Too slow, or at fault: ${lineOf(one)}`);
  const uncharged = others.filter(({ status }) => status !== 200);
  if (uncharged.length > 0) console.error(`${uncharged.length} charges were not made.`);
  return wrong.length === 0 && uncharged.length === 0;
}

function lineOf({ ms, name, status }: Measured): string {
  return `${ms.toFixed(0).padStart(6)} ms  ${status}  ${name}`;
}
