/** Pushes as great as a PMS may send them: a year of daily prices of a hundred rates, and up to the limits. */
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answer, call, makeProperty, testEnv } from '../support/api.ts';
import { used } from '../support/counting.ts';
import { isLong } from '../support/long.ts';
import {
  day,
  faultsOf,
  forgetNights,
  giveRooms,
  setRates,
  setRestrictions,
} from '../support/rooms.ts';

/** 25 room types of 4 rates each; their codes are as long as a body of 50,000 ranges and 8 MiB has place for. */
const ROOMS = Array.from({ length: 25 }, (_, index) => `room-${index}-`.padEnd(19, 'é'));
const RATES = Array.from({ length: 4 }, (_, index) => `rate-${index}-`.padEnd(24, 'x'));
const PLACES = ROOMS.flatMap((room) => RATES.map((rate) => [room, rate] as const));
const DAYS = 365;

let token: string;

beforeAll(async () => {
  token = await makeProperty('great');
  const rateTypes = RATES.map((code) => ({ code, name: code }));
  await giveRooms(
    'great',
    ROOMS.map((code) => ({ code, name: code, rateTypes })),
  );
});

/** A range of one place. */
function range(at: number, StartDate: string, EndDate: string, members: object) {
  const [RoomTypeCode, RateTypeCode] = PLACES[at % PLACES.length] ?? [];
  return { RoomTypeCode, RateTypeCode, StartDate, EndDate, ...members };
}

/** A price for every day of a year at every rate, day by day; no two neighbours are alike. */
function yearOfPrices(add = 0): object[] {
  return Array.from({ length: DAYS }, (_, offset) =>
    PLACES.map((_place, at) =>
      range(at, day(offset), day(offset), { RateValue: (10_000 + at * DAYS + offset + add) / 100 }),
    ),
  ).flat();
}

/** How many nights D1 has, and the sum of their prices in minor units. */
async function stored(): Promise<{ nights: number; sum: number | null }> {
  const row = await testEnv.DB.prepare(
    `SELECT count(*) AS nights, sum(value_minor) AS sum FROM nightly_rates`,
  ).first<{ nights: number; sum: number | null }>();
  return row ?? { nights: 0, sum: null };
}

async function priceOf(at: number, night: string): Promise<number | null> {
  const [room, rate] = PLACES[at] ?? [];
  return testEnv.DB.prepare(
    'SELECT value_minor FROM nightly_rates WHERE room_type_code = ? AND rate_type_code = ? AND day = ?',
  )
    .bind(room, rate, night)
    .first<number>('value_minor');
}

const NIGHTS = PLACES.length * DAYS;
const SUM = (NIGHTS * (10_000 + 10_000 + NIGHTS - 1)) / 2;

const push = (RateData: unknown): Promise<Answer> => setRates(RateData, { token });

describe('a year of daily prices of a hundred rates in one message', () => {
  const year = yearOfPrices();

  beforeAll(async () => {
    await forgetNights();
    const spent = await used(async () => expect((await push(year)).status).toBe(200));
    expect(spent).toMatchObject({ rowsWritten: NIGHTS });
    expect(spent.d1).toBeLessThanOrEqual(3);
  });

  it('is stored night by night, and costs nothing when it is sent again', async () => {
    expect(await stored()).toEqual({ nights: NIGHTS, sum: SUM });
    expect(await priceOf(0, day(0))).toBe(10_000);
    expect(await priceOf(99, day(364))).toBe(10_000 + NIGHTS - 1);
    expect(await priceOf(41, day(200))).toBe(10_000 + 41 * DAYS + 200);
    expect((await used(() => push(year))).rowsWritten).toBe(0);
  });

  it.runIf(isLong).each<[string, object, string]>([
    ['an unknown code', { RateTypeCode: 'unknown' }, 'RateTypeCode: unknown_code'],
    ['a fault', { RateValue: -1 }, 'RateValue: amount_out_of_range'],
  ])('with %s in its last range changes nothing', async (_name, change, fault) => {
    const last = { ...range(0, day(0), day(0), { RateValue: 1 }), ...change };
    const answer = await push([...yearOfPrices(7), last]);
    expect([answer.status, answer.json.Status]).toEqual([422, 'Error']);
    expect(faultsOf(answer)).toEqual([`RateData.${NIGHTS}.${fault}`]);
    expect(await stored()).toEqual({ nights: NIGHTS, sum: SUM });
  });

  it.runIf(isLong)(
    'that D1 refuses in the middle changes nothing, and can be sent again',
    async () => {
      // Statements go by room: the last one meets this room, after all others were done.
      const last = ROOMS.toSorted().at(-1);
      await testEnv.DB.exec(
        `CREATE TRIGGER injected BEFORE UPDATE ON nightly_rates WHEN NEW.room_type_code = '${last}' ` +
          `BEGIN SELECT RAISE(ABORT, 'injected'); END`,
      );
      const refused = await push(yearOfPrices(7));
      await testEnv.DB.exec('DROP TRIGGER injected');
      expect([refused.status, refused.json.Status]).toEqual([500, 'Error']);
      expect(await stored()).toEqual({ nights: NIGHTS, sum: SUM });
      expect((await push(yearOfPrices(7))).status).toBe(200);
      expect(await stored()).toEqual({ nights: NIGHTS, sum: SUM + 7 * NIGHTS });
    },
  );
});

/** The strings that are bound to statements, while something runs. The local D1 does not limit them, D1 itself does. */
async function boundBy(run: () => Promise<unknown>): Promise<string[]> {
  const statement = Object.getPrototypeOf(testEnv.DB.prepare('SELECT 1')) as D1PreparedStatement;
  const bind = vi.spyOn(statement, 'bind');
  await run();
  const bound = [...bind.mock.calls];
  bind.mockRestore();
  expect(Math.max(...bound.map(({ length }) => length))).toBeLessThanOrEqual(100);
  return bound.flat().filter((value) => typeof value === 'string');
}

describe('a push at the limits', () => {
  beforeEach(forgetNights);

  const MOST = 50_000;
  const WEEK = 8;

  /** As many ranges as there may be, each of eight nights: they meet, but do not overlap. */
  const most = () =>
    Array.from({ length: MOST }, (_, index) => {
      const from = Math.floor(index / PLACES.length) * WEEK;
      return range(index, day(from), day(from + WEEK - 1), {
        RateValue: 999_999_000 + index / 100,
      });
    });

  it.runIf(isLong)('has 50,000 ranges of eight nights in 8 MiB', async () => {
    const RateData = most();
    const message = { MessageType: 'SetRates', MessageID: 'm', RateData };
    const bytes = new TextEncoder().encode(JSON.stringify(message)).length;
    expect(bytes).toBeGreaterThan(8_000_000);
    expect(bytes).toBeLessThanOrEqual(8_388_608);
    const bound = await boundBy(async () => {
      const answer = await call('/rates/v1/push', message, { token });
      expect([answer.status, answer.json.Status]).toEqual([200, 'Success']);
    });
    const lengths = bound.map((value) => new TextEncoder().encode(value).length);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(4_000_000);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(2_000_000);
    const nights = MOST * WEEK;
    const sum = MOST * WEEK * 99_999_900_000 + (WEEK * MOST * (MOST - 1)) / 2;
    expect(await stored()).toEqual({ nights, sum });
    expect(await priceOf(99, day((MOST / 100) * WEEK - 1))).toBe(99_999_900_000 + MOST - 1);
  });

  it.runIf(isLong)('has no range more, and no night more', async () => {
    const one = range(0, day(0), day(0), { RateValue: 1 });
    const ranges = await push(Array.from({ length: MOST + 1 }, () => one));
    expect([ranges.status, faultsOf(ranges)]).toEqual([422, ['RateData: too_big']]);
    expect(ranges.json.errors[0]?.message).toContain('50000 ranges');
    const nights = await push([...most().slice(1), { ...one, EndDate: day(WEEK) }]);
    expect([nights.status, faultsOf(nights)]).toEqual([422, ['RateData: too_big']]);
    expect(nights.json.errors[0]?.message).toContain('400000 nights');
    expect(await stored()).toEqual({ nights: 0, sum: null });
  });

  it.runIf(isLong)('that holds nothing but faults names the first hundred', async () => {
    const empty = await push(Array.from({ length: MOST }, () => ({})));
    expect([empty.status, empty.json.errors.length]).toEqual([422, 100]);
    expect(faultsOf(empty)[99]).toMatch(/^RateData\.19\.\w+: required$/);
    const unknown = await push(
      Array.from({ length: MOST }, (_, index) => ({
        ...range(0, day(0), day(0), { RateValue: 1 }),
        RoomTypeCode: `unknown-${index}`,
      })),
    );
    expect([unknown.status, unknown.json.errors.length]).toEqual([422, 100]);
    expect(unknown.json.ErrorMessage).toMatch(/ and 49995 more\.$/);
  });

  it.each<[string, number, number, string]>([
    ['{}', 190_000, 422, 'validation_failed'],
    ['{}', 2_700_000, 400, 'invalid_request'],
    ['[]', 2_700_000, 400, 'invalid_request'],
  ])(
    'that would fill the memory is refused before it is parsed: %s %i times',
    async (one, times, status, code) => {
      const list = Array(times).fill(one).join();
      const body = `{"MessageType":"SetRates","MessageID":"m","RateData":[${list}]}`;
      const { json, ...answer } = await call('/rates/v1/push', body, { token });
      expect([answer.status, json.code, json.Status]).toEqual([status, code, 'Error']);
    },
  );

  it.runIf(isLong)('lets the last of many ranges of one night win', async () => {
    const count = MOST;
    const prices = Array.from({ length: count }, (_, index) =>
      range(index % 2, day(0), day(7), { RateValue: index }),
    );
    expect((await push(prices)).status).toBe(200);
    expect([await priceOf(0, day(0)), await priceOf(1, day(7))]).toEqual([
      (count - 2) * 100,
      (count - 1) * 100,
    ]);
    const restricted = Array.from({ length: count }, (_, index) =>
      range(0, day(0), day(7), index === 0 ? { CTA: true } : { MinLOS: index % 999 }),
    );
    expect((await setRestrictions(restricted, { token })).status).toBe(200);
    const row = await testEnv.DB.prepare(
      'SELECT min_los, closed_to_arrival FROM nightly_rates WHERE min_los IS NOT NULL LIMIT 1',
    ).first();
    expect(row).toEqual({ min_los: (count - 1) % 999, closed_to_arrival: 1 });
  });
});
