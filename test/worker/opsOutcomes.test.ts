/** What the operations page counts as accepted and declined today, whenever it was asked for. */
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import type { Outcomes } from '../../src/desk/operations/outcomes.ts';
import { readOverview } from '../../src/desk/operations/overview.ts';
import { Database } from '../../src/platform/db/database.ts';
import { Trace } from '../../src/platform/trace.ts';
import { atTime, call, makeBooking, testEnv } from '../support/api.ts';
import {
  ANSWER_LOST,
  DECLINED_ONCE,
  GOOD,
  INSUFFICIENT_FUNDS,
  LOST_CARD,
} from '../support/cards.ts';
import { sweepAt, wakeAt } from '../support/faults.ts';
import { story } from '../support/story.ts';

story({ freshDatabase: true });

/** Ahead of the real time, so that no alarm rings but when a test lets it; in the middle of an hour. */
const T = Math.floor(Date.now() / DAY_MS) * DAY_MS + 20 * DAY_MS + 12.5 * HOUR_MS;

async function outcomesAt(nowMs: number): Promise<Outcomes> {
  const database = new Database(testEnv.DB, new Trace());
  const overview = await readOverview(database, nowMs);
  if (overview === null) throw new Error('the session has ended');
  return overview.outcomes;
}

/** What an hour of the clock shows: how much was accepted in Australian dollars, and how often was declined. */
function hourOf({ declines, hoursMs, volumes }: Outcomes, atMs: number) {
  const hour = hoursMs.findIndex((fromMs) => fromMs <= atMs && atMs < fromMs + HOUR_MS);
  const aud = volumes.find(({ currency }) => currency === 'AUD');
  return { accepted: aud?.minorByHour[hour] ?? 0, declined: declines.byHour[hour] };
}

const totals = ({ declines, volumes }: Outcomes) => ({
  accepted: volumes.map(({ number, totalMinor }) => [number, totalMinor]),
  declined: declines.byCode,
});

/** Schedules 100.00, with 3.09 of fee, on a card of a booking of its own. */
async function schedule(reference: string, card: string, atMs: number): Promise<void> {
  await makeBooking(reference, card);
  const time = new Date(atMs).toISOString();
  const { status } = await call('/payment/v1/schedule', { reference, amount: 100, time });
  expect(status).toBe(200);
}

async function charge(reference: string, card: string, more: object = {}): Promise<number> {
  await makeBooking(reference, card);
  const { json } = await call('/payment/v1/create', { reference, amount: 100, ...more });
  return json.transaction.id;
}

describe('schedules made three days ago and fired today', () => {
  it('count as accepted and declined in the hours in which they were', async () => {
    await atTime(T - 3 * DAY_MS, async () => {
      await schedule('GOOD', GOOD, T - 2 * HOUR_MS);
      await schedule('LOST', LOST_CARD, T - HOUR_MS);
      await schedule('POOR', INSUFFICIENT_FUNDS, T - HOUR_MS);
      await schedule('LATER', GOOD, T + HOUR_MS);
    });
    expect(totals(await outcomesAt(T - 3 * DAY_MS))).toEqual({ accepted: [], declined: [] });
    await wakeAt('GOOD', T - 2 * HOUR_MS);
    for (const reference of ['LOST', 'POOR']) await wakeAt(reference, T - HOUR_MS);
    const outcomes = await outcomesAt(T);
    expect(hourOf(outcomes, T - 2 * HOUR_MS)).toEqual({ accepted: 10_309, declined: 0 });
    expect(hourOf(outcomes, T - HOUR_MS)).toEqual({ accepted: 0, declined: 2 });
    expect(totals(outcomes)).toEqual({
      accepted: [[1, 10_309]],
      declined: [
        { code: 'lost_card', number: 1 },
        { code: 'insufficient_funds', number: 1 },
      ],
    });
    expect(totals(await outcomesAt(T + DAY_MS))).toEqual({ accepted: [], declined: [] });
  });

  it('count once: one that was declined and then accepted is accepted', async () => {
    await atTime(T - 3 * DAY_MS, () => schedule('TWICE', DECLINED_ONCE, T - 2 * HOUR_MS));
    await wakeAt('TWICE', T - 2 * HOUR_MS);
    const declined = totals(await outcomesAt(T - 90 * MINUTE_MS)).declined;
    expect(declined).toMatchObject([{ number: 1 }]);
    await wakeAt('TWICE', T - HOUR_MS);
    const outcomes = await outcomesAt(T);
    expect(totals(outcomes)).toEqual({ accepted: [[1, 10_309]], declined: [] });
    expect(hourOf(outcomes, T - HOUR_MS)).toEqual({ accepted: 10_309, declined: 0 });
  });
});

describe('a hold', () => {
  it('counts when it is captured, with what is captured, and not before', async () => {
    const expiryTime = new Date(T + DAY_MS).toISOString();
    const hold = { preAuth: true, expiryTime };
    const chargeId = await atTime(T - 3 * DAY_MS, () => charge('HELD', GOOD, hold));
    expect(totals(await outcomesAt(T - 3 * DAY_MS))).toEqual({ accepted: [], declined: [] });
    const { status } = await atTime(T - HOUR_MS, () =>
      call('/payment/v1/charge-pre-auth', { reference: 'HELD', chargeId, amount: 50 }),
    );
    expect(status).toBe(200);
    const outcomes = await outcomesAt(T);
    expect(hourOf(outcomes, T - HOUR_MS)).toEqual({ accepted: 5_155, declined: 0 });
    expect(totals(outcomes).accepted).toEqual([[1, 5_155]]);
  });

  it('that was declined counts as such', async () => {
    const hold = { preAuth: true, expiryTime: new Date(T + DAY_MS).toISOString() };
    await atTime(T - HOUR_MS, async () => {
      await makeBooking('REFUSED', LOST_CARD);
      await call('/payment/v1/create', { reference: 'REFUSED', amount: 100, ...hold });
    });
    expect(totals(await outcomesAt(T)).declined).toEqual([{ code: 'lost_card', number: 1 }]);
  });
});

describe('an immediate charge', () => {
  it('counts once, in its hour, for a day', async () => {
    await atTime(T - 2 * HOUR_MS, () => charge('NOW', GOOD));
    const outcomes = await outcomesAt(T);
    expect(hourOf(outcomes, T - 2 * HOUR_MS)).toEqual({ accepted: 10_309, declined: 0 });
    expect(totals(outcomes).accepted).toEqual([[1, 10_309]]);
    expect(totals(await outcomesAt(T + 21.4 * HOUR_MS)).accepted).toEqual([[1, 10_309]]);
    expect(totals(await outcomesAt(T + 22 * HOUR_MS)).accepted).toEqual([]);
  });

  it('whose outcome stayed unknown over night counts in the hour in which it was charged', async () => {
    await atTime(T - 30 * HOUR_MS, () => charge('NIGHT', ANSWER_LOST));
    expect(totals(await outcomesAt(T - 30 * HOUR_MS))).toEqual({ accepted: [], declined: [] });
    await sweepAt(T - HOUR_MS);
    const outcomes = await outcomesAt(T - 10 * HOUR_MS);
    expect(hourOf(outcomes, T - 30 * HOUR_MS)).toEqual({ accepted: 10_309, declined: 0 });
    expect(totals(outcomes).accepted).toEqual([[1, 10_309]]);
    expect(totals(await outcomesAt(T)).accepted).toEqual([]);
  });
});
