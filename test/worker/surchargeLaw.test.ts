/** What a property does about fees that the law forbids: what it may set, and what it charges before and after the day. */
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/core/time.ts';
import {
  type Answer,
  atTime,
  bookingOf,
  call,
  callAsAdmin,
  ledgerOf,
  makeBooking,
  testEnv,
  transactionsOf,
} from '../support/api.ts';
import { AMEX, GOOD } from '../support/cards.ts';
import { wakeAt } from '../support/faults.ts';
import { enterCard, visit } from '../support/guest.ts';
import { moneyTold } from '../support/messages.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms'] });

// What is scheduled here lies in the past, so an alarm would ring at once.

const PROPERTY = '/admin/v1/property/put';
const RULES = '/admin/v1/fee-rules/put';
const CREATE = '/payment/v1/create';

/** Midnight in Sydney, when the law begins. */
const BAN_MS = Date.parse('2026-09-30T14:00:00Z');

const AU_LAW = {
  jurisdiction: 'AU',
  since: '2026-10-01T00:00:00+10:00',
  source: expect.stringContaining('Reserve Bank of Australia'),
};

const seaside = {
  property: 'seaside',
  name: 'Seaside',
  site: 'seaside.hotel.com',
  currency: 'AUD',
  timeZone: 'Australia/Sydney',
};

/** Puts a property that nobody has yet. */
const putNew = (property: string, details: object) =>
  callAsAdmin(PROPERTY, { ...seaside, property, ...details });

describe(`POST ${PROPERTY}`, () => {
  it('takes a country and what to do about its law, and keeps them', async () => {
    const before = {
      country: null,
      feeLaw: 'off',
      overchargeGuard: 'warn',
      duplicateWindowSeconds: 0,
    };
    expect((await callAsAdmin(PROPERTY, seaside)).json.property).toMatchObject(before);
    const known = await callAsAdmin(PROPERTY, { ...seaside, country: 'AU' });
    expect(known.json.property).toMatchObject({ country: 'AU', feeLaw: 'warn' });
    const set = {
      country: 'NZ',
      feeLaw: 'enforce',
      overchargeGuard: 'refuse',
      duplicateWindowSeconds: 86_400,
    };
    expect((await callAsAdmin(PROPERTY, { ...seaside, ...set })).json.property).toMatchObject(set);
    expect((await callAsAdmin(PROPERTY, seaside)).json.property).toMatchObject(set);
  });

  it('refuses what is none of them, and to enforce the law of nowhere', async () => {
    const wrong = {
      country: 'UK',
      feeLaw: 'obey',
      overchargeGuard: 'maybe',
      duplicateWindowSeconds: 86_401,
    };
    const { status, json } = await putNew('wrong', wrong);
    expect([status, json.errors.map(({ field }) => field)]).toEqual([422, Object.keys(wrong)]);
    const nowhere = await putNew('nowhere', { feeLaw: 'enforce' });
    expect([nowhere.status, nowhere.json.errors]).toMatchObject([
      422,
      [{ field: 'country', code: 'required' }],
    ]);
  });

  const enforce = { country: 'AU', feeLaw: 'enforce' };

  it.each([
    ['a rate', { cardFeeBasisPoints: 1 }],
    ['half of the charge', { cardFeeBasisPoints: 5_000 }],
    ['a rate of a brand', { cardFeeByBrand: { mastercard: 1 } }],
    ['a fixed fee', { transactionFee: 0.01 }],
  ])('refuses %s that the law does not allow', async (_name, fees) => {
    const { status, json } = await putNew('refused', { ...enforce, ...fees });
    expect(status).toBe(422);
    expect(json).toMatchObject({ code: 'surcharge_not_allowed', ...AU_LAW });
    expect((await callAsAdmin('/admin/v1/fee-rules/get', { property: 'refused' })).status).toBe(
      404,
    );
    const warned = await putNew('warned', { country: 'AU', ...fees });
    expect(warned.status).toBe(200);
  });

  it('judges a property by what it is afterwards, rules included', async () => {
    const rated = { country: 'GB', feeLaw: 'warn', cardFeeBasisPoints: 300 };
    expect((await putNew('judged', rated)).status).toBe(200);
    const refused = await putNew('judged', { feeLaw: 'enforce' });
    expect(refused.json).toMatchObject({ code: 'surcharge_not_allowed', jurisdiction: 'GB' });
    const rules = (until?: string) => ({
      property: 'judged',
      rules: [{ basisPoints: 0, method: 'add', until }],
    });
    await callAsAdmin(RULES, rules());
    expect((await putNew('judged', { feeLaw: 'enforce' })).status).toBe(200);
    for (const body of [{ property: 'judged', rules: [] }, rules('2030-01-01T00:00:00Z')]) {
      const { status, json } = await callAsAdmin(RULES, body);
      expect([status, json.code]).toEqual([422, 'surcharge_not_allowed']);
      expect(json).toMatchObject({ jurisdiction: 'GB', since: '2018-01-13T00:00:00+00:00' });
    }
    expect((await callAsAdmin('/admin/v1/fee-rules/get', rules())).json.rules).toHaveLength(1);
    expect((await putNew('judged', { country: 'DE' })).status).toBe(200);
    const ofSchemes = { brands: ['visa', 'mastercard', 'maestro'], basisPoints: 0, method: 'add' };
    const european = { property: 'judged', rules: [ofSchemes] };
    expect((await callAsAdmin(RULES, european)).status).toBe(200);
    expect((await putNew('judged', { country: 'AU' })).json).toMatchObject(AU_LAW);
    expect((await putNew('judged', { country: 'US' })).status).toBe(200);
  });

  it('takes a rule that ends with the day before the law, and none that outlives it', async () => {
    await atTime(BAN_MS - DAY_MS, async () => {
      await putNew('until', enforce);
      const rule = (until: string) => [{ basisPoints: 100, method: 'add', until }];
      const put = (until: string) => callAsAdmin(RULES, { property: 'until', rules: rule(until) });
      expect((await put('2026-10-01T00:00:00+10:00')).status).toBe(200);
      expect((await put('2026-10-01T00:00:01+10:00')).json).toMatchObject(AU_LAW);
    });
  });
});

/**
 * Makes the seeded property Australian, with its 3 %, past what an administrator may put: as one whose settings are older
 * than the law.
 */
async function inAustralia(feeLaw: 'off' | 'warn' | 'enforce'): Promise<void> {
  await testEnv.DB.prepare(
    "UPDATE properties SET country = 'AU', fee_law = ?, version = version + 1 WHERE id = 'demo'",
  )
    .bind(feeLaw)
    .run();
}

describe('a charge where the law is enforced', () => {
  beforeEach(() => inAustralia('enforce'));

  it('has its fee until a second before the law begins, and none from then on', async () => {
    await makeBooking('DAY', GOOD);
    const pay = async (atMs: number) =>
      atTime(atMs, async () => call(CREATE, { reference: 'DAY', amount: 150 }));
    expect((await pay(BAN_MS - 1_000)).json.transaction).toMatchObject({ amount: 154.64 });
    const { json } = await pay(BAN_MS);
    expect(json.transaction).toMatchObject({ amount: 150, creditCardFee: 0, transactionFee: 0 });
    expect(json.warnings).toBeUndefined();
  });

  it('keeps its fee on a card that the law leaves out', async () => {
    await makeBooking('AMEX', AMEX);
    const { json } = await call(CREATE, { reference: 'AMEX', amount: 150 });
    expect(json.transaction).toMatchObject({ amount: 154.64 });
  });

  it('that was scheduled before loses its fee on the day, and pays for the same', async () => {
    await atTime(BAN_MS - DAY_MS, async () => {
      await makeBooking('SCHEDULED', GOOD);
      const time = new Date(BAN_MS + DAY_MS).toISOString();
      const { json } = await call('/payment/v1/schedule', {
        reference: 'SCHEDULED',
        amount: 450,
        time,
      });
      expect(json.transaction).toMatchObject({ amount: 463.92, creditCardFee: 13.92 });
    });
    const balance = { reference: 'SCHEDULED' };
    const owed = await call('/payment/v1/balance', balance);
    expect(owed.json.balance).toMatchObject({ scheduled: 450, paid: 0 });
    await wakeAt('SCHEDULED', BAN_MS + DAY_MS + 1_000);
    expect(await transactionsOf('SCHEDULED')).toMatchObject([
      { status: 'Accepted', amount: 450, creditCardFee: 0 },
    ]);
    expect(await ledgerOf('SCHEDULED')).toMatchObject([{ amount: 450 }]);
    const paid = await call('/payment/v1/balance', balance);
    expect(paid.json.balance).toMatchObject({ scheduled: 0, paid: 450 });
    const trail = await callAsAdmin('/admin/v1/audit/list', { ...balance, property: 'demo' });
    expect(trail.json.entries).toContainEqual(
      expect.objectContaining({
        from: 'Pending',
        to: 'Processing',
        detail: 'charge 450.00 in place of 463.92: the fee is lower by now',
      }),
    );
    const [told] = await moneyTold('SCHEDULED');
    expect(told).toMatchObject({
      AmountGross: '450.00',
      AmountNet: '450.00',
      CardFee: '0.00',
    });
  });

  it('that was held before is captured without its fee on the day', async () => {
    const held = await atTime(BAN_MS - DAY_MS, async () => {
      await makeBooking('HELD', GOOD);
      const expiryTime = new Date(BAN_MS + 5 * DAY_MS).toISOString();
      const { json } = await call(CREATE, {
        reference: 'HELD',
        amount: 200,
        preAuth: true,
        expiryTime,
      });
      expect(json.transaction).toMatchObject({ amount: 206.19 });
      return json.transaction.id;
    });
    await atTime(BAN_MS + HOUR_MS, async () => {
      const { json } = await call('/payment/v1/charge-pre-auth', {
        reference: 'HELD',
        chargeId: held,
      });
      expect(json.transaction).toMatchObject({ amount: 200, creditCardFee: 0, transactionFee: 0 });
    });
    const capture = (await ledgerOf('HELD')).find(({ kind }) => kind === 'capture');
    expect(capture).toMatchObject({ amount: 200 });
  });

  it('shows a guest no fee, and takes none', async () => {
    await call('/booking/v1/create/manage-payments', bookingOf('GUEST'));
    const guest = await visit('GUEST');
    await enterCard(guest, GOOD);
    expect(guest.page.html).toContain('Pay AUD\u00a0600.00');
    await guest.submit();
    expect(await transactionsOf('GUEST')).toMatchObject([{ amount: 600, creditCardFee: 0 }]);
  });
});

describe('a charge where the law is warned of', () => {
  beforeEach(() => inAustralia('warn'));

  const warnings = ['surcharge_not_allowed'];

  it('tells of it beside its success, and again when it is replayed', async () => {
    await makeBooking('WARN', GOOD);
    const body = { reference: 'WARN', amount: 150 };
    const options = { headers: { 'Idempotency-Key': 'warn-1' } };
    const first = await call(CREATE, body, options);
    expect(first.json).toMatchObject({ success: true, warnings, transaction: { amount: 154.64 } });
    const again = await call(CREATE, body, options);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(again.json).toEqual(first.json);
    const row = await testEnv.DB.prepare(
      "SELECT warnings FROM transactions WHERE booking_reference = 'WARN'",
    ).first();
    expect(row).toEqual({ warnings: '["surcharge_not_allowed"]' });
  });

  it('tells of it with a schedule and a hold too, beside their own warnings', async () => {
    await makeBooking('KINDS');
    const month = new Date(Date.now() + 40 * DAY_MS);
    const cardExpiry = `${String(month.getUTCMonth() + 1).padStart(2, '0')}/${month.getUTCFullYear()}`;
    await call('/payment/v1/tokenize', { reference: 'KINDS', cardNumber: GOOD, cardExpiry });
    const time = new Date(Date.now() + 100 * DAY_MS).toISOString();
    const scheduled = await call('/payment/v1/schedule', { reference: 'KINDS', amount: 9, time });
    expect(scheduled.json.warnings).toEqual([...warnings, 'card_expires_before_scheduled_time']);
    const expiryTime = new Date(Date.now() + DAY_MS).toISOString();
    const hold = await call(CREATE, { reference: 'KINDS', amount: 9, preAuth: true, expiryTime });
    expect(hold.json.warnings).toEqual(warnings);
  });

  it('judges the charge of a hold by the law of that moment, not by that of the hold', async () => {
    await makeBooking('LATER', GOOD);
    const expiryTime = new Date(BAN_MS + 5 * DAY_MS).toISOString();
    const body = { reference: 'LATER', amount: 9, preAuth: true, expiryTime };
    const capture = async (hold: Answer) => {
      const chargeId = hold.json.transaction.id;
      return (await call('/payment/v1/charge-pre-auth', { reference: 'LATER', chargeId })).json;
    };
    const before = await atTime(BAN_MS - DAY_MS, () => call(CREATE, body));
    expect(before.json.warnings).toBeUndefined();
    await atTime(BAN_MS, async () => {
      expect((await capture(before)).warnings).toEqual(warnings);
      const warned = await call(CREATE, body);
      expect(warned.json.warnings).toEqual(warnings);
      await inAustralia('enforce');
      const captured = await capture(warned);
      expect([captured.transaction.amount, captured.warnings]).toEqual([9, undefined]);
    });
  });

  it('warns nobody of a card that the law leaves out, of no fee, or where the law is off', async () => {
    await makeBooking('QUIET', AMEX);
    const charge = async (more: object = {}) =>
      (await call(CREATE, { reference: 'QUIET', amount: 10, ...more })).json;
    expect((await charge()).warnings).toBeUndefined();
    await makeBooking('FREE', GOOD);
    const free = { reference: 'FREE', isVirtualCard: true };
    expect((await charge(free)).warnings).toBeUndefined();
    await inAustralia('off');
    expect((await charge({ reference: 'FREE' })).warnings).toBeUndefined();
  });
});
