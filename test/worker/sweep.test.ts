import { abortAllDurableObjects } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { sweepOverdue } from '../../src/booking/sweep.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/core/time.ts';
import worker from '../../src/index.ts';
import { SandboxAcquirer } from '../../src/sandbox/acquirer/acquirer.ts';
import { atTime, call, makeBooking, testEnv, transactionsOf } from '../support/api.ts';
import { copyBooking } from '../support/bookingCopies.ts';
import { alarmOf, breakSpan, loseAlarm, wakeAt } from '../support/faults.ts';
import { someOf } from '../support/long.ts';

/** Fires the Cron Trigger of every minute from one time to another. */
async function fireCrons(fromMs: number, toMs: number): Promise<void> {
  const first = Math.ceil(fromMs / MINUTE_MS) * MINUTE_MS;
  for (let atMs = first; atMs <= toMs; atMs += MINUTE_MS) {
    await atTime(atMs, () => worker.scheduled({} as ScheduledController, testEnv));
  }
}

describe('with every alarm lost', () => {
  it.each(someOf([0, 1, 20, 40, 59], 5))(
    'everything due %i s after a full minute still happens within 150 s',
    async (second) => {
      const dueMs = Math.ceil((Date.now() + DAY_MS) / MINUTE_MS) * MINUTE_MS + second * SECOND_MS;
      const due = new Date(dueMs).toISOString();
      const [scheduled, held, unknown, refund] = ['schedule', 'hold', 'unknown', 'refund'].map(
        (name) => `${name} ${second}`,
      ) as [string, string, string, string];
      await makeBooking(scheduled, '4242424242424242');
      await call('/payment/v1/schedule', { reference: scheduled, amount: 1, time: due });
      await makeBooking(held, '4242424242424242');
      const hold = { reference: held, amount: 1, preAuth: true, expiryTime: due };
      await call('/payment/v1/create', hold);
      await makeBooking(unknown, '4000000000009003');
      await makeBooking(refund, '4000000000009102');
      await call('/payment/v1/create', { reference: refund, amount: 9 });
      await fireCrons(Date.now(), Date.now() + 5 * MINUTE_MS);
      await atTime(dueMs, async () => {
        await call('/payment/v1/create', { reference: unknown, amount: 1 });
        await call('/refund/v1/create', { reference: refund, amount: 9 });
      });
      for (const reference of [scheduled, held, unknown, refund]) await loseAlarm(reference);

      const stateOf = async (reference: string) => (await transactionsOf(reference))[0];
      expect([(await stateOf(scheduled))?.status, (await stateOf(held))?.status]).toEqual([
        'Pending',
        'Authorized',
      ]);
      await fireCrons(dueMs, dueMs + 150 * SECOND_MS);
      expect((await stateOf(scheduled))?.status).toBe('Accepted');
      expect((await stateOf(held))?.status).toBe('Expired');
      expect((await stateOf(unknown))?.status).toBe('Accepted');
      expect((await stateOf(refund))?.refunds).toMatchObject([{ status: 'Refunded', amount: 9 }]);
    },
  );

  it('one sweep does what is due of more bookings than it wakes at once', async () => {
    const others = 230;
    const dueMs = Date.now() + DAY_MS;
    await makeBooking('many', '4242424242424242');
    const time = new Date(dueMs).toISOString();
    await call('/payment/v1/schedule', { reference: 'many', amount: 1, time });
    await copyBooking('many', others);
    const waiting = testEnv.DB.prepare(
      'SELECT count(*) AS n FROM transactions WHERE due_at_ms = ? AND attempts = 0',
    ).bind(dueMs);
    expect(await waiting.first('n')).toBe(others + 1);
    const sweptMs = dueMs + 2 * MINUTE_MS;
    await atTime(sweptMs, () => sweepOverdue(testEnv, sweptMs));
    expect(await waiting.first('n')).toBe(0);
  });

  it('the sweep wakes nobody who has nothing overdue', async () => {
    await makeBooking('quiet', '4242424242424242');
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    await call('/payment/v1/schedule', { reference: 'quiet', amount: 1, time: inAnHour });
    await fireCrons(Date.now(), Date.now() + 3 * MINUTE_MS);
    expect(await transactionsOf('quiet')).toMatchObject([{ status: 'Pending', attempts: 0 }]);
  });
});

describe('an alarm that cannot do its work', () => {
  it('does not ask the gateway again and again when D1 takes no postponement', async () => {
    await makeBooking('stuck', '4000000000009102');
    await call('/payment/v1/create', { reference: 'stuck', amount: 1 });
    await loseAlarm('stuck');
    const asked = vi
      .spyOn(SandboxAcquirer.prototype, 'lookUp')
      .mockRejectedValue(new Error('away'));
    const mend = breakSpan('d1.transaction.postpone');
    const nowMs = Date.now();
    await wakeAt('stuck', nowMs + MINUTE_MS);
    mend();
    expect(asked.mock.calls.length).toBeLessThanOrEqual(2);
    expect(await alarmOf('stuck')).toBeGreaterThan(nowMs + 30 * SECOND_MS);
    asked.mockRestore();
    await fireCrons(Date.now(), Date.now() + 3 * MINUTE_MS);
    expect(await transactionsOf('stuck')).toMatchObject([{ status: 'Accepted' }]);
  });

  it('lets a refund that cannot be resolved hold up nothing else of its booking', async () => {
    await makeBooking('poisoned', '4000000000009102');
    await call('/payment/v1/create', { reference: 'poisoned', amount: 9 });
    await fireCrons(Date.now(), Date.now() + 5 * MINUTE_MS);
    await call('/refund/v1/create', { reference: 'poisoned', amount: 9 });
    const soon = new Date(Date.now() + 10 * SECOND_MS).toISOString();
    await call('/payment/v1/schedule', { reference: 'poisoned', amount: 1, time: soon });
    const mend = breakSpan('d1.refund.read');
    await wakeAt('poisoned', Date.now() + MINUTE_MS);
    mend();
    const scheduled = (await transactionsOf('poisoned')).find(({ scheduledTime }) => scheduledTime);
    expect(scheduled?.status).not.toBe('Pending');
  });
});

describe('a lost alarm', () => {
  it('is mended by the next call of its booking', async () => {
    await makeBooking('mended', '4242424242424242');
    const dueAtMs = Date.now() + HOUR_MS;
    const time = new Date(dueAtMs).toISOString();
    await call('/payment/v1/schedule', { reference: 'mended', amount: 1, time });
    await loseAlarm('mended');
    await abortAllDurableObjects();
    await makeBooking('mended');
    expect(await alarmOf('mended')).toBeLessThanOrEqual(dueAtMs);
  });
});
