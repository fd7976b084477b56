import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { SandboxGateway } from '../../src/gateways/sandbox/gateway.ts';
import {
  call,
  callAsAdmin,
  freshDatabase,
  http,
  makeBooking,
  parsed,
  testEnv,
} from '../support/api.ts';
import { writings } from '../support/cardWritings.ts';
import { makeExisting } from '../support/existing.ts';
import { findRun, makeExport } from '../support/exports.ts';
import { breakSpan } from '../support/faults.ts';
import { visit } from '../support/guest.ts';
import { allTextFields, bodyWith } from '../support/textFields.ts';

/** A valid number that is no test card, so that nothing else can have written it. */
const CANARY = '4539578763621486';
const CANARY_CVV = '8642';

/** The ways in which the number may not appear: as people write it, and with its middle alone. */
const TRACES = [...writings.map(({ write }) => write(CANARY)), CANARY.slice(4, 14)];

const logged: string[] = [];
const points: AnalyticsEngineDataPoint[] = [];

beforeAll(async () => {
  await freshDatabase();
  const { METRICS } = testEnv;
  if (!METRICS) throw new Error('METRICS is not bound');
  vi.spyOn(METRICS, 'writeDataPoint').mockImplementation((point) => {
    points.push(point ?? {});
  });
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

    const words = `The number ${CANARY} is not supported.`;
    const refusal = { reason: words, message: words, parameter: CANARY, requestId: CANARY };
    const vault = vi.spyOn(SandboxGateway.prototype, 'tokenize');
    vault.mockResolvedValueOnce({ kind: 'refused', refusal });
    answers.push(await call('/payment/v1/tokenize', card));
    expect([answers.at(-1)?.status, logged.at(-1)]).toEqual([
      502,
      expect.stringContaining('card_refused'),
    ]);

    await call('/ping/v1', { MessageType: 'Ping', MessageID: CANARY, EchoData: CANARY });
    for (const path of [`/nowhere/${CANARY}`, `/docs/${CANARY}`, `/export?date=${CANARY}`]) {
      const nothing = await parsed(await http(path));
      expect(nothing.status).toBeGreaterThanOrEqual(400);
      answers.push(nothing);
    }
    await writeEverywhere();
    const goOn = await makeFiles();

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

    const objects = await everyObject();
    goOn();
    const kept = [
      await everyTable(),
      Object.values(objects).join('\n'),
      await everyFile(),
      JSON.stringify(points),
      logged.join('\n'),
      JSON.stringify(answers),
      pages.map(({ html, path }) => path + html).join('\n'),
    ];
    for (const place of kept) {
      for (const trace of TRACES) expect(place).not.toContain(trace);
    }
    const stored = kept.slice(0, 3).join('\n');
    expect(stored).not.toMatch(new RegExp(`"${CANARY_CVV}"|:${CANARY_CVV}\\b`));
    // The search itself works: what may be kept is found in every kind of store.
    expect(kept[0]).toContain('XXXX-XXXX-XXXX-X486');
    expect(objects.SANDBOX_GATEWAY).toContain('1486');
    expect(objects.BOOKINGS).toContain('CANARY');
    expect(objects.PMS_DISPATCHER).toContain('127.0.0.1:8790');
    expect(objects.EXPORTER).toContain('checkpoint');
    expect(kept[2]).toContain('APP-');
    expect(kept[3]).toContain('/payment/v1/tokenize');
  });
});

/** The free texts of the operations, and those where groups of a card's form count. */
const WRITTEN_ANYHOW: readonly [string, string][] = [
  ['/payment/v1/create', 'description'],
  ['/payment/v1/schedule', 'description'],
  ['/refund/v1/create', 'description'],
  ['/booking/v1/create/manage-payments', 'lastName'],
  ['/booking/v1/create/manage-payments', 'firstName'],
  ['/booking/v1/create/manage-payments', 'source'],
  ['/payment/v1/tokenize', 'cardHolderName'],
  ['/application/v1/create', 'city'],
  ['/application/v1/create', 'userAgent'],
  ['/application/v1/update', 'agent.company'],
  ['/admin/v1/property/put', 'name'],
  ['/admin/v1/operation/resolve', 'reason'],
];

/** Sends the number in every text field, and in free texts in every writing. All of it is refused. */
async function writeEverywhere(): Promise<void> {
  const existing = await makeExisting();
  const texts = await allTextFields();
  const anyhow = WRITTEN_ANYHOW.flatMap(([path, at]) =>
    writings.map(({ write }) => ({ path, at: at.split('.'), text: `paid by ${write(CANARY)}.` })),
  );
  const plainly = texts
    .filter(({ at }) => at[0] !== 'Authentication' && at[0] !== 'cardNumber')
    .map((field) => ({ ...field, text: `x-${CANARY}` }));
  for (const { text, ...field } of [...anyhow, ...plainly]) {
    const body = bodyWith(field, text, existing);
    const asAdmin = /^\/(?:admin|sandbox)\//.test(field.path);
    const { status } = await (asAdmin ? callAsAdmin : call)(field.path, body);
    if (status !== 422 && field.path !== '/admin/v1/outbox/replay') {
      throw new Error(`${field.path} ${field.at.join('.')}: ${status} for ${text}`);
    }
  }
}

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

/** An application of which a file is made, and another file whose object is at work on it until it is let go on. */
async function makeFiles(): Promise<() => void> {
  const application = { email: 'guest@hotel.com', arrival: '2027-02-14', departure: '2027-02-24' };
  const refused = await call('/application/v1/create', { ...application, city: CANARY });
  expect(refused.status).toBe(422);
  await call('/application/v1/create', { ...application, reference: 'CANARY' });
  await makeExport('propertySystem');
  const restore = breakSpan('r2.read');
  const { json } = await callAsAdmin('/admin/v1/export/run', { variant: 'applicationConsole' });
  await vi.waitFor(() => expect(logged.join()).toContain('export_setback'));
  expect((await findRun(json.runId)).status).toBe('Running');
  return restore;
}

const NAMESPACES = ['BOOKINGS', 'SANDBOX_GATEWAY', 'PMS_DISPATCHER', 'EXPORTER'] as const;

/** What every object keeps, by its kind. */
async function everyObject(): Promise<Record<(typeof NAMESPACES)[number], string>> {
  const kept = { BOOKINGS: '', SANDBOX_GATEWAY: '', PMS_DISPATCHER: '', EXPORTER: '' };
  for (const name of NAMESPACES) {
    const namespace = testEnv[name] as DurableObjectNamespace;
    for (const id of await listDurableObjectIds(namespace)) {
      const dump = await runInDurableObject(namespace.get(id), (_object, state) =>
        dumpOf(state.storage),
      );
      kept[name] += JSON.stringify(dump);
    }
  }
  return kept;
}

/** The whole text of every file, and what it is called. */
async function everyFile(): Promise<string> {
  const { objects } = await testEnv.EXPORTS.list();
  const texts = await Promise.all(
    objects.map(async ({ key }) => key + (await (await testEnv.EXPORTS.get(key))?.text())),
  );
  return texts.join('\n');
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
    JSON.stringify(part, readable).replaceAll('\\"', '"'),
  );
}

/** Bytes as the text that they are, since a number among them is not found in their list. */
function readable(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : value;
}
