import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { call, freshDatabase, makeBooking, testEnv } from '../support/api.ts';
import { visit } from '../support/guest.ts';

/** A valid number that is no test card, so that nothing else can have written it. */
const CANARY = '4539578763621486';
const CANARY_CVV = '8642';

/** The ways in which the number may not appear: as it is, in groups, and with its middle alone. */
const TRACES = [CANARY, '4539 5787 6362 1486', '4539-5787-6362-1486', CANARY.slice(4, 14)];

const logged: string[] = [];

beforeAll(async () => {
  await freshDatabase();
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, method).mockImplementation((...values) => {
      logged.push(JSON.stringify(values));
    });
  }
});

describe('a card number', () => {
  it('is found nowhere after it went to the vault, nor is its CVV', async () => {
    await makeBooking('CANARY');
    const card = { cardNumber: CANARY, cardExpiry: '12/2030', cvv: CANARY_CVV };
    const answers = [
      await call('/payment/v1/tokenize', {
        ...card,
        reference: 'CANARY',
        cardHolderName: 'A Nguyen',
      }),
      await call('/payment/v1/tokenize', { ...card, reference: 'NOWHERE' }),
      await call('/payment/v1/tokenize', {
        ...card,
        cardExpiry: '12/2020',
        reference: CANARY.repeat(5),
      }),
      await call('/payment/v1/tokenize', { ...card, cardNumber: `${CANARY}0` }),
      await call('/payment/v1/tokenize', `{"cardNumber":"${CANARY}",`),
      await call(`/payment/v1/create`, {
        reference: 'CANARY',
        amount: 1,
        description: `x${CANARY}`,
      }),
      await call(
        '/payment/v1/create',
        { reference: 'CANARY', amount: 1 },
        { headers: { 'Idempotency-Key': 'canary' } },
      ),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 422, 422, 400, 422, 402]);

    const guest = await visit('CANARY');
    const home = guest.page.path;
    const typed = { ...card, cardHolderName: 'A Nguyen', attempt: crypto.randomUUID() };
    const pages = [
      await guest.post(`${home}/card`, { ...typed, cardHolderName: CANARY }),
      await guest.post(home, { ...typed, attempt: CANARY, cardExpiry: '12/20' }),
      await guest.post(`${home}/card`, { ...typed, cardNumber: `${CANARY}0` }),
      await guest.post(`${home}/card`, typed),
    ];
    expect(pages.at(-1)?.html).toContain('The card was added.');

    const kept = [
      await everyTable(),
      await everyObject(),
      logged.join('\n'),
      JSON.stringify(answers),
      pages.map(({ html, path }) => path + html).join('\n'),
    ];
    for (const place of kept) {
      for (const trace of TRACES) expect(place).not.toContain(trace);
    }
    const stored = kept.slice(0, 2).join('\n');
    expect(stored).not.toMatch(new RegExp(`"${CANARY_CVV}"|:${CANARY_CVV}\\b`));
    // The search itself works: what may be kept is found in both kinds of store.
    expect(kept[0]).toContain('XXXX-XXXX-XXXX-X486');
    expect(kept[1]).toContain('1486');
  });
});

async function everyTable(): Promise<string> {
  const { results: tables } = await testEnv.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'",
  ).all<{ name: string }>();
  const dumps = await Promise.all(
    tables.map(
      async ({ name }) => (await testEnv.DB.prepare(`SELECT * FROM "${name}"`).all()).results,
    ),
  );
  expect(tables.length).toBeGreaterThan(7);
  return JSON.stringify(dumps);
}

async function everyObject(): Promise<string> {
  const dumps: unknown[] = [];
  for (const namespace of [testEnv.BOOKINGS, testEnv.SANDBOX_GATEWAY]) {
    for (const id of await listDurableObjectIds(namespace as DurableObjectNamespace)) {
      const stub = (namespace as DurableObjectNamespace).get(id);
      dumps.push(await runInDurableObject(stub, (_object, state) => dumpOf(state.storage)));
    }
  }
  return JSON.stringify(dumps);
}

async function dumpOf(storage: DurableObjectStorage): Promise<unknown> {
  const tables = storage.sql
    .exec(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
    )
    .toArray();
  const rows = tables.map(({ name }) =>
    storage.sql.exec(`SELECT * FROM "${name as string}"`).toArray(),
  );
  return [rows, [...(await storage.list())]].map((part) =>
    JSON.stringify(part).replaceAll('\\"', '"'),
  );
}
