import { describe, expect, it } from 'vitest';
import { Database } from '../../src/platform/db/database.ts';
import { Trace } from '../../src/platform/trace.ts';
import { recordEvent } from '../../src/records/events/record.ts';
import { call, makeBooking, testEnv } from '../support/api.ts';

/** A booking's events as the log has them, in the order of their numbers. */
async function logOf(reference: string) {
  const { results } = await testEnv.DB.prepare(
    'SELECT * FROM events WHERE booking_reference = ? ORDER BY number',
  )
    .bind(reference)
    .all<{ type: string; sequence: number; number: number; event_id: string; snapshot: string }>();
  return results;
}

describe('the log', () => {
  it('has an event of each change, in the batch of the change, numbered by booking and by property', async () => {
    await makeBooking('LOG-1', '4242424242424242');
    await makeBooking('LOG-2');
    await call('/payment/v1/create', { reference: 'LOG-1', amount: 1000 });
    const log = await logOf('LOG-1');
    expect(log.map(({ type }) => type)).toEqual([
      'booking.saved',
      'card.attached',
      'payment.accepted',
      'balance.overpaid',
    ]);
    expect(log.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    expect(log.map(({ number }) => number)).toEqual([1, 2, 4, 5]);
    expect(new Set(log.map(({ event_id }) => event_id)).size).toBe(4);
    expect((await logOf('LOG-2')).map(({ sequence }) => sequence)).toEqual([1]);
  });

  it('has nothing of a change that was refused', async () => {
    const before = await logOf('LOG-1');
    const { status } = await call('/payment/v1/create', { reference: 'LOG-1', amount: -1 });
    expect(status).toBe(422);
    expect(await logOf('LOG-1')).toEqual(before);
  });

  it('takes what no row tells, with the charge as lists show it and the card', async () => {
    const token = await makeBooking('LOG-3', '4242424242424242');
    const paid = await call('/payment/v1/create', { reference: 'LOG-3', amount: 1 });
    const database = new Database(testEnv.DB, new Trace());
    const event = { propertyId: 'demo', bookingReference: 'LOG-3', atMs: 7 };
    const chargeId = paid.json.transaction.id;
    await database.batch('d1.transaction.apply', [
      recordEvent(database.queries, { ...event, type: 'recovery.flagged', chargeId }),
      recordEvent(database.queries, { ...event, type: 'card.updated', cardToken: token }),
      recordEvent(database.queries, {
        ...event,
        type: 'card.expiring',
        chargeId,
        cardToken: token,
      }),
    ]);
    const [flagged, updated, expiring] = (await logOf('LOG-3')).slice(3);
    expect(flagged).toMatchObject({ type: 'recovery.flagged', sequence: 4, at_ms: 7 });
    const charge = { chargeId, transaction: { row: { id: chargeId, status: 'Accepted' } } };
    expect(JSON.parse(flagged?.snapshot ?? '')).toMatchObject(charge);
    const card = { card: { token, masked: 'XXXX-XXXX-XXXX-X242' } };
    expect(JSON.parse(updated?.snapshot ?? '')).toMatchObject(card);
    expect(JSON.parse(expiring?.snapshot ?? '')).toMatchObject({ ...charge, ...card });
  });
});
