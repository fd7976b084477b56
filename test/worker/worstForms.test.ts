/**
 * The worst forms that fit into a request, at every field, list and page: each is answered by bounded work, however long the
 * text, far the date or many the patterns. What does not end here holds up everybody else there.
 */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { adminToken, engineToken, http } from '../support/api.ts';
import { makeExisting } from '../support/existing.ts';
import type { Guest } from '../support/guest.ts';
import { someOf } from '../support/long.ts';
import { giveRooms } from '../support/rooms.ts';
import { undocumented } from '../support/routes.ts';
import { type Existing, samples } from '../support/samples.ts';
import { putUser, signedIn } from '../support/staff.ts';
import { story } from '../support/story.ts';
import {
  beginSessions,
  formOf,
  type PageSession,
  type PageSessions,
} from '../support/strangePages.ts';
import { allLists, allTextFields, bodyWith } from '../support/textFields.ts';

story({ silent: ['pms'] });

/** More round trips to D1 than any request of these has a reason for. */
const MOST_ROUND_TRIPS = 60;

/** More than any answer to these has to say. */
const MOST_CHARACTERS = 300_000;

/** Texts that make matching, searching, comparing or counting long where it is not bounded. */
const WORST = [
  `${'*'.repeat(40)}payment${'*'.repeat(10)}`,
  '*'.repeat(51),
  `${'*.'.repeat(25)}x`,
  '*********x',
  `${'%_'.repeat(31)}x`,
  `${'[^'.repeat(30)}x`,
  '9999-12-31',
  '31-12-9999',
  '0001-01-01',
  '9999-12-31T23:59:59Z',
  '0001-01-01T00:00:00+14:00',
  '+275760-09-13',
  '(a+)+$',
  `${'a'.repeat(60)}!`,
  `${'a'.repeat(50_000)}!`,
  `${' '.repeat(50_000)}x`,
  `${'4 '.repeat(25_000)}x`,
  '4242-'.repeat(10_000),
  '1'.repeat(50_000),
  `${'a@'.repeat(20_000)}b.com`,
  `${'.'.repeat(50_000)}com`,
  `https://${'a.'.repeat(20_000)}com`,
  `https:${'/'.repeat(50_000)}`,
  `en${'-x'.repeat(20_000)}`,
  '='.repeat(50_000),
  '\u{1d7d8}'.repeat(20_000),
] as const;

/** The ends of what can be written as a day or a time, in either order of its parts. */
const DATES = [
  '0001-01-01',
  '9999-12-31',
  '01-01-0001',
  '31-12-9999',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59Z',
] as const;

/** Fields of days and times, by their names. */
const DATED =
  /(?:from|to|since|asof|at|on|time|date|day|until|arrival|departure|checkin|checkout)$/i;

/** More of an operation's text than a body may have. */
const MOST_OF_A_BODY = 60_000;

const dates = (await allTextFields())
  .filter(({ at }) => DATED.test(at.filter((name) => name !== 0).at(-1) ?? ''))
  .flatMap((field) =>
    DATES.map((value) => ({ field, name: `${field.path} ${field.at.join('.')} ${value}`, value })),
  );

/** What lists hold, short so that many fit: what they should hold is among the texts, objects and numbers. */
const ITEMS: readonly unknown[] = ['*', '%', '9999-12-31', 1, {}, []];

const lists = (await allLists()).flatMap((field) =>
  ITEMS.map((item) => {
    const text = JSON.stringify(item);
    const value = Array(Math.floor(MOST_OF_A_BODY / (text.length + 1))).fill(item);
    return { field, name: `${field.path} ${field.at.join('.')} of ${text}`, value };
  }),
);

const fields = (await allTextFields()).flatMap((field, index) =>
  [0, 9, 17].map((step) => ({
    field,
    name: `${field.path} ${field.at.join('.')}`,
    value: WORST[(index + step) % WORST.length] ?? '',
  })),
);

let existing: Existing;
let manager: Guest;
let sessions: PageSessions;

beforeAll(async () => {
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('out of reach'));
  existing = await makeExisting();
  sessions = await beginSessions(existing);
  await giveRooms();
  await putUser({ email: 'manager@hotel.com', name: 'M', role: 'manager', property: 'demo' });
  manager = await signedIn('manager@hotel.com');
});

/** Pages and forms. Of documents and styles nothing is read, and who signs out sends nothing. */
const formRoutes = Object.keys(undocumented).filter(
  (route) => !/\.\w+$|docs|:file|:colour|sign-out/.test(route),
);

/** What pages read of their address, beside the fields of forms. */
const QUERIED = ['q', 'from', 'to', 'day', 'days', 'after', 'before', 'reference', 'kind', 'email'];

/** As much of a text as an address has room for. */
const MOST_OF_A_QUERY = 4_000;

/** Sends a form as its page would, or asks for the page with its fields in the address. */
async function sendForm(route: string, form: Record<string, string>) {
  const [method, pattern = ''] = route.split(' ');
  const { cookie, home } = sessionOf(pattern);
  const path = pattern
    .replace(':visit', home.split('/').at(-1) ?? '')
    .replace(/:\w+|\*/, String(existing.chargeId));
  const short = Object.entries(form).map(([name, text]) => [name, text.slice(0, MOST_OF_A_QUERY)]);
  const address = method === 'POST' ? path : `${path}?${new URLSearchParams(short).toString()}`;
  if (pattern.startsWith('/console')) {
    const page = await (method === 'POST'
      ? manager.post(path, form, {}, { follow: false })
      : manager.open(address));
    return workIn(page.status, page.headers, page.html);
  }
  const headers = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' };
  const init = method === 'POST' ? { method, body: new URLSearchParams(form) } : {};
  return workOf(await http(address, { ...init, headers, redirect: 'manual' }));
}

/** The session that a route's own pages have. */
function sessionOf(pattern: string): PageSession {
  if (pattern.startsWith('/guest/v1/card')) return sessions.card;
  return pattern.startsWith('/ops') ? sessions.ops : sessions.payments;
}

async function ask(path: string, body: unknown): Promise<Response> {
  const isAdmins = /^\/(?:admin|sandbox)\//.test(path);
  const token = isAdmins ? await adminToken() : await engineToken();
  return http(path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** What an answer took. */
async function workOf(answer: Response) {
  return workIn(answer.status, answer.headers, await answer.text());
}

function workIn(status: number, headers: Headers, { length }: string) {
  const [, trips = '0'] = /d1;desc="(\d+)"/.exec(headers.get('Server-Timing') ?? '') ?? [];
  return {
    isAnswer: status < 500 || status === 502,
    isBounded: Number(trips) <= MOST_ROUND_TRIPS && length <= MOST_CHARACTERS,
  };
}

const DONE = { isAnswer: true, isBounded: true };

describe('every day or time', () => {
  it.each(someOf(dates, 4))('$name', async ({ field, value }) => {
    expect(await workOf(await ask(field.path, bodyWith(field, value, existing)))).toEqual(DONE);
  });
});

describe('every list, as long as a body', () => {
  it.each(someOf(lists, 4))('$name', async ({ field, value }) => {
    expect(await workOf(await ask(field.path, bodyWith(field, value, existing)))).toEqual(DONE);
  });
});

describe('a field', () => {
  it.each(someOf(fields, 4))('$name', async ({ field, value }) => {
    expect(await workOf(await ask(field.path, bodyWith(field, value, existing)))).toEqual(DONE);
  });
});

const FIRST = '0001-01-01T00:00:00Z';
const LAST = '9999-12-31T23:59:59Z';
const PMS = { Authentication: { UserName: 'pms-user', Password: 'pms-pass' }, MessageID: 'm' };
const ALWAYS = { StartDate: '0001-01-01', EndDate: '9999-12-31' };
const LAST_DAY = { StartDate: '9999-12-31', EndDate: '9999-12-31' };

describe('a span, or a list', () => {
  it.each<[string, Record<string, unknown>]>([
    ['/payment/v1/list', { from: FIRST, to: LAST, changedSince: FIRST }],
    ['/booking/v1/list', { arrivalFrom: '0001-01-01', arrivalTo: '9999-12-31' }],
    ['/application/v1/list', { arrivalFrom: '0001-01-01', arrivalTo: '9999-12-31' }],
    ['/dispute/v1/list', { from: FIRST, to: LAST }],
    ['/disbursement/v1/get-all', { from: '0001-01-01', to: '9999-12-31' }],
    ['/disbursement/v1/get-all', { from: '9999-12-31', to: '9999-12-31' }],
    ['/card/v1/health', { from: FIRST, to: LAST }],
    ['/event/v1/list', { types: Array(50).fill('*') }],
    ['/event/v1/list', { types: Array(50).fill(`${'*'.repeat(63)}x`) }],
    ['/event/v1/list', { types: Array(20_000).fill('*') }],
    ['/webhook/v1/put', { types: Array(50).fill('*********x') }],
    ['/webhook/v1/replay', { from: FIRST }],
    ['/admin/v1/reconciliation/run', { from: FIRST, to: LAST }],
    ['/sandbox/v1/clock/advance', { to: LAST }],
    ['/payment/v1/schedule', { time: LAST }],
    ['/payment/v1/balance', { asOf: FIRST }],
    ['/rooms/v1/get-inventory', { checkIn: '0001-01-01', checkOut: '9999-12-31' }],
    ['/rooms/v1/get-inventory', { checkIn: '9999-12-31', checkOut: '9999-12-31' }],
    [
      '/rooms/v1/push',
      { ...PMS, InventoryData: [{ RoomTypeCode: 'DLX', ...ALWAYS, Availability: 1 }] },
    ],
    [
      '/rooms/v1/push',
      { ...PMS, InventoryData: [{ RoomTypeCode: 'DLX', ...LAST_DAY, Availability: 1 }] },
    ],
    ['/booking/v1/create/manage-payments', { arrival: '01-01-0001', departure: '31-12-9999' }],
    ['/booking/v1/create/manage-payments', { arrival: '30-12-9999', departure: '31-12-9999' }],
    [
      '/booking/v1/create/manage-payments',
      {
        roomStays: [
          {
            roomTypeCode: 'DLX',
            rateTypeCode: 'BAR',
            startDate: '0001-01-01',
            endDate: '9999-12-31',
            adults: 1,
            children: 0,
            amount: 1,
          },
        ],
      },
    ],
    [
      '/application/v1/create',
      { arrival: '0001-01-01', departure: '9999-12-31', dateOfBirth: '0001-01-01' },
    ],
  ])('%s %j', async (path, change) => {
    const body = { ...samples[path]?.body(existing), ...change };
    expect(await workOf(await ask(path, body))).toEqual(DONE);
  });
});

describe('a page', () => {
  const last = 'from=9999-12-31&to=9999-12-31';
  const paths = [
    `report?${last}`,
    `report?${last}&format=csv`,
    `report?${last}&format=csv&table=reasons`,
    'report?from=0001-01-01&to=9999-12-31',
    'report?from=9999-12-30&to=9999-12-31',
    'report?from=9999-12-31',
    'report?to=%2B010000-01-01',
    'bank-line?amount=1&day=9999-12-31&days=14',
    'bank-line?amount=1&day=0001-01-01&days=1e9',
    `bank-line?amount=${'1,'.repeat(4_000)}&day=2026-11-23`,
    ...['failed', 'coming', 'disputes', 'differences', 'disbursements'].flatMap((list) => [
      `${list}?after=${'9'.repeat(4_000)}`,
      `${list}?after=W10&format=csv`,
    ]),
    `booking?reference=EXISTING-1&before=999999999999999-9999&format=csv`,
    ...[
      '%',
      '_',
      '*',
      '%_'.repeat(1_000),
      'a '.repeat(1_500),
      '4 '.repeat(1_500),
      '\u{10ffff}',
    ].map((text) => `property?q=${encodeURIComponent(text)}`),
  ];

  it.each(paths)('of the console, %s', async (path) => {
    const [page = '', query = ''] = path.split('?');
    const { html, status } = await manager.open(`/console/${page}?property=demo&${query}`);
    expect([status < 500, html.length <= MOST_CHARACTERS]).toEqual([true, true]);
  });

  it.each(someOf(formRoutes, 4))('with the worst in each of its fields, %s', async (route) => {
    const names = [...new Set([...Object.keys(formOf(existing)), ...QUERIED])];
    for (const [index, name] of names.entries()) {
      const form = { ...formOf(existing), [name]: WORST[index % WORST.length] ?? '' };
      expect([name, await sendForm(route, form)]).toEqual([name, DONE]);
    }
  });

  it.each(['Accept-Language', 'Accept', 'Cookie'])('with a long %s', async (name) => {
    for (const text of ['a-'.repeat(5_000), 'a;q=0,'.repeat(2_000), '*,'.repeat(5_000)]) {
      const answer = await http('/', { headers: { [name]: text } });
      expect(await workOf(answer)).toEqual(DONE);
    }
  });
});
