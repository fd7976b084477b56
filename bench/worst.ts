/**
 * `npm run bench:worst`: sends the worst forms that fit into a request to every operation, page and form of a running
 * service, one after the other, while another caller goes on charging. It fails for an answer of 500 or more, for one that
 * takes longer than a second as often as it is tried, and where the other caller waits as long. Then the slowest of what only
 * reads is repeated without a pause beside charges, in turns with charges alone: it fails where it makes them too slow.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, startService } from '../scripts/service.ts';
import { Client } from '../test/service/client.ts';
import type { Document } from '../test/support/bodyFields.ts';
import type { Existing } from '../test/support/samples.ts';
import {
  addressOf,
  type WorstForm,
  type WorstRequest,
  worstConsolePages,
  worstDates,
  worstForms,
  worstLists,
  worstSpans,
  worstTexts,
} from '../test/support/worst.ts';
import { type Beside, beside } from './beside.ts';
import { inFolder } from './scratch.ts';
import { makeExisting, OTHER, openSessions, type Sessions, sessionOf } from './worstSetting.ts';

/** The longest that one of these may take, in milliseconds. */
const LONGEST_MS = 1_000;

/** How often a slow one is tried again: the machine may have had other things to do. */
const MOST_TRIES = 3;

/** How long another caller waits between its charges, in milliseconds. */
const BETWEEN_CHARGES_MS = 50;

/** How many of the slowest readers are tried beside charges, and how much slower a charge may be there. */
const READERS = 5;
const MOST_SLOWER = 1.5;

/** A ratio misses its target by more than this part of it: the times of a run vary by as much. */
const TOLERANCE = 0.1;

/** How many of the slowest are shown. */
const SHOWN = 10;

/** Operations that change nothing. */
const READS = /(?:list|get[^/]*|balance|transaction|status|report|preview)$/;

/** The charge of another caller. */
const CHARGE = { reference: OTHER, amount: 0.5, allowDuplicate: true };

interface Measured {
  readonly name: string;
  readonly status: number;
  readonly ms: number;
}

/** Whether to send only what reads: `npm run bench:worst -- --readers`. */
const onlyReaders = process.argv.includes('--readers');

/** One request of the worst, ready to be sent. */
interface Attack {
  readonly name: string;
  readonly reads: boolean;
  readonly send: () => Promise<Response>;
}

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
    return (await compareReaders(client, attacks, measured)) && isAnswered;
  } finally {
    await service.kill();
  }
}

async function attacksOn(url: string, client: Client, existing: Existing): Promise<Attack[]> {
  const served = await fetch(`${url}/openapi.json`);
  const document = (await served.json()) as Document;
  const sessions = await openSessions(url, client, existing.reference);
  const requests: WorstRequest[] = [
    ...worstDates(document),
    ...worstLists(document),
    ...worstTexts(document),
    ...worstSpans,
  ];
  const pages = worstConsolePages.map((path) => {
    const [page, query] = path.split('?');
    const address = `${url}/console/${page}?property=demo&${query}`;
    const headers = { Cookie: sessions.console.cookie };
    const name = `GET /console/${path}`.slice(0, 100);
    return { name, reads: true, send: () => fetch(address, { headers }) };
  });
  return [
    ...requests.map(({ body, name, path }) => ({
      name,
      reads: READS.test(path),
      send: () => client.post(path, body(existing), { admin: isAdmins(path) }),
    })),
    ...pages,
    ...worstForms.map((worst) => ({
      name: worst.name,
      reads: false,
      send: () => sendForm(url, sessions, worst, existing),
    })),
  ];
}

/** The slowest readers beside charges. Prints what they do to them, and says whether none makes them too slow. */
async function compareReaders(
  client: Client,
  attacks: readonly Attack[],
  measured: readonly Measured[],
): Promise<boolean> {
  const charge = () => must(() => client.post('/payment/v1/create', CHARGE));
  const slowest = attacks
    .map((attack, at) => ({ ...attack, ms: measured[at]?.ms ?? 0, status: measured[at]?.status }))
    .filter(({ reads, status }) => reads && status === 200)
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, READERS);
  const plain = () => client.post('/booking/v1/get-details', { reference: OTHER });
  console.log('\n› charges beside a reader without a pause, of those alone:');
  const found: Beside[] = [];
  for (const { name, send } of [{ name: 'details of a booking', send: plain }, ...slowest]) {
    const one = await beside(name, charge, () => must(send));
    console.log(lineOfBeside(one));
    found.push(one);
  }
  const wrong = found.filter(({ ratio }) => ratio > MOST_SLOWER * (1 + TOLERANCE));
  for (const one of wrong) console.error(`Too slow beside it: ${lineOfBeside(one)}`);
  return wrong.length === 0;
}

async function must(send: () => Promise<Response>): Promise<void> {
  const answer = await send();
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${text.slice(0, 200)}`);
}

function lineOfBeside({ aloneMs, besideMs, name, ratio }: Beside): string {
  const [alone, together] = [aloneMs, besideMs].map((ms) => ms.toFixed(1));
  return `  ${ratio.toFixed(2)} ×  ${together} of ${alone} ms  ${name}`;
}

function isAdmins(path: string): boolean {
  return /^\/(?:admin|sandbox)\//.test(path);
}

function sendForm(
  url: string,
  sessions: Sessions,
  worst: WorstForm,
  existing: Existing,
): Promise<Response> {
  const { cookie, visit } = sessionOf(sessions, worst.route);
  const form = worst.form(existing);
  const { address, method } = addressOf(worst, form, existing, visit);
  const headers = { Cookie: cookie, Origin: url };
  const init = method === 'POST' ? { method, body: new URLSearchParams(form) } : {};
  return fetch(`${url}${address}`, { ...init, headers, redirect: 'manual' });
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
  while (!signal.aborted) {
    const send = () => client.post('/payment/v1/create', CHARGE);
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
