import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeProperty } from '../support/api.ts';
import { used } from '../support/counting.ts';
import {
  day,
  faultsOf,
  forgetNights,
  free,
  getInventory,
  giveRooms,
  HOTEL,
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

describe('GetInventory', () => {
  it('answers every night but that of the departure, for every rate, in one round trip', async () => {
    await setInventory([free(0, 9, 2)]);
    await setRates([priced(0, 9, 150.5)]);
    await setRestrictions([restricted(1, 1, { MinLOS: 2, CTA: true, CTD: true })]);
    const [deluxe] = await giveRooms();
    const { status, json } = await getInventory({ children: 1 });
    expect([status, Object.keys(json.InventoryData)]).toEqual([200, ['BAR', 'NRF']]);
    const night = {
      day: day(0),
      ldsRoomTypeID: String(deluxe?.id),
      ldsRoomTypeName: 'Deluxe Room',
      pmsRoomTypeCode: 'DLX',
      ldsRateName: 'Best Available',
      totalAmount: 150.5,
      cta: false,
      ctd: false,
      closed: false,
      mlos: 1,
    };
    expect(json.InventoryData['BAR']).toEqual([
      night,
      { ...night, day: day(1), mlos: 2, cta: true, ctd: true },
      { ...night, day: day(2) },
    ]);
    expect(json.InventoryData['NRF']?.[0]).toEqual({
      ...night,
      ldsRateName: 'Non-refundable',
      totalAmount: 0,
      closed: true,
    });
    expect((await used(() => getInventory())).d1).toBe(1);
  });

  it('is closed where the PMS says so, or has told no price or no room', async () => {
    await setInventory([free(0, 3, 1), free(4, 4, 0)]);
    await setRates([priced(0, 0, 0), priced(1, 5, 10)]);
    await setRestrictions([restricted(2, 2, { Closed: true })]);
    const view = await nights({ checkOut: day(7) });
    expect(view['BAR']?.map(({ closed }) => closed)).toEqual([
      true, // a price of 0
      false,
      true, // closed by the PMS
      false,
      true, // no room left
      true, // no availability told
      true, // nothing told
    ]);
  });

  it('keeps the number of a room type when the PMS is asked again', async () => {
    const before = (await nights({ pmsRoomTypeCode: 'STD' }))['BAR']?.[0]?.ldsRoomTypeID;
    await giveRooms('demo', [{ code: 'NEW', name: 'New', rateTypes: [] }, ...HOTEL.toReversed()]);
    expect((await nights({ pmsRoomTypeCode: 'STD' }))['BAR']?.[0]?.ldsRoomTypeID).toBe(before);
    await giveRooms();
  });

  it('gives numbers once, however many fetches end at the same time', async () => {
    await makeProperty('busy');
    const codes = ['A', 'B', 'C', 'D', 'E', 'F'];
    await Promise.all(
      codes.map((code) =>
        giveRooms('busy', [
          ...HOTEL,
          { code, name: code, rateTypes: [{ code: 'BAR', name: 'B' }] },
        ]),
      ),
    );
    const all = await giveRooms(
      'busy',
      codes.map((code) => ({ code, name: code, rateTypes: [] })),
    );
    expect(new Set(all.map(({ id }) => id)).size).toBe(codes.length);
    expect(all.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([3, 4, 5, 6, 7, 8]);
  });

  it.each<[string, Members, string]>([
    ['no room type', { pmsRoomTypeCode: undefined }, 'pmsRoomTypeCode: required'],
    [
      'a card number for one',
      { pmsRoomTypeCode: '4539578763621486' },
      'pmsRoomTypeCode: card_number',
    ],
    ['no night', { checkOut: day(0) }, 'checkOut: dates_out_of_order'],
    ['a departure before the arrival', { checkIn: day(5) }, 'checkOut: dates_out_of_order'],
    ['751 nights', { checkOut: day(751) }, 'checkOut: too_big'],
    ['a day that does not exist', { checkIn: '2026-13-01' }, 'checkIn: invalid_date'],
    ['no adults', { adults: 0 }, 'adults: too_small'],
    ['adults left out', { adults: undefined }, 'adults: required'],
    ['half a child', { children: 0.5 }, 'children: invalid_type'],
  ])('refuses %s', async (_name, change, fault) => {
    const answer = await getInventory(change);
    expect(answer.status).toBe(422);
    expect(faultsOf(answer)).toEqual([fault]);
  });

  it('answers 750 nights', async () => {
    expect((await nights({ checkOut: day(750) }))['BAR']).toHaveLength(750);
  });

  it('names an unknown room type', async () => {
    const answer = await getInventory({ pmsRoomTypeCode: 'SUITE' });
    expect([answer.status, answer.json.ErrorMessage]).toEqual([
      422,
      'Unknown pmsRoomTypeCode: SUITE.',
    ]);
    expect(faultsOf(answer)).toEqual(['pmsRoomTypeCode: unknown_code']);
  });

  it('refuses an answer of more than 50,000 nights', async () => {
    const token = await makeProperty('many-rates');
    const rateTypes = Array.from({ length: 100 }, (_, index) => ({ code: `T${index}`, name: 'R' }));
    await giveRooms('many-rates', [{ code: 'DLX', name: 'Deluxe', rateTypes }]);
    expect((await getInventory({ checkOut: day(500) }, { token })).status).toBe(200);
    const answer = await getInventory({ checkOut: day(501) }, { token });
    expect(faultsOf(answer)).toEqual(['checkOut: too_big']);
  });
});
