import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/core/time.ts';
import {
  selectDoubtfulHolds,
  selectUnknownDisputes,
} from '../../src/reconciliation/unlistedStore.ts';
import { newestPaid } from '../support/acquirerDesk.ts';
import { atTime, call, callAsAdmin, makeBooking, transactionsOf } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { losing } from '../support/moneyCorrections.ts';
import { selectStripe } from '../support/onStripe.ts';
import { planOf } from '../support/plans.ts';
import { compare, exceptionsNow, recordsNow, sweepAtTime } from '../support/reconciliation.ts';
import { story } from '../support/story.ts';

story({ freshDatabase: true, silent: ['alarms', 'pms'] });

const CREATE = '/payment/v1/create';
const TOMORROW = Date.now() + DAY_MS + HOUR_MS;

/** A hold of three days whose request is lost; it failed by hand, and then arrives. */
async function heldAfterAll(): Promise<string> {
  await makeBooking('HELD', GOOD);
  const expiryTime = new Date(Math.ceil(Date.now() / 1000) * 1000 + 3 * DAY_MS).toISOString();
  const body = { reference: 'HELD', amount: 50, preAuth: true, expiryTime };
  const lost = await losing('authorize', () => call(CREATE, body));
  const { id } = await newestPaid('HELD');
  const verdict = { id, outcome: 'Failed', reason: 'the bank says so' };
  const resolved = await atTime(Date.now() + 2 * HOUR_MS, () =>
    callAsAdmin('/admin/v1/operation/resolve', verdict),
  );
  expect(resolved.status).toBe(200);
  const made = await lost.arrives();
  return made.kind === 'approved' ? (made.gatewayReference ?? '') : '';
}

const statusOf = async (reference: string) =>
  (await transactionsOf(reference)).map(({ status }) => status);

describe.each(['sandbox', 'stripe'])('a hold that failed by hand, and is held: %s', (name) => {
  beforeEach(() => {
    if (name === 'stripe') selectStripe();
  });

  it('is found by the nightly run, once', async () => {
    const payment = await heldAfterAll();
    expect(await statusOf('HELD')).toEqual(['Failed']);
    await sweepAtTime(TOMORROW);
    expect(await statusOf('HELD')).toEqual(['Authorized']);
    expect((await newestPaid('HELD')).payment).toBe(payment);
    const before = await recordsNow();
    await sweepAtTime(TOMORROW + DAY_MS);
    expect(await recordsNow()).toEqual(before);
    expect(await exceptionsNow()).toEqual([]);
  });

  it('is found when an administrator asks', async () => {
    await heldAfterAll();
    const atMs = Date.now() + 3 * HOUR_MS;
    const from = new Date(atMs - DAY_MS).toISOString();
    const to = new Date(atMs).toISOString();
    const { json } = await atTime(atMs, () =>
      callAsAdmin('/admin/v1/reconciliation/run', { property: 'demo', from, to }),
    );
    expect(json).toMatchObject({ corrected: 1, exceptions: 0 });
    expect(await statusOf('HELD')).toEqual(['Authorized']);
  });
});

describe('an inquiry of which nobody told', () => {
  const disputesNow = async () => {
    const { json } = await call('/dispute/v1/list', {});
    return (json as unknown as { disputes: { disputeId: string; status: string }[] }).disputes;
  };

  it('is found by the nightly run, once', async () => {
    const stripe = selectStripe();
    await makeBooking('ASKED', GOOD);
    await call(CREATE, { reference: 'ASKED', amount: 100 });
    const { payment } = await newestPaid('ASKED');
    const id = stripe.dispute(payment, 'warning_needs_response');
    stripe.dispute(stripe.chargeInDashboard(4_200), 'warning_needs_response');
    await sweepAtTime(TOMORROW);
    expect(await disputesNow()).toMatchObject([{ disputeId: id, status: 'needs_response' }]);
    const before = await disputesNow();
    await sweepAtTime(TOMORROW + DAY_MS);
    expect(await disputesNow()).toEqual(before);
  });

  it('is found when an administrator asks, on any page', async () => {
    const stripe = selectStripe();
    await makeBooking('PAGES', GOOD);
    await call(CREATE, { reference: 'PAGES', amount: 100 });
    stripe.dispute((await newestPaid('PAGES')).payment, 'warning_needs_response');
    for (let made = 0; made < 100; made += 1) {
      stripe.dispute(stripe.chargeInDashboard(100), 'warning_needs_response');
    }
    expect(await compare()).toMatchObject({ corrected: 1 });
    expect(await disputesNow()).toHaveLength(1);
  });
});

describe('what the nightly run asks for', () => {
  const run = { gateway: 'stripe', propertyId: null, fromMs: 0, toMs: 1 };
  const about = { propertyId: 'demo', bookingReference: 'R', reference: 'r' };

  it.each([
    ['holds', 'transactions_doubtful_holds', () => selectDoubtfulHolds(run, 10)],
    ['disputes', 'INTEGER PRIMARY KEY', () => selectUnknownDisputes([{ id: 'dp_1', about }], null)],
  ])('%s are found by an index', async (_what, index, query) => {
    const plan = await planOf(query());
    expect(plan).toMatch(new RegExp(index));
    expect(plan).not.toMatch(/SCAN (transactions|history|entry|known)\b/);
  });
});
