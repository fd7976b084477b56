import { evictAllDurableObjects } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { call, makeBooking } from '../support/api.ts';
import { used } from '../support/counting.ts';
import { silencePms } from '../support/silence.ts';

// What the dispatcher does beside the answer is not the charge's cost.
silencePms();

beforeAll(async () => {
  await makeBooking('COST', '4242424242424242');
  await charge();
});

const charge = () => call('/payment/v1/create', { reference: 'COST', amount: 1 });

describe('a charge', () => {
  it('takes one object hop, two D1 round trips, one gateway call and at most eighteen written rows', async () => {
    const cost = await used(charge);
    expect(cost).toMatchObject({ objectHops: 1, d1: 2, gatewayCalls: 1 });
    expect(cost.rowsWritten).toBeGreaterThan(3);
    expect(cost.rowsWritten).toBeLessThanOrEqual(18);
  });

  it('takes no more with an idempotency key, but for two rows', async () => {
    const cost = await used(() =>
      call(
        '/payment/v1/create',
        { reference: 'COST', amount: 1 },
        { headers: { 'Idempotency-Key': 'cost' } },
      ),
    );
    expect(cost).toMatchObject({ objectHops: 1, d1: 2, gatewayCalls: 1 });
    expect(cost.rowsWritten).toBeLessThanOrEqual(20);
  });

  it('takes three D1 round trips when the booking is cold', async () => {
    await evictAllDurableObjects();
    expect(await used(charge)).toMatchObject({ objectHops: 1, d1: 3, gatewayCalls: 1 });
  });

  it('tells what it took in Server-Timing', async () => {
    const { headers } = await charge();
    expect(headers.get('Server-Timing')).toMatch(
      /^d1;desc="2";dur=\d+, gateway;desc="1";dur=\d+, object;desc="1";dur=\d+, total;dur=\d+$/,
    );
  });
});

describe.each(['/payment/v1/transaction', '/booking/v1/get-details'])('%s', (path) => {
  it('takes one D1 round trip and nothing else', async () => {
    const cost = await used(() => call(path, { reference: 'COST' }));
    expect(cost).toMatchObject({ d1: 1, rowsWritten: 0, objectHops: 0, gatewayCalls: 0 });
  });
});
