/** Worst forms against a running service: while some caller sends nothing else, everybody else is served. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Service } from '../../scripts/service.ts';
import { Client, stateFolder } from './client.ts';
import { startQuickly } from './quickService.ts';

/** No loop of this test is longer. A service that hangs ends it by its time limit. */
const MOST_CHARGES = 500;
const MOST_WORST = 2_000;

const PATTERN = `${'*'.repeat(40)}payment${'*'.repeat(10)}`;
const EVER = { from: '0001-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z' };

/** Each was once, or could be, work without a bound. */
const WORST: readonly (readonly [path: string, body: object])[] = [
  ['/event/v1/list', { types: Array(50).fill(PATTERN) }],
  ['/event/v1/list', { types: Array(50).fill('*********x') }],
  ['/webhook/v1/put', { url: 'https://127.0.0.1/hook', types: Array(50).fill(PATTERN) }],
  ['/payment/v1/list', { ...EVER, changedSince: EVER.from }],
  ['/booking/v1/list', { arrivalFrom: '0001-01-01', arrivalTo: '9999-12-31' }],
  ['/disbursement/v1/get-all', { from: '0001-01-01', to: '9999-12-31' }],
  ['/dispute/v1/list', EVER],
  ['/booking/v1/get-details', { reference: '4 '.repeat(25_000) }],
];

const state = stateFolder();
let service: Service | null = null;
let client: Client;

beforeAll(async () => {
  service = await startQuickly({ persistTo: state.path });
  client = new Client(service.url);
  await client.booking('WORST', '4242424242424242');
});

afterAll(async () => {
  await service?.kill();
  state.remove();
});

it('the worst requests are answered, and hold up nobody’s charges', async () => {
  let over = false;
  const answered: number[] = [];
  const sendWorst = async () => {
    for (let sent = 0; sent < MOST_WORST && !over; sent += 1) {
      const [path, body] = WORST[sent % WORST.length] ?? ['/', {}];
      answered.push((await client.call(path, body)).status);
    }
  };
  const attack = Promise.all([sendWorst(), sendWorst(), sendWorst(), sendWorst()]);
  const charges: number[] = [];
  // Others go on charging until each of the worst was answered twice.
  while (charges.length < MOST_CHARGES && answered.length < 2 * WORST.length) {
    const charge = { reference: 'WORST', amount: 0.5, allowDuplicate: true };
    charges.push((await client.call('/payment/v1/create', charge)).status);
  }
  over = true;
  await attack;
  expect(charges.filter((status) => status !== 200)).toEqual([]);
  expect(answered.filter((status) => status >= 500)).toEqual([]);
  expect(answered.length).toBeGreaterThanOrEqual(2 * WORST.length);
});
