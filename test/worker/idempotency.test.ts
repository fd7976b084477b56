import { describe, expect, it } from 'vitest';
import {
  attachCard,
  call,
  ledgerOf,
  makeBooking,
  makeProperty,
  testEnv,
  transactionsOf,
} from '../support/api.ts';
import { sweepAfter } from '../support/faults.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms'] });

const CREATE = '/payment/v1/create';

function charge(
  reference: string,
  key: string,
  body: Record<string, unknown> = {},
  token?: string,
) {
  return call(
    CREATE,
    { reference, amount: 10, ...body },
    { headers: { 'Idempotency-Key': key }, ...(token !== undefined && { token }) },
  );
}

describe('Idempotency-Key', () => {
  it('gives the same request the first answer again, and charges once', async () => {
    await makeBooking('I-1', '4242424242424242');
    const first = await charge('I-1', 'key-1');
    const again = await charge('I-1', '"key-1"');
    expect(first.headers.get('Idempotency-Replayed')).toBeNull();
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect([again.status, again.json]).toEqual([first.status, first.json]);
    expect(await ledgerOf('I-1')).toHaveLength(1);
  });

  it('gives the first answer again whatever changes since: times, the card, what is left of the charge', async () => {
    await makeBooking('I-1B', '4242424242424242');
    const first = await charge('I-1B', 'key-1b');
    await call('/refund/v1/create', { reference: 'I-1B', amount: 1 });
    await testEnv.DB.batch(
      [
        "UPDATE properties SET time_zone = 'Europe/Paris', version = version + 1 WHERE id = 'demo'",
        "UPDATE cards SET last4 = '9999' WHERE booking_reference = 'I-1B'",
      ].map((change) => testEnv.DB.prepare(change)),
    );
    const again = await charge('I-1B', 'key-1b');
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(JSON.stringify(again.json)).toBe(JSON.stringify(first.json));
    await testEnv.DB.prepare(
      "UPDATE properties SET time_zone = 'Australia/Perth', version = version + 1 WHERE id = 'demo'",
    ).run();
  });

  it('makes twenty identical requests at once one charge', async () => {
    await makeBooking('I-2', '4242424242424242');
    const answers = await Promise.all(Array.from({ length: 20 }, () => charge('I-2', 'key-2')));
    const ids = answers.map(({ json }) => json.transaction.id);
    expect(new Set(ids).size).toBe(1);
    const replays = answers.filter(({ headers }) => headers.has('Idempotency-Replayed'));
    expect(replays).toHaveLength(19);
    expect(await ledgerOf('I-2')).toHaveLength(1);
    expect(await transactionsOf('I-2')).toHaveLength(1);
  });

  it('waits for the first request while it runs', async () => {
    await makeBooking('I-3', '4000000000009201');
    const [first, second] = await Promise.all([charge('I-3', 'key-3'), charge('I-3', 'key-3')]);
    expect(second.json).toEqual(first.json);
    expect(await ledgerOf('I-3')).toHaveLength(1);
  });

  it('replays a decline, whatever card the booking uses by then', async () => {
    await makeBooking('I-4', '4000000000000002');
    const first = await charge('I-4', 'key-4');
    await attachCard('I-4', '4242424242424242');
    const again = await charge('I-4', 'key-4');
    expect(first.status).toBe(402);
    expect([again.status, again.json]).toEqual([402, first.json]);
    expect(again.headers.get('Content-Type')).toBe('application/problem+json');
  });

  it('replays a refusal that recorded nothing', async () => {
    await makeBooking('I-5');
    const first = await charge('I-5', 'key-5');
    await attachCard('I-5', '4242424242424242');
    const again = await charge('I-5', 'key-5');
    expect([again.status, again.json]).toEqual([422, first.json]);
    expect(await transactionsOf('I-5')).toEqual([]);
  });

  it('does not keep a validation failure: the corrected request may use the key', async () => {
    await makeBooking('I-6', '4242424242424242');
    expect((await charge('I-6', 'key-6', { amount: 'x' })).status).toBe(422);
    const corrected = await charge('I-6', 'key-6');
    expect([corrected.status, corrected.headers.get('Idempotency-Replayed')]).toEqual([200, null]);
  });

  it.each([
    ['another amount', 'I-7', { amount: 11 }],
    ['another description', 'I-7', { description: 'other' }],
    ['another booking', 'I-7b', {}],
  ])('refuses %s under the same key', async (_name, reference, change) => {
    await makeBooking('I-7', '4242424242424242');
    await makeBooking('I-7b', '4242424242424242');
    await charge('I-7', 'key-7');
    const { status, json } = await charge(reference, 'key-7', change);
    expect([status, json.code]).toEqual([422, 'idempotency_key_reused']);
    expect(await ledgerOf('I-7b')).toEqual([]);
  });

  it('takes the same values in another order or notation for the same request', async () => {
    await makeBooking('I-8', '4242424242424242');
    const first = await charge('I-8', 'key-8', { description: 'a' });
    const again = await call(
      CREATE,
      { description: 'a', unknown: 1, amount: '10.00', reference: 'I-8' },
      { headers: { 'Idempotency-Key': 'key-8' } },
    );
    expect(again.json).toEqual(first.json);
  });

  it('is another key for another property', async () => {
    const token = await makeProperty('elsewhere');
    await makeBooking('I-9', '4242424242424242');
    await makeBooking('I-9', '4242424242424242', { token });
    const here = await charge('I-9', 'key-9');
    const there = await charge('I-9', 'key-9', {}, token);
    expect(there.headers.get('Idempotency-Replayed')).toBeNull();
    expect(there.json.transaction.id).not.toBe(here.json.transaction.id);
  });

  it('does not freeze an unknown outcome: once resolved, the replay gives the resolved answer', async () => {
    await makeBooking('I-10', '4000000000009003');
    const first = await charge('I-10', 'key-10');
    expect([first.status, first.json.code]).toEqual([504, 'outcome_unknown']);
    const meanwhile = await charge('I-10', 'key-10');
    expect([meanwhile.status, meanwhile.json]).toEqual([504, first.json]);
    await sweepAfter(2);
    const resolved = await charge('I-10', 'key-10');
    expect(resolved.status).toBe(200);
    expect(resolved.headers.get('Idempotency-Replayed')).toBe('true');
    expect(resolved.json.transaction.id).toBe(first.json.transaction.id);
    expect(await ledgerOf('I-10')).toHaveLength(1);
  });

  it.each(['', ' ', '""', 'x'.repeat(256)])('refuses %j', async (key) => {
    const { status, json } = await charge('I-1', key);
    expect([status, json.code]).toEqual([400, 'invalid_request']);
  });

  it.each(['4111111111111111', 'pay-4111111111111111', '4111 1111 1111 1111'])(
    'refuses %j as a field: it holds a card number',
    async (key) => {
      const { status, json } = await charge('I-1', key);
      expect([status, json.code]).toEqual([422, 'validation_failed']);
      expect(json.errors).toEqual([
        { field: 'Idempotency-Key', code: 'card_number', message: expect.any(String) },
      ]);
    },
  );

  it('stores the request only as a keyed fingerprint', async () => {
    await makeBooking('I-11', '4242424242424242');
    await charge('I-11', 'key-11', { description: 'a telling description' });
    const row = await testEnv.DB.prepare('SELECT * FROM idempotency_keys WHERE key = ?')
      .bind('key-11')
      .first();
    expect(row?.['fingerprint']).toMatch(/^local-1\.[\w-]{43}$/);
    expect(JSON.stringify(row)).not.toContain('telling');
  });

  it('is refused with a card number by operations that need no key, too', async () => {
    const headers = { 'Idempotency-Key': '4242424242424242' };
    const { status, json } = await call('/booking/v1/list', {}, { headers });
    expect([status, json.errors?.map(({ field }) => field)]).toEqual([422, ['Idempotency-Key']]);
  });
});
