/**
 * One service for what needs it for itself: a real PMS, and a kill in the middle of a charge and of a message. It is
 * started twice, which takes longer than most tests.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Mode } from '../../scripts/pms/behaviour.ts';
import { type ReferencePms, startPms } from '../../scripts/pms/server.ts';
import { freePort, type Service, startService } from '../../scripts/service.ts';
import type { MessageBody } from '../support/answers.ts';
import { SLOW } from '../support/cards.ts';
import { eventually } from '../support/eventually.ts';
import { someOf } from '../support/long.ts';
import { Client, stateFolder } from './client.ts';

const state = stateFolder();
const running: ReferencePms[] = [];
const printed: string[] = [];
let service: Service;

/** The administrator, and the seeded property's booking engine. */
let admin: Client;

beforeAll(() => start({ crons: false }));

afterAll(async () => {
  await service?.kill();
  await Promise.all(running.map((pms) => pms.stop()));
  state.remove();
});

async function start(options: { prepared?: boolean; crons?: boolean }): Promise<void> {
  service = await startService({
    port: await freePort(),
    persistTo: state.path,
    ...options,
    output: (text) => printed.push(text),
  });
  admin = new Client(service.url);
}

/** A property with a reference PMS of its own. */
async function hotel(property: string, settings: object = {}) {
  const login = { username: 'pms-user', password: `pass-of-${property}` };
  const pms = await startPms({ port: 0, ...login });
  running.push(pms);
  const credentials = { url: pms.url, ...login };
  const client = await admin.property(property, { pms: { ...credentials, ...settings } });
  return { property, pms, client };
}

async function messagesOf(property: string): Promise<MessageBody[]> {
  const { json } = await admin.call('/admin/v1/outbox/list', { property }, { admin: true });
  return json.messages;
}

/** Looks at the property's messages until they are as wanted. */
function until(
  property: string,
  wanted: (messages: MessageBody[]) => boolean,
): Promise<MessageBody[]> {
  return eventually(async () => {
    const messages = await messagesOf(property);
    if (wanted(messages)) return messages;
    throw new Error(`not as wanted: ${JSON.stringify(messages)}`);
  }, 200);
}

const confirmed = (messages: MessageBody[]) =>
  messages.length > 0 && messages.every(({ status }) => status === 'Confirmed');

/** Every way in which the PMS answers wrongly or not at all, and what is then known of the message. */
const wrong: [Mode, RegExp][] = [
  ['html', /no readable JSON/],
  ['not-json', /no readable JSON/],
  ['wrong-id', /another MessageID/],
  ['error', /Status is not Success/],
  ['redirect', /HTTP 302/],
  ['http-500', /HTTP 500/],
  ['huge', /no readable JSON/],
  ['drip', /no answer within 15 s/],
  ['hang', /no answer within 15 s/],
  ['close', /./],
  ['close-late', /./],
];

describe('a real PMS', () => {
  it('gets every message with the right headers, and its reply confirms', async () => {
    const { property, pms, client } = await hotel('right');
    await client.booking('RES-1', '4242424242424242');
    await client.call('/payment/v1/create', { reference: 'RES-1', amount: 150 });
    await client.call('/refund/v1/create', { reference: 'RES-1', amount: 50 });
    await until(property, (messages) => messages.length === 3 && confirmed(messages));
    const received = pms.received();
    expect(received.map(({ messageType }) => messageType)).toEqual([
      'PushBooking',
      'PushTransaction',
      'PushTransaction',
    ]);
    for (const message of received) {
      // The reference PMS refuses a message without Content-Length, and every shape that is not the interface's.
      expect(message).toMatchObject({
        contentType: 'application/json',
        refusal: null,
        duplicate: false,
      });
      expect(message.contentLength).toBeGreaterThan(100);
    }
  });

  it('reads a SOAP transaction with an XML parser of its own, whatever the texts hold', async () => {
    const { property, pms, client } = await hotel('soap', {
      transactionFormat: 'XML',
      namespace: 'urn:hotel:<&">',
    });
    const description = `</Description><Type>Refund</Type> & ]]> <!DOCTYPE x> "quoted" 'too' \u{1F600} \u2028 é`;
    await client.booking('A<B>&"C', '4242424242424242');
    await client.call('/payment/v1/create', { reference: 'A<B>&"C', amount: 150, description });
    await until(property, (messages) => messages.length === 2 && confirmed(messages));
    expect(pms.received()[1]).toMatchObject({
      format: 'XML',
      namespace: 'urn:hotel:<&">',
      contentType: 'application/soap+xml; charset=utf-8',
      refusal: null,
      data: {
        Type: 'Payment',
        RelatedReference: 'A<B>&"C',
        Description: description,
        AmountNet: '150.00',
      },
    });
  });

  it('tells its rooms and rates, takes a ping, and learns of what is booked', async () => {
    const { property, pms, client } = await hotel('rooms');
    const got = await admin.call('/admin/v1/pms/get-rooms-rates', { property }, { admin: true });
    expect(got.json).toMatchObject({ success: true });
    const pinged = await admin.call('/admin/v1/pms/ping', { property }, { admin: true });
    expect(pinged.json).toMatchObject({ success: true, Status: 'Success' });
    const envelope = { MessageID: 'm-1', Authentication: { Username: 'x', Password: 'y' } };
    const told = await client.call('/property-info/v1/get', {
      ...envelope,
      MessageType: 'GetPropertyInfo',
    });
    expect(told.json.PropertyData).toMatchObject({ PropertyName: 'Property rooms' });
    expect(pms.received().map(({ messageType }) => messageType)).toEqual([
      'GetPropertyInfo',
      'Ping',
    ]);
  });

  it.concurrent.each(someOf(wrong, 3))(
    'confirms nothing with a wrong answer (%s), and then gets the same message again',
    async (mode, why) => {
      const { property, pms, client } = await hotel(`nasty-${mode}`);
      pms.behave({ mode });
      await client.booking('RES-1', '4242424242424242');
      const [message] = await until(property, ([it]) => (it?.attempts ?? 0) > 0);
      expect(message).toMatchObject({ status: 'Pending' });
      expect(message?.lastError).toMatch(why);
      expect(pms.counts().trapped).toBe(0);
      for (const { bytesTaken } of pms.received())
        expect(bytesTaken ?? 0).toBeLessThan(8 * 1024 * 1024);

      pms.behave({ mode: 'right' });
      await admin.call(
        '/admin/v1/outbox/replay',
        { messageId: message?.messageId },
        { admin: true },
      );
      await until(property, confirmed);
      expect(new Set(pms.received().map(({ messageId }) => messageId))).toEqual(
        new Set([message?.messageId]),
      );
      // Where the PMS took the message and only its answer was spoilt, it knows it again by its MessageID.
      const taken = ['huge', 'drip', 'close-late'].includes(mode);
      expect(pms.counts().duplicates).toBe(taken ? pms.received().length - 1 : 0);
    },
  );
});

describe("a real PMS's ledger", () => {
  interface Report {
    readonly reportId: string;
    readonly matched: number;
    readonly missingAtPms: readonly { readonly messageId: string }[];
    readonly unknownHere: readonly object[];
    readonly twiceAtPms: readonly { readonly transactionId: string }[];
    readonly different: readonly object[];
  }

  it('of sixty payments is told what it lacks, and is repaired once', async () => {
    const { pms, client } = await hotel('ledger');
    const pay = async (reference: string) => {
      await client.booking(reference, '4242424242424242');
      for (const amount of [10, 20, 30, 40, 50]) {
        const { status } = await client.call('/payment/v1/create', { reference, amount });
        expect(status).toBe(200);
      }
    };
    await Promise.all(Array.from({ length: 12 }, (_, booking) => pay(`L-${booking}`)));
    const told = () =>
      pms.received().filter(({ messageType }) => messageType === 'PushTransaction');
    expect(await holdsWithin(60, async () => told().length === 60)).toBe(true);
    expect(told().filter(({ duplicate, refusal }) => duplicate || refusal !== null)).toEqual([]);

    const lines = told().map(({ data }) => ({
      transactionId: String(data?.['TransactionID']),
      reference: String(data?.['RelatedReference']),
      type: data?.['Type'],
      amountGross: data?.['AmountGross'],
      processedTime: data?.['ProcessedTime'],
    }));
    const [changed, twice] = [lines[2], lines[4]];
    const dropped = [10, 25, 40];
    const unknown = { reference: 'WALK-IN', type: 'Payment', amountGross: 12.5 };
    const spoiled = [
      ...lines
        .map((line) => (line === changed ? { ...line, amountGross: '1.00' } : line))
        .filter((_line, at) => !dropped.includes(at)),
      twice,
      unknown,
    ];
    const compare = async (of: readonly unknown[]): Promise<Report> => {
      const span = { from: '2026-01-01', to: '2099-12-31', lines: of };
      const { json, status } = await client.call('/pms-ledger/v1/compare', span);
      expect(status).toBe(200);
      return (json as unknown as { report: Report }).report;
    };
    const report = await compare(spoiled);
    const lost = told().flatMap(({ messageId }, at) => (dropped.includes(at) ? [messageId] : []));
    const missing = report.missingAtPms.map(({ messageId }) => messageId);
    expect(missing.toSorted()).toEqual(lost.toSorted());
    expect(report.unknownHere).toEqual([unknown]);
    expect(report.twiceAtPms.map(({ transactionId }) => transactionId)).toEqual([
      twice?.transactionId,
    ]);
    expect(report.different).toMatchObject([
      { transactionId: changed?.transactionId, field: 'amountGross', theirs: 1 },
    ]);
    expect(report.matched).toBe(56);

    const { reportId } = report;
    const repair = async () => (await client.call('/pms-ledger/v1/repair', { reportId })).json;
    expect(await repair()).toEqual({ success: true, replayed: 3 });
    expect(await holdsWithin(30, async () => told().length === 63)).toBe(true);
    expect(await repair()).toEqual({ success: true, replayed: 0 });
    const again = told().slice(60);
    expect(again.every(({ duplicate }) => duplicate)).toBe(true);
    expect(again.map(({ messageId }) => messageId).toSorted()).toEqual(lost.toSorted());
    expect(await compare(lines)).toMatchObject({
      matched: 60,
      missingAtPms: [],
      unknownHere: [],
      twiceAtPms: [],
      different: [],
    });
  });
});

const CHARGE = { reference: 'KILL', amount: 100 };
const KEY = { headers: { 'Idempotency-Key': 'kill' } };

/** Asks again until something holds, for as long as is allowed. */
async function holdsWithin(seconds: number, holds: () => Promise<boolean>): Promise<boolean> {
  for (let waited = 0; waited < seconds * 4; waited += 1) {
    if (await holds()) return true;
    await sleep(250);
  }
  return false;
}

/**
 * Kills the service while a PMS holds back its answer to a message and the acquirer holds back that to a charge, and
 * starts it again. Returns the PMS.
 */
async function killAndStart(): Promise<ReferencePms> {
  const { pms, client } = await hotel('killed');
  await admin.booking('KILL', SLOW);
  pms.behave({ mode: 'hang' });
  await client.booking('RES-1', '4242424242424242');
  await client.call('/payment/v1/create', { reference: 'RES-1', amount: 150 });
  await eventually(() => expect(pms.received()).toHaveLength(1), 100);
  const cut = admin.call('/payment/v1/create', CHARGE, KEY).then(
    ({ status }) => status,
    () => 'cut off',
  );
  const reached = await holdsWithin(20, async () => (await admin.ledger('KILL')).length === 1);
  expect(reached).toBe(true);
  expect(await admin.transactions('KILL')).toMatchObject([{ status: 'Processing' }]);
  await service.kill();
  expect(await cut).toBe('cut off');
  pms.behave({ mode: 'right' });
  await start({ prepared: true });
  expect(await admin.transactions('KILL')).toMatchObject([{ status: 'Processing' }]);
  return pms;
}

let killing: Promise<ReferencePms> | null = null;

/** The kill, once for everything that it cuts off. */
function killed(): Promise<ReferencePms> {
  killing ??= killAndStart();
  return killing;
}

describe('the service, killed while messages go out', () => {
  it('delivers each of them after a restart, in order', async () => {
    const pms = await killed();
    // Mostly, the dispatcher has been told of the second message by then, and goes on as soon as it is up again. Else
    // its alarm finds both messages a minute after the first one was sent.
    const messages = await until('killed', (all) => all.length === 2 && confirmed(all));
    const applied = pms.received().slice(1);
    expect(applied.map(({ messageId }) => messageId)).toEqual(
      messages.map(({ messageId }) => messageId),
    );
    expect(pms.received()[0]?.messageId).toBe(messages[0]?.messageId);
  });
});

describe('the service, killed between the record of a charge and its answer', () => {
  it('ends with exactly one charge, at the acquirer and in its list, after a restart', async () => {
    await killed();
    const settled = await holdsWithin(90, async () => {
      const [transaction] = await admin.transactions('KILL');
      return transaction?.status === 'Accepted';
    });
    expect(settled).toBe(true);
    expect(await admin.transactions('KILL')).toMatchObject([
      { amount: 103.09, status: 'Accepted' },
    ]);
    expect(await admin.ledger('KILL')).toMatchObject([{ amount: 103.09, status: 'succeeded' }]);

    const replay = await admin.call('/payment/v1/create', CHARGE, KEY);
    expect([replay.status, replay.json.transaction.amount]).toEqual([200, 103.09]);
    expect(await admin.ledger('KILL')).toHaveLength(1);
  });

  it('has left no card number in any file or line of output', async () => {
    await service.stop();
    const files = readdirSync(state.path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
    expect(files.length).toBeGreaterThan(3);
    const holding = files.filter((file) => readFileSync(file).includes(SLOW));
    expect(holding).toEqual([]);
    const withMask = files.filter((file) => readFileSync(file).includes('XXXX-XXXX-XXXX-X201'));
    expect(withMask).not.toEqual([]);
    expect(printed.join('')).not.toContain(SLOW);
  });
});
