/** Late schedules whose acquirer does not say whether it has charged them already. */
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/core/time.ts';
import {
  atTime,
  call,
  callAsAdmin,
  http,
  ledgerOf,
  makeBooking,
  testEnv,
  transactionsOf,
} from '../support/api.ts';
import { wakeAt } from '../support/faults.ts';
import { compare, exceptionsNow } from '../support/reconciliation.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'pms'] });

const DUE_MS = Math.ceil(Date.now() / SECOND_MS) * SECOND_MS + DAY_MS;
const act = (body: object) => callAsAdmin('/sandbox/v1/act', { property: 'demo', ...body });
const outage = { action: 'outage', status: 403, lookUps: true };

async function schedule(reference: string): Promise<number> {
  await makeBooking(reference, '4242424242424242');
  const body = { reference, amount: 10, time: new Date(DUE_MS).toISOString() };
  return (await call('/payment/v1/schedule', body)).json.transaction.id;
}

async function dueAtOf(reference: string): Promise<number> {
  const row = await testEnv.DB.prepare(
    'SELECT due_at_ms AS atMs FROM transactions WHERE booking_reference = ?',
  )
    .bind(reference)
    .first<{ atMs: number | null }>();
  return row?.atMs ?? 0;
}

/** Lets the booking wake whenever it is due, until a time; returns how often. */
async function wakeUntil(reference: string, untilMs: number): Promise<number> {
  let times = 0;
  for (let atMs = await dueAtOf(reference); atMs > 0 && atMs <= untilMs; times += 1) {
    await wakeAt(reference, atMs);
    atMs = await dueAtOf(reference);
  }
  return times;
}

const statusOf = async (reference: string) => (await transactionsOf(reference))[0]?.status;

describe('a schedule whose acquirer lets nobody in', () => {
  it('is asked for less and less often, and ends after 72 hours with one exception', async () => {
    const chargeId = await schedule('U-1');
    await act(outage);
    const times = await wakeUntil('U-1', DUE_MS + 72 * HOUR_MS);
    expect(await statusOf('U-1')).toBe('Pending');
    expect(times).toBeGreaterThan(30);
    expect(times).toBeLessThan(80);
    await wakeUntil('U-1', DUE_MS + 20 * DAY_MS);
    expect(await statusOf('U-1')).toBe('Failed');
    expect(await exceptionsNow({ status: 'open' })).toMatchObject([
      {
        kind: 'state_differs',
        reference: 'U-1',
        ours: { id: String(chargeId), status: 'Failed', amount: 10.31 },
        theirs: null,
      },
    ]);
    await act({ action: 'resume' });
    expect(await ledgerOf('U-1')).toEqual([]);
  });

  it('has its exception closed once the acquirer says that it has nothing of it', async () => {
    await schedule('U-5');
    await act(outage);
    await wakeUntil('U-5', DUE_MS + 20 * DAY_MS);
    const about = async () => (await exceptionsNow()).filter((one) => one.reference === 'U-5');
    await compare();
    expect(await about()).toMatchObject([{ status: 'open' }]);
    await act({ action: 'resume' });
    await compare();
    expect(await about()).toMatchObject([{ status: 'closed', resolution: 'corrected' }]);
    expect(await statusOf('U-5')).toBe('Failed');
  });

  it('is charged if it lets the service in in time', async () => {
    await schedule('U-2');
    await act(outage);
    await wakeUntil('U-2', DUE_MS + 20 * HOUR_MS);
    await act({ action: 'resume' });
    await wakeUntil('U-2', DUE_MS + 24 * HOUR_MS);
    expect(await statusOf('U-2')).toBe('Accepted');
    expect(await ledgerOf('U-2')).toHaveLength(1);
  });

  it('fails without an exception once it certainly was not charged', async () => {
    await schedule('U-3');
    await act(outage);
    await wakeUntil('U-3', DUE_MS + 71 * HOUR_MS);
    await act({ action: 'resume' });
    await wakeAt('U-3', DUE_MS + 73 * HOUR_MS);
    expect(await statusOf('U-3')).toBe('Failed');
    const about = (await exceptionsNow()).filter(({ reference }) => reference === 'U-3');
    expect(about).toEqual([]);
  });

  it('shows in /health meanwhile, and waits as long as it asks', async () => {
    await schedule('U-4');
    await act({ ...outage, status: 429, retryAfter: 3600 });
    const lateMs = DUE_MS + 20 * MINUTE_MS;
    await wakeAt('U-4', lateMs);
    expect(await dueAtOf('U-4')).toBeGreaterThanOrEqual(lateMs + HOUR_MS);
    // At a time of its own: the Worker remembers what it said a few seconds ago.
    const health = await atTime(lateMs, async () => (await http('/health')).json());
    expect(health).toMatchObject({ acquirer: 'rejecting' });
    await act({ action: 'resume' });
  });
});
