import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CallOptions, call, makeProperty } from '../support/api.ts';
import { used } from '../support/counting.ts';
import {
  day,
  faultsOf,
  forgetNights,
  free,
  giveRooms,
  nights,
  priced,
  restricted,
  setInventory,
  setRates,
  setRestrictions,
} from '../support/rooms.ts';

type Members = Readonly<Record<string, unknown>>;

beforeAll(async () => {
  await giveRooms();
});

beforeEach(forgetNights);

describe('SetRates', () => {
  const valuesOf = async (options?: CallOptions, change: Members = {}) =>
    (await nights(change, options))['BAR']?.map(({ totalAmount }) => totalAmount);

  it('stores numbers and numeric strings, by rate', async () => {
    const { status } = await setRates([
      priced(0, 0, 150),
      priced(1, 1, '99.95'),
      priced(2, 2, 0),
      priced(0, 2, 80.5, 'NRF'),
    ]);
    expect(status).toBe(200);
    expect(await valuesOf()).toEqual([150, 99.95, 0]);
    expect((await nights())['NRF']?.map(({ totalAmount }) => totalAmount)).toEqual([
      80.5, 80.5, 80.5,
    ]);
  });

  it('lets the last range win, and writes only what changes', async () => {
    const push = [priced(0, 2, 100), priced(1, 1, 120), priced(1, 2, 110)];
    expect((await used(() => setRates(push))).rowsWritten).toBe(3);
    expect(await valuesOf()).toEqual([100, 110, 110]);
    expect((await used(() => setRates(push))).rowsWritten).toBe(0);
    expect((await used(() => setRates([priced(0, 2, 110)]))).rowsWritten).toBe(1);
  });

  it('takes the greatest amount there is, from the last of many ranges', async () => {
    const push = Array.from({ length: 5_000 }, () => priced(0, 0, 1));
    expect((await setRates([...push, priced(0, 0, '999999999.99')])).status).toBe(200);
    expect((await valuesOf())?.[0]).toBe(999_999_999.99);
  });

  it.each([
    ['JPY', 15_000, 15_000],
    ['KWD', 12.345, 12.345],
    ['KWD', '12.3', 12.3],
    ['USD', 0.01, 0.01],
  ])('keeps amounts in %s exact: %s', async (currency, value, shown) => {
    const property = `in-${currency}`;
    const token = await makeProperty(property, { currency });
    await giveRooms(property);
    expect((await setRates([priced(0, 0, value)], { token })).status).toBe(200);
    expect((await valuesOf({ token }))?.[0]).toBe(shown);
  });

  it.each<[string, Members, string, string]>([
    ['finer than its currency', { RateValue: 1.001 }, 'RateValue', 'amount_precision'],
    ['below zero', { RateValue: -1 }, 'RateValue', 'amount_out_of_range'],
    ['no number', { RateValue: 'free' }, 'RateValue', 'invalid_format'],
    ['not there', { RateValue: undefined }, 'RateValue', 'required'],
    ['for no rate', { RateTypeCode: undefined }, 'RateTypeCode', 'required'],
    ['for 751 days', { EndDate: day(750) }, 'EndDate', 'too_big'],
  ])('refuses a value that is %s', async (_name, change, field, fault) => {
    const answer = await setRates([priced(0, 1, 5), { ...priced(0, 0, 10), ...change }]);
    expect(answer.status).toBe(422);
    expect(faultsOf(answer)).toEqual([`RateData.1.${field}: ${fault}`]);
    expect(await valuesOf()).toEqual([0, 0, 0]);
  });

  it('refuses half a yen', async () => {
    const token = await makeProperty('in-JPY', { currency: 'JPY' });
    const { json } = await setRates([priced(0, 0, 0.5)], { token });
    expect(json.code).toBe('amount_precision');
  });

  it('names an unknown rate, also one of another room type', async () => {
    const answer = await setRates([
      priced(0, 0, 10),
      priced(0, 0, 10, 'WKD'),
      { ...priced(0, 0, 10, 'NRF'), RoomTypeCode: 'STD' },
    ]);
    expect(answer.json.ErrorMessage).toBe('Unknown RateTypeCode: WKD, NRF.');
    expect(faultsOf(answer)).toEqual([
      'RateData.1.RateTypeCode: unknown_code',
      'RateData.2.RateTypeCode: unknown_code',
    ]);
    expect(await valuesOf()).toEqual([0, 0, 0]);
  });
});

describe('SetRateRestrictions', () => {
  const view = async () =>
    (await nights())['BAR']?.map(({ mlos, closed, cta, ctd }) => [mlos, closed, cta, ctd]);

  beforeEach(async () => {
    await setInventory([free(0, 2, 1)]);
    await setRates([priced(0, 2, 100)]);
  });

  it('stores what it tells, and leaves what it does not', async () => {
    expect(await view()).toEqual(Array.from({ length: 3 }, () => [1, false, false, false]));
    await setRestrictions([restricted(0, 2, { MinLOS: 2, CTA: true })]);
    await setRestrictions([
      restricted(1, 1, { Closed: true, CTA: false }),
      restricted(2, 2, { CTD: true }),
    ]);
    expect(await view()).toEqual([
      [2, false, true, false],
      [2, true, false, false],
      [2, false, true, true],
    ]);
    await setRestrictions([restricted(1, 1, { Closed: false })]);
    expect((await view())?.[1]).toEqual([2, false, false, false]);
  });

  it('lets the last range that tells something win, each restriction for itself', async () => {
    await setRestrictions([
      restricted(0, 2, { MinLOS: 5, Closed: true }),
      restricted(0, 1, { MinLOS: 3 }),
      restricted(1, 2, { Closed: false, CTD: true }),
      restricted(2, 2, { CTD: false }),
    ]);
    expect(await view()).toEqual([
      [3, true, false, false],
      [3, false, false, true],
      [5, false, false, false],
    ]);
  });

  it('leaves prices, and prices leave it', async () => {
    await setRestrictions([restricted(0, 2, { MinLOS: 4 })]);
    await setRates([priced(0, 2, 130)]);
    const [first] = (await nights())['BAR'] ?? [];
    expect(first).toMatchObject({ totalAmount: 130, mlos: 4, closed: false });
  });

  it('writes only what changes, and nothing where it tells nothing', async () => {
    const push = [restricted(0, 2, { MinLOS: 2 }), restricted(1, 1, { MinLOS: 3, CTA: false })];
    expect((await used(() => setRestrictions(push))).rowsWritten).toBe(3);
    expect((await used(() => setRestrictions(push))).rowsWritten).toBe(0);
    expect((await used(() => setRestrictions([restricted(0, 700, {})]))).rowsWritten).toBe(0);
  });

  it('may be called SetRates at its own address', async () => {
    await setInventory([free(0, 0, 1)]);
    await setRates([priced(0, 0, 90)]);
    const RateRestrictionData = [restricted(0, 0, { MinLOS: 3 })];
    const message = { MessageType: 'SetRates', MessageID: 'm' };
    const path = '/rates/v1/push-restrictions';
    const { status, json } = await call(path, { ...message, RateRestrictionData });
    expect([status, json.Status]).toEqual([200, 'Success']);
    expect((await nights())['BAR']?.[0]).toMatchObject({ mlos: 3, totalAmount: 90 });
    const prices = await call(path, { ...message, RateData: [priced(0, 0, 80)] });
    expect(faultsOf(prices)).toEqual(['RateRestrictionData: required']);
    const elsewhere = await call('/rates/v1/push', { ...message, RateRestrictionData });
    expect(faultsOf(elsewhere)).toEqual(['RateData: required']);
  });

  it('may come before any price: the night stays closed', async () => {
    await setRestrictions([{ ...restricted(0, 0, { MinLOS: 2 }), RateTypeCode: 'NRF' }]);
    expect((await nights())['NRF']?.[0]).toMatchObject({ mlos: 2, closed: true, totalAmount: 0 });
  });

  it.each<[string, Members, string]>([
    ['a stay below no night', { MinLOS: -1 }, 'MinLOS: too_small'],
    ['a stay of a thousand nights', { MinLOS: 1000 }, 'MinLOS: too_big'],
    ['a text for a number', { MinLOS: '2' }, 'MinLOS: invalid_type'],
    ['a number for yes', { Closed: 1 }, 'Closed: invalid_type'],
    ['a text for no', { CTA: 'false' }, 'CTA: invalid_type'],
    ['null for nothing', { CTD: null }, 'CTD: invalid_type'],
  ])('refuses %s', async (_name, members, fault) => {
    const answer = await setRestrictions([
      restricted(0, 2, { MinLOS: 9 }),
      restricted(0, 0, members),
    ]);
    expect(answer.status).toBe(422);
    expect(faultsOf(answer)).toEqual([`RateRestrictionData.1.${fault}`]);
    expect((await view())?.[0]).toEqual([1, false, false, false]);
  });
});
