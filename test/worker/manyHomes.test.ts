/** A deployment of fifty databases, in the long form: a sweep reaches each, a few at once, and one that is away holds up no other. */

import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/core/time.ts';
import { sweepPayouts } from '../../src/disbursements/mirror.ts';
import { ExportObject } from '../../src/exports/object.ts';
import type { Origin } from '../../src/gateways/movements.ts';
import type { Payout, PayoutMovement, PayoutSource } from '../../src/gateways/payouts.ts';
import worker from '../../src/index.ts';
import { requireConfig } from '../../src/platform/config.ts';
import * as runner from '../../src/platform/db/runner.ts';
import { sweepKeyring } from '../../src/records/keyring/sweep.ts';
import { Sweeper } from '../../src/sweeps/object.ts';
import { sweepsOfEach } from '../../src/sweeps/sweeps.ts';
import {
  atTime,
  call,
  callAsAdmin,
  http,
  ledgerOf,
  makeBooking,
  makeProperty,
  testEnv,
} from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { fetchExport, findRun, linesOf, ringUntilOver } from '../support/exports.ts';
import { isLong } from '../support/long.ts';
import { PlayedPms } from '../support/pms.ts';
import { asD1 } from '../support/store.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'pms', 'mails'], keepSpies: true });

/** The databases beside the directory: each has a property with a schedule, and all of them one PMS. */
const names = Array.from({ length: isLong ? 49 : 11 }, (_, at) => `STORE${at + 1}`);

/** How many properties are made at once. */
const TOGETHER = 10;

/** The most that the Cron Trigger's own invocation may ask of a database in a minute in which nothing is due. */
const MOST_CALLS_EACH = 3;

/** The most that a sweeper's invocation may ask: a database is asked by its own. */
const MOST_OF_SWEEPER = 6;

/** The most that the Cron Trigger's own invocation may ask at once: each of its sweeps asks a few. */
const MOST_AT_ONCE = 24;

/** The database that is away when a test says so. */
const AWAY = 'STORE7';

const DUE_MS = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS + DAY_MS;

/** What an invocation asks: all in all, now, and at most at once. `names` are the databases. */
interface Asked {
  all: number;
  now: number;
  most: number;
  readonly names: Set<string>;
}

const nothing = (): Asked => ({ all: 0, now: 0, most: 0, names: new Set() });

/** What the invocation under way asks. What no sweeper asks is the Cron Trigger's. */
const invocation = new AsyncLocalStorage<Asked>();
let ofCron = nothing();
let ofSweepers: Asked[] = [];
let isAway = false;
let pms: PlayedPms;
let exporting: { mockRestore: () => void };

/** A database that counts what is asked of it, and may be away. */
function watched(one: runner.Runner): runner.Runner {
  const run: runner.Runner['run'] = async (queries) => {
    const asked = invocation.getStore() ?? ofCron;
    asked.all += 1;
    asked.now += 1;
    asked.names.add(one.name);
    asked.most = Math.max(asked.most, asked.now);
    try {
      if (isAway && one.name === AWAY) throw new Error('away');
      return await one.run(queries);
    } finally {
      asked.now -= 1;
    }
  };
  return { ...one, run };
}

beforeAll(async () => {
  pms = new PlayedPms('many');
  const stores = names.map((name, at) => runner.onStore(name, 4_096 + at, testEnv.STORES));
  const [first, ...others] = [runner.onD1('DB', 0, testEnv.DB), ...stores].map(watched);
  if (!first) throw new Error('no database');
  vi.spyOn(runner, 'runnersOf').mockReturnValue([first, ...others]);
  const sweep = Sweeper.prototype.sweep;
  vi.spyOn(Sweeper.prototype, 'sweep').mockImplementation(function (this: Sweeper, ...call) {
    const asked = nothing();
    ofSweepers.push(asked);
    return invocation.run(asked, () => sweep.apply(this, call));
  });
  // The day's files read each database too, in invocations of their own.
  exporting = vi.spyOn(ExportObject.prototype, 'alarm').mockResolvedValue();
  for (let from = 0; from < names.length; from += TOGETHER) {
    await Promise.all(names.slice(from, from + TOGETHER).map(makeHome));
  }
});

afterEach(() => {
  isAway = false;
});

afterAll(() => {
  pms.leave();
  vi.restoreAllMocks();
});

async function makeHome(name: string): Promise<void> {
  const settings = { database: name, portfolio: 'many', pms: pms.settings };
  const token = await makeProperty(`at-${name.toLowerCase()}`, settings);
  const reference = `of ${name}`;
  await makeBooking(reference, GOOD, { token });
  const scheduled = { reference, amount: 10, time: new Date(DUE_MS).toISOString() };
  await call('/payment/v1/schedule', scheduled, { token });
}

/** A minute of the Cron Trigger. What it says of a sweep that could not do all of its work is known here. */
function minute(atMs: number): Promise<string> {
  return atTime(atMs, () =>
    worker.scheduled({} as ScheduledController, testEnv).then(
      () => 'done',
      (error: Error) => error.message,
    ),
  );
}

/** In which homes a schedule was charged, each as often as it was. */
async function charged(): Promise<string[]> {
  const ledgers = await Promise.all(
    names.map(async (name) => (await ledgerOf(`of ${name}`)).map(() => name)),
  );
  return ledgers.flat();
}

/** What the acquirer says a charge is about, of the property of a home. */
async function recordOf(name: string): Promise<Origin> {
  const [charge] = await ledgerOf(`of ${name}`);
  const reference = charge?.idempotencyKey.replace(/-\d+$/, '') ?? '';
  return { propertyId: `at-${name.toLowerCase()}`, bookingReference: `of ${name}`, reference };
}

function payoutOf(id: string, createdAtMs: number): Payout {
  const itemised = { itemised: true, reconciled: false } as const;
  const said = { currency: 'AUD', description: '', createdAtMs, arrivalDate: '2027-02-14' };
  return { id, status: 'in_transit', ...said, ...itemised };
}

function movementOf(id: string, about: Origin, createdAtMs: number): PayoutMovement {
  return {
    id,
    gatewayTransactionId: null,
    about,
    description: about.bookingReference,
    category: 'sale',
    currency: 'AUD',
    grossMinor: 1_000,
    feeMinor: 0,
    threeDsAuthenticated: false,
    createdAtMs,
    availableAtMs: createdAtMs,
  };
}

const others = names.filter((name) => name !== AWAY);

it('each database is asked by its own sweeper, and by the Cron Trigger a few times', async () => {
  // The first one of a day, and of an hour, begins what that has to do.
  const nowMs = Date.now();
  await minute(nowMs);
  [ofCron, ofSweepers] = [nothing(), []];
  expect(await minute(nowMs)).toBe('done');
  expect(ofCron.all).toBeGreaterThan(names.length);
  expect(ofCron.all).toBeLessThan((names.length + 1) * MOST_CALLS_EACH);
  expect(ofCron.most).toBeLessThanOrEqual(MOST_AT_ONCE);
  expect(ofSweepers).toHaveLength((names.length + 1) * Object.keys(sweepsOfEach).length);
  for (const asked of ofSweepers) expect(asked.names.size).toBeLessThanOrEqual(1);
  const sweptNames = new Set(ofSweepers.flatMap((asked) => [...asked.names]));
  expect(sweptNames).toEqual(new Set(['DB', ...names]));
  expect(Math.max(...ofSweepers.map(({ all }) => all))).toBeLessThanOrEqual(MOST_OF_SWEEPER);
});

it('what is due in each happens once, and waits for none that is away', async () => {
  isAway = true;
  await minute(DUE_MS + 2 * MINUTE_MS);
  expect(await charged()).toEqual(others);
  isAway = false;
  await minute(DUE_MS + 3 * MINUTE_MS);
  await minute(DUE_MS + 4 * MINUTE_MS);
  expect(await charged()).toEqual(names);
});

it('their PMS hears of each, but for one that is away', async () => {
  const heard = () =>
    new Set(pms.delivered.flatMap(({ json }) => /of STORE\d+/.exec(JSON.stringify(json)) ?? []));
  const ringOnce = () =>
    runInDurableObject(
      testEnv.PMS_DISPATCHER.getByName(pms.url),
      async (dispatcher, { storage }) => {
        await storage.put('pmsUrl', pms.url);
        await dispatcher.alarm();
      },
    );
  // One run sends a part of them.
  const ring = async () => {
    for (let rings = 0; rings < names.length / 9; rings += 1) await ringOnce();
  };
  isAway = true;
  await ring();
  expect(heard()).toEqual(new Set(others.map((name) => `of ${name}`)));
  isAway = false;
  await ring();
  expect(heard().size).toBe(names.length);
  const ids = pms.delivered.map(({ json }) => json.MessageID);
  expect(new Set(ids).size).toBe(ids.length);
});

it('a file of their portfolio waits for one that is away, says so, and holds all of them', async () => {
  exporting.mockRestore();
  const analyst = { username: 'many-analyst', portfolio: 'many' };
  const { json } = await callAsAdmin('/admin/v1/export-user/create', analyst);
  isAway = true;
  const atMs = DUE_MS + 5 * MINUTE_MS;
  const wanted = { variant: 'ledger', portfolio: 'many' };
  const begun = await atTime(atMs, () => callAsAdmin('/admin/v1/export/run', wanted));
  const { runId } = begun.json;
  await atTime(atMs, () => runDurableObjectAlarm(testEnv.EXPORTER.getByName(runId)));
  const waiting = await findRun(runId);
  expect(waiting).toMatchObject({
    status: 'Running',
    failure: `the database ${AWAY} does not answer`,
  });
  expect((await fetchExport('ledger=1', {}, json)).status).toBe(404);
  isAway = false;
  expect((await atTime(atMs, () => ringUntilOver(runId))).status).toBe('Complete');
  const text = await (await fetchExport('ledger=1', {}, json)).text();
  const found = linesOf(text).flatMap((line) => /of STORE\d+/.exec(JSON.stringify(line)) ?? []);
  // A charge is a debit and a credit.
  expect(found).toHaveLength(2 * names.length);
  expect(new Set(found).size).toBe(names.length);
});

it('what is known of all but one that is away is said, and what needs all is refused at once', async () => {
  isAway = true;
  const { databases } = (await callAsAdmin('/admin/v1/database/list', { limit: 200 })).json;
  expect(databases.map(({ name }) => name)).toEqual(['DB', ...names]);
  const unread = databases.filter(({ bytes }) => bytes === null);
  expect(unread).toEqual([{ name: AWAY, properties: 1, bytes: null, fullPercent: null }]);
  const health = await http('/health');
  expect([health.status, await health.json()]).toMatchObject([
    200,
    { databases: 'ok', databasesAway: [AWAY] },
  ]);
  for (const list of ['property/list', 'outbox/list', 'reconciliation/list']) {
    const refused = await callAsAdmin(`/admin/v1/${list}`, {});
    expect([list, refused.status, refused.json.code]).toEqual([list, 503, 'busy']);
  }
});

it('a difference of one that answers is accepted, and another may be in the one that is away', async () => {
  await testEnv.DB.prepare(
    "INSERT INTO exceptions (id, gateway, kind, subject, found_at_ms, status, detail) VALUES ('known', 'sandbox', 'unknown_here', 'it', 1, 'open', '')",
  ).run();
  isAway = true;
  const accept = async (exceptionId: string) => {
    const body = { exceptionId, reason: 'explained' };
    const { json, status } = await callAsAdmin('/admin/v1/reconciliation/accept', body);
    return [status, json.code];
  };
  expect(await accept('known')).toEqual([200, undefined]);
  expect(await accept('unknown')).toEqual([503, 'busy']);
  isAway = false;
  expect((await accept('unknown'))[0]).toBe(404);
});

it('a payout is mirrored beside one that is away, unless that may have some of it', async () => {
  const owned = await recordOf('STORE1');
  const foreign = await recordOf(AWAY);
  const nowMs = Date.now();
  const source: PayoutSource = {
    gateway: 'stripe',
    payout: async () => null,
    payoutsSince: async () => [payoutOf('po_here', nowMs), payoutOf('po_there', nowMs)],
    movements: async (id) => [movementOf(`of ${id}`, id === 'po_here' ? owned : foreign, nowMs)],
  };
  const mirrored = async () => {
    const found = await Promise.all(
      ['STORE1', AWAY].map(async (name) => {
        const { results } = await asD1(name)
          .prepare("SELECT id, item_count FROM disbursements WHERE gateway = 'stripe'")
          .all();
        return results;
      }),
    );
    return found.flat();
  };
  isAway = true;
  await sweepPayouts(testEnv, source, nowMs);
  expect(await mirrored()).toEqual([{ id: 'po_here', item_count: 1 }]);
  isAway = false;
  await sweepPayouts(testEnv, source, nowMs);
  const all = ['po_here', 'po_there'].map((id) => ({ id, item_count: 1 }));
  expect(await mirrored()).toEqual(all);
});

it('keys are seen to beside one that is away, and none is noted as free of use', async () => {
  const config = await requireConfig(testEnv);
  const noted = () => testEnv.DB.prepare('SELECT count(*) AS n FROM keyring_keys').first('n');
  await testEnv.DB.prepare('DELETE FROM keyring_keys').run();
  isAway = true;
  await sweepKeyring(testEnv, config, DUE_MS + 2 * DAY_MS);
  expect(await noted()).toBe(0);
  isAway = false;
  await sweepKeyring(testEnv, config, DUE_MS + 2 * DAY_MS);
  expect(await noted()).toBe(config.keyring.keyIds.length);
});

it('a new property comes to one that answers, and its PMS is known beside one that is away', async () => {
  const known = { Username: 'beside', Password: 'a password of its own' };
  const own = { username: known.Username, password: known.Password };
  await makeProperty('beside', {
    database: 'DB',
    portfolio: 'beside',
    pms: { ...pms.settings, ...own },
  });
  isAway = true;
  const ping = (Authentication: object) =>
    http('/ping/v1', {
      method: 'POST',
      body: JSON.stringify({ MessageType: 'Ping', MessageID: 'm-1', Authentication }),
    });
  expect((await ping(known)).status).toBe(200);
  // Those of a property that lives there could be right.
  expect((await ping({ ...known, Username: 'nobody' })).status).toBe(503);
  await makeProperty('placed');
  const { json } = await callAsAdmin('/admin/v1/property/get', { property: 'placed' });
  expect(json).toMatchObject({ database: 'DB' });
});

it('the files of a day begin beside one that is away, but for books of which it may know an earlier day', async () => {
  const begun = async (atMs: number) => {
    await minute(atMs);
    const { runs } = (await callAsAdmin('/admin/v1/export/list', { portfolio: 'beside' })).json;
    return runs.map(({ variant }) => variant).toSorted();
  };
  const noonMs = Math.floor(DUE_MS / DAY_MS) * DAY_MS + 1.5 * DAY_MS;
  isAway = true;
  expect(await begun(noonMs)).toEqual(['applicationConsole', 'propertySystem']);
  isAway = false;
  expect(await begun(noonMs + MINUTE_MS)).toEqual([
    'applicationConsole',
    'ledger',
    'propertySystem',
  ]);
});

it('all are listed, and health is asked of all', async () => {
  const { databases } = (await callAsAdmin('/admin/v1/database/list', { limit: 200 })).json;
  expect(databases.map(({ name }) => name)).toEqual(['DB', ...names]);
  expect(databases.slice(1).map(({ properties }) => properties)).toEqual(names.map(() => 1));
  expect(await (await http('/health')).json()).toMatchObject({ databases: 'ok' });
});
