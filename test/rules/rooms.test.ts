import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { daysBetween, nightsBetween } from '../../src/core/days.ts';
import {
  availabilityChanges,
  type PmsRoomType,
  presentRoomTypes,
  refreshedCatalogue,
  unknownCodes,
} from '../../src/records/rooms/rules.ts';
import { type KnownNights, nightsView, propertyDataView } from '../../src/records/rooms/views.ts';
import type { BookingRow, RoomStay } from '../../src/schema/bookingTables.ts';
import type { RoomType } from '../../src/schema/roomTables.ts';
import { bookedRow } from './rows.ts';

const told = (...codes: string[]): PmsRoomType[] =>
  codes.map((code) => ({ code, name: `Room ${code}`, rateTypes: [] }));

const numbersOf = (catalogue: readonly RoomType[]) =>
  Object.fromEntries(presentRoomTypes(catalogue).map(({ code, id }) => [code, id]));

describe('a catalogue that is told again', () => {
  test('numbers new codes in their order, from 1', () => {
    expect(numbersOf(refreshedCatalogue([], told('B', 'A')))).toEqual({ B: 1, A: 2 });
  });

  test('keeps the numbers of known codes, whatever their order and names', () => {
    const before = refreshedCatalogue([], told('A', 'B'));
    const renamed = [{ code: 'B', name: 'Other', rateTypes: [{ code: 'R', name: 'Rate' }] }];
    const after = refreshedCatalogue(before, [...renamed, ...told('C', 'A')]);
    expect(presentRoomTypes(after)).toEqual([
      { id: 2, ...renamed[0] },
      { id: 3, code: 'C', name: 'Room C', rateTypes: [] },
      { id: 1, code: 'A', name: 'Room A', rateTypes: [] },
    ]);
  });

  test('gives the number of a code that went away to no other, and back to it when it returns', () => {
    const first = refreshedCatalogue([], told('A', 'B'));
    const second = refreshedCatalogue(first, told('A', 'C'));
    expect(numbersOf(second)).toEqual({ A: 1, C: 3 });
    expect(numbersOf(refreshedCatalogue(second, told('B', 'A')))).toEqual({ A: 1, B: 2 });
    const emptied = refreshedCatalogue(second, []);
    expect(numbersOf(emptied)).toEqual({});
    expect(numbersOf(refreshedCatalogue(emptied, told('D', 'C')))).toEqual({ C: 3, D: 4 });
  });

  test('remembers of a room type that went away its number and its name, but nothing that it was sold at', () => {
    const rateTypes = [{ code: 'BAR', name: 'Best' }];
    const before = refreshedCatalogue([], [{ code: 'A', name: 'Room A', rateTypes }]);
    expect(refreshedCatalogue(before, told('B'))).toEqual([
      { id: 2, code: 'B', name: 'Room B', rateTypes: [] },
      { id: 1, code: 'A', name: 'Room A', rateTypes: [], gone: true },
    ]);
  });

  test('remembers at most 500 codes that went away: those numbered last', () => {
    const many = told(...Array.from({ length: 500 }, (_, index) => `A${index}`));
    const first = refreshedCatalogue([], many);
    const second = refreshedCatalogue(first, told('B'));
    const third = refreshedCatalogue(second, told('C'));
    expect(third.filter(({ gone }) => gone)).toHaveLength(500);
    expect(numbersOf(refreshedCatalogue(third, told('A0', 'A1', 'B')))).toEqual({
      A0: 503,
      A1: 2,
      B: 501,
    });
  });

  test('never has a number twice, nor another number for a code, however often it is told', () => {
    const codes = fc.uniqueArray(fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(fc.array(codes, { maxLength: 12 }), (history) => {
        const given = new Map<string, number>();
        let catalogue: RoomType[] = [];
        for (const present of history) {
          catalogue = refreshedCatalogue(catalogue, told(...present));
          expect(presentRoomTypes(catalogue).map(({ code }) => code)).toEqual(present);
          expect(new Set(catalogue.map(({ code }) => code)).size).toBe(catalogue.length);
          for (const { code, id } of catalogue) {
            expect(given.get(code) ?? id).toBe(id);
            given.set(code, id);
          }
          expect(new Set(given.values()).size).toBe(given.size);
        }
      }),
    );
  });
});

describe('codes', () => {
  const catalogue = refreshedCatalogue(refreshedCatalogue([], told('OLD')), [
    { code: 'DLX', name: 'Deluxe', rateTypes: [{ code: 'BAR', name: 'Best' }] },
    { code: 'STD', name: 'Standard', rateTypes: [{ code: 'NRF', name: 'No refund' }] },
  ]);

  test('that the PMS told are known', () => {
    expect(
      unknownCodes(catalogue, [
        { roomTypeCode: 'DLX' },
        { roomTypeCode: 'STD', rateTypeCode: 'NRF' },
      ]),
    ).toEqual([]);
  });

  test('that it did not are named with their place; a rate must be one of its room type', () => {
    expect(
      unknownCodes(catalogue, [
        { roomTypeCode: 'DLX', rateTypeCode: 'BAR' },
        { roomTypeCode: 'DLX', rateTypeCode: 'NRF' },
        { roomTypeCode: 'dlx', rateTypeCode: 'BAR' },
        { roomTypeCode: 'OLD' },
      ]),
    ).toEqual([
      { index: 1, kind: 'RateTypeCode', code: 'NRF' },
      { index: 2, kind: 'RoomTypeCode', code: 'dlx' },
      { index: 3, kind: 'RoomTypeCode', code: 'OLD' },
    ]);
  });
});

describe('days', () => {
  test.each([
    ['2027-02-27', '2027-03-02', ['2027-02-27', '2027-02-28', '2027-03-01']],
    ['2028-02-28', '2028-03-01', ['2028-02-28', '2028-02-29']],
    ['2026-12-31', '2027-01-01', ['2026-12-31']],
    ['0999-12-31', '1000-01-01', ['0999-12-31']],
    ['2027-01-01', '2027-01-01', []],
    ['2027-01-02', '2027-01-01', []],
  ])('from %s until %s', (from, until, nights) => {
    expect(nightsBetween(from, until)).toEqual(nights);
  });

  test('are counted alike over years', () => {
    expect(daysBetween('2027-01-01', '2029-01-20')).toBe(750);
    expect(daysBetween('2027-01-02', '2027-01-01')).toBe(-1);
  });
});

const stay = (roomTypeCode: string, startDate: string, endDate: string): RoomStay => ({
  roomTypeCode,
  rateTypeCode: 'BAR',
  startDate,
  endDate,
});

const booked = (...roomStays: RoomStay[]) => bookedRow({ roomStays });
const cancelled = (...roomStays: RoomStay[]) => bookedRow({ roomStays, status: 'cancelled' });

describe('availability', () => {
  const three = stay('DLX', '2027-02-14', '2027-02-17');

  test.each<[string, BookingRow | null, BookingRow, unknown[]]>([
    ['a new booking takes its nights', null, booked(three), [['DLX', '14', '17', -1]]],
    ['a booking without room stays takes none', null, bookedRow({ roomStays: null }), []],
    ['a booking that was cancelled from the start takes none', null, cancelled(three), []],
    ['a cancellation gives them back', booked(three), cancelled(three), [['DLX', '14', '17', 1]]],
    ['a second cancellation gives nothing', cancelled(three), cancelled(three), []],
    [
      'a booking again takes them again',
      cancelled(three),
      booked(three),
      [['DLX', '14', '17', -1]],
    ],
    ['what stays the same changes nothing', booked(three), booked(three), []],
    [
      'a longer stay takes only what is new',
      booked(three),
      booked(stay('DLX', '2027-02-14', '2027-02-19')),
      [['DLX', '17', '19', -1]],
    ],
    [
      'a stay moved by a day takes one night and gives one',
      booked(three),
      booked(stay('DLX', '2027-02-15', '2027-02-18')),
      [
        ['DLX', '14', '15', 1],
        ['DLX', '17', '18', -1],
      ],
    ],
    [
      'another room type takes there and gives here',
      booked(three),
      booked(stay('STD', '2027-02-14', '2027-02-17')),
      [
        ['DLX', '14', '17', 1],
        ['STD', '14', '17', -1],
      ],
    ],
    ['two rooms alike are taken at once', null, booked(three, three), [['DLX', '14', '17', -2]]],
    [
      'stays that follow each other are one change',
      null,
      booked(stay('DLX', '2027-02-14', '2027-02-15'), stay('DLX', '2027-02-15', '2027-02-17')),
      [['DLX', '14', '17', -1]],
    ],
    [
      'stays in another order are the same',
      booked(three, stay('STD', '2027-02-14', '2027-02-15')),
      booked(stay('STD', '2027-02-14', '2027-02-15'), three),
      [],
    ],
  ])('%s', (_name, before, after, changes) => {
    const short = availabilityChanges(before, after).map((it) => [
      it.roomTypeCode,
      it.fromDay.slice(8),
      it.untilDay.slice(8),
      it.delta,
    ]);
    expect(short).toEqual(changes);
  });

  const day = fc
    .integer({ min: 0, max: 12 })
    .map((offset) => nightsBetween('2027-02-20', '2027-03-10')[offset] ?? '');
  const someStay = fc
    .tuple(fc.constantFrom('DLX', 'STD'), day, day)
    .filter(([, from, until]) => from < until)
    .map(([code, from, until]) => stay(code, from, until));
  const someBooking = fc.record({
    status: fc.constantFrom('booked' as const, 'cancelled' as const),
    roomStays: fc.option(fc.array(someStay, { maxLength: 4 })),
  });

  /** How many rooms a booking takes of each kind each night, counted one by one. */
  function taken(booking: BookingRow | undefined): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const it of (booking?.status === 'booked' && booking.roomStays) || []) {
      for (const night of nightsBetween(it.startDate, it.endDate)) {
        const key = `${it.roomTypeCode} ${night}`;
        counts[key] = (counts[key] ?? 0) + 1;
      }
    }
    return counts;
  }

  test('is after any history what the last state takes; no change overlaps another or is empty', () => {
    fc.assert(
      fc.property(fc.array(someBooking, { minLength: 1, maxLength: 8 }), (history) => {
        const rows = history.map((it) => bookedRow(it));
        const sums: Record<string, number> = {};
        rows.forEach((row, index) => {
          const touched = new Set<string>();
          for (const change of availabilityChanges(rows[index - 1] ?? null, row)) {
            expect(change.delta).not.toBe(0);
            expect(change.fromDay < change.untilDay).toBe(true);
            for (const night of nightsBetween(change.fromDay, change.untilDay)) {
              const key = `${change.roomTypeCode} ${night}`;
              expect(touched.has(key)).toBe(false);
              touched.add(key);
              sums[key] = (sums[key] ?? 0) - change.delta;
            }
          }
        });
        const left = Object.fromEntries(Object.entries(sums).filter(([, count]) => count !== 0));
        expect(left).toEqual(taken(rows.at(-1)));
      }),
    );
  });
});

describe('nights as GetInventory shows them', () => {
  const roomType: RoomType = {
    id: 7,
    code: 'DLX',
    name: 'Deluxe Room',
    rateTypes: [
      { code: 'BAR', name: 'Best Available' },
      { code: '__proto__', name: 'Odd' },
    ],
  };
  const night = {
    rateTypeCode: 'BAR',
    day: '2027-02-14',
    valueMinor: 15050,
    minLos: null,
    closed: null,
    closedToArrival: null,
    closedToDeparture: null,
  };
  const { rateTypeCode: _rate, valueMinor: _value, ...restricted } = night;
  const free = [{ day: '2027-02-14', available: 1 }];
  const nothing: KnownNights = { available: [], restrictions: [], rates: [] };
  const viewOf = (known: Partial<KnownNights>, exponent = 2) =>
    nightsView(roomType, exponent, '2027-02-14', '2027-02-15', { ...nothing, ...known })[
      'BAR'
    ]?.[0];

  test('have every member, for every rate and night', () => {
    const view = nightsView(roomType, 2, '2027-02-14', '2027-02-16', {
      ...nothing,
      available: free,
      rates: [night],
    });
    expect(Object.keys(view)).toEqual(['BAR', '__proto__']);
    expect(view['BAR']).toEqual([
      {
        day: '2027-02-14',
        ldsRoomTypeID: '7',
        ldsRoomTypeName: 'Deluxe Room',
        pmsRoomTypeCode: 'DLX',
        ldsRateName: 'Best Available',
        totalAmount: 150.5,
        cta: false,
        ctd: false,
        closed: false,
        mlos: 1,
      },
      expect.objectContaining({ day: '2027-02-15', totalAmount: 0, closed: true, mlos: 1 }),
    ]);
    expect(JSON.stringify(view)).toContain('"__proto__":[{"day":"2027-02-14"');
  });

  test.each<[string, Partial<KnownNights>, object]>([
    ['are open with a price and a room', { available: free, rates: [night] }, { closed: false }],
    [
      'show restrictions',
      {
        available: free,
        rates: [{ ...night, minLos: 3, closedToArrival: true, closedToDeparture: true }],
      },
      { closed: false, mlos: 3, cta: true, ctd: true },
    ],
    [
      'are open where the PMS opened them',
      { available: free, rates: [{ ...night, closed: false, minLos: 0 }] },
      { closed: false, mlos: 0 },
    ],
    [
      'show the restrictions of their room type',
      {
        available: free,
        restrictions: [
          { ...restricted, minLos: 3, closedToArrival: true, closedToDeparture: true },
        ],
        rates: [night],
      },
      { closed: false, mlos: 3, cta: true, ctd: true },
    ],
    [
      'have the longer stay of room type and rate, and what either forbids',
      {
        available: free,
        restrictions: [{ ...restricted, minLos: 2, closedToArrival: true, closed: false }],
        rates: [{ ...night, minLos: 4, closedToDeparture: true, closedToArrival: false }],
      },
      { closed: false, mlos: 4, cta: true, ctd: true },
    ],
    [
      'may be left on the day of arrival where no level asks for more',
      {
        available: free,
        restrictions: [{ ...restricted, minLos: 0 }],
        rates: [night],
      },
      { mlos: 0 },
    ],
    [
      'are closed where their room type is',
      {
        available: free,
        restrictions: [{ ...restricted, closed: true }],
        rates: [{ ...night, closed: false }],
      },
      { closed: true },
    ],
    [
      'do not have the restrictions of another night',
      {
        available: free,
        restrictions: [{ ...restricted, day: '2027-02-15', closed: true, minLos: 9 }],
        rates: [night],
      },
      { closed: false, mlos: 1 },
    ],
    [
      'are closed where the PMS closed them',
      { available: free, rates: [{ ...night, closed: true }] },
      { closed: true, totalAmount: 150.5 },
    ],
    [
      'are closed at a price of 0',
      { available: free, rates: [{ ...night, valueMinor: 0 }] },
      { closed: true, totalAmount: 0 },
    ],
    [
      'are closed without a price',
      { available: free, rates: [{ ...night, valueMinor: null, closed: false }] },
      { closed: true, totalAmount: 0 },
    ],
    [
      'are closed without a room',
      { available: [{ day: '2027-02-14', available: 0 }], rates: [night] },
      { closed: true, totalAmount: 150.5 },
    ],
    [
      'are closed when overbooked',
      { available: [{ day: '2027-02-14', available: -1 }], rates: [night] },
      { closed: true },
    ],
    [
      'are closed where no availability is known',
      { available: [], rates: [night] },
      { closed: true },
    ],
    [
      'are not those of another day or rate',
      {
        available: [{ day: '2027-02-15', available: 1 }],
        rates: [{ ...night, rateTypeCode: 'B' }],
      },
      { closed: true, totalAmount: 0 },
    ],
  ])('%s', (_name, known, seen) => {
    expect(viewOf(known)).toMatchObject(seen);
  });

  test.each([
    [0, 15050],
    [2, 150.5],
    [3, 15.05],
  ])('show amounts with %i decimals', (exponent, totalAmount) => {
    expect(viewOf({ available: free, rates: [night] }, exponent)).toMatchObject({ totalAmount });
  });

  test('belong to rooms and rates that GetPropertyInfo names', () => {
    expect(propertyDataView('Hotel', [roomType])).toEqual({
      PropertyName: 'Hotel',
      RoomTypes: [
        {
          RoomTypeCode: 'DLX',
          RoomTypeName: 'Deluxe Room',
          RateTypes: [
            { RateTypeCode: 'BAR', RateTypeName: 'Best Available' },
            { RateTypeCode: '__proto__', RateTypeName: 'Odd' },
          ],
        },
      ],
    });
  });
});
