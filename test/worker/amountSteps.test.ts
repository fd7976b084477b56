/** Currencies in which the acquirer takes only multiples of some step: what it cannot take is refused when it is asked. */
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/core/time.ts';
import { toStripeAmount } from '../../src/gateways/stripe/amounts.ts';
import { price } from '../../src/money/pricing/fees.ts';
import { NO_FEES } from '../../src/records/properties/rules/feeTerms.ts';
import { call, makeBooking, makeProperty, transactionsOf } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { wakeAt } from '../support/faults.ts';
import { selectStripe } from '../support/onStripe.ts';
import { story } from '../support/story.ts';
import type { FakeStripe } from '../support/stripe.ts';

story({ silent: ['alarms', 'pms'] });

const CREATE = '/payment/v1/create';

let stripe: FakeStripe;

beforeEach(() => {
  stripe = selectStripe({ publishableKey: null });
});

const dueMs = Math.ceil(Date.now() / 1000) * 1000 + DAY_MS;
const time = new Date(dueMs).toISOString();

/** A property in a currency, with a booking of its own, and how to ask for something of it. */
async function inCurrency(currency: string, cardFeeBasisPoints: number) {
  const property = `in-${currency}-${cardFeeBasisPoints}`.toLowerCase();
  const options = { token: await makeProperty(property, { currency, cardFeeBasisPoints }) };
  await makeBooking(property, GOOD, options);
  const ask = (path: string, body: object) => call(path, { reference: property, ...body }, options);
  return { ask, options, property };
}

describe('a currency of three decimals at Stripe', () => {
  it.each(['KWD', 'BHD', 'JOD', 'OMR', 'TND'])(
    'rounds the gross amount up, and the card fee takes the difference: %s',
    async (currency) => {
      const { ask, options, property } = await inCurrency(currency, 300);
      // 100.000 and 3 % are 103.093.
      const gross = { amount: 103.1, creditCardFee: 3.1 };
      const charged = await ask(CREATE, { amount: 100 });
      expect([charged.status, charged.json.transaction]).toMatchObject([200, gross]);
      const scheduled = await ask('/payment/v1/schedule', { amount: 100, time });
      expect(scheduled.json.transaction).toMatchObject({ status: 'Pending', ...gross });
      const held = await ask(CREATE, { amount: 100, preAuth: true, expiryTime: time });
      expect(held.json.transaction).toMatchObject({ status: 'Authorized', ...gross });
      const chargeId = held.json.transaction.id;
      // 33.333 and 3 % are 34.364.
      const part = await ask('/payment/v1/charge-pre-auth', { chargeId, amount: 33.333 });
      expect(part.json.transaction).toMatchObject({ status: 'Accepted', amount: 34.37 });
      await wakeAt(property, dueMs, property);
      const all = await transactionsOf(property, options);
      expect(all.map(({ status }) => status)).toEqual(['Accepted', 'Accepted', 'Accepted']);
      const refunded = await ask('/refund/v1/create', { amount: 103.1 });
      expect([refunded.status, refunded.json.refunds]).toMatchObject([200, [{ amount: 103.1 }]]);
      const taken = stripe.intents.map(({ amount_received: received }) => received);
      expect(taken).toEqual([103_100, 34_370, 103_100]);
    },
  );

  it('refuses what no fee can carry when it is asked, and sends nothing', async () => {
    const { ask, options, property } = await inCurrency('KWD', 0);
    const charged = await ask(CREATE, { amount: 10 });
    const held = await ask(CREATE, { amount: 10, preAuth: true, expiryTime: time });
    const chargeId = held.json.transaction.id;
    const sent = stripe.calls.length;
    const refused = [
      await ask(CREATE, { amount: 1.005 }),
      await ask(CREATE, { amount: 1.005, isVirtualCard: true }),
      await ask(CREATE, { amount: 1.005, preAuth: true, expiryTime: time }),
      await ask('/payment/v1/schedule', { amount: 1.005, time }),
      await ask('/payment/v1/charge-pre-auth', { chargeId, amount: 1.005 }),
      await ask('/refund/v1/create', { amount: 1.005 }),
      await ask('/refund/v1/create', { chargeId: charged.json.transaction.id, amount: 1.005 }),
    ];
    for (const { json, status } of refused) {
      const errors = [{ field: 'amount', code: 'amount_precision' }];
      expect({ status, errors: json.errors }).toMatchObject({ status: 422, errors });
    }
    expect(stripe.calls.length).toBe(sent);
    const all = await transactionsOf(property, options);
    expect(all.map(({ status }) => status)).toEqual(['Accepted', 'Authorized']);
  });

  it('takes every amount with a fee', () => {
    const terms = { ...NO_FEES, cardFeeBasisPoints: 300 };
    for (let minor = 1; minor <= 20_000; minor += 7) {
      const priced = price(minor, terms, 10);
      expect(priced.ok && toStripeAmount(priced.value.amountMinor, 'KWD')).toEqual(
        expect.any(Number),
      );
    }
  });
});
