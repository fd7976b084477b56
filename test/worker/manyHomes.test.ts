/** A deployment of a hundred databases: a sweep reaches each, a few at once, and one that is away holds up no other. */
import { runInDurableObject } from 'cloudflare:test';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/core/time.ts';
import { ExportObject } from '../../src/exports/object.ts';
import worker from '../../src/index.ts';
import * as runner from '../../src/platform/db/runner.ts';
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
import { fetchExport, linesOf, makeExportAt } from '../support/exports.ts';
import { isLong } from '../support/long.ts';
import { PlayedPms } from '../support/pms.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'pms', 'mails'], keepSpies: true });

/** The databases beside the directory: each has a property with a schedule, and all of them one PMS. */
const names = Array.from({ length: isLong ? 99 : 11 }, (_, at) => `STORE${at + 1}`);

/** How many properties are made at once. */
const TOGETHER = 10;

/** The most that a minute in which nothing is due may ask of a database: the platform allows 10,000 in all. */
const MOST_CALLS_EACH = 17;

/** The most that may be asked at once: each of the sweeps asks a few. */
const MOST_AT_ONCE = 66;

/** The database that is away when a test says so. */
const AWAY = 'STORE7';

const DUE_MS = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS + DAY_MS;

const asked = { all: 0, now: 0, most: 0 };
let isAway = false;
let pms: PlayedPms;
let exporting: { mockRestore: () => void };

/** A database that counts what is asked of it, and may be away. */
function watched(one: runner.Runner): runner.Runner {
  const run: runner.Runner['run'] = async (queries) => {
    asked.all += 1;
    asked.now += 1;
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
  pms = new PlayedPms('hundred');
  const stores = names.map((name, at) => runner.onStore(name, 4_096 + at, testEnv.STORES));
  const [first, ...others] = [runner.onD1('DB', 0, testEnv.DB), ...stores].map(watched);
  if (!first) throw new Error('no database');
  vi.spyOn(runner, 'runnersOf').mockReturnValue([first, ...others]);
  // The day's files read each database too, in invocations of their own.
  exporting = vi.spyOn(ExportObject.prototype, 'alarm').mockResolvedValue();
  for (let from = 0; from < names.length; from += TOGETHER) {
    await Promise.all(names.slice(from, from + TOGETHER).map(makeHome));
  }
}, 240_000);

afterAll(() => {
  pms.leave();
  vi.restoreAllMocks();
});

async function makeHome(name: string): Promise<void> {
  const settings = { database: name, portfolio: 'hundred', pms: pms.settings };
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

const others = names.filter((name) => name !== AWAY);

it('a minute asks each a few times, and few of them at once', async () => {
  // The first one of a day begins what the day has to do.
  await minute(Date.now());
  Object.assign(asked, { all: 0, most: 0 });
  expect(await minute(Date.now())).toBe('done');
  expect(asked.all).toBeGreaterThan(names.length);
  expect(asked.all).toBeLessThan((names.length + 1) * MOST_CALLS_EACH);
  expect(asked.most).toBeLessThanOrEqual(MOST_AT_ONCE);
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

it('a file of their portfolio holds all of them', async () => {
  exporting.mockRestore();
  const analyst = { username: 'hundred-analyst', portfolio: 'hundred' };
  const { json } = await callAsAdmin('/admin/v1/export-user/create', analyst);
  expect((await makeExportAt(DUE_MS + 5 * MINUTE_MS, 'ledger', 'hundred')).status).toBe('Complete');
  const text = await (await fetchExport('ledger=1', {}, json)).text();
  const found = linesOf(text).flatMap((line) => /of STORE\d+/.exec(JSON.stringify(line)) ?? []);
  // A charge is a debit and a credit.
  expect(found).toHaveLength(2 * names.length);
  expect(new Set(found).size).toBe(names.length);
});

it('all are listed, and health is asked of all', async () => {
  const { databases } = (await callAsAdmin('/admin/v1/database/list', { limit: 200 })).json;
  expect(databases.map(({ name }) => name)).toEqual(['DB', ...names]);
  expect(databases.slice(1).map(({ properties }) => properties)).toEqual(names.map(() => 1));
  expect(await (await http('/health')).json()).toMatchObject({ databases: 'ok' });
});
