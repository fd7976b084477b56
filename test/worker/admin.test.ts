import { describe, expect, it } from 'vitest';
import { callAsAdmin, makeBooking, makeProperty, testEnv, tokenOf } from '../support/api.ts';

const PUT = '/admin/v1/property/put';
const PROPERTY = {
  property: 'seaside',
  name: 'Seaside',
  site: 'seaside.hotel.com',
  currency: 'EUR',
  timeZone: 'Europe/Lisbon',
};

const NO_CONTACT = {
  email: null,
  phone: null,
  address: null,
  website: null,
  termsUrl: null,
  taxId: null,
};

describe(`POST ${PUT}`, () => {
  it('makes a property with nothing set that was not asked for', async () => {
    const { status, json } = await callAsAdmin(PUT, PROPERTY);
    expect(status).toBe(200);
    expect(json).toEqual({
      success: true,
      database: 'DB',
      property: {
        ...PROPERTY,
        database: 'DB',
        portfolio: 'default',
        cardFeeBasisPoints: 0,
        cardFeeByBrand: {},
        transactionFee: 0,
        refundLimit: null,
        country: null,
        feeLaw: 'off',
        overchargeGuard: 'warn',
        duplicateWindowSeconds: 0,
        keepSchedulesOnCancellation: false,
        cancellationPolicy: null,
        guestCancellation: false,
        planTemplates: [],
        cardRecovery: null,
        stripeAccount: null,
        bookingsFromPms: false,
        channelCode: 'seaside',
        contact: NO_CONTACT,
        guestMails: { receipts: null, refunds: null, failedPayments: null, languages: null },
        branding: { logoUrl: null, colour: null },
        retention: { eraseGuestsAfterDays: null, archiveAfterDays: null },
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

  it.each([
    ['EUR', 'amount_precision', 0.001],
    ['JPY', 'amount_precision', 0.1],
    ['KWD', 'amount_out_of_range', -0.001],
    ['nothing', 'amount_precision', '0.001'],
  ])('names amounts in %s with all else that is faulty: %s', async (currency, code, amount) => {
    const due = { anchor: 'arrival' };
    const answer = await callAsAdmin(PUT, {
      ...PROPERTY,
      name: '',
      currency,
      transactionFee: amount,
      refundLimit: amount,
      cancellationPolicy: { rules: [{ keep: { amount } }], noShow: { amount } },
      planTemplates: [{ key: '', name: 'W', terms: [{ amount, due }] }],
    });
    expect(answer.status).toBe(422);
    const faults = answer.json.errors.map((one: { code: string; field: string }) =>
      one.code === code ? one.field : `${one.field}: ${one.code}`,
    );
    expect(faults).toEqual([
      'name: too_small',
      ...(currency === 'nothing' ? ['currency: invalid'] : []),
      'transactionFee',
      'refundLimit',
      'cancellationPolicy.rules.0.keep.amount',
      'cancellationPolicy.noShow.amount',
      'planTemplates.0.key: too_small',
      'planTemplates.0.terms.0.amount',
    ]);
  });

  it('takes how guests reach the property and which mails they get, and keeps what is left out', async () => {
    const contact = {
      email: 'desk@seaside.hotel.com',
      phone: '+351 21 555 0100',
      address: '1 Beach Road\n1000 Lisbon',
      website: 'https://seaside.hotel.com',
      termsUrl: 'http://seaside.hotel.com/terms?lang=en',
      taxId: 'PT 555 123 456',
    };
    const guestMails = { receipts: true, refunds: false, languages: ['en', 'zh-Hans'] };
    const branding = { logoUrl: 'https://seaside.hotel.com/logo.png', colour: '#0A7c3f' };
    const put = async (details: object) =>
      (await callAsAdmin(PUT, { ...PROPERTY, property: 'contacted', ...details })).json.property;
    const whole = { contact, guestMails: { ...guestMails, failedPayments: null }, branding };
    expect(await put({ contact, guestMails, branding })).toMatchObject(whole);
    expect(await put({})).toMatchObject(whole);
    // What an answer shows can be sent as it is.
    expect(await put(whole)).toMatchObject(whole);
    const part = { contact: { phone: null, taxId: '7' }, guestMails: { receipts: null } };
    expect(await put(part)).toMatchObject({
      contact: { ...contact, phone: null, taxId: '7' },
      guestMails: { ...guestMails, receipts: null },
    });
    expect(await put({ contact: null })).toMatchObject({ contact: NO_CONTACT });
  });

  it.each([
    ['contact.email', { contact: { email: 'desk' } }],
    ['contact.phone', { contact: { phone: 'x'.repeat(51) } }],
    ['contact.phone', { contact: { phone: '4111-1111-1111-1111' } }],
    ['contact.address', { contact: { address: 'x'.repeat(501) } }],
    ['contact.address', { contact: { address: 'a\tb' } }],
    ['contact.website', { contact: { website: 'seaside.hotel.com' } }],
    ['contact.website', { contact: { website: 'javascript:alert(1)//a.hotel.com' } }],
    ['contact.termsUrl', { contact: { termsUrl: 'ftp://hotel.com' } }],
    ['contact.termsUrl', { contact: { termsUrl: 'https://hotel.com@evil.com/' } }],
    ['contact.website', { contact: { website: 'https://hotel.com/\0' } }],
    ['contact.website', { contact: { website: 'https://hotel.com/\u0001' } }],
    ['branding.logoUrl', { branding: { logoUrl: 'https://a:b@hotel.com/logo.png' } }],
    ['contact.taxId', { contact: { taxId: '' } }],
    ['guestMails.receipts', { guestMails: { receipts: 'yes' } }],
    ['guestMails.languages.0', { guestMails: { languages: ['e'] } }],
    ['guestMails.languages', { guestMails: { languages: 'en' } }],
    ['branding.logoUrl', { branding: { logoUrl: 'http://hotel.com/logo.png' } }],
    ['branding.colour', { branding: { colour: 'green' } }],
  ])('refuses a wrong %s: %j', async (field, details) => {
    const { status, json } = await callAsAdmin(PUT, { ...PROPERTY, ...details });
    expect([status, json.errors.map((error: { field: string }) => error.field)]).toEqual([
      422,
      [field],
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
