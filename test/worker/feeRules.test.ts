/** Fee rules: how an administrator puts them, and what charges, guests and later schedules pay by them. */
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import {
  attachCard,
  bookingOf,
  call,
  callAsAdmin,
  ledgerOf,
  makeBooking,
  makeProperty,
  testEnv,
  transactionsOf,
} from '../support/api.ts';
import { AMEX, GOOD, VISA_DEBIT_AU } from '../support/cards.ts';
import { wakeAt } from '../support/faults.ts';
import { enterCard, visit } from '../support/guest.ts';

const PUT = '/admin/v1/fee-rules/put';
const GET = '/admin/v1/fee-rules/get';

const put = (property: string, rules: object[]) => callAsAdmin(PUT, { property, rules });

const faultsOf = ({ json }: Awaited<ReturnType<typeof put>>) =>
  json.errors.map(({ field, code }) => `${field}: ${code}`);

describe(`POST ${PUT}`, () => {
  it('keeps the rules as they were sent, and get shows them', async () => {
    await makeProperty('kept');
    const rules = [
      {
        brands: ['amex', 'eftpos'],
        funding: ['credit', 'unknown'],
        issuerCountries: ['AU', 'NZ'],
        transactionTypes: ['Balance'],
        basisPoints: 290,
        method: 'add',
        transactionFee: '0.30',
        maximum: 25,
        from: '2026-12-01T00:00:00+08:00',
        until: '2027-01-01T00:00:00Z',
      },
      { basisPoints: 100, method: 'grossUp' },
    ];
    const shown = [
      { ...rules[0], transactionFee: 0.3 },
      { basisPoints: 100, method: 'grossUp', transactionFee: 0 },
    ];
    const answer = await put('kept', rules);
    expect([answer.status, answer.json]).toEqual([200, { success: true, rules: shown }]);
    expect((await callAsAdmin(GET, { property: 'kept' })).json).toEqual(answer.json);
    const again = await put('kept', shown);
    expect(again.json).toEqual(answer.json);
    expect((await put('kept', [])).json).toEqual({ success: true, rules: [] });
    expect((await callAsAdmin(GET, { property: 'kept' })).json).toEqual({
      success: true,
      rules: [],
    });
  });

  it('reads amounts in the currency of the property', async () => {
    await makeProperty('yen', { currency: 'JPY' });
    await makeProperty('dinar', { currency: 'KWD' });
    const of = (transactionFee: number, maximum: number) => [
      { basisPoints: 100, method: 'add', transactionFee, maximum },
    ];
    expect((await put('yen', of(30, 2_500))).json).toMatchObject({ rules: of(30, 2_500) });
    expect((await put('dinar', of(0.125, 2.005))).json).toMatchObject({ rules: of(0.125, 2.005) });
    const finer = await put('yen', [...of(30, 2_500), ...of(0.5, 0.25)]);
    expect([finer.status, finer.json.code]).toEqual([422, 'amount_precision']);
    expect(faultsOf(finer)).toEqual([
      'rules.1.transactionFee: amount_precision',
      'rules.1.maximum: amount_precision',
    ]);
    expect(faultsOf(await put('yen', of(-1, 5)))).toEqual([
      'rules.0.transactionFee: amount_out_of_range',
    ]);
  });

  it('names every faulty field', async () => {
    const fine = { basisPoints: 0, method: 'add' };
    const answer = await put('demo', [
      { basisPoints: 5_001, method: 'multiply' },
      { ...fine, brands: ['visa', 'vista'], funding: ['charge'], issuerCountries: ['UK', 'au'] },
      { ...fine, brands: [], transactionTypes: ['PaymentBalance'], from: '2027-01-01' },
      { ...fine, maximum: 'much', until: 7 },
      {},
      { method: 'multiply', transactionFee: -1, maximum: '-0.001' },
    ]);
    expect([answer.status, answer.json.code]).toEqual([422, 'validation_failed']);
    expect(faultsOf(answer)).toEqual([
      'rules.0.basisPoints: too_big',
      'rules.0.method: invalid_value',
      'rules.1.brands.1: invalid_value',
      'rules.1.funding.0: invalid_value',
      'rules.1.issuerCountries.0: invalid',
      'rules.1.issuerCountries.1: invalid',
      'rules.2.brands: too_small',
      'rules.2.transactionTypes.0: invalid_value',
      'rules.2.from: invalid_time',
      'rules.3.maximum: invalid_format',
      'rules.3.until: invalid_type',
      'rules.4.basisPoints: required',
      'rules.4.method: required',
      'rules.5.basisPoints: required',
      'rules.5.method: invalid_value',
      'rules.5.transactionFee: amount_out_of_range',
      'rules.5.maximum: amount_out_of_range',
    ]);
    const [from, until] = ['2027-01-01T00:00:00Z', '2027-01-01T01:00:00+01:00'];
    expect(faultsOf(await put('demo', [{ ...fine, from, until }]))).toEqual([
      'rules.0.until: dates_out_of_order',
    ]);
    expect(
      faultsOf(
        await put(
          'demo',
          Array.from({ length: 101 }, () => fine),
        ),
      ),
    ).toEqual(['rules: too_big']);
    expect((await callAsAdmin(GET, { property: 'demo' })).json.rules).toEqual([]);
  });

  it('knows only properties that exist', async () => {
    for (const [path, rules] of [
      [PUT, []],
      [GET, undefined],
    ] as const) {
      const { status, json } = await callAsAdmin(path, { property: 'nowhere', rules });
      expect([status, json.code]).toEqual([404, 'property_not_found']);
    }
  });

  it('loses no other change that is made at once', async () => {
    await makeProperty('busy');
    const rules = [{ basisPoints: 100, method: 'add' }];
    const site = { property: 'busy', name: 'B', site: 'busy.localhost', currency: 'AUD' };
    const answers = await Promise.all([
      put('busy', rules),
      callAsAdmin('/admin/v1/property/put', {
        ...site,
        timeZone: 'Australia/Perth',
        cardFeeBasisPoints: 55,
      }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const row = await testEnv.DB.prepare(
      "SELECT version, card_fee_basis_points AS rate, json_array_length(fee_rules) AS rules FROM properties WHERE id = 'busy'",
    ).first();
    expect(row).toEqual({ version: 3, rate: 55, rules: 1 });
  });

  it('keeps the currency of its amounts', async () => {
    await makeProperty('moved', { transactionFee: 0.33 });
    const property = {
      property: 'moved',
      name: 'Moved',
      site: 'moved.localhost',
      currency: 'JPY',
      timeZone: 'Asia/Tokyo',
    };
    await put('moved', [{ basisPoints: 100, method: 'add', maximum: 5 }]);
    const refused = await callAsAdmin('/admin/v1/property/put', property);
    expect(refused.status).toBe(422);
    expect(faultsOf(refused)).toEqual(['transactionFee: required', 'currency: invalid_value']);
    await put('moved', [{ basisPoints: 100, method: 'add' }]);
    const yen = { ...property, transactionFee: 30 };
    expect((await callAsAdmin('/admin/v1/property/put', yen)).status).toBe(200);
    expect((await callAsAdmin(GET, { property: 'moved' })).json.rules).toHaveLength(1);
  });
});

describe('a charge', () => {
  it('pays by the first rule that fits its card and type, else by the property’s own rates', async () => {
    const token = await makeProperty('ruled', { cardFeeBasisPoints: 300, transactionFee: 0.33 });
    const options = { token };
    await put('ruled', [
      { brands: ['amex'], basisPoints: 200, method: 'add', transactionFee: 0.5, maximum: 1.5 },
      { funding: ['debit'], issuerCountries: ['AU'], basisPoints: 100, method: 'grossUp' },
      { brands: ['visa'], transactionTypes: ['Bond'], basisPoints: 0, method: 'add' },
    ]);
    const feesOf = async (cardNumber: string, amount: number, more: object = {}) => {
      const reference = `R-${cardNumber.slice(-4)}-${amount}`;
      await makeBooking(reference, cardNumber, options);
      const body = { reference, amount, ...more };
      const { json } = await call('/payment/v1/create', body, options);
      const { amount: charged, creditCardFee, transactionFee } = json.transaction;
      return [charged, creditCardFee, transactionFee];
    };
    expect(await feesOf(AMEX, 50)).toEqual([51.5, 1, 0.5]);
    expect(await feesOf(AMEX, 100)).toEqual([102, 1.5, 0.5]);
    expect(await feesOf(VISA_DEBIT_AU, 99)).toEqual([100, 1, 0]);
    expect(await feesOf(GOOD, 150)).toEqual([154.98, 4.65, 0.33]);
    expect(await feesOf(GOOD, 160, { transactionType: 'Bond' })).toEqual([160, 0, 0]);
    expect(await feesOf(GOOD, 170, { isVirtualCard: true })).toEqual([170, 0, 0]);
  });

  it('that is held keeps the terms of its rule when a part is captured', async () => {
    const token = await makeProperty('held');
    const options = { token };
    await put('held', [{ basisPoints: 200, method: 'add', transactionFee: 0.5, maximum: 3 }]);
    await makeBooking('H', GOOD, options);
    const expiryTime = new Date(Date.now() + DAY_MS).toISOString();
    const hold = { reference: 'H', amount: 200, preAuth: true, expiryTime };
    const { json } = await call('/payment/v1/create', hold, options);
    expect(json.transaction).toMatchObject({
      amount: 203.5,
      creditCardFee: 3,
      transactionFee: 0.5,
    });
    await put('held', []);
    const part = { reference: 'H', chargeId: json.transaction.id, amount: 100 };
    const captured = await call('/payment/v1/charge-pre-auth', part, options);
    expect(captured.json.transaction).toMatchObject({
      amount: 102.5,
      creditCardFee: 2,
      transactionFee: 0.5,
    });
    expect(await ledgerOf('H')).toMatchObject([{ amount: 203.5 }, { amount: 102.5 }]);
  });

  it('that is scheduled pays the lower of its fee and the fee by the rules when it is charged', async () => {
    const token = await makeProperty('later', { cardFeeBasisPoints: 300 });
    const options = { token };
    const scheduled = async (reference: string) => {
      await makeBooking(reference, GOOD, options);
      const atMs = Date.now() + DAY_MS;
      const time = new Date(atMs).toISOString();
      const { json } = await call(
        '/payment/v1/schedule',
        { reference, amount: 450, time },
        options,
      );
      expect(json.transaction).toMatchObject({ amount: 463.92, creditCardFee: 13.92 });
      return atMs;
    };
    const lowered = await scheduled('L-1');
    await put('later', [{ basisPoints: 100, method: 'add' }]);
    await wakeAt('L-1', lowered + MINUTE_MS, 'later');
    expect(await transactionsOf('L-1', options)).toMatchObject([
      { status: 'Accepted', amount: 454.5, creditCardFee: 4.5, transactionFee: 0 },
    ]);
    expect(await ledgerOf('L-1')).toMatchObject([{ amount: 454.5 }]);
    await put('later', []);
    const raised = await scheduled('L-2');
    await put('later', [{ basisPoints: 500, method: 'add', transactionFee: 1 }]);
    await wakeAt('L-2', raised + MINUTE_MS, 'later');
    expect(await transactionsOf('L-2', options)).toMatchObject([{ amount: 463.92 }]);
    await put('later', []);
    const dearer = await scheduled('L-3');
    await attachCard('L-3', AMEX, options);
    await put('later', [{ brands: ['visa'], basisPoints: 0, method: 'add' }]);
    await wakeAt('L-3', dearer + MINUTE_MS, 'later');
    expect(await transactionsOf('L-3', options)).toMatchObject([{ amount: 463.92 }]);
  });

  it('that is tried again may pay less than at its first attempt', async () => {
    const token = await makeProperty('again', { cardFeeBasisPoints: 300 });
    const options = { token };
    await makeBooking('A', '4000000000009300', options);
    const atMs = Date.now() + DAY_MS;
    const body = { reference: 'A', amount: 450, time: new Date(atMs).toISOString() };
    await call('/payment/v1/schedule', body, options);
    await wakeAt('A', atMs + MINUTE_MS, 'again');
    expect(await transactionsOf('A', options)).toMatchObject([
      { status: 'Pending', amount: 463.92 },
    ]);
    await put('again', [{ basisPoints: 0, method: 'add' }]);
    await wakeAt('A', atMs + HOUR_MS + 2 * MINUTE_MS, 'again');
    expect(await transactionsOf('A', options)).toMatchObject([
      { status: 'Accepted', amount: 450, attempts: 2 },
    ]);
    expect((await ledgerOf('A')).map(({ amount }) => amount)).toEqual([463.92, 450]);
  });
});

describe('a guest', () => {
  it('sees and pays the fee of the rule for the card and for balances', async () => {
    await put('demo', [
      { transactionTypes: ['Manual'], basisPoints: 500, method: 'add' },
      { brands: ['visa'], basisPoints: 100, method: 'add' },
    ]);
    await call('/booking/v1/create/manage-payments', bookingOf('GUEST'));
    const guest = await visit('GUEST');
    await enterCard(guest, GOOD);
    expect(guest.page.html).toContain('Pay AUD\u00a0606.00');
    await guest.submit();
    expect(await transactionsOf('GUEST')).toMatchObject([{ amount: 606, creditCardFee: 6 }]);
    await put('demo', []);
  });
});
