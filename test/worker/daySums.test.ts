/** What a property moved is summed up by day: each movement once, however often and in whatever order it is done. */
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, localDate } from '../../src/core/time.ts';
import { readUntaken, sharesWith } from '../../src/desk/reports/read.ts';
import { selectShares } from '../../src/desk/reports/store.ts';
import { Database } from '../../src/platform/db/database.ts';
import { Trace } from '../../src/platform/trace.ts';
import { selectLateFailures } from '../../src/records/history/dayFailuresStore.ts';
import { sumUp } from '../../src/records/history/daySums.ts';
import { selectLateMovements, selectToSumUp } from '../../src/records/history/daySumsStore.ts';
import { newestPaid, sandboxDesk, tellOfDispute } from '../support/acquirerDesk.ts';
import { atTime, call, callAsAdmin, makeBooking, testEnv } from '../support/api.ts';
import { AMEX, GOOD, LOST_CARD } from '../support/cards.ts';
import { faultKinds, withFault } from '../support/faults.ts';
import { moneyCorrections } from '../support/moneyCorrections.ts';
import { seed } from '../support/seed.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'news', 'pms'] });

/** Fourteen hours ahead of UTC: most of a day is another day there. */
const DEMO = { id: 'demo', timeZone: 'Pacific/Kiritimati' };
const START_MS = Date.parse('2027-03-01T09:00:00Z');
const SPAN = { from: '2027-02-01', to: '2027-04-30' };

const database = new Database(testEnv.DB, new Trace());

/** One sum, as text: all by which it is told apart, then how many, and how much in minor units. */
type Sum = readonly [key: string, number: number, amountMinor: number];

/** What the history has, row by row, and the days of that by the test's own reckoning. */
async function fromHistory(): Promise<Sum[]> {
  const { results } = await testEnv.DB.prepare(
    `SELECT moved.occurred_at_ms AS atMs, moved.movement, moved.actor, moved.amount_minor AS minor, charge.purpose, card.brand,
      coalesce(card.virtual_terms ->> 'channel', iif(card.virtual_terms IS NULL, '', 'virtual')) AS agency
     FROM history AS moved JOIN transactions AS charge ON charge.id = moved.charge_id JOIN cards AS card ON card.token = charge.card_token
     WHERE moved.movement IS NOT NULL`,
  ).all<
    Record<'movement' | 'actor' | 'purpose' | 'brand' | 'agency', string> & {
      atMs: number;
      minor: number;
    }
  >();
  return summed(
    results.map(({ agency, actor, atMs, brand, minor, movement, purpose }) => [
      [localDate(atMs, DEMO.timeZone), movement, brand, agency, purpose, actor].join(' '),
      1,
      minor,
    ]),
  );
}

async function fromSums(): Promise<Sum[]> {
  const { results } = await testEnv.DB.prepare(
    "SELECT day || ' ' || movement || ' ' || brand || ' ' || agency || ' ' || purpose || ' ' || actor AS key, number, amount_minor AS minor FROM day_sums",
  ).all<{ key: string; number: number; minor: number }>();
  const [late] = await database.batch('d1.console.read', [
    selectLateMovements({ propertyId: 'demo' }),
  ]);
  return summed([
    ...results.map(({ key, minor, number }) => [key, number, minor] as const),
    ...late.map(
      ({ number, actor, agency, amountMinor, brand, movement, occurredAtMs, purpose }) => {
        const day = localDate(occurredAtMs, DEMO.timeZone);
        return [
          [day, movement, brand, agency, purpose, actor].join(' '),
          number,
          amountMinor,
        ] as const;
      },
    ),
  ]);
}

function summed(rows: readonly Sum[]): Sum[] {
  const sums = new Map<string, Sum>();
  for (const [key, number, minor] of rows) {
    const [, before, beforeMinor] = sums.get(key) ?? [key, 0, 0];
    sums.set(key, [key, before + number, beforeMinor + minor]);
  }
  return [...sums.values()].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

async function lateOnes(): Promise<number> {
  const [late] = await database.batch('d1.console.read', [
    selectLateMovements({ propertyId: 'demo' }),
  ]);
  return late.length;
}

let made = 0;

/** Some days of a property, with movements of every kind but a correction. */
async function someDays(days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    made += 1;
    const reference = `SUM-${made}`;
    await atTime(START_MS + made * (DAY_MS / 3), async () => {
      await makeBooking(reference, made % 2 === 0 ? GOOD : AMEX);
      await call('/payment/v1/create', { reference, amount: 100 + (seed % 7) });
      await call('/payment/v1/create', { reference, amount: 40, transactionType: 'Deposit' });
      await call('/refund/v1/create', { reference, amount: 10 + made });
      if (made % 2 > 0) return;
      const paid = await newestPaid(reference);
      const dispute = await sandboxDesk.dispute(paid.payment);
      await tellOfDispute(paid, dispute);
      if (made % 4 > 0) return;
      await sandboxDesk.closeDispute(paid.payment, 'won');
      await tellOfDispute(paid, dispute);
    });
  }
}

beforeAll(async () => {
  await callAsAdmin('/admin/v1/property/put', {
    property: 'demo',
    name: 'Demo Property',
    site: 'demo.localhost',
    currency: 'AUD',
    timeZone: DEMO.timeZone,
  });
  await someDays(5);
});

describe('sums of days', () => {
  it('are what the history has: before it is summed up, after it, and after it again', async () => {
    const expected = await fromHistory();
    expect(new Set(expected.map(([key]) => key.split(' ')[1]))).toEqual(
      new Set(['charge', 'refund', 'chargeback', 'chargeback_reversal']),
    );
    expect(await lateOnes()).toBeGreaterThan(10);
    expect(await fromSums()).toEqual(expected);
    for (const _ of ['once', 'twice']) {
      expect(await sumUp(database, DEMO, 10)).toBe(true);
      expect(await lateOnes()).toBe(0);
      expect(await fromSums()).toEqual(expected);
    }
  });

  it('count each movement once where several do it at once', async () => {
    await someDays(3);
    const expected = await fromHistory();
    await Promise.all([1, 2, 3].map(() => sumUp(database, DEMO, 10)));
    expect([await lateOnes(), await fromSums()]).toEqual([0, expected]);
  });

  it.each(faultKinds.flatMap((kind) => [0, 1].map((nth) => [kind, nth] as const)))(
    'count each once, whatever goes wrong: %s at %i',
    async (kind, nth) => {
      await someDays(1);
      const expected = await fromHistory();
      await withFault({ boundary: 'd1.sums.follow', nth }, kind, () =>
        sumUp(database, DEMO, 10).catch(() => undefined),
      );
      expect(await fromSums()).toEqual(expected);
      await sumUp(database, DEMO, 10);
      expect([await lateOnes(), await fromSums()]).toEqual([0, expected]);
    },
  );

  it('have what an archived booking moved, and have it once when that is back', async () => {
    await someDays(2);
    const expected = await fromHistory();
    await testEnv.DB.prepare(
      "UPDATE outbox SET status = 'Dismissed', due_at_ms = NULL, completed_at_ms = 1 WHERE status = 'Pending'",
    ).run();
    await atTime(Date.parse('2031-01-01T00:00:00Z'), async () => {
      const { json } = await callAsAdmin('/admin/v1/archive/run', { property: 'demo' });
      expect(json.archived).toBeGreaterThan(1);
      expect((await fromHistory()).length).toBeLessThan(expected.length);
      expect(await fromSums()).toEqual(expected);
      const reference = await archivedPayment();
      await call('/refund/v1/create', { reference, amount: 1 });
    });
    const later = await fromSums();
    const minor = (sums: readonly Sum[]) => sums.reduce((sum, [, , one]) => sum + one, 0);
    expect(minor(later)).toBe(minor(expected) - 100);
  });

  it.each(moneyCorrections.map((one) => [one.name, one] as const))(
    'count what failed as it is now: %s',
    async (_name, { happens }) => {
      made += 1;
      const tell = await happens(sandboxDesk, `FAIL-${made}`);
      await call('/payment/v1/create', { reference: await bookingOf(LOST_CARD), amount: made });
      const sum = () => sumUp(database, DEMO, 10);
      for (const what of [sum, tell, sum, tell]) {
        await what();
        expect(await failuresByDay()).toEqual(await failuresOneByOne());
      }
      expect((await failuresByDay()).length).toBeGreaterThan(0);
    },
  );

  it('show whole shares by who, what and with which card', async () => {
    const [sums, late] = await database.batch('d1.console.read', [
      selectShares({ propertyId: 'demo', ...SPAN }),
      selectLateMovements({ propertyId: 'demo' }),
    ]);
    const shares = sharesWith(DEMO, SPAN, sums, late);
    expect(new Set(shares.map(({ brand }) => brand))).toEqual(new Set(['visa', 'amex']));
    expect(new Set(shares.map(({ agency }) => agency))).toEqual(new Set([null]));
    expect(new Set(shares.map(({ purpose }) => purpose))).toEqual(new Set(['Manual', 'Deposit']));
  });

  it('are made by a sweep only where it is worth a batch', async () => {
    const [few] = await database.batch('d1.sweep.read', [selectToSumUp(10)]);
    expect(few).toEqual([]);
    await testEnv.DB.prepare(
      'UPDATE day_sums_progress SET event_number = event_number - 300',
    ).run();
    const [many] = await database.batch('d1.sweep.read', [selectToSumUp(10)]);
    expect(many).toEqual([DEMO]);
  });
});

async function bookingOf(card: string): Promise<string> {
  const reference = `LOST-${made}`;
  await makeBooking(reference, card);
  return reference;
}

const DAYS = Array.from({ length: 12 }, (_, at) => {
  const day = localDate(Date.now() + (at - 6) * DAY_MS, DEMO.timeZone);
  return { from: day, to: day };
});

/** What failed, as the report has it: the day's place, the state, the reason, how many and how much. */
async function failuresByDay() {
  const [late] = await database.batch('d1.console.read', [
    selectLateFailures({ propertyId: 'demo' }),
  ]);
  const untaken = await readUntaken(database, DEMO, DAYS, late);
  return untaken
    .map(({ amountMinor, declineCode, number, period, status }) =>
      [period, status, declineCode, number, amountMinor].join(' '),
    )
    .toSorted();
}

async function failuresOneByOne() {
  const { results } = await testEnv.DB.prepare(
    `SELECT learnt_at_ms AS atMs, status, iif(status = 'Declined', decline_code, NULL) AS code, amount_minor AS minor
     FROM transactions WHERE status IN ('Declined', 'Failed')`,
  ).all<{ atMs: number; status: string; code: string | null; minor: number }>();
  const rows = results.flatMap(({ atMs, code, minor, status }) => {
    const period = DAYS.findIndex(({ from }) => from === localDate(atMs, DEMO.timeZone));
    return period < 0 ? [] : [[[period, status, code].join(' '), 1, minor] as const];
  });
  return summed(rows)
    .map((one) => one.join(' '))
    .toSorted();
}

async function archivedPayment(): Promise<string> {
  const row = await testEnv.DB.prepare(
    "SELECT reference FROM archived_bookings WHERE state = 'archived' LIMIT 1",
  ).first<{ reference: string }>();
  return row?.reference ?? '';
}
