import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { SandboxGateway } from '../../src/gateways/sandbox.ts';
import {
  type Answer,
  adminToken,
  call,
  callAsAdmin,
  engineToken,
  http,
  makeBooking,
  parsed,
  testEnv,
} from '../support/api.ts';
import { bodyWith, type TextField } from '../support/bodyFields.ts';
import { type Writing, writings } from '../support/cardWritings.ts';
import { eventually } from '../support/eventually.ts';
import { makeExisting } from '../support/existing.ts';
import { findRun, makeExport } from '../support/exports.ts';
import { breakSpan } from '../support/faults.ts';
import { type Guest, visit } from '../support/guest.ts';
import { someOf } from '../support/long.ts';
import { mailbox, mailStates, sweepMailsOut } from '../support/mailbox.ts';
import { signIn } from '../support/ops.ts';
import type { Existing } from '../support/samples.ts';
import { everyRowOf } from '../support/stores.ts';
import { servedDocument } from '../support/strangeAnswers.ts';
import { allOtherFields, allTextFields } from '../support/textFields.ts';

/** A valid number that is no test card, so that nothing else can have written it. */
const CANARY = '4539578763621486';
const CANARY_CVV = '8642';

/** The seeded property's PMS. */
const PMS_URL = 'http://127.0.0.1:8790/pms';

/** The ways in which the number may not appear: as people write it, and with its middle alone. */
const TRACES = [...writings.map(({ write }) => write(CANARY)), CANARY.slice(4, 14)];

const logged: string[] = [];
const points: AnalyticsEngineDataPoint[] = [];
/** What was sent to others: PMSs, and nobody else. */
const sent: string[] = [];
/** What callers and guests were shown. */
const shown: string[] = [];

/** Credentials, which the service neither keeps nor repeats, and the place of a card number. */
const OTHERS = ['Authentication.Username', 'Authentication.Password', 'cardNumber'];

const texts = (await allTextFields()).filter(({ at }) => !OTHERS.includes(at.join('.')));

const operations = [...new Set(texts.map(({ path }) => path))];

/**
 * The identifiers, phone and confirmation numbers by their names. In these alone the number may stand in groups other
 * than those of a card, and among other groups (interface: Card numbers).
 */
const IDENTIFIERS = [
  'ApplicationNumber',
  'EchoData',
  'MessageID',
  'RateTypeCode',
  'RoomTypeCode',
  'TimeStamp',
  'agentCode',
  'agentCrm',
  'applicationNumber',
  'channelCode',
  'clientId',
  'disbursementId',
  'disputeId',
  'after',
  'cursor',
  'email',
  'endpointId',
  'eventId',
  'exceptionId',
  'fax',
  'messageId',
  'mobile',
  'moveId',
  'namespace',
  'password',
  'phone',
  'pmsConfirmationNumber',
  'pmsRoomTypeCode',
  'property',
  'rateTypeCode',
  'reference',
  'reportId',
  'roomTypeCode',
  'taxId',
  'tenantApplicationApplicantId',
  'token',
  'transactionId',
  'username',
];

function isIdentifier({ at }: TextField): boolean {
  return IDENTIFIERS.includes(String(at.findLast((name) => name !== 0)));
}

function mayHold(field: TextField, { otherGroups = false }: Writing): boolean {
  return otherGroups && isIdentifier(field);
}

/** The number in every writing that a field refuses. */
function textsFor(field: TextField): string[] {
  const kinds = writings.filter((writing) => !mayHold(field, writing));
  const texts = kinds.map(({ write }) => write(CANARY));
  return isIdentifier(field)
    ? [`x-${CANARY}`, ...texts]
    : [`x-${CANARY}`, ...texts.map((text) => `paid by ${text}.`)];
}

/** Whether an answer refuses a body because of this field, or of all of a body that is one of several. */
function isRefused({ status, json }: Answer, { at }: TextField): boolean {
  const names = json.errors?.map(({ field }) => field) ?? [];
  return status === 422 && (names.includes(at.join('.')) || names.includes(''));
}

let existing: Existing;

beforeAll(async () => {
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
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    sent.push(request.url, JSON.stringify([...request.headers]), await request.text());
    throw new TypeError('out of reach');
  });
  existing = await makeExisting();
  // The search is to look at what a dispatcher keeps and sends. A notification may get lost: the sweep repeats it.
  await testEnv.PMS_DISPATCHER.getByName(PMS_URL).notify(PMS_URL, 'overdue');
  await eventually(() => expect(sent.join()).toContain('EXISTING-1'));
});

/** Keeps an answer for the search. */
function seen<T extends Answer>(answer: T): T {
  shown.push(JSON.stringify(answer.json), JSON.stringify([...answer.headers]));
  return answer;
}

/** Keeps a guest's or an administrator's page for the search. */
function look({ page }: Guest): Guest['page'] {
  shown.push(page.html, JSON.stringify([...page.headers]));
  return page;
}

describe('a card number', () => {
  it('goes to the vault, and into no answer', async () => {
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
    expect(answers.map((answer) => seen(answer).status)).toEqual([
      200, 404, 422, 422, 400, 422, 402,
    ]);

    const words = `The number ${CANARY} is not supported.`;
    const refusal = { reason: words, message: words, parameter: CANARY, requestId: CANARY };
    const vault = vi.spyOn(SandboxGateway.prototype, 'tokenize');
    vault.mockResolvedValueOnce({ kind: 'refused', refusal });
    expect([seen(await call('/payment/v1/tokenize', card)).status, logged.at(-1)]).toEqual([
      502,
      expect.stringContaining('card_refused'),
    ]);
  });

  it('is in no answer to whoever writes it where there is nothing', async () => {
    for (const path of [`/nowhere/${CANARY}`, `/docs/${CANARY}`, `/export?date=${CANARY}`]) {
      expect(seen(await parsed(await http(path))).status).toBeGreaterThanOrEqual(400);
    }
    const form = { grant_type: 'client_credentials', client_id: CANARY, client_secret: CANARY };
    const body = new URLSearchParams({ ...form, scope: CANARY });
    const refused = await http('/auth/v1/token', { method: 'POST', body });
    expect(seen(await parsed(refused)).status).toBe(401);
    const Authorization = `Basic ${btoa(`${CANARY}:${CANARY}`)}`;
    const file = await http('/export?propertySystem=1', { headers: { Authorization } });
    expect(seen(await parsed(file)).status).toBe(401);
    const message = {
      MessageType: 'Ping',
      MessageID: 'canary',
      Authentication: { Username: CANARY, Password: CANARY },
    };
    const unknown = await http('/ping/v1', { method: 'POST', body: JSON.stringify(message) });
    expect(seen(await parsed(unknown)).status).toBe(401);
    const named = { reference: 'CANARY', [CANARY]: CANARY, more: { [CANARY]: [CANARY] } };
    expect(seen(await call('/booking/v1/get-details', named)).status).toBe(200);
  });

  it('is refused as an Idempotency-Key, however it is written', async () => {
    const { paths } = await servedDocument();
    const keyed = Object.entries(paths).filter(([, { post }]) =>
      post?.parameters?.some(({ name }) => name === 'Idempotency-Key'),
    );
    expect(keyed.length).toBeGreaterThan(8);
    const keys = writings.filter(({ write }) => /^[\x20-\x7e]+$/.test(write(CANARY)));
    const cases = keyed.flatMap(([path]) => keys.map((writing) => ({ path, ...writing })));
    for (const { path, write, otherGroups } of someOf(cases, 16, 2)) {
      if (otherGroups) continue;
      const key = path.endsWith('create') ? `RES-${CANARY}` : write(CANARY);
      const body = bodyWith({ path, at: ['nothing'] }, 1, existing);
      const { status, json } = seen(await callAs(path, body, { 'Idempotency-Key': key }));
      expect([path, status, json.errors?.[0]]).toMatchObject([
        path,
        422,
        { field: 'Idempotency-Key', code: 'card_number' },
      ]);
    }
  });

  it.each(someOf(operations, 3))(
    'is refused in every text of %s, however it is written',
    async (path) => {
      const taken: unknown[] = [];
      for (const field of texts.filter((one) => one.path === path)) {
        for (const text of someOf(textsFor(field), 16, 2)) {
          const answer = seen(await send(field, text));
          if (!isRefused(answer, field)) taken.push([field.at.join('.'), text, answer.status]);
        }
      }
      expect(taken).toEqual([]);
    },
  );

  it('is kept of no number, flag or choice', async () => {
    const values = [CANARY, Number(CANARY), [CANARY], { [CANARY]: CANARY }];
    const cases = (await allOtherFields()).flatMap((field) =>
      values.map((value) => ({ field, value })),
    );
    for (const { field, value } of someOf(cases, 16, 2)) {
      const { status } = seen(await send(field, value));
      expect(status, `${field.path} ${field.at.join('.')}`).toBeLessThan(500);
    }
  });

  it('is in no page of a guest or an administrator', async () => {
    const guest = await visit('CANARY');
    const home = guest.page.path;
    const typed = {
      cardNumber: CANARY,
      cardExpiry: '12/2030',
      cvv: CANARY_CVV,
      cardHolderName: 'A Nguyen',
    };
    const attempt = crypto.randomUUID();
    for (const { write } of someOf(writings, 8)) {
      await guest.post(`${home}/card`, { ...typed, cardHolderName: `A ${write(CANARY)}` });
      expect(look(guest).status).toBe(422);
    }
    const forms: [string, Record<string, string>][] = [
      ['card', { ...typed, attempt, cardNumber: `${CANARY}0` }],
      ['card', { ...typed, attempt, cardExpiry: CANARY }],
      ['card', { ...typed, attempt, cvv: CANARY }],
      ['pay', { attempt: CANARY, card: CANARY, requestedMinor: '1', agreedMinor: '1' }],
      ['pay', { attempt, card: existing.cardToken, requestedMinor: CANARY, agreedMinor: CANARY }],
    ];
    for (const [name, form] of forms) {
      await guest.post(`${home}/${name}`, form);
      expect(look(guest).status).toBe(422);
    }
    await guest.open(`${home}/review?amount=${CANARY}&card=${CANARY}&attempt=${CANARY}`);
    expect(look(guest).status).toBe(422);
    await guest.post(`${home}/card`, { ...typed, attempt, agreed: 'saved-2 en' });
    expect(look(guest).html).toContain('Card added.');

    const stranger = await signIn(CANARY, CANARY);
    expect(look(stranger).status).toBe(401);
    const admin = await signIn();
    const exceptionId = '01998f00-0000-7000-8000-000000000000';
    for (const { write } of someOf(writings, 8)) {
      const reason = `paid by ${write(CANARY)}.`;
      await admin.post('/ops/reconciliation/accept', { exceptionId, reason });
      expect(look(admin).status).toBe(422);
    }
    for (const name of ['replay', 'replay-all', 'dismiss']) {
      await admin.post(`/ops/outbox/${name}`, { messageId: CANARY, property: CANARY });
      expect(look(admin).status).toBe(404);
    }
  });

  it('of a card whose charge, refund and decline are told by mail, and to the property', async () => {
    const { status } = await callAsAdmin('/admin/v1/property/put', {
      property: 'demo',
      name: 'Demo Property',
      site: 'demo.localhost',
      currency: 'AUD',
      timeZone: 'Australia/Perth',
      contact: { email: 'desk@hotel.com' },
      guestMails: { receipts: true, refunds: true, failedPayments: true },
    });
    expect(status).toBe(200);
    const { chargeId } = existing;
    await call('/refund/v1/create', { reference: existing.reference, chargeId, amount: 1 });
    // The sandbox declines a number that is no test card.
    const charged = seen(await call('/payment/v1/create', { reference: 'CANARY', amount: 10 }));
    expect(charged.status).toBe(402);
    await sweepMailsOut();
    const kinds = (await mailStates('demo', 'CANARY')).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['dailyWord', 'failedPayment']);
    for (const mail of await mailbox()) sent.push(JSON.stringify(mail));
    expect(sent.join('')).toContain('ending in 1486');
  });

  it('is then found nowhere, nor is its CVV', async () => {
    const goOn = await makeFiles();
    const objects = await everyObject();
    goOn();
    const kept = {
      tables: await everyTable(),
      objects: Object.values(objects).join('\n'),
      files: await everyFile(),
      points: JSON.stringify(points),
      logs: logged.join('\n'),
      answers: shown.join('\n'),
      messages: sent.join('\n'),
    };
    for (const [place, text] of Object.entries(kept)) {
      const found = TRACES.filter((trace) => text.includes(trace));
      expect([place, found]).toEqual([place, []]);
    }
    const stored = [kept.tables, kept.objects, kept.files].join('\n');
    expect(stored).not.toMatch(new RegExp(`"${CANARY_CVV}"|:${CANARY_CVV}\\b`));
    // The search itself works: what may be kept is found in every kind of store.
    expect(kept.tables).toContain('XXXX-XXXX-XXXX-X486');
    expect(objects.SANDBOX_GATEWAY).toContain('1486');
    expect(objects.BOOKINGS).toContain('CANARY');
    expect(objects.PMS_DISPATCHER).toContain(PMS_URL);
    expect(objects.EXPORTER).toContain('checkpoint');
    expect(kept.files).toContain('APP-');
    expect(kept.points).toContain('/payment/v1/tokenize');
    expect(kept.answers).toContain('XXXX-XXXX-XXXX-X486');
    expect(kept.messages).toContain('EXISTING-1');
  });
});

function send(field: TextField, value: unknown): Promise<Answer> {
  return callAs(field.path, bodyWith(field, value, existing));
}

/** Calls an operation as whoever may. */
async function callAs(path: string, body: object, headers = {}): Promise<Answer> {
  const mayAdministrate = /^\/(?:admin|sandbox)\//.test(path);
  const token = await (mayAdministrate ? adminToken() : engineToken());
  return call(path, body, { token, headers });
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
  await eventually(() => expect(logged.join()).toContain('export_setback'));
  expect((await findRun(json.runId)).status).toBe('Running');
  return restore;
}

const NAMESPACES = [
  'BOOKINGS',
  'SANDBOX_GATEWAY',
  'PMS_DISPATCHER',
  'EVENT_DISPATCHER',
  'EXPORTER',
  'CLOCKS',
  'MAILER',
] as const;

/** What every object keeps, by its kind. */
async function everyObject(): Promise<Record<(typeof NAMESPACES)[number], string>> {
  const kept = {
    BOOKINGS: '',
    SANDBOX_GATEWAY: '',
    PMS_DISPATCHER: '',
    EVENT_DISPATCHER: '',
    EXPORTER: '',
    CLOCKS: '',
    MAILER: '',
  };
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
  return [everyRowOf(storage), [...(await storage.list())]].map((part) =>
    JSON.stringify(part, readable).replaceAll('\\"', '"'),
  );
}

/** Bytes as the text that they are, since a number among them is not found in their list. */
function readable(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : value;
}
