/** A local start with several databases, and with one more later: where hotels live, and that each goes on. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../scripts/service.ts';
import { isLong } from '../support/long.ts';
import { Client, stateFolder } from './client.ts';
import { NpmStart, type Started } from './npmStart.ts';

const GOOD = '4242424242424242';

/** A charge of 10.00. */
const OF_TEN = { status: 'Accepted', amount: 10 };

const state = stateFolder();
const npm = new NpmStart(state.path);
let port: number;
let running: Started;

const url = () => `http://127.0.0.1:${port}`;

beforeAll(async () => {
  port = await freePort();
});

afterAll(() => {
  npm.killAll();
  state.remove();
});

async function startWith(databases: number): Promise<void> {
  running = await npm.start(port, ['npm', 'start'], { DATABASES: String(databases) });
  expect(running.output()).toContain(`Ready at ${url()}`);
}

async function stop(): Promise<void> {
  running.child.kill('SIGTERM');
  await npm.end();
}

/** The databases, each with how many properties live there. */
async function places(): Promise<Record<string, number>> {
  const { json } = await new Client(url()).call('/admin/v1/database/list', {}, { admin: true });
  return Object.fromEntries(json.databases.map(({ name, properties }) => [name, properties ?? -1]));
}

const health = async () => (await (await fetch(`${url()}/health`)).json()) as object;

/** A client of a new property, which finds its place by itself, with a booking of the property's name that was charged. */
async function charged(property: string): Promise<Client> {
  const client = await new Client(url()).property(property, {});
  await client.booking(property, GOOD);
  await charge(client, property);
  return client;
}

async function charge(client: Client, reference: string): Promise<void> {
  const { status } = await client.call('/payment/v1/create', { reference, amount: 10 });
  expect(status).toBe(200);
}

describe.runIf(isLong)('DATABASES=3 npm start', () => {
  it('places hotels in each, charges them, and goes on with a fourth', async () => {
    await startWith(3);
    expect(await health()).toMatchObject({ databases: 'ok' });
    const seeded = await places();
    expect(Object.keys(seeded)).toEqual(['DB', 'DB2', 'DB3']);
    const clients = new Map<string, Client>();
    for (const hotel of ['hotel-1', 'hotel-2', 'hotel-3']) clients.set(hotel, await charged(hotel));
    // What was seeded made the first one the largest, so that the next go elsewhere.
    const before = await places();
    expect([before['DB2'], before['DB3']].every((one) => one !== 0)).toBe(true);
    await stop();

    await startWith(4);
    expect(await health()).toMatchObject({ databases: 'ok' });
    expect(await places()).toEqual({ ...before, DB4: 0 });
    for (const [hotel, client] of clients) {
      await charge(client, hotel);
      expect(await client.transactions(hotel)).toMatchObject([OF_TEN, OF_TEN]);
    }
    await charged('hotel-4');
    expect(await places()).toEqual({ ...before, DB4: 1 });
    await stop();
  }, 300_000);
});
