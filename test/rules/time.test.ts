import * as fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import {
  exactTimestamp,
  formatDayMonthYear,
  instantOf,
  isTimeZone,
  localDate,
  localInstant,
  localTimestamp,
  monthHasEnded,
  offsetTimestamp,
  parseDayMonthYear,
  parseIsoDate,
  spanAt,
  utcDate,
  utcTimestamp,
  yearsAfterMs,
} from '../../src/core/time.ts';
import { howMany } from '../support/long.ts';

const zones = fc.constantFrom(
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'Europe/London',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
  'Etc/GMT+12',
  'UTC',
);
const instants = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2100, 0, 1) });

function zoned(atMs: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone);
}

function two(part: number): string {
  return String(part).padStart(2, '0');
}

describe('dates', () => {
  test('every day writes as d-m-Y and reads back as itself', () => {
    const days = fc.integer({ min: Date.UTC(1000, 0, 1) / 86_400_000, max: 2_932_896 });
    fc.assert(
      fc.property(days, (day) => {
        const iso = new Date(day * 86_400_000).toISOString().slice(0, 10);
        const written = formatDayMonthYear(iso);
        expect(written).toMatch(/^\d{2}-\d{2}-\d{4}$/);
        expect(parseDayMonthYear(written)).toBe(iso);
        expect(parseIsoDate(iso)).toBe(iso);
      }),
    );
  });

  test('a date is read exactly when the calendar has that day', () => {
    const parts = fc.tuple(fc.nat(40), fc.nat(15), fc.integer({ min: 1800, max: 2400 }));
    fc.assert(
      fc.property(parts, ([day, month, year]) => {
        const rolled = new Date(Date.UTC(year, month - 1, day));
        const exists =
          rolled.getUTCMonth() === month - 1 && rolled.getUTCFullYear() === year && day > 0;
        const iso = `${year}-${two(month)}-${two(day)}`;
        expect(parseDayMonthYear(`${two(day)}-${two(month)}-${year}`)).toBe(exists ? iso : null);
        expect(parseIsoDate(iso)).toBe(exists ? iso : null);
      }),
    );
  });

  test.each(['31-02-2026', '29-02-2023', '29-02-2100', '31-04-2026', '00-01-2026', '01-13-2026'])(
    '%s is no day',
    (text) => {
      expect(parseDayMonthYear(text)).toBeNull();
    },
  );

  test.each(['29-02-2024', '29-02-2000', '31-12-9999'])('%s is a day', (text) => {
    expect(parseDayMonthYear(text)).not.toBeNull();
  });

  test.each([
    '',
    '1-2-2026',
    '01-02-26',
    '2026-02-01',
    '01/02/2026',
    ' 01-02-2026',
    '01-02-2026\n',
    '01-02-2026T00:00',
    '01-02-+2026',
    '٠١-٠٢-٢٠٢٦',
  ])('%j has not the shape of d-m-Y', (text) => {
    expect(parseDayMonthYear(text)).toBeNull();
  });

  test.each([
    '',
    '01-02-2026',
    '2026-2-1',
    '20260201',
    '2026-02-01T00:00:00Z',
    '2026-02-01T00:00:00',
    '2026-02-01[u-ca=iso8601]',
    '2026-02-01\n',
    '-002026-02-01',
    '+002026-02-01',
  ])('%j has not the shape of an ISO date', (text) => {
    expect(parseIsoDate(text)).toBeNull();
  });

  test('the first year is 1: there is none before it', () => {
    expect([parseIsoDate('0001-01-01'), parseDayMonthYear('01-01-0001')]).toEqual([
      '0001-01-01',
      '0001-01-01',
    ]);
    expect([parseIsoDate('0000-12-31'), parseDayMonthYear('31-12-0000')]).toEqual([null, null]);
  });

  test('the day of an instant in UTC is the one that its timestamp begins with', () => {
    fc.assert(
      fc.property(instants, (atMs) => {
        expect(utcDate(atMs)).toBe(utcTimestamp(atMs).slice(0, 10));
        expect(parseIsoDate(utcDate(atMs))).toBe(utcDate(atMs));
      }),
    );
  });
});

describe('timestamps in a property’s zone', () => {
  test.each([
    ['Australia/Sydney', '2026-04-04T15:59:59Z', '2026-04-05T02:59:59+11:00'],
    ['Australia/Sydney', '2026-04-04T16:00:00Z', '2026-04-05T02:00:00+10:00'],
    ['Australia/Sydney', '2026-10-03T15:59:59Z', '2026-10-04T01:59:59+10:00'],
    ['Australia/Sydney', '2026-10-03T16:00:00Z', '2026-10-04T03:00:00+11:00'],
    ['Europe/London', '2026-03-29T00:59:59Z', '2026-03-29T00:59:59+00:00'],
    ['Europe/London', '2026-03-29T01:00:00Z', '2026-03-29T02:00:00+01:00'],
    ['Europe/London', '2026-10-25T00:59:59Z', '2026-10-25T01:59:59+01:00'],
    ['Europe/London', '2026-10-25T01:00:00Z', '2026-10-25T01:00:00+00:00'],
    ['Pacific/Kiritimati', '2026-12-31T10:00:00Z', '2027-01-01T00:00:00+14:00'],
    ['Etc/GMT+12', '2027-01-01T11:59:59Z', '2026-12-31T23:59:59-12:00'],
    ['Asia/Kathmandu', '2026-06-30T18:15:00Z', '2026-07-01T00:00:00+05:45'],
    ['Australia/Perth', '2026-02-13T08:30:00.999Z', '2026-02-13T16:30:00+08:00'],
  ])('in %s, %s is %s', (zone, utc, local) => {
    expect(offsetTimestamp(Date.parse(utc), zone)).toBe(local);
    expect(localTimestamp(Date.parse(utc), zone)).toBe(local.slice(0, 19).replace('T', ' '));
  });

  test('are those of the calendar library, in every zone and in whatever order they are asked for', () => {
    const anyZone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    const aroundChanges = fc.tuple(anyZone, instants, fc.integer({ min: -2, max: 2 }));
    const moments = fc.oneof(
      fc.tuple(anyZone, instants),
      aroundChanges.map(([zone, atMs, offMs]): [string, number] => {
        const next = zoned(atMs, zone).getTimeZoneTransition('next');
        return [zone, (next?.epochMilliseconds ?? atMs) + offMs];
      }),
    );
    fc.assert(
      fc.property(moments, ([zone, atMs]) => {
        const expected = zoned(atMs, zone);
        expect(offsetTimestamp(atMs, zone)).toBe(
          expected.toString({ smallestUnit: 'second', timeZoneName: 'never' }),
        );
        expect(localDate(atMs, zone)).toBe(expected.toPlainDate().toString());
      }),
      { numRuns: howMany.zoneRuns },
    );
    // The library takes seconds for it on a busy machine.
  }, 30_000);

  test('a timestamp with offset means the second that it was made from', () => {
    fc.assert(
      fc.property(instants, zones, (atMs, zone) => {
        const second = Math.floor(atMs / 1000) * 1000;
        expect(Date.parse(offsetTimestamp(atMs, zone))).toBe(second);
        expect(Date.parse(utcTimestamp(atMs))).toBe(second);
      }),
    );
  });

  test('the local timestamp is the one with offset, without the offset', () => {
    fc.assert(
      fc.property(instants, zones, (atMs, zone) => {
        const local = localTimestamp(atMs, zone);
        expect(local).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
        expect(offsetTimestamp(atMs, zone).slice(0, 19)).toBe(local.replace(' ', 'T'));
      }),
    );
  });

  test('UTC is written with Z and whole seconds', () => {
    expect(utcTimestamp(Date.UTC(2026, 1, 13, 8, 30, 0, 999))).toBe('2026-02-13T08:30:00Z');
  });
});

describe('an hour that the clocks change', () => {
  test.each([
    ['Australia/Sydney', '2026-04-05T02:30:00', '2026-04-04T15:30:00Z', '+11:00', '+10:00'],
    ['Europe/London', '2026-10-25T01:30:00', '2026-10-25T00:30:00Z', '+01:00', '+00:00'],
  ])(
    'in %s is written twice for %s, told apart by the offset',
    (zone, local, utc, first, second) => {
      const firstMs = Date.parse(utc);
      expect(offsetTimestamp(firstMs, zone)).toBe(`${local}${first}`);
      expect(offsetTimestamp(firstMs + 3_600_000, zone)).toBe(`${local}${second}`);
      expect(localTimestamp(firstMs, zone)).toBe(localTimestamp(firstMs + 3_600_000, zone));
    },
  );

  test.each([
    ['Australia/Sydney', '2026-10-03T00:00:00Z', '2026-10-04T02'],
    ['Europe/London', '2026-03-28T12:00:00Z', '2026-03-29T01'],
  ])('in %s is left out: no instant of the day after %s is written %s', (zone, from, hour) => {
    for (let minute = 0; minute < 36 * 60; minute++) {
      const written = offsetTimestamp(Date.parse(from) + minute * 60_000, zone);
      expect(written.slice(0, 13)).not.toBe(hour);
    }
  });
});

describe('an instant to the millisecond', () => {
  const atMs = Date.parse('2027-02-14T03:04:05.678Z');

  test('is written with the offset, and without a fraction where it is a whole second', () => {
    expect(exactTimestamp(atMs, 'Asia/Kathmandu')).toBe('2027-02-14T08:49:05.678+05:45');
    expect(exactTimestamp(atMs, 'America/St_Johns')).toBe('2027-02-13T23:34:05.678-03:30');
    expect(exactTimestamp(atMs - 678, 'UTC')).toBe('2027-02-14T03:04:05+00:00');
  });

  test('is read as what was written, in every zone', () => {
    fc.assert(
      fc.property(instants, zones, (ms, zone) => {
        expect(instantOf(exactTimestamp(ms, zone))).toBe(ms);
      }),
    );
  });
});

describe('a local time without offset', () => {
  test('is the instant at which clocks show it, in every zone', () => {
    fc.assert(
      fc.property(instants, zones, (ms, zone) => {
        const text = offsetTimestamp(ms, zone).slice(0, 16);
        const found = localInstant(text, zone);
        expect(offsetTimestamp(found ?? 0, zone).slice(0, 16)).toBe(text);
      }),
    );
  });

  test.each([
    '',
    '2027-02-10',
    '2027-02-10T09:00:00',
    '2027-02-10T09:00Z',
    ' 2027-02-10T09:00',
    'x2027-02-10T09:00',
    '2027-02-10T09:00 ',
    '2027-2-10T09:00',
    '2027-02-1T09:00',
    '227-02-10T09:00',
    '2027-02-10T9:00',
    '2027-02-10T09:0',
    '2027-02-10 09:00',
    '2027-02-30T09:00',
    '2027-02-10T25:00',
  ])('%j is none', (text) => {
    expect(localInstant(text, 'UTC')).toBe(null);
  });
});

describe('a span of a zone’s clocks', () => {
  test.each([
    ['Europe/London', '2027-03-28T01:00:00Z', '2027-10-31T01:00:00Z', 60, '+01:00'],
    ['Europe/London', '2027-10-31T01:00:00Z', '2028-03-26T01:00:00Z', 0, '+00:00'],
    ['America/St_Johns', '2027-03-14T05:30:00Z', '2027-11-07T04:30:00Z', -150, '-02:30'],
  ])('in %s lasts from %s until %s', (zone, from, until, minutes, offset) => {
    const fromMs = Date.parse(from);
    const untilMs = Date.parse(until);
    const span = { fromMs, untilMs, offsetMs: minutes * 60_000, offset };
    for (const atMs of [fromMs, fromMs + 1, untilMs - 1]) expect(spanAt(atMs, zone)).toEqual(span);
    expect(spanAt(fromMs - 1, zone).untilMs).toBe(fromMs);
    expect(spanAt(untilMs, zone).fromMs).toBe(untilMs);
  });

  test('has no end where clocks are never changed', () => {
    expect(spanAt(0, 'UTC')).toEqual({
      fromMs: Number.NEGATIVE_INFINITY,
      untilMs: Number.POSITIVE_INFINITY,
      offsetMs: 0,
      offset: '+00:00',
    });
    expect(() => spanAt(0, 'Nowhere/City')).toThrow(RangeError);
  });
});

describe('reading an instant', () => {
  test.each([
    ['0001-01-01T00:00:00Z', true],
    ['0001-01-01T00:00:00+00:01', false],
    ['9999-12-31T23:59:59.999Z', true],
    ['9999-12-31T23:59:59.999-00:01', false],
    ['2027-02-14T00:00:00+00:00', true],
  ])('%s is one of the years 1 to 9999: %s', (text, isOne) => {
    expect(instantOf(text) !== null).toBe(isOne);
  });

  const offsets = fc.integer({ min: -12 * 60, max: 14 * 60 });

  test('every instant is read from its text at any offset, with a colon or without', () => {
    fc.assert(
      fc.property(instants, offsets, (atMs, minutes) => {
        const sign = minutes < 0 ? '-' : '+';
        const hours = two(Math.floor(Math.abs(minutes) / 60));
        const rest = two(Math.abs(minutes) % 60);
        const digits = new Date(atMs + minutes * 60_000).toISOString().slice(0, 23);
        expect(instantOf(`${digits}${sign}${hours}:${rest}`)).toBe(atMs);
        expect(instantOf(`${digits}${sign}${hours}${rest}`)).toBe(atMs);
        expect(instantOf(new Date(atMs).toISOString())).toBe(atMs);
      }),
    );
  });

  test('a timestamp that this service wrote is read as the second that it was made from', () => {
    fc.assert(
      fc.property(instants, zones, (atMs, zone) => {
        const second = Math.floor(atMs / 1000) * 1000;
        expect(instantOf(offsetTimestamp(atMs, zone))).toBe(second);
        expect(instantOf(utcTimestamp(atMs))).toBe(second);
      }),
    );
  });

  test.each([
    ['2026-02-13T08:30:00Z', '2026-02-13T08:30:00.000Z'],
    ['2026-02-13t08:30:00z', '2026-02-13T08:30:00.000Z'],
    ['2026-02-13T08:30Z', '2026-02-13T08:30:00.000Z'],
    ['2027-01-01T00:00:00+14:00', '2026-12-31T10:00:00.000Z'],
    ['2026-12-31T23:59:59-12:00', '2027-01-01T11:59:59.000Z'],
    ['2026-06-30T12:00:00+0530', '2026-06-30T06:30:00.000Z'],
    ['2026-06-30T12:00:00+05', '2026-06-30T07:00:00.000Z'],
    ['2026-06-30T12:00:00-00:00', '2026-06-30T12:00:00.000Z'],
    ['2026-06-30T12:00:00.5Z', '2026-06-30T12:00:00.500Z'],
    ['2026-06-30T12:00:00,25+01:00', '2026-06-30T11:00:00.250Z'],
    ['2026-06-30T12:00:00.123456789Z', '2026-06-30T12:00:00.123Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ])('%s is %s', (text, utc) => {
    expect(new Date(instantOf(text) ?? Number.NaN).toISOString()).toBe(utc);
  });

  test.each([
    '2026-02-31T08:30:00Z',
    '2026-02-29T08:30:00+10:00',
    '2026-04-31T08:30:00Z',
    '2026-13-01T08:30:00Z',
    '2026-00-01T08:30:00Z',
    '2026-01-00T08:30:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T08:60:00Z',
    '2026-01-01T08:30:61Z',
    '2026-01-01T08:30:00+24:00',
    '2026-01-01T08:30:00+10:60',
  ])('%s does not exist', (text) => {
    expect(instantOf(text)).toBeNull();
  });

  test.each([
    '',
    '2026-02-13',
    '2026-02-13T08:30:00',
    '2026-02-13T08:30',
    '2026-02-13T08Z',
    '2026-02-13 08:30:00Z',
    '2026-02-13T08:30:00 Z',
    '2026-02-13T08:30:00.Z',
    '2026-02-13T08:30:00.1234567890Z',
    '2026-02-13T08:30:00+5:30',
    '2026-02-13T08:30:00+05:30:00',
    '2026-02-13T08:30:00+08:00[Australia/Perth]',
    '2026-02-13T08:30:00[Australia/Perth]',
    '2026-02-13T08:30:00Z[u-ca=iso8601]',
    '20260213T083000Z',
    '2026-02-13T0830Z',
    '+002026-02-13T08:30:00Z',
    '13-02-2026T08:30:00Z',
    ' 2026-02-13T08:30:00Z',
    '2026-02-13T08:30:00Z\n',
    '2026-02-13T08:30:00UTC',
    'Fri, 13 Feb 2026 08:30:00 GMT',
    '1770971400000',
  ])('%j has not the shape of an instant', (text) => {
    expect(instantOf(text)).toBeNull();
  });

  test('a day is read exactly when the calendar has it', () => {
    const parts = fc.tuple(fc.nat(40), fc.nat(15), fc.integer({ min: 1800, max: 2400 }));
    fc.assert(
      fc.property(parts, ([day, month, year]) => {
        const rolled = new Date(Date.UTC(year, month - 1, day));
        const exists = rolled.getUTCMonth() === month - 1 && rolled.getUTCDate() === day;
        const read = instantOf(`${year}-${two(month)}-${two(day)}T00:00:00Z`);
        expect(read).toBe(exists ? rolled.getTime() : null);
      }),
    );
  });
});

describe('years later', () => {
  test.each([
    ['2026-10-01T12:34:56.789Z', 2, '2028-10-01T12:34:56.789Z'],
    ['2028-02-29T23:59:59.999Z', 1, '2029-02-28T23:59:59.999Z'],
    ['2028-02-29T00:00:00.000Z', 2, '2030-02-28T00:00:00.000Z'],
    ['2028-02-29T00:00:00.000Z', 4, '2032-02-29T00:00:00.000Z'],
    ['2027-02-28T00:00:00.000Z', 1, '2028-02-28T00:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', 0, '2026-12-31T23:59:59.999Z'],
  ])('%s and %i years are %s', (utc, years, later) => {
    expect(new Date(yearsAfterMs(Date.parse(utc), years)).toISOString()).toBe(later);
  });

  test('it is the same day and time of that year, save on the 29th of February', () => {
    fc.assert(
      fc.property(instants, fc.nat(10), (atMs, years) => {
        const text = new Date(atMs).toISOString();
        const later = `${Number(text.slice(0, 4)) + years}${text.slice(4)}`;
        fc.pre(text.slice(5, 10) !== '02-29');
        expect(new Date(yearsAfterMs(atMs, years)).toISOString()).toBe(later);
      }),
    );
  });
});

describe('the end of a card’s month', () => {
  test.each([
    [2026, 11, 'Australia/Perth', '2026-11-30T16:00:00Z'],
    [2026, 12, 'Australia/Perth', '2026-12-31T16:00:00Z'],
    [2028, 2, 'UTC', '2028-03-01T00:00:00Z'],
    [2027, 2, 'UTC', '2027-03-01T00:00:00Z'],
    [2026, 3, 'Europe/London', '2026-03-31T23:00:00Z'],
    [2026, 12, 'Pacific/Kiritimati', '2026-12-31T10:00:00Z'],
    [2026, 12, 'Etc/GMT+12', '2027-01-01T12:00:00Z'],
  ])('%i-%i ends in %s at %s', (year, month, zone, utc) => {
    expect(monthHasEnded(year, month, zone, Date.parse(utc) - 1)).toBe(false);
    expect(monthHasEnded(year, month, zone, Date.parse(utc))).toBe(true);
  });

  test('is the first instant of the next month by the calendar, in every zone', () => {
    const year = fc.integer({ min: 2000, max: 2090 });
    fc.assert(
      fc.property(year, fc.integer({ min: 1, max: 12 }), zones, (y, month, zone) => {
        const first = Temporal.PlainDate.from({ year: y, month, day: 1 }).add({ months: 1 });
        const endMs = first.toZonedDateTime(zone).epochMilliseconds;
        expect(monthHasEnded(y, month, zone, endMs - 1)).toBe(false);
        expect(monthHasEnded(y, month, zone, endMs)).toBe(true);
      }),
    );
  });
});

describe('time zones', () => {
  test.each(['Australia/Sydney', 'Europe/London', 'Etc/GMT+12', 'Pacific/Kiritimati', 'UTC'])(
    '%s is one',
    (zone) => {
      expect(isTimeZone(zone)).toBe(true);
    },
  );

  test.each([
    '',
    'Nowhere/City',
    '+10:00',
    '-03:00',
    'UTC+10',
    'Z',
    'T00:00+10:00',
    '2026-01-01T00:00[Europe/London]',
    ' Europe/London',
    '+Europe/London',
    'Europe/London\n',
  ])('%j is none', (zone) => {
    expect(isTimeZone(zone)).toBe(false);
  });
});
