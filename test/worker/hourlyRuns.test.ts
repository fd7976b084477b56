/** An hourly run looks at what is new since the last one, and at what that one left; what comes too late, the night finds. */
import { describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import type { PaymentReport } from '../../src/gateways/gateway.ts';
import { SandboxGateway } from '../../src/gateways/sandbox.ts';
import { call, callAsAdmin, makeBooking, testEnv } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { used } from '../support/counting.ts';
import {
  atDesk,
  exceptionsNow,
  journalNow,
  movementsNow,
  sweepAtTime,
} from '../support/reconciliation.ts';
import { refreshPayments } from '../support/refresh.ts';
import { story } from '../support/story.ts';

story({ freshDatabase: true, silent: ['alarms'] });

const SCHEDULE = '/payment/v1/schedule';

/** Some time after what a test does now, before which the night's run and an hour's are due. */
const FIRST = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS + 3 * HOUR_MS;
const NEXT_NIGHT = FIRST + 23 * HOUR_MS;

async function charge(times = 1): Promise<void> {
  await makeBooking('RES-1', GOOD);
  for (let time = 0; time < times; time += 1) {
    await call('/payment/v1/create', { reference: 'RES-1', amount: 100 });
  }
}

async function paymentOf(reference: string): Promise<string> {
  const found = await testEnv.DB.prepare(
    'SELECT gateway_reference FROM transactions WHERE booking_reference = ?',
  )
    .bind(reference)
    .first<string>('gateway_reference');
  return found ?? '';
}

async function refundAtDesk(atMs: number): Promise<void> {
  const payment = await paymentOf('RES-1');
  await atDesk({ action: 'refund', payment, amountMinor: 2_500 }, atMs);
}

async function statusesOfRefunds(): Promise<string[]> {
  const { results } = await testEnv.DB.prepare('SELECT status FROM refunds').all<{
    status: string;
  }>();
  return results.map(({ status }) => status);
}

/** How many movements the last hourly run compared. */
async function comparedLast(): Promise<number | null> {
  return testEnv.DB.prepare(
    "SELECT compared FROM reconciliation_runs WHERE cause = 'hourly' ORDER BY id DESC LIMIT 1",
  ).first<number>('compared');
}

/** Has the acquirer not list some kinds of movements yet; gives back what ends that. */
function listingLate(...kinds: readonly string[]): () => void {
  const { movements } = SandboxGateway.prototype;
  const late = vi.spyOn(SandboxGateway.prototype, 'movements');
  late.mockImplementation(async function (this: SandboxGateway, query) {
    const page = await movements.call(this, query);
    if (page.kind === 'unknown') return page;
    return { ...page, movements: page.movements.filter(({ kind }) => !kinds.includes(kind)) };
  });
  return () => late.mockRestore();
}

/** The same, and has the acquirer say this of every payment. */
function hidden(report: PaymentReport): () => void {
  const listed = listingLate('charge');
  const payment = vi.spyOn(SandboxGateway.prototype, 'payment').mockResolvedValue(report);
  return () => {
    listed();
    payment.mockRestore();
  };
}

const hour = (hours: number) => sweepAtTime(FIRST + hours * HOUR_MS);

describe('an hour in which nothing was new', () => {
  async function rowsReadAgain(charges: number, schedules: number): Promise<number> {
    await charge(charges);
    const time = new Date(FIRST + 30 * DAY_MS).toISOString();
    for (let made = 0; made < schedules; made += 1) {
      const { status } = await call(SCHEDULE, { reference: 'RES-1', amount: 1, time });
      expect(status).toBe(200);
    }
    await sweepAtTime(FIRST);
    expect(await comparedLast()).toBe(charges);
    const { rowsRead } = await used(() => hour(1));
    expect(await comparedLast()).toBe(0);
    return rowsRead;
  }
  const read: number[] = [];

  it.each([
    [2, 1],
    [60, 30],
  ])('reads as many rows after %i movements and before %i schedules', async (...made) => {
    read.push(await rowsReadAgain(...made));
    expect(new Set(read).size).toBe(1);
  });
});

describe('the holds of an hour', () => {
  const HOLDS = 2_000;

  /** Copies of a hold that were made before it. None names a payment, so that the acquirer is not asked for any. */
  const EARLIER = `
    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${HOLDS})
    INSERT INTO transactions (property_id, booking_reference, reference, kind, purpose, status, currency, requested_minor, transaction_fee_minor, card_fee_minor, amount_minor, virtual_card, fee_basis_points, card_token, card_named, expiry_time, expires_at_ms, gateway, due_at_ms, booking_version, property_version, created_at_ms)
    SELECT property_id, booking_reference, 'copy ' || n, kind, purpose, status, currency, requested_minor, transaction_fee_minor, card_fee_minor, amount_minor, virtual_card, fee_basis_points, card_token, card_named, expiry_time, expires_at_ms, gateway, due_at_ms, booking_version, property_version, created_at_ms - n
    FROM transactions, numbers`;

  it('are read once each, up to the last one', async () => {
    await makeBooking('RES-1', GOOD);
    const expiryTime = new Date(FIRST + 3 * DAY_MS).toISOString();
    const hold = { reference: 'RES-1', amount: 100, preAuth: true, expiryTime };
    expect((await call('/payment/v1/create', hold)).status).toBe(200);
    const payment = await paymentOf('RES-1');
    await atDesk({ action: 'release', payment, amountMinor: null });
    await testEnv.DB.prepare(EARLIER).run();
    const { rowsRead } = await used(() => sweepAtTime(FIRST));
    expect(rowsRead).toBeLessThan(HOLDS * 40);
    const last = 'SELECT status FROM transactions WHERE gateway_reference = ?';
    expect(await testEnv.DB.prepare(last).bind(payment).first('status')).toBe('Released');
  });
});

describe('a movement', () => {
  it('of an old payment is found within the hour', async () => {
    await charge();
    await sweepAtTime(FIRST);
    await refundAtDesk(FIRST + 10 * MINUTE_MS);
    await hour(1);
    expect(await comparedLast()).toBe(1);
    expect(await statusesOfRefunds()).toEqual(['Refunded']);
  });

  it('that the acquirer lists an hour late is found by the next run', async () => {
    await charge();
    await refundAtDesk(FIRST - HOUR_MS);
    const inTime = listingLate('refund');
    await sweepAtTime(FIRST);
    inTime();
    expect(await statusesOfRefunds()).toEqual([]);
    await hour(1);
    expect(await statusesOfRefunds()).toEqual(['Refunded']);
  });

  it('that the acquirer lists many hours late is found by the night’s run', async () => {
    await charge();
    await refundAtDesk(FIRST - 5 * HOUR_MS);
    const inTime = listingLate('refund');
    await sweepAtTime(FIRST);
    inTime();
    await hour(1);
    expect(await statusesOfRefunds()).toEqual([]);
    await sweepAtTime(NEXT_NIGHT);
    expect(await statusesOfRefunds()).toEqual(['Refunded']);
  });

  it('that is recorded long after it occurred is confirmed by the next run', async () => {
    await charge();
    await refundAtDesk(FIRST - 5 * HOUR_MS);
    const inTime = listingLate('refund');
    await sweepAtTime(FIRST);
    inTime();
    vi.useFakeTimers({ toFake: ['Date'], now: FIRST + 10 * MINUTE_MS });
    await refreshPayments('RES-1');
    vi.useRealTimers();
    expect(await journalNow()).toEqual({ rows: 2, reconciled: 1 });
    await hour(1);
    expect(await journalNow()).toEqual({ rows: 2, reconciled: 2 });
  });
});

describe('what a run leaves', () => {
  it.each([
    ['differs', { kind: 'absent' }, 1],
    ['had no answer', { kind: 'unknown', reason: 'no answer' }, 0],
  ] as const)('because it %s, each hour compares', async (_what, report, exceptions) => {
    await charge();
    const found = hidden(report);
    await sweepAtTime(FIRST);
    await hour(1);
    expect(await exceptionsNow({ status: 'open' })).toHaveLength(exceptions);
    found();
    await hour(2);
    expect(await exceptionsNow({ status: 'open' })).toEqual([]);
    expect(await journalNow()).toEqual({ rows: 1, reconciled: 1 });
    await hour(3);
    expect(await comparedLast()).toBe(0);
  });

  it('is compared each hour where another kind of difference of it was accepted', async () => {
    await charge();
    const accepted = `INSERT INTO exceptions (id, gateway, kind, subject, property_id, found_at_ms, status, resolution, resolved_at_ms, detail)
      VALUES ('other', 'sandbox', 'amount_differs', ?, 'demo', 1, 'closed', 'accepted', 2, '')`;
    await testEnv.DB.prepare(accepted)
      .bind(await paymentOf('RES-1'))
      .run();
    const found = hidden({ kind: 'absent' });
    await sweepAtTime(FIRST);
    await hour(1);
    expect(await exceptionsNow({ status: 'open' })).toMatchObject([{ kind: 'missing_there' }]);
    found();
    await hour(2);
    expect(await exceptionsNow({ status: 'open' })).toEqual([]);
  });

  it('is left for good once somebody accepts it', async () => {
    await charge();
    const card = await testEnv.DB.prepare('SELECT gateway_token FROM cards').first<string>(
      'gateway_token',
    );
    const money = { amountMinor: 4_200, currency: 'AUD' };
    await atDesk({ action: 'charge', propertyId: 'demo', gatewayToken: card ?? '', ...money });
    expect(await movementsNow()).toHaveLength(2);
    await sweepAtTime(FIRST);
    await hour(1);
    expect(await comparedLast()).toBeGreaterThan(0);
    const [open] = await exceptionsNow({ status: 'open' });
    await callAsAdmin('/admin/v1/reconciliation/accept', {
      exceptionId: open?.exceptionId,
      reason: 'By hand',
    });
    await hour(2);
    await hour(3);
    expect(await comparedLast()).toBe(0);
  });
});
