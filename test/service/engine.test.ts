/** The example booking engine against the real service: it hears of everything, also of what happened while it was down. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/environment.ts';
import { seeded } from '../../scripts/seed.ts';
import { freePort, type Service } from '../../scripts/service.ts';
import { PATIENCE_MS } from '../support/eventually.ts';
import { isLong } from '../support/long.ts';
import { Client, stateFolder } from './client.ts';
import { startQuickly } from './quickService.ts';

const state = stateFolder();
let service: Service;
let client: Client;
let enginePort: number;
let engine: ChildProcess | null = null;

beforeAll(async () => {
  service = await startQuickly({ persistTo: state.path });
  client = new Client(service.url);
  enginePort = await freePort();
});

afterAll(async () => {
  engine?.kill('SIGKILL');
  await service.stop();
  state.remove();
});

/** Starts the engine in a process of its own, so that it can be killed, and waits until it has caught up. */
async function startEngine(): Promise<void> {
  engine = spawn(process.execPath, [path.join(root, 'scripts/bookingEngine.ts')], {
    env: {
      ...process.env,
      BASE: service.url,
      ENGINE_PORT: String(enginePort),
      ENGINE_ID: seeded.client.id,
      ENGINE_SECRET: seeded.client.secret,
      ENGINE_FILE: path.join(state.path, 'engine.json'),
    },
  });
  let printed = '';
  engine.stdout?.on('data', (chunk: Buffer) => {
    printed += String(chunk);
  });
  await expect.poll(() => printed, { timeout: PATIENCE_MS }).toContain('Booking engine');
}

/** Kills it like a power cut. */
async function killEngine(): Promise<void> {
  const ended = new Promise((resolve) => engine?.once('exit', resolve));
  engine?.kill('SIGKILL');
  await ended;
}

interface Known {
  readonly sequence: number;
  readonly status: string;
  readonly payments: Readonly<Record<string, string>>;
}

async function known(): Promise<Readonly<Record<string, Known>>> {
  const response = await fetch(`http://127.0.0.1:${enginePort}/bookings`);
  return (await response.json()) as Record<string, Known>;
}

const charge = async (reference: string, amount: number) =>
  (await client.call('/payment/v1/create', { reference, amount })).json.transaction.id;

/** How many events the service has of a booking. */
const told = async (reference: string) =>
  (await client.call('/event/v1/list', { reference })).json.events.length;

describe('the booking engine', () => {
  it('hears of a charge at once', async () => {
    await startEngine();
    await client.booking('ENGINE-1', '4242424242424242');
    const id = await charge('ENGINE-1', 100);
    await expect
      .poll(async () => (await known())['ENGINE-1'], { timeout: PATIENCE_MS })
      .toEqual({
        sequence: 3,
        status: 'booked',
        payments: { [id]: 'Accepted by payment.accepted' },
        refunds: {},
      });
  });

  it('is killed, and knows after its start what happened meanwhile', async () => {
    await killEngine();
    const id = await charge('ENGINE-1', 50);
    await client.booking('ENGINE-2', '4242424242424242');
    const declined = await client.call('/payment/v1/tokenize', {
      reference: 'ENGINE-2',
      cardNumber: '4000000000009987',
      cardExpiry: '12/2030',
    });
    expect(declined.status).toBe(200);
    const refused = await charge('ENGINE-2', 10);
    await startEngine();
    const { 'ENGINE-1': first, 'ENGINE-2': second } = await known();
    expect(first?.sequence).toBe(await told('ENGINE-1'));
    expect(first?.payments[id]).toBe('Accepted by payment.accepted');
    expect(second?.sequence).toBe(await told('ENGINE-2'));
    expect(second?.payments[refused]).toBe('Declined by payment.declined');
  });

  it.runIf(isLong)('is killed again and again while events come, and misses none', async () => {
    await client.booking('ENGINE-3', '4242424242424242');
    for (let round = 0; round < 3; round += 1) {
      await Promise.all([killEngine(), charge('ENGINE-3', 1), charge('ENGINE-3', 2)]);
      await startEngine();
      await charge('ENGINE-3', 3);
    }
    expect(await told('ENGINE-3')).toBe(11);
    // What it was sent while it was away may come minutes later: it asks for that when it starts.
    await killEngine();
    await startEngine();
    expect((await known())['ENGINE-3']?.sequence).toBe(11);
  });
});
