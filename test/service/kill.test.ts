import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { freePort, type Service, startService } from '../../scripts/service.ts';
import { Client, stateFolder } from './client.ts';

const state = stateFolder();
let service: Service | null = null;
const printed: string[] = [];

afterAll(async () => {
  await service?.kill();
  state.remove();
});

async function start(): Promise<Client> {
  service = await startService({
    port: await freePort(),
    persistTo: state.path,
    output: (text) => printed.push(text),
  });
  return new Client(service.url);
}

/** Asks again until something holds, for as long as is allowed. */
async function until(seconds: number, holds: () => Promise<boolean>): Promise<boolean> {
  for (let waited = 0; waited < seconds * 4; waited += 1) {
    if (await holds()) return true;
    await sleep(250);
  }
  return false;
}

describe('the service, killed between the record of a charge and its answer', () => {
  it('ends with exactly one charge, at the acquirer and in its list, after a restart', async () => {
    const before = await start();
    await before.booking('KILL', '4000000000009201');
    const key = { headers: { 'Idempotency-Key': 'kill' } };
    const cut = before.call('/payment/v1/create', { reference: 'KILL', amount: 100 }, key).then(
      ({ status }) => status,
      () => 'cut off',
    );
    const reached = await until(4, async () => (await before.ledger('KILL')).length === 1);
    expect(reached).toBe(true);
    expect(await before.transactions('KILL')).toMatchObject([{ status: 'Processing' }]);
    await service?.kill();
    expect(await cut).toBe('cut off');

    const after = await start();
    expect(await after.transactions('KILL')).toMatchObject([{ status: 'Processing' }]);
    const settled = await until(90, async () => {
      const [transaction] = await after.transactions('KILL');
      return transaction?.status === 'Accepted';
    });
    expect(settled).toBe(true);
    expect(await after.transactions('KILL')).toMatchObject([
      { amount: 103.09, status: 'Accepted' },
    ]);
    expect(await after.ledger('KILL')).toMatchObject([{ amount: 103.09, status: 'succeeded' }]);

    const replay = await after.call('/payment/v1/create', { reference: 'KILL', amount: 100 }, key);
    expect([replay.status, replay.json.transaction.amount]).toEqual([200, 103.09]);
    expect(await after.ledger('KILL')).toHaveLength(1);
  });

  it('has left no card number in any file or line of output', async () => {
    await service?.stop();
    const files = readdirSync(state.path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
    expect(files.length).toBeGreaterThan(3);
    const holding = files.filter((file) => readFileSync(file).includes('4000000000009201'));
    expect(holding).toEqual([]);
    const withMask = files.filter((file) => readFileSync(file).includes('XXXX-XXXX-XXXX-X201'));
    expect(withMask).not.toEqual([]);
    expect(printed.join('')).not.toContain('4000000000009201');
  });
});
