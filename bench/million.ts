/**
 * `npm run bench:million [-- --bookings 1000000]`: fills a database with a million bookings, sends every operation, list,
 * page and sweep that reads, and what the worst of them are asked for, of the property that has half of all. It prints the
 * statements that read the most rows, each with SQLite's plan, and fails where one reads more than a page's rows, or where
 * the service failed at a request. Then it makes charges beside the slowest readers, in turns with charges alone, and fails
 * where one makes them too slow.
 */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort, type Service, type ServiceOptions, startService } from '../scripts/service.ts';
import { DAY_MS } from '../src/core/time.ts';
import { Client } from '../test/service/client.ts';
import { filteredLists } from '../test/support/listFilters.ts';
import type { Existing } from '../test/support/samples.ts';
import { type Attack, attacksOn, samplesOf } from './attacks.ts';
import { compareReaders, type Measured, slowestOf } from './beside.ts';
import { fillMillion, type Template } from './millionFill.ts';
import type { Recorded } from './millionRecorder.ts';
import { inFolder } from './scratch.ts';
import { chargesOf, makeExisting, OTHER } from './worstSetting.ts';

/** How many rows a statement may read: some hundred entries of each index that may lead to a page, once for each way to go. */
const MOST_READ = 8_000;

/** How many statements and readers are shown, and how many readers are tried beside charges. */
const SHOWN = 25;
const READERS = 12;

/** The longest wait for what follows from a request, in seconds. */
const LONGEST_S = 60;

const GOOD = '4242424242424242';
const DECLINED = '4000000000000002';

const templates: readonly Template[] = [
  { reference: 'TEMPLATE-STAYED', perMille: 800 },
  { reference: 'TEMPLATE-REFUNDED', perMille: 100 },
  { reference: 'TEMPLATE-COMING', perMille: 100, isAhead: true },
];

const bookings = Number(
  parseArgs({ options: { bookings: { type: 'string', default: '1000000' } } }).values.bookings,
);

/** Being busy is an answer by design, and no PMS is there to be asked. */
const BY_DESIGN = /"code":"(?:busy|gateway_error)"/;

/** Whether the service failed at any request. */
let hasFailed = false;

try {
  const isFast = await inFolder(run);
  process.exitCode = isFast && !hasFailed ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function run(folder: string): Promise<boolean> {
  const persistTo = `${folder}/state`;
  const existing = await withService({ persistTo }, makeTemplates);
  const file = databaseIn(persistTo);
  progress(`Filling ${file}`);
  fillMillion(file, bookings, templates, progress);
  const { size } = statSync(file);
  progress(`${(size / 1e9).toFixed(2)} GB, ${Math.round(size / bookings)} bytes a booking`);
  const entry = path.join(import.meta.dirname, 'millionRecorder.ts');
  const prepared = { persistTo, prepared: true };
  const found = await withService({ ...prepared, entry }, (client, service) =>
    readAll(client, service, existing),
  );
  const areBesideFast = await withService(prepared, async (client, service) => {
    const attacks = await readersOf(client, service, existing);
    const readers = slowestOf(attacks, found.measured, READERS);
    return compareReaders(chargesOf(client), readers);
  });
  return found.arePages && areBesideFast;
}

async function withService<T>(
  options: Omit<ServiceOptions, 'port'>,
  work: (client: Client, service: Service) => Promise<T>,
): Promise<T> {
  const service = await startService({ port: await freePort(), crons: false, ...options });
  try {
    return await work(new Client(service.url), service);
  } finally {
    await service.stop();
  }
}

/** The time in so many milliseconds, as requests name it. */
function at(ms: number): string {
  return new Date(Date.now() + ms).toISOString();
}

/** Makes what is copied, by the service itself, and what requests name. */
async function makeTemplates(client: Client): Promise<Existing> {
  const details = {
    guestMails: { receipts: true, refunds: true },
    pms: {
      url: 'https://pms.hotel.com/messages',
      username: 'u',
      password: 'a-long-enough-password',
    },
  };
  await client.property('demo', { ...details, cardFeeBasisPoints: 300 });
  const existing = await makeExisting(client);
  for (const { isAhead, reference } of templates) {
    await client.booking(reference, GOOD);
    const headers = { 'Idempotency-Key': `deposit-${reference}` };
    const deposit = { reference, amount: 100, transactionType: 'Deposit' };
    await client.call('/payment/v1/create', deposit, { headers });
    if (isAhead) {
      const hold = { reference, amount: 50, preAuth: true, expiryTime: at(DAY_MS) };
      await client.call('/payment/v1/create', hold);
    }
    if (reference.endsWith('REFUNDED')) {
      await client.call('/refund/v1/create', { reference, amount: 20 });
      const other = { reference, cardNumber: DECLINED, cardExpiry: '12/2030' };
      await client.call('/payment/v1/tokenize', other);
      await client.call('/payment/v1/create', { reference, amount: 30 });
      await client.book(reference, { status: 'cancelled' });
    } else {
      const time = at(isAhead ? DAY_MS : 2_000);
      await client.call('/payment/v1/schedule', { reference, amount: 200, time });
    }
  }
  await until(async () => {
    const [stayed = ''] = templates.map(({ reference }) => reference);
    const statuses = (await client.transactions(stayed)).map(({ status }) => status);
    return statuses.join() === 'Accepted,Accepted';
  });
  return existing;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < LONGEST_S * 4; waited += 1) {
    if (await holds()) return;
    await sleep(250);
  }
  throw new Error('It never came.');
}

function databaseIn(persistTo: string): string {
  const folder = path.join(persistTo, 'v3', 'd1', 'miniflare-D1DatabaseObject');
  const [name] = readdirSync(folder).filter((one) => /^[0-9a-f]+\.sqlite$/.test(one));
  if (name === undefined) throw new Error('There is no database.');
  return path.join(folder, name);
}

/** Everything that reads, of the property that has half of all. */
async function readersOf(
  client: Client,
  { url }: Service,
  existing: Existing,
): Promise<readonly Attack[]> {
  const common = { email: 'guest@hotel.com', lastName: 'Nguyen', reference: OTHER, made: OTHER };
  const lists = filteredLists(Date.now(), common).flatMap(({ filters, path: list }) =>
    filters.map((filter) => {
      const isAdmins = list.startsWith('/admin/');
      const body = {
        ...(isAdmins && { property: existing.property }),
        ...(list.includes('deliveries') && { endpointId: existing.endpointId }),
        ...filter,
      };
      const name = `${list} ${JSON.stringify(filter)}`;
      return { name, reads: true, send: () => client.post(list, body, { admin: isAdmins }) };
    }),
  );
  const attacks = await attacksOn(url, client, existing);
  return [...lists, ...attacks].filter(({ reads }) => reads);
}

/** Sends all, and prints what was slow or read much. */
async function readAll(
  client: Client,
  service: Service,
  existing: Existing,
): Promise<{ readonly measured: readonly Measured[]; readonly arePages: boolean }> {
  const readers = await readersOf(client, service, existing);
  progress(`${readers.length} requests that read`);
  const measured: Measured[] = [];
  for (const reader of readers) measured.push(await measure(reader));
  const others = samplesOf(client, existing);
  progress(`${others.length} operations and the sweeps`);
  const further = [];
  for (const other of others) further.push(await measure(other));
  const sweep = `${service.url}/cdn-cgi/local/scheduled?cron=${encodeURIComponent('* * * * *')}`;
  for (let minute = 0; minute < 3; minute += 1) {
    further.push(await measure({ name: 'the sweeps', send: () => fetch(sweep) }));
  }
  const slowest = [...measured, ...further].toSorted((one, other) => other.ms - one.ms);
  for (const { ms, name, status } of slowest.slice(0, SHOWN)) {
    console.log(`${ms.toFixed(0).padStart(6)} ms  ${status}  ${name}`);
  }
  return { measured, arePages: await reportStatements(service) };
}

async function measure({ name, send }: Pick<Attack, 'name' | 'send'>): Promise<Measured> {
  const startMs = performance.now();
  const answer = await send();
  const body = await answer.text();
  const ms = performance.now() - startMs;
  const { status } = answer;
  if (status >= 500 && !BY_DESIGN.test(body)) {
    hasFailed = true;
    console.error(`${status}  ${name}\n  ${body}`);
  }
  return { name, status, ms };
}

/** Prints the statements that read the most rows, and says whether each read as many as a page may. */
async function reportStatements({ url }: Service): Promise<boolean> {
  const recorded = (await (await fetch(`${url}/recorded`)).json()) as Recorded[];
  progress(`${recorded.length} statements; those that read the most rows:`);
  const most = recorded.toSorted((one, other) => other.rowsRead - one.rowsRead);
  const tooMany = most.filter(({ rowsRead }) => rowsRead > MOST_READ);
  for (const one of most.slice(0, Math.max(SHOWN, tooMany.length))) {
    const plan = await fetch(`${url}/plan`, { method: 'POST', body: JSON.stringify(one) });
    console.log(`${one.rowsRead.toLocaleString('en')} rows, ${one.ms.toFixed(1)} ms: ${one.sql}`);
    console.log(`  ${((await plan.json()) as string[]).join('\n  ')}`);
  }
  for (const { rowsRead, sql } of tooMany) console.error(`Reads ${rowsRead} rows: ${sql}`);
  return tooMany.length === 0;
}

function progress(line: string): void {
  console.log(`› ${line}`);
}
