import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bookingOf, call, makeProperty } from '../support/api.ts';
import { loseAnswers } from '../support/faults.ts';
import {
  availability,
  day,
  forgetNights,
  free,
  giveRooms,
  nights,
  priced,
  setInventory,
  setRates,
} from '../support/rooms.ts';

type Members = Readonly<Record<string, unknown>>;

/** A property that nobody has to be told of: it has no PMS address. */
let token: string;

beforeAll(async () => {
  token = await makeProperty('inn');
  await giveRooms('inn');
});

beforeEach(forgetNights);

describe('a booking with room stays', () => {
  const SAVE = '/booking/v1/create/manage-payments';
  const stay = (from: number, until: number, roomTypeCode = 'DLX') => ({
    roomTypeCode,
    rateTypeCode: 'BAR',
    startDate: day(from),
    endDate: day(until),
  });
  const save = async (reference: string, details: Members) => {
    const answer = await call(SAVE, bookingOf(reference, details), { token });
    expect(answer.status).toBe(200);
  };
  const left = async () => Object.values(await availability('inn'));

  beforeEach(async () => {
    await setInventory([free(0, 4, 2), free(0, 4, 2, 'STD')], { token });
  });

  it('lowers availability at once, a change moves it, a cancellation gives it back once', async () => {
    await save('INV-1', { roomStays: [stay(1, 3)] });
    expect(await left()).toEqual([2, 1, 1, 2, 2]);
    await save('INV-1', { roomStays: [stay(1, 3)], lastName: 'Other' });
    await save('INV-1', { lastName: 'Again' });
    expect(await left()).toEqual([2, 1, 1, 2, 2]);
    await save('INV-1', { roomStays: [stay(2, 4)] });
    expect(await left()).toEqual([2, 2, 1, 1, 2]);
    await save('INV-1', { status: 'cancelled' });
    await save('INV-1', { status: 'cancelled' });
    expect(await left()).toEqual([2, 2, 2, 2, 2]);
    await save('INV-1', { status: 'booked' });
    expect(await left()).toEqual([2, 2, 1, 1, 2]);
  });

  it('touches only its own property, room type and nights that are known', async () => {
    const other = { token: await makeProperty('nearby') };
    await giveRooms('nearby');
    await setInventory([free(0, 4, 2)], other);
    await save('INV-2', { roomStays: [stay(3, 9), stay(3, 9), stay(0, 1, 'NONE')] });
    expect(await availability('inn')).toEqual({
      [day(0)]: 2,
      [day(1)]: 2,
      [day(2)]: 2,
      [day(3)]: 0,
      [day(4)]: 0,
    });
    expect(Object.values(await availability('inn', 'STD'))).toEqual([2, 2, 2, 2, 2]);
    expect(Object.values(await availability('nearby'))).toEqual([2, 2, 2, 2, 2]);
  });

  it('may overbook: the night is closed, until the PMS says what is free', async () => {
    await setRates([priced(0, 4, 100)], { token });
    await save('INV-3', { roomStays: [stay(0, 1), stay(0, 1), stay(0, 1)] });
    expect((await left())[0]).toBe(-1);
    expect((await nights({}, { token }))['BAR']?.map(({ closed }) => closed)).toEqual([
      true,
      false,
      false,
    ]);
    await setInventory([free(0, 0, 1)], { token });
    expect((await nights({}, { token }))['BAR']?.[0]?.closed).toBe(false);
  });

  it('counts once where the answer of D1 is lost', async () => {
    const find = loseAnswers('d1.booking.save', 1);
    const details = bookingOf('INV-4', { roomStays: [stay(0, 5)] });
    expect((await call(SAVE, details, { token })).status).toBe(200);
    find();
    expect(await left()).toEqual([1, 1, 1, 1, 1]);
  });

  it('made by ten guests at once takes ten rooms', async () => {
    await setInventory([free(0, 4, 50)], { token });
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => save(`INV-5-${index}`, { roomStays: [stay(1, 3)] })),
    );
    expect(await left()).toEqual([50, 40, 40, 50, 50]);
  });
});
