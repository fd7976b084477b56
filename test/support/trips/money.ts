/** Operations that move money, or say that it will move. */
import { MINUTE_MS } from '../../../src/core/time.ts';
import { serviceAsReceiver } from '../../../src/sandbox/acquirer/webhooks.ts';
import { newestPaid, sandboxDesk } from '../acquirerDesk.ts';
import { attachCard, testEnv } from '../api.ts';
import { CANCELLATION, cancellationOf, keeping } from '../cancellation.ts';
import { GOOD, OTHER_GOOD } from '../cards.ts';
import {
  charge,
  hold,
  ringBooking,
  save,
  schedule,
  setClock,
  withCard,
  withCharge,
  withHold,
  withSchedule,
} from './bookings.ts';
import { done, type Operation, on, onPayment } from './operations.ts';

const REFUND = '/refund/v1/create';

/** A booking with a paid deposit, a schedule and a hold. */
async function withAll(reference: string): Promise<void> {
  await withCharge(reference);
  await schedule(reference);
  await hold(reference);
}

/** Such a booking, whose cancellation was quoted: all of its price is given back. */
async function quotedCancellation(reference: string): Promise<string> {
  await withCard(reference, keeping({ amount: 0 }));
  await charge(reference);
  await schedule(reference);
  await hold(reference);
  return (await cancellationOf(reference)).cancellationQuoteId;
}

/** Tells of a booking's payment, as the acquirer does. */
async function newsOf(reference: string): Promise<() => Promise<unknown>> {
  const { payment } = await newestPaid(reference);
  return () => serviceAsReceiver(testEnv)({ kind: 'payment', id: payment, account: null });
}

const charges: Record<string, Operation> = {
  charge: on(withCard, (reference) => charge(reference)),
  'charge with a key': on(withCard, (reference) => charge(reference, {}, reference)),
  'charge, its key repeated': on(
    async (reference) => {
      await withCard(reference);
      await charge(reference, {}, reference);
    },
    (reference) => charge(reference, {}, reference),
  ),
  'charge on another card': async (reference) => {
    await withCard(reference);
    const token = await attachCard(reference, OTHER_GOOD);
    await attachCard(reference, GOOD);
    return () => charge(reference, { token });
  },
  'charge of a quote': async (reference) => {
    await withCard(reference);
    const asked = { reference, amount: 100, transactionType: 'Deposit' };
    const { quoteId } = (await done('/payment/v1/quote', asked)).quote;
    return () => charge(reference, { quoteId });
  },
};

const schedules: Record<string, Operation> = {
  schedule: on(withCard, schedule),
  'schedule cancelled': onPayment(withSchedule, (reference, chargeId) =>
    done('/payment/v1/cancel-schedule', { reference, chargeId }),
  ),
  'three schedules cancelled': on(
    async (reference) => {
      await withSchedule(reference);
      await schedule(reference);
      await schedule(reference);
    },
    (reference) => done('/payment/v1/cancel-schedules', { reference }),
  ),
  'schedule fires': on(async (reference) => {
    await withSchedule(reference);
    setClock(Date.now() + 10 * MINUTE_MS + 1);
  }, ringBooking),
};

const holds: Record<string, Operation> = {
  hold: on(withCard, hold),
  'hold captured': onPayment(withHold, (reference, chargeId) =>
    done('/payment/v1/charge-pre-auth', { reference, chargeId }),
  ),
  'hold released': onPayment(withHold, (reference, chargeId) =>
    done('/payment/v1/cancel-pre-auth', { reference, chargeId }),
  ),
};

const refunds: Record<string, Operation> = {
  refund: on(withCharge, (reference) => done(REFUND, { reference, amount: 10 })),
  'refund with a key': on(withCharge, (reference) =>
    done(REFUND, { reference, amount: 10 }, { 'Idempotency-Key': reference }),
  ),
  'refund over two charges': on(
    async (reference) => {
      await withCharge(reference);
      await charge(reference, { amount: 101 });
    },
    (reference) => done(REFUND, { reference, amount: 150 }),
  ),
};

const cancellations: Record<string, Operation> = {
  'booking with a schedule and a hold cancelled': on(withAll, (reference) =>
    save(reference, { status: 'cancelled' }),
  ),
  'cancellation settled: refund, schedule, hold': async (reference) => {
    const cancellationQuoteId = await quotedCancellation(reference);
    return () => done(`${CANCELLATION}/apply`, { reference, cancellationQuoteId });
  },
};

const later: Record<string, Operation> = {
  'news that says nothing new': async (reference) => {
    await withCharge(reference);
    return newsOf(reference);
  },
  'news of a refund': async (reference) => {
    await withCharge(reference);
    await sandboxDesk.refund((await newestPaid(reference)).payment, 1_000);
    return newsOf(reference);
  },
};

/** What moves money, by what the table calls it. */
export const moneyOperations = {
  ...charges,
  ...schedules,
  ...holds,
  ...refunds,
  ...cancellations,
  ...later,
};
