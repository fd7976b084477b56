/** D1 has too much waiting, and refuses batches before they run (interface: Limits). */
import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { BookingObject } from '../../src/booking/object.ts';
import { DAY_MS, SECOND_MS } from '../../src/core/time.ts';
import { type SpanName, Trace } from '../../src/platform/trace.ts';
import { disagreementsInAll } from '../support/agreement.ts';
import { type Answer, atTime, call, makeBooking, testEnv, transactionsOf } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { alarmOf, breakSpan, OVERLOADED, spansOf, withFault } from '../support/faults.ts';
import { isLong, someOf } from '../support/long.ts';
import { CREATE, cutOff, moneyOperations } from '../support/moneyOperations.ts';
import { story } from '../support/story.ts';

story({ silent: ['pms'] });

/** Whether a crossing records something, or asks the acquirer. */
function records(boundary: SpanName): boolean {
  return /^gateway\.|\.(save|intend|begin|apply|cancel)$/.test(boundary);
}

function isAnswer(answer: unknown): answer is Answer {
  return answer !== null && typeof answer === 'object' && 'json' in answer;
}

describe.each(moneyOperations)('$name', (operation) => {
  it('is exact where D1 refuses any of its batches, and busy where nothing was begun', async () => {
    const { name, prepare, run } = operation;
    const clean = `${name} clean`;
    const prepared = await prepare(clean);
    const crossed = await spansOf(() => run(clean, prepared));
    const begun = crossed.findIndex(({ boundary }) => records(boundary));
    for (const one of someOf(
      crossed.filter(({ boundary }) => boundary.startsWith('d1.')),
      8,
    )) {
      expect(await cutOff(operation, 'overloaded', one)).toEqual([]);
      // Who calls is found out before.
      if (one.index > begun || one.boundary.startsWith('d1.client.')) continue;
      const reference = `${name} refused ${one.index}`;
      const ready = await prepare(reference);
      const refused = await withFault(one, 'overloaded', () => run(reference, ready));
      if (!isAnswer(refused)) continue;
      expect([refused.status, refused.json.code]).toEqual([503, 'busy']);
      expect(refused.headers.get('retry-after')).toMatch(/^[1-9]$/);
      expect(await run(reference, ready)).toMatchObject({ status: 200 });
    }
  });
});

/** Lets D1 have so many batches waiting, and refuse all others. */
function letWait(most: number): void {
  let waiting = 0;
  const original = Trace.prototype.span;
  const spy = vi.spyOn(Trace.prototype, 'span').mockImplementation(async function (
    this: Trace,
    boundary,
    io,
  ) {
    if (!boundary.startsWith('d1.')) return original.call(this, boundary, io);
    if (waiting >= most) throw new Error(OVERLOADED);
    waiting += 1;
    try {
      return await original.call(this, boundary, io);
    } finally {
      waiting -= 1;
    }
  });
  onTestFinished(() => spy.mockRestore());
}

it('of many charges at once, each is made or is busy; sent again, each is made once', async () => {
  const references = Array.from({ length: isLong ? 40 : 12 }, (_, nth) => `BURST-${nth}`);
  for (const reference of references) await makeBooking(reference, GOOD);
  letWait(3);
  const charge = (reference: string) =>
    call(CREATE, { reference, amount: 10 }, { headers: { 'idempotency-key': reference } });
  const first = await Promise.all(references.map(charge));
  const seen = new Set(first.map(({ status, json }) => `${status} ${json.code ?? ''}`));
  expect([...seen].toSorted()).toEqual(['200 ', '503 busy']);
  for (const reference of references) expect((await charge(reference)).status).toBe(200);
  for (const reference of references) expect(await disagreementsInAll(reference)).toEqual([]);
});

it('what is due rings again within half a minute, and is charged once', async () => {
  const reference = 'RINGS';
  const atMs = Math.ceil(Date.now() / SECOND_MS) * SECOND_MS + DAY_MS;
  await makeBooking(reference, GOOD);
  const time = new Date(atMs).toISOString();
  await call('/payment/v1/schedule', { reference, amount: 10, time });
  const accept = breakSpan(['d1.booking.load', 'd1.transaction.begin'], 0, OVERLOADED);
  await ring(reference, atMs);
  accept();
  expect(await transactionsOf(reference)).toMatchObject([{ status: 'Pending', attempts: 0 }]);
  const againMs = await alarmOf(reference);
  expect(againMs - atMs).toBeGreaterThanOrEqual(2 * SECOND_MS);
  expect(againMs - atMs).toBeLessThanOrEqual(30 * SECOND_MS);
  await ring(reference, againMs);
  expect(await transactionsOf(reference)).toMatchObject([{ status: 'Accepted' }]);
  expect(await disagreementsInAll(reference)).toEqual([]);
});

/** Lets a booking's alarm ring at some time. */
async function ring(reference: string, atMs: number): Promise<void> {
  const stub = testEnv.BOOKINGS.getByName(JSON.stringify(['demo', reference]));
  await atTime(atMs, () => runInDurableObject(stub, (booking: BookingObject) => booking.alarm()));
}
