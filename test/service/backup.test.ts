/** A backup that can be loaded: the drill of docs/operate.md, on this machine. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { deploymentOf } from '../../scripts/backup/command.ts';
import { backUpDeployment, restoreDeployment } from '../../scripts/backup/deployment.ts';
import { backUpState, restoreState } from '../../scripts/backup/local.ts';
import { readManifest } from '../../scripts/backup/manifest.ts';
import type { Administered } from '../../scripts/backup/stores.ts';
import { projectConfig, root } from '../../scripts/environment.ts';
import { withDatabase } from '../../scripts/prepare.ts';
import { seeded } from '../../scripts/seed.ts';
import type { Service } from '../../scripts/service.ts';
import { isLong } from '../support/long.ts';
import { Client, stateFolder } from './client.ts';
import { startQuickly } from './quickService.ts';

const scratch = stateFolder();
/** A deployment's folder: `wrangler --local` keeps its state there. */
const deployed = folderOf('deployed');
const state = path.join(deployed, '.wrangler', 'state');
const ACQUIRER = path.join('v3', 'do', 'booking-payments-SandboxAcquirer');
let service: Service | undefined;

const ADMIN = { admin: true };

const GONE = { arrival: '14-02-2025', departure: '17-02-2025' };

const BOOKED = 'Saved\nby "O\'Brien"; -- and \\n then';

beforeAll(async () => {
  const client = await started(state, false);
  await client.book('STAY-1', { notes: BOOKED });
  const card = { reference: 'STAY-1', cardNumber: '4242424242424242', cardExpiry: '12/2030' };
  await client.call('/payment/v1/tokenize', { ...card, cvv: '123' });
  const charged = await client.call('/payment/v1/create', { reference: 'STAY-1', amount: 150 });
  const chargeId = charged.json.transaction.id;
  await client.call('/refund/v1/create', { reference: 'STAY-1', chargeId, amount: 50 });
  // Of a hotel without a PMS: nothing is left to be delivered.
  const inn = await client.property('inn', {});
  for (const reference of ['GONE-1', 'BACK-1']) {
    await inn.book(reference, GONE);
  }
  const archived = await inn.call('/admin/v1/archive/run', { property: 'inn' }, { admin: true });
  expect(archived.json).toMatchObject({ archived: 2 });
  await stopped();
});

afterAll(async () => {
  await stopped();
  scratch.remove();
});

async function started(persistTo: string, prepared: boolean): Promise<Client> {
  service = await startQuickly({ persistTo, prepared });
  return new Client(service.url);
}

async function stopped(): Promise<void> {
  await service?.kill();
  service = undefined;
}

function folderOf(name: string): string {
  const folder = path.join(scratch.path, name);
  mkdirSync(folder);
  return folder;
}

/** A deployment whose state is in `folder`. */
function deployment(folder: string, administered?: Administered) {
  const file = path.join(folder, 'wrangler.toml');
  const toml = readFileSync(projectConfig, 'utf8')
    .replace('"dist/worker/index.js"', JSON.stringify(path.join(root, 'dist/worker/index.js')))
    .replaceAll('"./public"', JSON.stringify(path.join(root, 'public')));
  writeFileSync(file, toml);
  return deploymentOf(file, '--local', administered);
}

/** Moves a property, and waits for the end of that. */
async function moved(client: Client, property: string, to: string): Promise<void> {
  let { move } = (await client.call('/admin/v1/property/move', { property, to }, ADMIN)).json;
  const { moveId } = move;
  while (move.endedAt === null) {
    await sleep(100);
    ({ move } = (await client.call('/admin/v1/property/move-status', { moveId }, ADMIN)).json);
  }
  expect(move).toMatchObject({ status: 'moved' });
}

/** The restored service is right about money, takes more of it, and its guards stand. */
async function isWhole(persistTo: string): Promise<void> {
  const changing = withDatabase(persistTo, (d1) =>
    d1.prepare('UPDATE history SET amount_minor = 1').run(),
  );
  await expect(changing).rejects.toThrow('append_only');
  const notes = await withDatabase(persistTo, (d1) =>
    d1.prepare("SELECT notes FROM bookings WHERE reference = 'STAY-1'").first('notes'),
  );
  expect(notes).toBe(BOOKED);
  const client = await started(persistTo, true);
  const charge = { reference: 'STAY-1', amount: 20 };
  const key = { headers: { 'Idempotency-Key': 'after the restore' } };
  for (let times = 0; times < 2; times += 1) {
    expect((await client.call('/payment/v1/create', charge, key)).status).toBe(200);
  }
  const { json } = await client.call('/payment/v1/balance', { reference: 'STAY-1' });
  expect(json.balance).toMatchObject({ paid: 120, due: 480 });
  const subject = { property: 'inn', reference: 'GONE-1' };
  const gone = await client.call('/admin/v1/privacy/export', subject, { admin: true });
  expect(gone.status).toBe(200);
  const inn = await client.property('inn', {});
  const back = await inn.call('/payment/v1/balance', { reference: 'BACK-1' });
  expect(back.json.balance).toMatchObject({ bookingReference: 'BACK-1' });
}

describe('a local state', () => {
  it('comes back whole, with its acquirer', async () => {
    const folder = path.join(scratch.path, 'backup-of-state');
    const restored = path.join(scratch.path, 'restored');
    await backUpState(state, folder);
    await restoreState(folder, restored);
    await isWhole(restored);
    // The charge and the refund from before, and one charge.
    expect(await new Client(service?.url ?? '').ledger('STAY-1')).toHaveLength(3);
    await stopped();
  });

  it('is not written over another one', async () => {
    const folder = path.join(scratch.path, 'backup-of-state');
    await expect(restoreState(folder, state)).rejects.toThrow('is not empty');
    await expect(restoreState(deployed, path.join(scratch.path, 'new'))).rejects.toThrow(
      'is no backup',
    );
  });
});

describe('a deployment', () => {
  it.runIf(isLong)(
    'comes back in new databases and a new bucket, a property of an object with it',
    async () => {
      const folder = path.join(scratch.path, 'backup-of-deployment');
      vi.stubEnv('STORES', '1');
      const client = await started(state, true);
      vi.unstubAllEnvs();
      await moved(client, 'demo', 'STORE1');
      const administered = { address: service?.url ?? '', administrator: seeded.admin };
      const inn = await client.property('inn', {});
      const source = await deployment(deployed, administered);
      const { run } = source.wrangler;
      let isBack = false;
      // Between the export of D1 and the reading of its file, a booking comes back from the archive.
      const meanwhile: typeof run = async (...args) => {
        if (!isBack && args.some((one) => one.includes('/BACK-1/'))) {
          isBack = true;
          await inn.book('BACK-1', { ...GONE, notes: 'Late breakfast' });
        }
        return run(...args);
      };
      await backUpDeployment(
        { ...source, wrangler: { ...source.wrangler, run: meanwhile } },
        folder,
      );
      expect(isBack).toBe(true);
      // While it was taken the property lived in D1.
      const housed = await client.call('/admin/v1/property/get', { property: 'demo' }, ADMIN);
      expect(housed.json).toMatchObject({ database: 'STORE1' });
      await stopped();
      const { databases, objects } = readManifest(folder);
      expect(databases[0]?.facts.tables['history']?.['rows']).toBeGreaterThan(3);
      expect(databases[0]?.facts.schema['trigger']).toBeGreaterThan(30);
      expect(objects).toMatchObject([{ key: expect.stringMatching(/^archive\/inn\/GONE-1\//) }]);
      const fresh = folderOf('fresh');
      const target = await deployment(fresh);
      await restoreDeployment(target, folder);
      await expect(restoreDeployment(target, folder)).rejects.toThrow('DB is not empty');
      const restored = path.join(fresh, '.wrangler', 'state');
      // The acquirer is a house of its own: it keeps its cards and its ledger.
      cpSync(path.join(state, ACQUIRER), path.join(restored, ACQUIRER), { recursive: true });
      await isWhole(restored);
    },
  );

  it('is not backed up without the properties that live in an object', async () => {
    const store = folderOf('store');
    cpSync(deployed, store, { recursive: true });
    await withDatabase(path.join(store, '.wrangler', 'state'), (db) =>
      db.exec("INSERT INTO homes (property_id, database) VALUES ('inn', 'STORE1')"),
    );
    const backup = backUpDeployment(await deployment(store), path.join(scratch.path, 'half'));
    await expect(backup).rejects.toThrow('inn lives in STORE1');
  });
});
