/** A booking's history is its lock: of two objects that decide on the same state, one decides again. */
import { runInDurableObject } from 'cloudflare:test';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { BookingObject } from '../../src/booking/object.ts';
import { DAY_MS } from '../../src/core/time.ts';
import { Database } from '../../src/platform/db/database.ts';
import { Trace } from '../../src/platform/trace.ts';
import { appendEntry } from '../../src/records/history/append.ts';
import { call, ledgerOf, makeBooking, testEnv } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { setGuard } from '../support/guard.ts';
import { forgetMoney } from '../support/restore.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'pms'] });

beforeEach(() => setGuard({ overchargeGuard: 'refuse' }));

/**
 * Lets two instances of a booking's object take its calls in turn, as a deployment or an eviction can leave them for a
 * while: each remembers the booking by itself.
 */
async function overlap(reference: string): Promise<void> {
  const object = testEnv.BOOKINGS.getByName(JSON.stringify(['demo', reference]));
  const other = await runInDurableObject(
    object,
    (_, state) => new BookingObject(state, testEnv as never),
  );
  const perform = BookingObject.prototype.perform;
  let calls = 0;
  vi.spyOn(BookingObject.prototype, 'perform').mockImplementation(function (
    this: BookingObject,
    ...args
  ) {
    calls += 1;
    return Reflect.apply(perform, calls % 2 === 0 ? this : other, args);
  });
}

async function sequencesOf(reference: string): Promise<number[]> {
  const { results } = await testEnv.DB.prepare(
    'SELECT sequence FROM history WHERE booking_reference = ? ORDER BY sequence',
  )
    .bind(reference)
    .all<{ sequence: number }>();
  return results.map(({ sequence }) => sequence);
}

/** Charges a part of a booking's 600.00. */
async function pay(reference: string, amount: number): Promise<string> {
  const body = { reference, amount, transactionType: 'Balance' };
  const { json } = await call('/payment/v1/create', body);
  return json.success ? 'taken' : json.code;
}

describe('two objects of one booking', () => {
  it('do not both charge what is due', async () => {
    await makeBooking('TWO-1', GOOD);
    await overlap('TWO-1');
    // The first two calls make each object remember the booking.
    for (const [amount, answer] of [
      [10, 'taken'],
      [10, 'taken'],
      [580, 'taken'],
      [580, 'amount_exceeds_due'],
    ] as const) {
      expect(await pay('TWO-1', amount)).toBe(answer);
    }
    expect(await ledgerOf('TWO-1')).toHaveLength(3);
  });

  it('do not both charge what is due at the same moment', async () => {
    await makeBooking('TWO-2', GOOD);
    await overlap('TWO-2');
    await Promise.all([pay('TWO-2', 10), pay('TWO-2', 10)]);
    const answers = await Promise.all([pay('TWO-2', 580), pay('TWO-2', 580)]);
    expect(answers.toSorted()).toEqual(['amount_exceeds_due', 'taken']);
    expect(await ledgerOf('TWO-2')).toHaveLength(3);
  });

  it('do not tell a caller that nothing was scheduled, where the other has scheduled something', async () => {
    await makeBooking('TWO-3', GOOD);
    await overlap('TWO-3');
    expect(await pay('TWO-3', 10)).toBe('taken');
    const time = new Date(Date.now() + DAY_MS).toISOString();
    const planned = { reference: 'TWO-3', amount: 20, time };
    const { id } = (await call('/payment/v1/schedule', planned)).json.transaction;
    const headers = { 'Idempotency-Key': 'two-3' };
    const { json } = await call(
      '/payment/v1/cancel-schedules',
      { reference: 'TWO-3' },
      { headers },
    );
    expect(json.cancelled.map((one) => one.id)).toEqual([id]);
  });
});

describe('an object whose booking got an entry from elsewhere', () => {
  /** Appends an entry as what is not the booking's object does. */
  const append = (reference: string) =>
    new Database(testEnv.DB, new Trace()).batch(
      'd1.audit.save',
      appendEntry({
        propertyId: 'demo',
        bookingReference: reference,
        atMs: Date.now(),
        actor: 'elsewhere',
        subject: { kind: 'links', id: '' },
        to: 'made',
      }),
    );

  it('charges all the same, in order', async () => {
    await makeBooking('ELSEWHERE-1', GOOD);
    expect(await pay('ELSEWHERE-1', 10)).toBe('taken');
    await append('ELSEWHERE-1');
    expect(await pay('ELSEWHERE-1', 10)).toBe('taken');
    expect(await sequencesOf('ELSEWHERE-1')).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('records an outcome all the same', async () => {
    await makeBooking('ELSEWHERE-2', GOOD);
    expect(await pay('ELSEWHERE-2', 10)).toBe('taken');
    const { span } = Trace.prototype;
    vi.spyOn(Trace.prototype, 'span').mockImplementation(async function (this: Trace, name, io) {
      if (name === 'gateway.charge') await append('ELSEWHERE-2');
      return Reflect.apply(span, this, [name, io]);
    });
    expect(await pay('ELSEWHERE-2', 10)).toBe('taken');
    expect(await sequencesOf('ELSEWHERE-2')).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(await ledgerOf('ELSEWHERE-2')).toHaveLength(2);
  });
});

describe('an object that remembers what a restored database has not', () => {
  it.each<[string, number]>([
    ['and has fewer entries', 0],
    ['though it has as many entries again', 2],
  ])('decides again, %s', async (what, more) => {
    const reference = `RESTORED ${what}`.slice(0, 30);
    await makeBooking(reference, GOOD);
    expect(await pay(reference, 10)).toBe('taken');
    await forgetMoney(reference);
    for (let made = 0; made < more; made += 1) {
      await testEnv.DB.prepare(
        `INSERT INTO history (property_id, booking_reference, sequence, at_ms, actor, subject_kind, subject_id, to_state)
          SELECT 'demo', ?1, max(sequence) + 1, 1, 'test', 'links', '', 'made' FROM history WHERE booking_reference = ?1`,
      )
        .bind(reference)
        .run();
    }
    // Without what it remembers as paid, all is due again.
    expect(await pay(reference, 600)).toBe('taken');
    expect(await sequencesOf(reference)).toEqual(
      Array.from({ length: 4 + more }, (_, at) => at + 1),
    );
  });
});
