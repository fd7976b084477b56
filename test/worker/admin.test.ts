import { beforeAll, describe, expect, it } from 'vitest';
import {
  callAsAdmin,
  freshDatabase,
  makeBooking,
  makeProperty,
  testEnv,
  tokenOf,
} from '../support/api.ts';

beforeAll(freshDatabase);

const PUT = '/admin/v1/property/put';
const PROPERTY = {
  property: 'seaside',
  name: 'Seaside',
  site: 'seaside.hotel.com',
  currency: 'EUR',
  timeZone: 'Europe/Lisbon',
};

describe(`POST ${PUT}`, () => {
  it('makes a property with nothing set that was not asked for', async () => {
    const { status, json } = await callAsAdmin(PUT, PROPERTY);
    expect(status).toBe(200);
    expect(json).toEqual({
      success: true,
      property: {
        ...PROPERTY,
        portfolio: 'default',
        cardFeeBasisPoints: 0,
        cardFeeByBrand: {},
        transactionFee: 0,
        country: null,
        feeLaw: 'off',
        overchargeGuard: 'warn',
        duplicateWindowSeconds: 0,
        keepSchedulesOnCancellation: false,
        cardRecovery: null,
        stripeAccount: null,
        bookingsFromPms: false,
        channelCode: 'seaside',
        pms: null,
      },
    });
  });

  it('takes the channel code and whose the bookings are, and keeps them', async () => {
    const told = { bookingsFromPms: true, channelCode: 'WEB 7' };
    expect((await callAsAdmin(PUT, { ...PROPERTY, ...told })).json.property).toMatchObject(told);
    expect((await callAsAdmin(PUT, PROPERTY)).json.property).toMatchObject(told);
    const wrong = { bookingsFromPms: 'yes', channelCode: 'x'.repeat(51) };
    const { status, json } = await callAsAdmin(PUT, { ...PROPERTY, ...wrong });
    expect([status, json.errors.map(({ field }: { field: string }) => field)]).toEqual([
      422,
      ['bookingsFromPms', 'channelCode'],
    ]);
  });

  it('keeps what is left out, never shows the PMS password, and stores it encrypted', async () => {
    const pms = { url: 'https://pms.hotel.com/messages', username: 'u', password: 'p4ssw0rd!' };
    await callAsAdmin(PUT, {
      ...PROPERTY,
      property: 'p2',
      transactionFee: 0.33,
      portfolio: 'coast',
      pms,
    });
    const { json } = await callAsAdmin(PUT, { ...PROPERTY, property: 'p2', name: 'Renamed' });
    expect(json.property).toMatchObject({
      name: 'Renamed',
      transactionFee: 0.33,
      portfolio: 'coast',
      pms: { url: pms.url, username: 'u', transactionFormat: 'JSON', namespace: null },
    });
    expect(JSON.stringify(json)).not.toContain('p4ssw0rd');
    const row = await testEnv.DB.prepare("SELECT * FROM properties WHERE id = 'p2'").first();
    expect(row?.['pms_password_sealed']).toMatch(/^local-1\./);
    expect(JSON.stringify(row)).not.toContain('p4ssw0rd');
  });

  it('loses no change of eight made at once, and makes a property once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        callAsAdmin(PUT, { ...PROPERTY, property: 'p4', cardFeeBasisPoints: index }),
      ),
    );
    const done = answers.filter(({ status }) => status === 200).length;
    expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true);
    const row = await testEnv.DB.prepare("SELECT version FROM properties WHERE id = 'p4'").first();
    expect(row).toEqual({ version: done });
  });

  it('wants the fixed fee again in another currency', async () => {
    await callAsAdmin(PUT, { ...PROPERTY, property: 'p5', transactionFee: 0.33 });
    const yen = { ...PROPERTY, property: 'p5', currency: 'JPY' };
    expect((await callAsAdmin(PUT, yen)).json.errors).toMatchObject([{ field: 'transactionFee' }]);
    const { json } = await callAsAdmin(PUT, { ...yen, transactionFee: 33 });
    expect(json.property).toMatchObject({ currency: 'JPY', transactionFee: 33 });
  });

  it('refuses another currency once a booking exists, and allows it before', async () => {
    const token = await makeProperty('p3');
    expect((await callAsAdmin(PUT, { ...PROPERTY, property: 'p3' })).status).toBe(200);
    await callAsAdmin(PUT, { ...PROPERTY, property: 'p3', currency: 'AUD' });
    await makeBooking('P3-1', undefined, { token });
    const { status, json } = await callAsAdmin(PUT, { ...PROPERTY, property: 'p3' });
    expect([status, json.code]).toEqual([409, 'invalid_state']);
  });

  it.each([
    ['a currency that does not exist', { currency: 'XYZ' }, 'currency'],
    ['a zone that does not exist', { timeZone: 'Mars/Olympus' }, 'timeZone'],
    ['a fee of everything', { cardFeeBasisPoints: 10_000 }, 'cardFeeBasisPoints'],
    ['a fee finer than the currency', { transactionFee: 0.001 }, 'transactionFee'],
    ['a site with a path', { site: 'a.com/b' }, 'site'],
    ['an identifier with a slash', { property: 'a/b' }, 'property'],
    [
      'a PMS inside the network',
      { pms: { url: 'https://10.0.0.1/', username: 'u', password: 'p' } },
      'pms.url',
    ],
    [
      'a PMS without password',
      { pms: { url: 'https://pms.hotel.com/', username: 'u' } },
      'pms.password',
    ],
  ])('refuses %s', async (_name, change, field) => {
    const { status, json } = await callAsAdmin(PUT, { ...PROPERTY, ...change });
    expect(status).toBe(422);
    expect(json.errors.map((fault: { field: string }) => fault.field)).toEqual([field]);
  });
});

describe('POST /admin/v1/client/create', () => {
  it('makes a client whose secret works and is stored as a digest only', async () => {
    const { json } = await callAsAdmin('/admin/v1/client/create', {
      property: 'demo',
      scopes: ['bookings', 'payments'],
    });
    expect(json).toEqual({
      success: true,
      clientId: expect.any(String),
      clientSecret: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(await tokenOf(json.clientId, json.clientSecret)).toEqual(expect.any(String));
    const row = await testEnv.DB.prepare('SELECT * FROM clients WHERE id = ?')
      .bind(json.clientId)
      .first();
    expect(JSON.stringify(row)).not.toContain(json.clientSecret);
  });

  it.each([
    ['an unknown property', { property: 'nowhere' }, 404, 'property_not_found'],
    ['the scope of administrators', { scopes: ['admin'] }, 422, 'validation_failed'],
    ['no scope', { scopes: [] }, 422, 'validation_failed'],
  ])('refuses %s', async (_name, change, status, code) => {
    const body = { property: 'demo', scopes: ['bookings'], ...change };
    const answer = await callAsAdmin('/admin/v1/client/create', body);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });
});

describe('POST /admin/v1/client/revoke', () => {
  it('is 404 for a client that is not there', async () => {
    const { status, json } = await callAsAdmin('/admin/v1/client/revoke', { clientId: 'nobody' });
    expect([status, json.code]).toEqual([404, 'client_not_found']);
  });
});
