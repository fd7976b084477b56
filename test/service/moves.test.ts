/**
 * Three databases, 24 properties and six callers: one property moves back and forth, and the service is killed at each
 * boundary of its moves, while all are charged, and its PMS, its endpoint and its guests are told of what happens.
 */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Miniflare, V4WorkerOptions } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findWorkerd } from '../../bench/workerdProcess.ts';
import { localWorker } from '../../scripts/localWorker.ts';
import { prepareState } from '../../scripts/prepare.ts';
import { runWorker } from '../../scripts/runWorker.ts';
import { freePort } from '../../scripts/service.ts';
import { MINUTE_MS } from '../../src/core/time.ts';
import { eventually } from '../support/eventually.ts';
import { isLong } from '../support/long.ts';
import { type Answer, Client, stateFolder } from './client.ts';
import { type Arrived, HotelSide } from './hotelSide.ts';

const PROPERTIES = 24;
const CALLERS = 6;
const HOMES = ['DB', 'DB2', 'DB3'] as const;
const GOOD = '4242424242424242';
const MOVED = 'hotel-0';

/** How many further bookings the moved property has, each of a guest of its own who gets mails. */
const MAILED = 40;

/** How long the hotel's side takes to answer, and a caller of those bookings to go on, in milliseconds. */
const HOTEL_MS = 150;
const BETWEEN_MAILS_MS = 800;

/** When schedules of the moved property are due, in seconds from the first move on. */
const DUE_S = [3, 6, 9, 12, 15, 20, 25, 30];

/** How long a caller waits between two charges, in milliseconds. */
const BETWEEN_MS = 250;

const state = stateFolder();
const entry = path.join(import.meta.dirname, 'stoppingMover.ts');
const passed: string[] = [];
const clients: Client[] = [];
const hotel = new HotelSide(HOTEL_MS);
let endpointId: string;
let port: number;
let worker: V4WorkerOptions;
let service: Miniflare | null = null;
let admin: Client;
let downMs = 0;

const databases = process.env['DATABASES'];

beforeAll(async () => {
  if (!isLong) return;
  process.env['DATABASES'] = String(HOMES.length);
  await prepareState(state.path);
  worker = await localWorker(entry);
  port = await freePort();
  await start();
  admin = new Client(url());
  await hotel.start();
  for (let number = 0; number < PROPERTIES; number += 1) clients.push(await makeProperty(number));
});

const pmsOf = ({ pmsUrl }: HotelSide) => ({ url: pmsUrl, username: 'pms', password: 'a-password' });

/** A property with its bookings; the one that moves tells its PMS, its endpoint and its guests. */
async function makeProperty(number: number): Promise<Client> {
  const database = HOMES[number % HOMES.length];
  if (number > 0) {
    const client = await admin.property(`hotel-${number}`, { database });
    await client.booking(referenceOf(number, 0), GOOD);
    return client;
  }
  const telling = { guestMails: { receipts: true }, pms: pmsOf(hotel) };
  const client = await admin.property(MOVED, { database, ...telling });
  const put = await client.call('/webhook/v1/put', { url: hotel.endpointUrl });
  endpointId = put.json.endpoint.endpointId;
  for (let one = 0; one < CALLERS; one += 1) await client.booking(referenceOf(0, one), GOOD);
  for (let one = 0; one < MAILED; one += 1)
    await client.booking(mailedReference(one), GOOD, { email: addressOf(one) });
  return client;
}

afterAll(async () => {
  await service?.dispose();
  hotel.stop();
  state.remove();
  if (databases === undefined) delete process.env['DATABASES'];
  else process.env['DATABASES'] = databases;
});

const referenceOf = (property: number, booking: number) => `RES-${property}-${booking}`;

const mailedReference = (one: number) => referenceOf(0, CALLERS + one);

const addressOf = (one: number) => `guest-${one}@hotel.com`;

const url = () => `http://127.0.0.1:${port}`;

/** Starts the service at the same address, as a process of its own; its mover stops no more where it stopped before. */
async function start(): Promise<void> {
  const variables = { PASSED: passed.join() };
  service = await runWorker({ worker, port, persistTo: state.path, variables });
}

async function kill(): Promise<void> {
  const [, , pid] = findWorkerd()?.split('/') ?? [];
  process.kill(Number(pid), 'SIGKILL');
  await service?.dispose();
}

/** Looks again until something is there. */
function until<T>(find: () => Promise<T | null | undefined>): Promise<T> {
  return eventually(async () => {
    const found = await find();
    if (found != null) return found;
    throw new Error('it never came');
  }, 100);
}

/** What the Cron Trigger does each minute: it finds the move. What it does for the property waits for the move's last step. */
async function sweep(): Promise<void> {
  const running = await service?.getWorker();
  await running?.scheduled({ cron: '* * * * *' });
}

/** Moves the property, and kills the service wherever the mover stops. Returns how the move ended. */
async function moveTo(to: string): Promise<string> {
  const asked = { property: MOVED, to };
  const begun = await admin.call('/admin/v1/property/move', asked, { admin: true });
  expect([begun.status, begun.json.code]).toEqual([200, undefined]);
  const { moveId } = begun.json.move;
  for (;;) {
    const reached = await until(async () => {
      const { stopped } = (await (await fetch(`${url()}/stopped`)).json()) as {
        stopped: string | null;
      };
      if (stopped !== null) return stopped;
      const looked = await admin.call(
        '/admin/v1/property/move-status',
        { moveId },
        { admin: true },
      );
      return looked.json.move.endedAt === null ? null : `ended ${looked.json.move.status}`;
    });
    if (reached.startsWith('ended ')) return reached;
    passed.push(reached);
    const killedMs = Date.now();
    await kill();
    await start();
    downMs += Date.now() - killedMs;
    void sweep().catch(() => undefined);
  }
}

/** A charge that a caller asked for. */
interface Asked {
  readonly client: Client;
  readonly body: { readonly reference: string; readonly amount: number };
  readonly key: string;
}

const charge = ({ body, client, key }: Asked): Promise<Answer | null> =>
  client
    .call('/payment/v1/create', body, { headers: { 'Idempotency-Key': key } })
    .catch(() => null);

/** The charges that callers were told of, with their ids. */
const told = new Map<Asked, number>();

/** How long an answer of the service was `busy` at most, without the time in which there was none, in milliseconds. */
let longestBusyMs = 0;

/** Charges a booking of the moved property and one of another, in turn. Returns what was asked for, by its reference. */
async function call(caller: number, isOver: () => boolean): Promise<Asked[]> {
  const all: Asked[] = [];
  for (let turn = 0; !isOver(); turn += 1) {
    const property = turn % 2 === 0 ? 0 : 1 + ((caller + turn * CALLERS) % (PROPERTIES - 1));
    const client = clients[property];
    if (!client) throw new Error('no client');
    const reference = referenceOf(property, property === 0 ? caller : 0);
    const asked = { client, body: { reference, amount: 1 }, key: `${caller}-${turn}` };
    all.push(asked);
    await askFor(asked);
    await sleep(BETWEEN_MS);
  }
  return all;
}

/** Asks for a charge until the answer is another one than `busy`. */
async function askFor(asked: Asked): Promise<void> {
  const downBeforeMs = downMs;
  const beganMs = Date.now();
  while (await isBusy(asked)) await sleep(50);
  const busyMs = Date.now() - beganMs - (downMs - downBeforeMs);
  longestBusyMs = Math.max(longestBusyMs, busyMs);
}

/** Charges the bookings of guests who get mails, in turn. Returns what was asked for. */
async function callMailed(client: Client, isOver: () => boolean): Promise<Asked[]> {
  const all: Asked[] = [];
  for (let turn = 0; !isOver(); turn += 1) {
    const body = { reference: mailedReference(turn % MAILED), amount: 1 };
    const asked = { client, body, key: `mailed-${turn}` };
    all.push(asked);
    await askFor(asked);
    await sleep(BETWEEN_MAILS_MS);
  }
  return all;
}

/** Charges, and says whether the answer was that it is to be tried again. What was cut off is asked for at the end. */
async function isBusy(asked: Asked): Promise<boolean> {
  const answer = await charge(asked);
  if (answer?.status === 200) told.set(asked, answer.json.transaction.id);
  if (answer === null || answer.status === 200 || answer.status === 504) return false;
  expect([answer.status, answer.json.code]).toEqual([503, 'busy']);
  return true;
}

/** Plays the minutes after which the service asks again for what was cut off, and the last schedules are due. */
async function playMinutes(cutOff: readonly Asked[]): Promise<void> {
  const to = new Date(Date.now() + 5 * MINUTE_MS).toISOString();
  const numbers = cutOff.map(({ client }) => clients.indexOf(client));
  for (const number of new Set([0, ...numbers])) {
    const advance = { property: `hotel-${number}`, to };
    const { status } = await admin.call('/sandbox/v1/clock/advance', advance, { admin: true });
    expect(status).toBe(200);
  }
}

/** What is wrong with a booking, in words, where so many charges were asked for. */
async function wrongWith(client: Client, reference: string, wanted: number): Promise<string[]> {
  const transactions = await client.transactions(reference);
  const ledger = await admin.ledger(reference);
  const once = new Set(ledger.map(({ idempotencyKey }) => idempotencyKey)).size;
  const sums = [transactions, ledger].map((list) =>
    list.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0),
  );
  const found = [
    transactions.length === wanted ? '' : `${transactions.length} payments, not ${wanted}`,
    transactions.every(({ status }) => status === 'Accepted') ? '' : 'some are not accepted',
    ledger.length === wanted && once === wanted ? '' : `${ledger.length} at the acquirer`,
    ledger.every(({ status }) => status === 'succeeded') ? '' : 'some did not succeed',
    sums[0] === sums[1] ? '' : `sums of ${sums.join(' and ')}`,
  ];
  return found.filter((what) => what !== '').map((what) => `${reference}: ${what}`);
}

/** The ids of the moved property's messages to its PMS; only those that wait, if so asked. */
async function messageIds(waiting: object = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const body = { property: MOVED, ...waiting, ...(cursor && { cursor }) };
    const { json } = await admin.call('/admin/v1/outbox/list', body, { admin: true });
    ids.push(...json.messages.map(({ messageId }) => messageId));
    cursor = json.nextCursor;
  }
  return ids;
}

async function eventIds(client: Client): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const { json } = await client.call('/event/v1/list', { ...(after && { after }) });
    ids.push(...json.events.map(({ eventId }) => eventId));
    after = json.nextCursor;
  }
  return ids;
}

/** Waits until the hotel's side and the guests have been told everything. */
async function allIsTold(client: Client): Promise<void> {
  await until(async () => {
    const waiting = await messageIds({ status: 'Pending' });
    const which = { endpointId, status: 'Pending' };
    const { json } = await client.call('/webhook/v1/deliveries', which);
    return waiting.length + json.deliveries.length === 0 ? true : null;
  });
}

/** What is wrong with what arrived at the hotel's side: what is missing, unknown, or twice under other ids. */
function wrongAmong(
  what: string,
  arrived: readonly Arrived[],
  wanted: readonly string[],
  chargeIn: (one: Arrived) => string | undefined,
): string[] {
  const ids = new Set(arrived.map(({ id }) => id));
  const texts = new Set(
    arrived.map(({ id, json: { data, TransactionData } }) =>
      JSON.stringify([id, data, TransactionData]),
    ),
  );
  const charges = [...new Map(arrived.map((one) => [one.id, one])).values()].flatMap(
    (one) => chargeIn(one) ?? [],
  );
  const missing = wanted.filter((id) => !ids.has(id));
  const found = [
    missing.length === 0 ? '' : `${missing.length} of ${wanted.length} did not arrive`,
    ids.size === wanted.length ? '' : `${ids.size} arrived, not ${wanted.length}`,
    texts.size === ids.size ? '' : 'some were sent again with something else',
    new Set(charges).size === charges.length ? '' : 'a charge was told under two ids',
  ];
  return found.filter((one) => one !== '').map((one) => `${what}: ${one}`);
}

/** What is wrong with what the moved property's side was told. */
async function wrongWithTelling(client: Client): Promise<string[]> {
  return [
    ...wrongAmong(
      'messages',
      hotel.messages,
      await messageIds(),
      ({ json }) => json.TransactionData?.TransactionID,
    ),
    ...wrongAmong('events', hotel.events, await eventIds(client), ({ json }) =>
      json.type === 'payment.accepted' ? String(json.data?.transaction?.id) : undefined,
    ),
  ];
}

/** The mails of a booking, each with what became of it. */
async function mailsOf(reference: string): Promise<string[]> {
  const which = { property: MOVED, reference };
  const { json } = await admin.call('/admin/v1/mail/list', which, { admin: true });
  return json.mails.map((mail) => `${String(mail['mailId'])} ${String(mail['status'])}`).toSorted();
}

/** What is wrong with the mails of a guest: each charge has a receipt, and the mailbox has each once. */
async function wrongWithMails(client: Client, one: number): Promise<string[]> {
  const reference = mailedReference(one);
  const charges = await client.transactions(reference);
  const wanted = charges.map(({ id }) => `${id}-receipt Sent`).toSorted();
  const sent = await until(async () => {
    const mails = await mailsOf(reference);
    return mails.length < wanted.length || mails.join().includes('Pending') ? null : mails;
  });
  const arrived = (await mailbox()).filter(({ to }) => to === addressOf(one)).length;
  const isRight = sent.join() === wanted.join() && arrived === wanted.length;
  return isRight ? [] : [`${reference}: ${wanted.join()}: ${sent.join()}, ${arrived} arrived`];
}

/** A mail of the local mailbox. */
interface Mail {
  readonly id: number;
  readonly to: string;
}

/** All mails of the local mailbox, page by page. */
async function mailbox(): Promise<Mail[]> {
  const mails: Mail[] = [];
  for (let before = ''; ; before = `?before=${mails.at(-1)?.id}`) {
    const headers = { Accept: 'application/json' };
    const answer = await fetch(`${url()}/dev/mailbox${before}`, { headers });
    const { messages } = (await answer.json()) as { messages: Mail[] };
    if (messages.length === 0) return mails;
    mails.push(...messages);
  }
}

/** A schedule of one of the moved property's bookings. No other charge of these has its amount. */
interface Scheduled {
  readonly reference: string;
  readonly amount: number;
  readonly dueMs: number;
}

/** Schedules of the moved property's bookings that are due during the moves. */
async function scheduleAll(client: Client, beginsMs: number): Promise<Scheduled[]> {
  const all: Scheduled[] = [];
  for (const [at, seconds] of DUE_S.entries()) {
    const dueMs = beginsMs + seconds * 1_000;
    const one = { reference: referenceOf(0, at % CALLERS), amount: 5 + at };
    const body = { ...one, time: new Date(dueMs).toISOString() };
    expect((await client.call('/payment/v1/schedule', body)).status).toBe(200);
    all.push({ ...one, dueMs });
  }
  return all;
}

/** A move of the property: from when to when, and how it ended. */
interface Moved {
  readonly fromMs: number;
  readonly toMs: number;
  readonly end: string;
}

/** Moves the property there and back until a whole round met no boundary that it was not killed at. */
async function moveBackAndForth(): Promise<Moved[]> {
  const moves: Moved[] = [];
  for (let kills = -1; kills !== passed.length; ) {
    kills = passed.length;
    for (const to of ['DB2', 'DB']) {
      const fromMs = Date.now();
      const end = await moveTo(to);
      moves.push({ fromMs, toMs: Date.now(), end });
    }
  }
  return moves;
}

/** How often the acquirer charged each schedule that has ended. */
async function timesCharged(client: Client, schedules: readonly Scheduled[]): Promise<number[]> {
  const times: number[] = [];
  for (const { amount, reference } of schedules) {
    const own = (await client.transactions(reference)).find((one) => one.amount === amount);
    if (own?.status !== 'Accepted') continue;
    const ledger = await admin.ledger(reference);
    times.push(ledger.filter((one) => one.amount === amount).length);
  }
  return times;
}

/** How many payments each booking has if each that was asked for was made once, and each schedule fired once. */
function wantedOf(asked: readonly Asked[]): Map<string, { client: Client; count: number }> {
  const wanted = new Map<string, { client: Client; count: number }>();
  for (const { body, client } of asked) {
    const count = (wanted.get(body.reference)?.count ?? 0) + 1;
    wanted.set(body.reference, { client, count });
  }
  for (const at of DUE_S.keys()) {
    const one = wanted.get(referenceOf(0, at % CALLERS));
    if (one) one.count += 1;
  }
  return wanted;
}

describe.runIf(isLong)('24 properties on three databases, with six callers', () => {
  it('lose nothing and do nothing twice while one moves through kills at every boundary', async () => {
    const [moved] = clients;
    if (!moved) throw new Error('no client');
    const beginsMs = Date.now();
    const schedules = await scheduleAll(moved, beginsMs);
    let isOver = false;
    const calling = Array.from({ length: CALLERS }, (_, caller) => call(caller, () => isOver));
    calling.push(callMailed(moved, () => isOver));
    const moves = await moveBackAndForth();
    isOver = true;
    const asked = (await Promise.all(calling)).flat();
    expect(new Set(moves.map(({ end }) => end))).toEqual(new Set(['ended moved']));
    expect(passed).toEqual(expect.arrayContaining(['copied 4', 'home 1', 'deleted 4', 'moved 1']));
    const dueInMove = schedules.filter(({ dueMs }) =>
      moves.some(({ fromMs, toMs }) => fromMs < dueMs && dueMs < toMs),
    );
    // Before any clock is moved: they fired by themselves.
    const charged = await timesCharged(moved, dueInMove);
    expect(new Set(charged)).toEqual(new Set([1]));

    const cutOff = asked.filter((one) => !told.has(one));
    const movedMs = Date.now() - beginsMs;
    await playMinutes(cutOff);
    // What was cut off was done once, too.
    for (const one of cutOff) {
      await until(async () => ((await isBusy(one)) || !told.has(one) ? null : true));
    }
    expect(new Set(told.values()).size).toBe(asked.length);
    const checked = [...wantedOf(asked)].map(([reference, { client, count }]) =>
      wrongWith(client, reference, count),
    );
    expect((await Promise.all(checked)).flat()).toEqual([]);
    await allIsTold(moved);
    expect(await wrongWithTelling(moved)).toEqual([]);
    for (let one = 0; one < MAILED; one += 1) expect(await wrongWithMails(moved, one)).toEqual([]);
    const seconds = (Date.now() - beginsMs) / 1_000;
    console.log(
      `${asked.length} charges, ${moves.length} moves, ${charged.length} of ${dueInMove.length} schedules due meanwhile had fired, killed after ${passed.join(', ')}: ${seconds} s, moving ${movedMs} ms, of which ${downMs} ms without a service; at most ${longestBusyMs} ms busy`,
    );
  });
});
