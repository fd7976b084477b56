import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import {
  atTime,
  call,
  callAsAdmin,
  ledgerOf,
  makeBooking,
  transactionsOf,
} from '../support/api.ts';
import { archiveAll, dismissMessages, rowsOf } from '../support/archived.ts';

const SOON_MS = Date.now() + HOUR_MS;
const SOON = new Date(SOON_MS).toISOString();

function send(path: string, key: string, body: Record<string, unknown>) {
  return call(path, body, { headers: { 'Idempotency-Key': key } });
}

function late<T>(run: () => Promise<T>): Promise<T> {
  return atTime(SOON_MS + MINUTE_MS, run);
}

describe('a request sent again when its time has passed', () => {
  it('gets the first answer of a schedule', async () => {
    await makeBooking('L-1', '4242424242424242');
    const body = { reference: 'L-1', amount: 10, time: SOON };
    const first = await send('/payment/v1/schedule', 'late-1', body);
    const again = await late(() => send('/payment/v1/schedule', 'late-1', body));
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect([again.status, again.json]).toEqual([200, first.json]);
    const changed = { ...body, amount: 11 };
    const other = await late(() => send('/payment/v1/schedule', 'late-1', changed));
    expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused']);
    expect(await transactionsOf('L-1')).toHaveLength(1);
  });

  it('gets the first answer of a pre-authorization', async () => {
    await makeBooking('L-2', '4242424242424242');
    const body = { reference: 'L-2', amount: 10, preAuth: true, expiryTime: SOON };
    const first = await send('/payment/v1/create', 'late-2', body);
    const again = await late(() => send('/payment/v1/create', 'late-2', body));
    expect([again.status, again.json]).toEqual([200, first.json]);
  });

  it('gets what the record says where its guest was erased and its booking archived', async () => {
    await makeBooking('L-9', '4242424242424242');
    const body = { reference: 'L-9', amount: 10, preAuth: true, expiryTime: SOON };
    const first = await send('/payment/v1/create', 'late-9', body);
    const chargeId = first.json.transaction.id;
    await call('/payment/v1/cancel-pre-auth', { reference: 'L-9', chargeId });
    await dismissMessages();
    const erase = { property: 'demo', reference: 'L-9' };
    expect((await callAsAdmin('/admin/v1/privacy/erase', erase)).status).toBe(200);
    await archiveAll();
    expect(await rowsOf('L-9')).toBe(0);
    const again = await late(() => send('/payment/v1/create', 'late-9', body));
    expect([again.status, again.json.transaction?.id]).toEqual([200, chargeId]);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
  });

  it('is refused as ever when it was never answered, and keeps nothing', async () => {
    await makeBooking('L-3', '4242424242424242');
    const past = { reference: 'L-3', amount: 10, time: '2020-01-01T00:00:00Z' };
    const refused = await send('/payment/v1/schedule', 'late-3', past);
    expect([refused.status, refused.json.code]).toEqual([422, 'time_in_past']);
    const ahead = { ...past, time: SOON };
    expect((await send('/payment/v1/schedule', 'late-3', ahead)).status).toBe(200);
  });
});

describe('a release under a key that has an answer', () => {
  it('keeps that answer when the hold is released by another request', async () => {
    await makeBooking('L-4', '4242424242424242');
    const hold = { reference: 'L-4', amount: 10, preAuth: true, expiryTime: SOON };
    const { json } = await call('/payment/v1/create', hold);
    const body = { reference: 'L-4', chargeId: json.transaction.id };
    const charge = await call('/payment/v1/create', { reference: 'L-4', amount: 10 });
    const wrong = { reference: 'L-4', chargeId: charge.json.transaction.id };
    const refused = await send('/payment/v1/cancel-pre-auth', 'late-4', wrong);
    expect(refused.status).toBe(409);
    await call('/payment/v1/cancel-pre-auth', body);
    const reused = await send('/payment/v1/cancel-pre-auth', 'late-4', body);
    expect([reused.status, reused.json.code]).toEqual([422, 'idempotency_key_reused']);
    const done = await send('/payment/v1/cancel-pre-auth', 'late-5', body);
    const again = await send('/payment/v1/cancel-pre-auth', 'late-5', body);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect([again.status, again.json]).toEqual([200, done.json]);
    expect((await ledgerOf('L-4')).filter(({ kind }) => kind === 'release')).toHaveLength(1);
  });
});
