import { and, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { Database, queries } from '../../src/platform/db/database.ts';
import { Trace } from '../../src/platform/trace.ts';
import { appendEntry } from '../../src/records/history/append.ts';
import { snapshotOf } from '../../src/records/history/rules/snapshots.ts';
import { history } from '../../src/schema/historyTables.ts';
import { call, makeBooking, testEnv } from '../support/api.ts';
import { EVENTS } from '../support/history.ts';

/** A booking's events as the log has them, in the order of their numbers. */
async function logOf(reference: string) {
  const { results } = await testEnv.DB.prepare(
    `SELECT * FROM ${EVENTS} WHERE booking_reference = ? ORDER BY number`,
  )
    .bind(reference)
    .all<{ type: string; sequence: number; number: number; event_id: string }>();
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

  it('has an event about no booking, which has a number and no sequence', async () => {
    const snapshot = { disbursement: { disbursementId: 'day' } };
    const [first, ...rest] = appendEntry({
      propertyId: 'demo',
      bookingReference: null,
      atMs: Date.UTC(2027, 1, 14),
      actor: 'gateway',
      subject: { kind: 'disbursement', id: 'day' },
      event: { type: 'disbursement.paid_out', snapshot, timeZone: 'Australia/Perth' },
    });
    const database = new Database(testEnv.DB, new Trace());
    await database.batch('d1.disbursement.save', [first, ...rest]);
    const kept = await testEnv.DB.prepare(
      `SELECT sequence, number FROM ${EVENTS} WHERE booking_reference IS NULL`,
    ).first<{ sequence: null; number: number }>();
    const [[entry]] = await database.batch('d1.audit.read', [
      queries
        .select()
        .from(history)
        .where(and(eq(history.propertyId, 'demo'), eq(history.bookingReference, ''))),
    ]);
    if (!entry) throw new Error('no entry');
    const { last } = (await testEnv.DB.prepare(`SELECT max(number) AS last FROM ${EVENTS}`).first<{
      last: number;
    }>()) ?? { last: 0 };
    expect(kept).toMatchObject({ sequence: null, number: last });
    expect(snapshotOf(entry)).toEqual({
      timestamp: '2027-02-14T08:00:00+08:00',
      ...snapshot,
    });
  });
});
