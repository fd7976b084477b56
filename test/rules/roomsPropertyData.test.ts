import { describe, expect, test } from 'vitest';
import { readPropertyData } from '../../src/records/rooms/propertyData.ts';

const CARD = '4539578763621486';

const rate = { RateTypeCode: 'BAR', RateTypeName: 'Best Available' };
const room = { RoomTypeCode: 'DLX', RoomTypeName: 'Deluxe Room', RateTypes: [rate] };
const withRooms = (...RoomTypes: unknown[]) => ({ PropertyName: 'Hotel', RoomTypes });

/** `count` things, each with a code of its own. */
const numbered = <T>(count: number, make: (code: string) => T) =>
  Array.from({ length: count }, (_, index) => make(`C${index}`));

const faultOf = (value: unknown) => {
  const read = readPropertyData(value);
  return read.ok ? null : read.error;
};

describe('the rooms and rates that a PMS tells', () => {
  test('are read', () => {
    expect(
      readPropertyData(withRooms(room, { ...room, RoomTypeCode: 'STD', RateTypes: [] })),
    ).toEqual({
      ok: true,
      value: [
        { code: 'DLX', name: 'Deluxe Room', rateTypes: [{ code: 'BAR', name: 'Best Available' }] },
        { code: 'STD', name: 'Deluxe Room', rateTypes: [] },
      ],
    });
  });

  test('may be none, and may come with more than is known', () => {
    expect(readPropertyData({ RoomTypes: [] })).toEqual({ ok: true, value: [] });
    expect(faultOf({ ...withRooms({ ...room, Beds: 2 }), Stars: 5 })).toBeNull();
  });

  test('may have numbers for codes', () => {
    const read = readPropertyData(
      withRooms({ ...room, RoomTypeCode: 12, RateTypes: [{ ...rate, RateTypeCode: 0 }] }),
    );
    expect(read.ok && read.value[0]).toMatchObject({ code: '12', rateTypes: [{ code: '0' }] });
  });

  test('may be as many as is allowed', () => {
    expect(
      faultOf(withRooms(...numbered(500, (code) => ({ ...room, RoomTypeCode: code })))),
    ).toBeNull();
    const rates = numbered(200, (code) => ({ ...rate, RateTypeCode: code }));
    expect(faultOf(withRooms({ ...room, RateTypes: rates }))).toBeNull();
    const long = { RoomTypeCode: 'x'.repeat(50), RoomTypeName: 'x'.repeat(200), RateTypes: [] };
    expect(faultOf(withRooms(long))).toBeNull();
  });

  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'PropertyData'],
    ['null', null, 'PropertyData'],
    ['no rooms', {}, 'PropertyData.RoomTypes'],
    ['rooms that are no list', { RoomTypes: {} }, 'PropertyData.RoomTypes'],
    ['a room that is none', withRooms(room, 'DLX'), 'PropertyData.RoomTypes.1'],
    [
      'a room without a code',
      withRooms({ ...room, RoomTypeCode: undefined }),
      'PropertyData.RoomTypes.0.RoomTypeCode',
    ],
    [
      'an empty code',
      withRooms({ ...room, RoomTypeCode: '' }),
      'PropertyData.RoomTypes.0.RoomTypeCode',
    ],
    [
      'a code that is a fraction',
      withRooms({ ...room, RoomTypeCode: 1.5 }),
      'PropertyData.RoomTypes.0.RoomTypeCode',
    ],
    [
      'a code of 51 characters',
      withRooms({ ...room, RoomTypeCode: 'x'.repeat(51) }),
      'PropertyData.RoomTypes.0.RoomTypeCode',
    ],
    [
      'a code that is half a character',
      withRooms({ ...room, RoomTypeCode: '\ud800' }),
      'PropertyData.RoomTypes.0.RoomTypeCode',
    ],
    [
      'a card number for a code',
      withRooms({ ...room, RoomTypeCode: CARD }),
      'PropertyData.RoomTypes.0.RoomTypeCode',
    ],
    [
      'a card number that is a number',
      withRooms({ ...room, RoomTypeCode: Number(CARD) }),
      'PropertyData.RoomTypes.0.RoomTypeCode',
    ],
    [
      'a name with a card number in it',
      withRooms({ ...room, RoomTypeName: `Suite ${CARD}` }),
      'PropertyData.RoomTypes.0.RoomTypeName',
    ],
    [
      'no name',
      withRooms({ ...room, RoomTypeName: null }),
      'PropertyData.RoomTypes.0.RoomTypeName',
    ],
    [
      'a name of 201 characters',
      withRooms({ ...room, RoomTypeName: 'x'.repeat(201) }),
      'PropertyData.RoomTypes.0.RoomTypeName',
    ],
    [
      'a room without rates',
      withRooms({ ...room, RateTypes: undefined }),
      'PropertyData.RoomTypes.0.RateTypes',
    ],
    [
      'a rate without a name',
      withRooms({ ...room, RateTypes: [{ RateTypeCode: 'X' }] }),
      'PropertyData.RoomTypes.0.RateTypes.0.RateTypeName',
    ],
    ['a room twice', withRooms(room, room), 'PropertyData.RoomTypes'],
    [
      'a room twice, as text and as number',
      withRooms({ ...room, RoomTypeCode: 1 }, { ...room, RoomTypeCode: '1' }),
      'PropertyData.RoomTypes',
    ],
    [
      'a rate twice',
      withRooms({ ...room, RateTypes: [rate, rate] }),
      'PropertyData.RoomTypes.0.RateTypes',
    ],
    [
      '501 rooms',
      withRooms(...numbered(501, (code) => ({ ...room, RoomTypeCode: code }))),
      'PropertyData.RoomTypes',
    ],
    [
      '201 rates',
      withRooms({ ...room, RateTypes: numbered(201, (code) => ({ ...rate, RateTypeCode: code })) }),
      'PropertyData.RoomTypes.0.RateTypes',
    ],
    [
      'a megabyte of names',
      withRooms(
        ...numbered(100, (code) => ({
          ...room,
          RoomTypeCode: code,
          RateTypes: numbered(50, (inner) => ({
            RateTypeCode: inner,
            RateTypeName: 'é'.repeat(150),
          })),
        })),
      ),
      'PropertyData.RoomTypes',
    ],
  ])('are refused: %s', (_name, value, place) => {
    const fault = faultOf(value);
    expect(fault).toMatch(new RegExp(`^${place.replaceAll('.', '\\.')}: .+`));
    expect(fault).not.toContain(CARD);
  });
});
