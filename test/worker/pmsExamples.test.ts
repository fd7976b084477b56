/** The examples and tables of docs/pms.md: each message as the service really sends it. */
import { type Schema, Validator } from '@cfworker/json-schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import page from '../../docs/pms.md?raw';
import { MINUTE_MS } from '../../src/core/time.ts';
import {
  atTime,
  attachCard,
  bookingOf,
  call,
  callAsAdmin,
  engineToken,
  http,
  makeProperty,
} from '../support/api.ts';
import { closed } from '../support/closedSchema.ts';
import { confirming, dispatchersAt, dispatchUntil, PlayedPms } from '../support/pms.ts';

/** What differs each time: a pattern of it, and what the tests write in its place. */
const CHANGING: readonly (readonly [string, string])[] = [
  ['EchoData', '[0-9a-f-]{36}'],
  ['Created', '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\+08:00'],
  ['ProcessedTime', '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\+08:00'],
  ['TimeStamp', '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\+08:00'],
  ['MessageID', '[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}'],
  ['TransactionID', '\\d{15}'],
  ['GatewayReference', 'sandbox_[0-9a-f]{24}'],
];

/** A message with what differs each time taken out, where it has the right form. */
function comparable(message: string): string {
  return CHANGING.reduce(
    (text, [name, pattern]) =>
      text
        .replace(new RegExp(`("${name}": ?)"${pattern}"`), '$1"…"')
        .replace(new RegExp(`(<${name}>)${pattern}<`), '$1…<'),
    message,
  );
}

/** The part of the page under a heading. */
function section(heading: string): string {
  const [, rest = ''] = page.split(`\n${heading}\n`);
  return rest.split(/\n#{2,3} /, 1)[0] ?? '';
}

/** The first block of code under a heading. */
function example(heading: string, language: string): string {
  const [, rest = ''] = section(heading).split(`\`\`\`${language}\n`);
  return rest.split('```', 1)[0] ?? '';
}

/** The members that the table under a heading names, in its order. */
function membersOf(heading: string, title: string): string[] {
  const [, table = ''] = section(heading).split(`| ${title} | type | meaning |\n|---|---|---|\n`);
  const [rows = ''] = table.split('\n\n', 1);
  return rows.split('\n').flatMap((row) => {
    const [, names = ''] = row.split('|');
    return [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  });
}

const T = Date.now() + 86_400_000;
let pms: PlayedPms;

const propertyData = {
  PropertyName: 'Demo Property',
  RoomTypes: [
    {
      RoomTypeCode: 'STD',
      RoomTypeName: 'Standard Studio',
      RateTypes: [{ RateTypeCode: 'BAR', RateTypeName: 'Best available' }],
    },
  ],
};

const booking = bookingOf('RES-2001', {
  departure: '16-02-2027',
  firstName: 'Anna',
  phone: '+61 8 5550 1234',
  source: 'Website',
  totalCost: 400,
  firstNightCost: 200,
  roomStays: [
    {
      roomTypeCode: 'STD',
      rateTypeCode: 'BAR',
      startDate: '2027-02-14',
      endDate: '2027-02-16',
      adults: 2,
      amount: 400,
    },
  ],
  eta: 'around 18:30',
  notes: 'A quiet room, please.',
  guest: {
    prefix: 'Ms',
    company: 'Nguyen Pty Ltd',
    mobile: '+61 400 555 123',
    address: '1 High Street\nUnit 2',
    city: 'Perth',
    state: 'WA',
    postCode: '6000',
    country: 'Australia',
  },
});

const SAVE = '/booking/v1/create/manage-payments';

beforeAll(async () => {
  pms = new PlayedPms('examples');
  dispatchersAt(T);
  pms.behave = (message) =>
    message.contentType === 'application/json'
      ? confirming(message, {
          PMSConfirmationNumber: 'PMS-1006',
          PropertyData: propertyData,
          EchoData: message.json.EchoData,
        })
      : new Response('', { status: 400 });
  const settings = { ...pms.settings, username: 'pms-user', password: 'pms-pass' };
  const details = { site: 'demo.localhost', timeZone: 'Australia/Perth', cardFeeBasisPoints: 300 };
  const demo = (more: object) =>
    makeProperty('demo', { ...details, pms: { ...settings, ...more } });
  await atTime(T, async () => {
    await demo({ transactionFormat: 'JSON' });
    const token = await engineToken();
    await callAsAdmin('/admin/v1/pms/ping', { property: 'demo' });
    await callAsAdmin('/admin/v1/pms/get-rooms-rates', { property: 'demo' });
    await call(SAVE, booking, { token });
    await attachCard('RES-2001', '4242424242424242', { token });
    const deposit = { reference: 'RES-2001', amount: 150, description: 'Deposit' };
    await call('/payment/v1/create', deposit, { token });
  });
  await dispatchUntil(pms.url, T, T + MINUTE_MS);
  await atTime(T, async () => {
    const token = await engineToken();
    await call(SAVE, { ...booking, lastName: 'Tran' }, { token });
    await call(SAVE, { ...booking, status: 'cancelled' }, { token });
    await demo({ transactionFormat: 'XML' });
    const refund = { reference: 'RES-2001', amount: 40, description: 'Minibar <2>' };
    await call('/refund/v1/create', refund, { token });
  });
  await dispatchUntil(pms.url, T, T + MINUTE_MS);
});

afterAll(() => pms.leave());

/** The members of the first message of a type that was sent, without what every envelope has. */
function sent(type: string): Record<string, Record<string, unknown>> {
  const found = pms.delivered.find(({ json }) => json.MessageType === type);
  const {
    Authentication: _,
    MessageID: _id,
    TimeStamp: _time,
    ...members
  } = (found?.json ?? {}) as unknown as Record<string, Record<string, unknown>>;
  return members;
}

describe('docs/pms.md', () => {
  it.each([
    ['### PushBooking and PushModification', 'PushBooking'],
    ['### PushCancellation', 'PushCancellation'],
    ['### PushTransaction', 'PushTransaction'],
    ['### Ping', 'Ping'],
    ['### GetPropertyInfo', 'GetPropertyInfo'],
  ])('%s shows what is sent, member by member in its order', (heading, type) => {
    const shown: unknown = JSON.parse(example(heading, 'json'));
    expect(comparable(JSON.stringify(shown))).toBe(comparable(JSON.stringify(sent(type))));
  });

  it('shows the XML that is sent', () => {
    const { text = '' } = pms.delivered.find((it) => it.contentType.includes('xml')) ?? {};
    const shown = example('## Transactions as SOAP XML', 'xml').replaceAll(/>\s+</g, '><').trim();
    expect(comparable(text)).toBe(comparable(shown));
  });

  it('names every member in its tables', () => {
    const heading = '### PushBooking and PushModification';
    const made = sent('PushBooking')['BookingData'] ?? {};
    const changed = sent('PushModification')['BookingData'] ?? {};
    expect(membersOf(heading, 'member of `BookingData`')).toEqual(Object.keys(changed));
    expect(Object.keys(made)).toEqual(
      Object.keys(changed).filter((name) => name !== 'PMSConfirmationNumber'),
    );
    expect(membersOf(heading, 'member of `Guest`')).toEqual([
      ...Object.keys(made['Guest'] as object),
      'CardMask',
      'CardType',
    ]);
    const [stay = {}] = made['RoomStays'] as object[];
    expect(membersOf(heading, 'member of `RoomStays[]`')).toEqual(Object.keys(stay));
    expect(membersOf('### PushCancellation', 'member of `CancellationData`')).toEqual(
      Object.keys(sent('PushCancellation')['CancellationData'] ?? {}),
    );
    expect(membersOf('### PushTransaction', 'member of `TransactionData`')).toEqual(
      Object.keys(sent('PushTransaction')['TransactionData'] ?? {}),
    );
    expect(membersOf('### Ping', 'member')).toEqual(['EchoData']);
  });
});

interface OpenApi {
  readonly webhooks: Record<
    string,
    {
      readonly post: {
        readonly requestBody: { readonly content: Record<string, { schema: Schema }> };
      };
    }
  >;
  readonly components: { readonly schemas: Record<string, Schema> };
}

describe('/openapi.json', () => {
  it('describes every message that is sent, with all its members', async () => {
    const { webhooks, components }: OpenApi = await (await http('/openapi.json')).json();
    const messages = pms.delivered.filter((it) => it.contentType === 'application/json');
    const types = new Set(messages.map(({ json }) => json.MessageType));
    expect([...types].toSorted()).toEqual(
      Object.keys(webhooks)
        .filter((name) => !name.includes('.'))
        .toSorted(),
    );
    for (const { json } of messages) {
      const schema =
        webhooks[json.MessageType]?.post.requestBody.content['application/json']?.schema;
      const validator = new Validator(closed(schema ?? {}, components.schemas), '2020-12', false);
      const { valid, errors } = validator.validate(json);
      expect(valid, `${json.MessageType} ${JSON.stringify(errors)}`).toBe(true);
    }
  });
});
