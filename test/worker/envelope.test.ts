import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApp } from '../../src/app.ts';
import {
  type Answer,
  adminToken,
  call,
  callAsAdmin,
  engineToken,
  http,
  makeProperty,
  parsed,
  testEnv,
  tokenOf,
} from '../support/api.ts';
import { used } from '../support/counting.ts';
import { breakSpan } from '../support/faults.ts';
import { giveRooms } from '../support/rooms.ts';
import { story } from '../support/story.ts';

story();

const ANY = '/pms/v1/message';
const AUTHENTICATION = { Username: 'pms-user', Password: 'pms-pass' };
const PING = { MessageType: 'Ping', MessageID: 'm-1', EchoData: 'hello' };

beforeAll(async () => {
  await giveRooms();
});

/** Posts a message without an Authorization header. */
async function send(path: string, message: unknown, headers: Record<string, string> = {}) {
  return parsed(
    await http(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: typeof message === 'string' ? message : JSON.stringify(message),
    }),
  );
}

const fieldsOf = ({ json }: Answer) => json.errors.map(({ field, code }) => `${field}: ${code}`);

/** Gives a property a PMS with these credentials. */
async function givePms(property: string, username: string, password: string): Promise<string> {
  return makeProperty(property, {
    pms: { url: 'https://pms.hotel.com/messages', username, password },
  });
}

describe('a message', () => {
  it('is answered with its MessageID, a time, a status and the members of its type', async () => {
    const { status, headers, json } = await call('/ping/v1', {
      ...PING,
      TimeStamp: '2027-02-10T09:00:00+08:00',
    });
    expect([status, headers.get('Content-Type')]).toEqual([200, 'application/json']);
    expect(json).toEqual({
      success: true,
      MessageID: 'm-1',
      TimeStamp: '2027-02-10T09:00:00+08:00',
      Status: 'Success',
      EchoData: 'hello',
    });
  });

  it.each([undefined, 7, '', 'x'.repeat(101)])(
    'sent at %s gets the local time of the property',
    async (TimeStamp) => {
      vi.useFakeTimers({ toFake: ['Date'], now: new Date() });
      try {
        vi.setSystemTime(Math.floor(Date.now() / 1000) * 1000);
        const { json } = await call('/ping/v1', { ...PING, TimeStamp });
        expect(json.TimeStamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/);
        expect(Date.parse(json.TimeStamp)).toBe(Date.now());
      } finally {
        vi.useRealTimers();
      }
    },
  );

  it.each(['', ' "\\ é \u2028 😀', 'x'.repeat(60_000)])(
    'gets its EchoData back unchanged',
    async (EchoData) => {
      const { json } = await call(ANY, { ...PING, EchoData });
      expect(json.EchoData).toBe(EchoData);
    },
  );

  it('without EchoData gets none', async () => {
    const { json } = await call('/ping/v1', { MessageType: 'Ping', MessageID: 'm' });
    expect(json).not.toHaveProperty('EchoData');
  });

  it('may come from the engine or the PMS, and hold more than is known', async () => {
    const message = { ...PING, Version: 3, Authentication: AUTHENTICATION };
    expect((await send('/ping/v1', message)).status).toBe(200);
    expect((await call('/ping/v1', { ...message, Authentication: 'none' })).status).toBe(200);
  });

  it('that only pings needs no database with a token, and one round trip without', async () => {
    await call('/ping/v1', PING);
    expect((await used(() => call('/ping/v1', PING))).d1).toBe(0);
    const byBody = () => send('/ping/v1', { ...PING, Authentication: AUTHENTICATION });
    expect((await used(byBody)).d1).toBe(1);
  });
});

describe('a refused message', () => {
  it('is a problem with the members of the envelope', async () => {
    const { status, headers, json } = await call('/ping/v1', {
      ...PING,
      EchoData: 5,
      TimeStamp: 'yesterday',
    });
    expect([status, headers.get('Content-Type')]).toEqual([422, 'application/problem+json']);
    expect(json).toEqual({
      type: 'urn:problem:validation_failed',
      title: expect.any(String),
      status: 422,
      detail: 'Not acceptable: EchoData.',
      instance: '/ping/v1',
      success: false,
      code: 'validation_failed',
      requestId: headers.get('X-Request-Id'),
      errors: [{ field: 'EchoData', code: 'invalid_type', message: expect.any(String) }],
      MessageID: 'm-1',
      TimeStamp: 'yesterday',
      Status: 'Error',
      ErrorMessage: 'Not acceptable: EchoData.',
    });
  });

  it.each<[string, object, string[]]>([
    ['no MessageID', { MessageID: undefined }, ['MessageID: required']],
    ['a number for one', { MessageID: 1 }, ['MessageID: invalid_type']],
    ['an empty one', { MessageID: '' }, ['MessageID: invalid_format']],
    ['one of 101 characters', { MessageID: 'x'.repeat(101) }, ['MessageID: invalid_format']],
    ['one with a line feed', { MessageID: 'a\nb' }, ['MessageID: invalid_format']],
    ['no MessageType', { MessageType: undefined }, ['MessageType: required']],
    ['an unknown MessageType', { MessageType: 'ping' }, ['MessageType: invalid_value']],
    ['a MessageType that is a method', { MessageType: 'toString' }, ['MessageType: invalid_value']],
    ['a MessageType that is none', { MessageType: ['Ping'] }, ['MessageType: invalid_value']],
    ['an outgoing MessageType', { MessageType: 'PushBooking' }, ['MessageType: invalid_value']],
    [
      'neither of the two',
      { MessageType: undefined, MessageID: undefined },
      ['MessageType: required', 'MessageID: required'],
    ],
    [
      'no MessageID and a wrong member',
      { MessageID: undefined, EchoData: {} },
      ['MessageID: required', 'EchoData: invalid_type'],
    ],
    ['nothing for EchoData', { EchoData: null }, ['EchoData: invalid_type']],
  ])('has %s', async (_name, change, faults) => {
    const answer = await call(ANY, { ...PING, ...change });
    expect([answer.status, answer.json.code, answer.json.Status]).toEqual([
      422,
      'validation_failed',
      'Error',
    ]);
    expect(fieldsOf(answer)).toEqual(faults);
    const kept = 'MessageID' in change ? undefined : 'm-1';
    expect(answer.json.MessageID).toBe(kept);
    expect(Date.parse(answer.json.TimeStamp)).not.toBeNaN();
  });

  it.each([
    '/ping/v1',
    '/property-info/v1/get',
    '/rooms/v1/get-inventory',
    '/rooms/v1/push',
    '/rooms/v1/push-restrictions',
    '/rates/v1/push',
    '/rates/v1/push-restrictions',
  ])('may be right elsewhere, but not at %s', async (path) => {
    const other = path === '/ping/v1' ? 'GetPropertyInfo' : 'Ping';
    const answer = await call(path, { MessageType: other, MessageID: 'm' });
    expect(answer.status).toBe(422);
    expect(fieldsOf(answer)).toEqual(['MessageType: invalid_value']);
    expect(answer.json.ErrorMessage).toContain('MessageType');
  });

  it.each([
    ['broken JSON', '{"MessageID":', 'application/json', 400, 'malformed_json'],
    ['a list', '[]', 'application/json', 400, 'invalid_request'],
    ['XML', '<Ping/>', 'application/xml', 400, 'malformed_json'],
  ])('may be %s, whoever sends it', async (_name, body, contentType, status, code) => {
    const headers = { 'Content-Type': contentType };
    const anonymous = await send('/ping/v1', body, headers);
    const authorized = await call('/ping/v1', body, { headers });
    for (const answer of [anonymous, authorized]) {
      expect([answer.status, answer.json.code, answer.json.Status]).toEqual([
        status,
        code,
        'Error',
      ]);
      expect(answer.json.ErrorMessage).toBe(answer.json.detail);
      expect(answer.json).not.toHaveProperty('MessageID');
    }
  });

  it('names itself also where the database does not answer, and says nothing of why', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const mend = breakSpan('d1.rooms.read');
    const { status, headers, json } = await call(ANY, { ...PING, MessageType: 'GetPropertyInfo' });
    mend();
    expect([status, json.code, headers.get('Retry-After')]).toEqual([503, 'busy', '1']);
    expect(json).toMatchObject({ MessageID: 'm-1', Status: 'Error', ErrorMessage: json.detail });
    expect(JSON.stringify(json)).not.toContain('injected');
  });
});

describe('a body', () => {
  const filled = (MessageType: string, bytes: number, members: object = {}) => {
    const message = { MessageType, MessageID: 'm', ...members, filler: '' };
    message.filler = 'x'.repeat(bytes - JSON.stringify(message).length);
    return message;
  };

  it.each([
    ['/ping/v1', 'Ping', 65_536, {}],
    [ANY, 'Ping', 65_536, {}],
    [ANY, 'GetPropertyInfo', 65_536, {}],
    ['/rooms/v1/push', 'SetInventory', 8_388_608, { InventoryData: [] }],
    ['/rooms/v1/push-restrictions', 'SetRoomRestrictions', 8_388_608, { RoomRestrictionData: [] }],
    ['/rates/v1/push', 'SetRates', 8_388_608, { RateData: [] }],
    ['/rates/v1/push-restrictions', 'SetRateRestrictions', 8_388_608, { RateRestrictionData: [] }],
    [ANY, 'SetInventory', 8_388_608, { InventoryData: [] }],
  ])('at %s with %s may have %i bytes, and not one more', async (path, type, bytes, members) => {
    expect((await call(path, filled(type, bytes, members))).status).toBe(200);
    const { status, json } = await call(path, filled(type, bytes + 1, members));
    expect([status, json.code, json.Status]).toEqual([413, 'body_too_large', 'Error']);
    expect(json.detail).toContain(String(bytes));
    const anonymous = await send(path, filled(type, bytes + 1, members));
    expect(anonymous.status).toBe(413);
  });
});

describe('credentials', () => {
  it('of the body let in as the property that they belong to', async () => {
    await givePms('seaside', 'seaside-pms', 'p4ss wörd');
    const { status, json } = await send('/property-info/v1/get', {
      MessageType: 'GetPropertyInfo',
      MessageID: 'm',
      Authentication: { Username: 'seaside-pms', Password: 'p4ss wörd' },
    });
    expect([status, json.PropertyData]).toEqual([
      200,
      { PropertyName: 'Property seaside', RoomTypes: [] },
    ]);
  });

  it.each<[string, unknown]>([
    ['none', undefined],
    ['a wrong password', { ...AUTHENTICATION, Password: 'pms-pasS' }],
    ['another property’s password', { ...AUTHENTICATION, Password: 'p4ss wörd' }],
    ['an unknown user', { ...AUTHENTICATION, Username: 'nobody' }],
    ['a user in other letters', { ...AUTHENTICATION, Username: 'PMS-USER' }],
    ['an empty password', { ...AUTHENTICATION, Password: '' }],
    ['no password', { Username: 'pms-user' }],
    ['a number for a password', { ...AUTHENTICATION, Password: 1 }],
    ['no object', 'pms-user:pms-pass'],
    ['an endless user', { ...AUTHENTICATION, Username: 'x'.repeat(201) }],
  ])('that are %s get 401', async (_name, Authentication) => {
    const { status, headers, json } = await send('/ping/v1', {
      ...PING,
      MessageID: 'm-401',
      MessageType: 'nothing that exists',
      Authentication,
    });
    expect([status, headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer']);
    expect(json).toMatchObject({
      success: false,
      code: 'unauthorized',
      MessageID: 'm-401',
      Status: 'Error',
    });
    expect(json.ErrorMessage).toContain('Authentication');
  });

  it('that are a client’s id and secret get 401', async () => {
    const Authentication = { Username: 'demo-engine', Password: 'demo-secret' };
    expect((await send('/ping/v1', { ...PING, Authentication })).status).toBe(401);
  });

  it('count for nothing beside a bad token', async () => {
    const message = { ...PING, Authentication: AUTHENTICATION };
    for (const Authorization of ['Bearer nonsense', `Basic ${btoa('pms-user:pms-pass')}`]) {
      const { status, headers, json } = await send('/ping/v1', message, { Authorization });
      expect([status, json.MessageID]).toEqual([401, 'm-1']);
      expect(headers.get('WWW-Authenticate')).toBe('Bearer error="invalid_token"');
    }
    const unreadable = await send('/ping/v1', '{', { Authorization: 'Bearer nonsense' });
    expect([unreadable.status, unreadable.json.Status]).toEqual([401, 'Error']);
  });

  it('that a property no longer has get 401 at once', async () => {
    await givePms('moved', 'moved-pms', 'first');
    const ping = (Password: string) =>
      send('/ping/v1', { ...PING, Authentication: { Username: 'moved-pms', Password } });
    expect((await ping('first')).status).toBe(200);
    await givePms('moved', 'moved-pms', 'second');
    expect((await ping('first')).status).toBe(401);
    expect((await ping('second')).status).toBe(200);
  });

  it('with one user name on two properties are told apart by their passwords', async () => {
    await givePms('east', 'chain-pms', 'east-pass');
    await givePms('west', 'chain-pms', 'west-pass');
    const nameBy = async (Password: string) => {
      const Authentication = { Username: 'chain-pms', Password };
      const message = { MessageType: 'GetPropertyInfo', MessageID: 'm', Authentication };
      return (await send(ANY, message)).json.PropertyData?.['PropertyName'];
    };
    expect([
      await nameBy('east-pass'),
      await nameBy('west-pass'),
      await nameBy('pms-pass'),
    ]).toEqual(['Property east', 'Property west', undefined]);
  });

  it('alike on two properties are refused when the second is put', async () => {
    await givePms('north', 'twin-pms', 'same');
    const south = {
      property: 'south',
      name: 'South',
      site: 'south.localhost',
      currency: 'AUD',
      timeZone: 'Australia/Perth',
    };
    const pms = { url: 'https://pms.hotel.com/messages', username: 'twin-pms', password: 'same' };
    const alike = await callAsAdmin('/admin/v1/property/put', { ...south, pms });
    expect([alike.status, fieldsOf(alike)]).toEqual([422, ['pms.password: already_used']]);
    expect(JSON.stringify(alike.json)).not.toContain('north');
    const other = { ...pms, password: 'another' };
    const put = () => callAsAdmin('/admin/v1/property/put', { ...south, pms: other });
    expect([(await put()).status, (await put()).status]).toEqual([200, 200]);
  });

  it('with one user name work on any number of properties', async () => {
    for (let index = 0; index <= 24; index += 1) {
      await givePms(`large-${index}`, 'large-pms', `pass-${index}`);
    }
    const ping = (Username: string, Password: string) =>
      send('/ping/v1', { ...PING, Authentication: { Username, Password } });
    for (const password of ['pass-0', 'pass-20', 'pass-24', 'pass-24']) {
      expect((await ping('large-pms', password)).status).toBe(200);
    }
    const [wrong, unknown] = [await ping('large-pms', 'wrong'), await ping('nobody', 'wrong')];
    expect([wrong.status, wrong.json.ErrorMessage]).toEqual([401, unknown.json.ErrorMessage]);
  });

  it('that another property has now are its own at once', async () => {
    await givePms('first', 'handed-on', 'once');
    const nameOf = async () => {
      const Authentication = { Username: 'handed-on', Password: 'once' };
      const message = { MessageType: 'GetPropertyInfo', MessageID: 'm', Authentication };
      return (await send(ANY, message)).json.PropertyData?.['PropertyName'];
    };
    expect(await nameOf()).toBe('Property first');
    await givePms('first', 'handed-on', 'later');
    await givePms('second', 'handed-on', 'once');
    expect(await nameOf()).toBe('Property second');
  });

  it('of an administrator are of no property', async () => {
    const { status, json } = await call('/ping/v1', PING, { token: await adminToken() });
    expect([status, json.code, json.MessageID]).toEqual([403, 'insufficient_scope', 'm-1']);
  });

  it('without the scope get 403, which names it and the message, before the body’s own faults', async () => {
    const token = await tokenOf('demo-engine', 'demo-secret', 'bookings payments');
    for (const message of [PING, { MessageID: 'm-1' }]) {
      const { status, headers, json } = await call(ANY, message, { token });
      expect([status, json.code, json.MessageID]).toEqual([403, 'insufficient_scope', 'm-1']);
      expect(headers.get('WWW-Authenticate')).toMatch(
        /^Bearer error="insufficient_scope", scope="inventory/,
      );
    }
    expect((await call(ANY, '{', { token })).status).toBe(403);
  });
});

describe('too many messages', () => {
  async function limitedTo(allowed: (key: string) => boolean, message: object, token?: string) {
    const asked: string[] = [];
    const limit = async ({ key }: { key: string }) => {
      asked.push(key);
      return { success: allowed(key) };
    };
    const request = new Request('http://localhost/ping/v1', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'CF-Connecting-IP': '203.0.113.9',
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(message),
    });
    const env = { ...testEnv, CLIENT_RATE_LIMIT: { limit } };
    const answer = await parsed(await createApp().fetch(request, env));
    return { asked, answer };
  }

  const byBody = { ...PING, Authentication: AUTHENTICATION };

  it('of an address are refused before the body is read', async () => {
    const { asked, answer } = await limitedTo(() => false, byBody);
    expect(asked).toEqual(['envelope:203.0.113.9']);
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([429, '10']);
    expect(answer.json).toMatchObject({ code: 'rate_limited', Status: 'Error' });
  });

  it('of a property are refused once it is known', async () => {
    const { asked, answer } = await limitedTo((key) => key.startsWith('envelope:'), byBody);
    expect(asked).toEqual(['envelope:203.0.113.9', 'pms:demo']);
    expect([answer.status, answer.json.MessageID]).toEqual([429, 'm-1']);
  });

  it('of a client are refused by its name; a bad token counts for its address', async () => {
    const good = await limitedTo(() => false, PING, await engineToken());
    expect([good.asked, good.answer.status]).toEqual([['demo-engine'], 429]);
    const bad = await limitedTo(() => true, PING, 'nonsense');
    expect([bad.asked, bad.answer.status]).toEqual([['envelope:203.0.113.9'], 401]);
  });
});

describe('passwords of a PMS', () => {
  let right = 0;

  /** Sends a ping with a password, from an address; counts what the limiter of guesses is asked. */
  async function guess(password: string, address: string, allowed = true) {
    const asked: string[] = [];
    const limit = async ({ key }: { key: string }) => {
      asked.push(key);
      return { success: allowed };
    };
    const request = new Request('http://localhost/ping/v1', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'CF-Connecting-IP': address },
      body: JSON.stringify({
        ...PING,
        Authentication: { Username: AUTHENTICATION.Username, Password: password },
      }),
    });
    const env = { ...testEnv, GUESS_RATE_LIMIT: { limit } };
    const answer = await parsed(await createApp().fetch(request, env));
    return { asked, answer };
  }

  beforeEach(() => {
    // Far enough from what was proven by the tests before.
    right += 1;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + right * 3_600_000 });
  });

  afterEach(() => vi.useRealTimers());

  it('are tried a few times a minute from a network, whichever of its addresses', async () => {
    const asked = [];
    for (const address of [
      '203.0.113.9',
      '2001:db8::1',
      '2001:db8:0:0:ffff::2',
      '2001:db8:0:1::1',
    ]) {
      asked.push(...(await guess('wrong', address)).asked);
    }
    const [ipv4, one, other, elsewhere] = asked;
    expect([ipv4, one, elsewhere]).toEqual([
      '203.0.113.9',
      '2001:0db8:0000:0000',
      '2001:0db8:0000:0001',
    ]);
    expect(other).toBe(one);
  });

  it('beyond that are refused without being looked at', async () => {
    for (const password of ['wrong', AUTHENTICATION.Password]) {
      const { answer } = await guess(password, '203.0.113.9', false);
      expect([answer.status, answer.headers.get('Retry-After')]).toEqual([429, '60']);
      expect(answer.json).toMatchObject({ code: 'rate_limited', MessageID: 'm-1' });
    }
  });

  it('that were right are no guesses for ten minutes', async () => {
    const first = await guess(AUTHENTICATION.Password, '203.0.113.9');
    expect([first.asked.length, first.answer.status]).toEqual([1, 200]);
    vi.setSystemTime(Date.now() + 600_000);
    const again = await guess(AUTHENTICATION.Password, '203.0.113.9', false);
    expect([again.asked.length, again.answer.status]).toEqual([0, 200]);
    vi.setSystemTime(Date.now() + 600_001);
    const late = await guess(AUTHENTICATION.Password, '203.0.113.9');
    expect([late.asked.length, late.answer.status]).toEqual([1, 200]);
  });

  it('that were wrong stay guesses', async () => {
    await guess('wrong', '203.0.113.9');
    expect((await guess('wrong', '203.0.113.9')).asked).toHaveLength(1);
  });
});

describe('GetPropertyInfo', () => {
  it('answers the rooms and rates that the PMS told of', async () => {
    const { json } = await call('/property-info/v1/get', {
      MessageType: 'GetPropertyInfo',
      MessageID: 'm',
    });
    expect(json).toEqual({
      success: true,
      MessageID: 'm',
      TimeStamp: expect.any(String),
      Status: 'Success',
      PropertyData: {
        PropertyName: 'Demo Property',
        RoomTypes: [
          {
            RoomTypeCode: 'DLX',
            RoomTypeName: 'Deluxe Room',
            RateTypes: [
              { RateTypeCode: 'BAR', RateTypeName: 'Best Available' },
              { RateTypeCode: 'NRF', RateTypeName: 'Non-refundable' },
            ],
          },
          {
            RoomTypeCode: 'STD',
            RoomTypeName: 'Standard Room',
            RateTypes: [{ RateTypeCode: 'BAR', RateTypeName: 'Best Available' }],
          },
        ],
      },
    });
  });
});
