/** What a booking's object remembers of its rows, without reading them again, is what D1 has. */
import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/core/time.ts';
import {
  type BookingRows,
  bookingRows,
  selectDueRows,
  selectRows,
} from '../../src/operation/shownStore.ts';
import { Database } from '../../src/platform/db/database.ts';
import { Trace } from '../../src/platform/trace.ts';
import { bookingOf, call, makeBooking, testEnv } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { used } from '../support/counting.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'pms'] });

const CREATE = '/payment/v1/create';

interface Remembered {
  readonly rows: BookingRows | null;
  readonly due: BookingRows | null;
}

async function rememberedOf(reference: string): Promise<Remembered> {
  const object = testEnv.BOOKINGS.getByName(JSON.stringify(['demo', reference]));
  const text = await runInDurableObject(object, (_, { storage }) =>
    storage.get<string>('memory-2'),
  );
  return JSON.parse(text ?? '{"rows":null,"due":null}') as Remembered;
}

/** The rows that D1 has: all of them, or those that are due. */
async function inD1(reference: string, select: typeof selectRows | typeof selectDueRows) {
  const database = new Database(testEnv.DB, new Trace());
  const rows = await database.batch('d1.due.read', select({ propertyId: 'demo', reference }));
  return JSON.parse(JSON.stringify(bookingRows(...rows))) as BookingRows;
}

async function expectAll(reference: string): Promise<void> {
  expect((await rememberedOf(reference)).rows).toEqual(await inD1(reference, selectRows));
}

const soon = () => new Date(Date.now() + DAY_MS).toISOString();

async function made(path: string, body: object, key?: string): Promise<number> {
  const headers = key === undefined ? {} : { 'Idempotency-Key': key };
  const { json, status } = await call(path, body, { headers });
  expect(status).toBe(200);
  return json.transaction?.id;
}

describe('what is remembered of a booking', () => {
  it('are all its rows, after each operation', async () => {
    const reference = 'KEPT-1';
    await makeBooking(reference, GOOD);
    await made(CREATE, { reference, amount: 100, transactionType: 'Deposit' }, 'kept-1');
    await expectAll(reference);
    const time = soon();
    const scheduled = await made('/payment/v1/schedule', { reference, amount: 20, time });
    await expectAll(reference);
    const hold = { reference, amount: 30, preAuth: true, expiryTime: time };
    const held = await made(CREATE, hold);
    await expectAll(reference);
    await made('/payment/v1/charge-pre-auth', { reference, chargeId: held, amount: 10 });
    await expectAll(reference);
    await made('/payment/v1/cancel-schedule', { reference, chargeId: scheduled }, 'kept-2');
    await expectAll(reference);
    const given = await call('/refund/v1/create', { reference, amount: 5 });
    expect(given.status).toBe(200);
    await expectAll(reference);
    await made(CREATE, { reference, amount: 40 });
    await expectAll(reference);
  });

  it('stays when a request is repeated, and none of these operations reads it again', async () => {
    const reference = 'KEPT-3';
    const SAVE = '/booking/v1/create/manage-payments';
    await makeBooking(reference, GOOD);
    const trips = async (path: string, body: object, key?: string) => {
      const { d1 } = await used(() => made(path, { reference, ...body }, key));
      return d1;
    };
    const crossed = [await trips(CREATE, { amount: 100 }, 'kept-3')];
    expect(await trips(CREATE, { amount: 100 }, 'kept-3')).toBe(2);
    await expectAll(reference);
    crossed.push(await trips(CREATE, { amount: 10 }));
    const REFUND = '/refund/v1/create';
    crossed.push(await trips(REFUND, { amount: 5 }, 'kept-4'));
    await made(REFUND, { reference, amount: 5 }, 'kept-4');
    await expectAll(reference);
    crossed.push(await trips(REFUND, { amount: 5 }));
    const { json } = await call('/payment/v1/quote', { reference, amount: 20 });
    crossed.push(await trips(CREATE, { amount: 20, quoteId: json.quote.quoteId }));
    expect(crossed).toEqual([2, 2, 2, 2, 2]);
    expect(await trips(SAVE, bookingOf(reference, { totalCost: 700 }))).toBe(1);
    await expectAll(reference);
    const booked = await call('/booking/v1/get-details', { reference });
    expect(booked.json.booking.totalCost).toBe(700);
  });

  it('are those that are due, of a booking with many', async () => {
    const reference = 'KEPT-2';
    await makeBooking(reference, GOOD);
    await made('/payment/v1/schedule', { reference, amount: 20, time: soon() });
    for (let charges = 0; charges < 12; charges += 1) await made(CREATE, { reference, amount: 1 });
    const { due, rows } = await rememberedOf(reference);
    expect(rows).toBeNull();
    expect(due?.transactions).toHaveLength(1);
    expect(due).toEqual(await inD1(reference, selectDueRows));
  });
});
