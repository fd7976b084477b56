import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { sweepPayouts } from '../../src/disbursements/mirror.ts';
import {
  selectAccountProperties,
  selectAccountsToCheck,
} from '../../src/disbursements/mirrorStore.ts';
import { StripeGateway } from '../../src/gateways/stripe/gateway.ts';
import { plannedRuns } from '../../src/reconciliation/rules/runs.ts';
import { selectAccountsDue } from '../../src/reconciliation/runStore.ts';
import { selectAccountsOf, selectPropertiesOf } from '../../src/reconciliation/store.ts';
import { selectOfAccount } from '../../src/records/properties/store.ts';
import { newestPaid } from '../support/acquirerDesk.ts';
import { atTime, bookingOf, call, freshDatabase, makeProperty, testEnv } from '../support/api.ts';
import { archived } from '../support/archived.ts';
import { itemsOf } from '../support/disbursements.ts';
import { selectStripeWith, stripePayouts } from '../support/onStripe.ts';
import { planOf } from '../support/plans.ts';
import { compare, exceptionsNow, journalNow, sweepAtTime } from '../support/reconciliation.ts';
import { refreshPayments } from '../support/refresh.ts';
import { story } from '../support/story.ts';
import type { FakeStripe } from '../support/stripe.ts';

story({ silent: ['alarms', 'pms'] });

const CREATE = '/payment/v1/create';
const LATER = Date.now() + 20 * MINUTE_MS;

/** Hours after what a test does now, when the night's run is due; an hour later, none is. */
const AFTER_NIGHT = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS + 3 * HOUR_MS;

let stripes: {
  readonly platform: FakeStripe;
  readonly of: Record<'acct_old' | 'acct_new', FakeStripe>;
};

beforeEach(async () => {
  await freshDatabase();
  stripes = selectStripeWith('acct_old', 'acct_new');
});

/** The property's caller, and what it sees. */
interface Mover {
  readonly call: (path: string, body: object) => ReturnType<typeof call>;
  readonly listed: () => Promise<unknown>;
}

/** A property with a booking and its card on an account; null for the platform's. */
async function propertyOn(stripeAccount: string | null, reference = 'OLD'): Promise<Mover> {
  const details = stripeAccount === null ? {} : { stripeAccount };
  const as = { token: await makeProperty('mover', details) };
  await call('/booking/v1/create/manage-payments', bookingOf(reference), as);
  const card = { reference, cardNumber: '4242424242424242', cardExpiry: '12/2030', cvv: '123' };
  await call('/payment/v1/tokenize', card, as);
  return {
    call: (path, body) => call(path, { reference, ...body }, as),
    listed: async () => {
      const { json } = await call('/payment/v1/transaction', { reference }, as);
      const { json: of } = await call('/dispute/v1/list', { reference }, as);
      const { disputes } = of as unknown as { disputes: { chargeId: number; status: string }[] };
      return json.transactions.map(({ amount, id, refunds, status }) => [
        status,
        amount,
        refunds.map((refund) => [refund.status, refund.amount]),
        disputes.find(({ chargeId }) => chargeId === id)?.status ?? null,
      ]);
    },
  };
}

const hold = { amount: 50, preAuth: true, expiryTime: new Date(LATER + 2 * DAY_MS).toISOString() };

/** A charge of 10.00, of which 4.00 are refunded there, a disputed one of 20.00, and a hold that is captured there. */
async function lateHappenings(mover: Mover, former: FakeStripe): Promise<() => unknown> {
  const charged = await mover.call(CREATE, { amount: 10 });
  const disputed = await mover.call(CREATE, { amount: 20 });
  await mover.call(CREATE, hold);
  const [first, second, third] = former.intents.map(({ id }) => id);
  expect([charged.status, disputed.status]).toEqual([200, 200]);
  return () => {
    former.refundInDashboard(first ?? '', 400);
    former.dispute(second ?? '', 'needs_response');
    former.captureInDashboard(third ?? '');
    return LEARNT;
  };
}

const LEARNT = [
  ['Accepted', 10, [['Refunded', 4]], null],
  ['Accepted', 20, [], 'needs_response'],
  ['Accepted', 50, [], null],
];

describe('what happens on a former account', () => {
  it.each([
    ['a connected one', 'acct_old'],
    ['the platform’s', null],
  ])('is learnt by comparing alone: %s', async (_what, account) => {
    const mover = await propertyOn(account);
    const former = account === null ? stripes.platform : stripes.of.acct_old;
    const happen = await lateHappenings(mover, former);
    // The sweep knew the account while the property had it.
    await sweepAtTime(Date.now());
    await makeProperty('mover', { stripeAccount: 'acct_new' });
    await freshDemo();
    const learnt = happen();
    await sweepAtTime(LATER + HOUR_MS);
    expect(await mover.listed()).toEqual(learnt);
    expect(await exceptionsNow()).toEqual([]);
  });

  it.each([
    ['a connected one', 'acct_old'],
    ['the platform’s', null],
  ])('is learnt when an administrator asks: %s', async (_what, account) => {
    const mover = await propertyOn(account);
    const former = account === null ? stripes.platform : stripes.of.acct_old;
    const happen = await lateHappenings(mover, former);
    await makeProperty('mover', { stripeAccount: 'acct_new' });
    const learnt = happen();
    expect(await compare('mover')).toMatchObject({ compared: 5, corrected: 3, exceptions: 0 });
    expect(await mover.listed()).toEqual(learnt);
    expect(await compare('mover')).toMatchObject({ corrected: 0, exceptions: 0 });
  });

  it('is confirmed by the next hour where it was recorded long after it occurred', async () => {
    const mover = await propertyOn('acct_old');
    await mover.call(CREATE, { amount: 10 });
    await makeProperty('mover', { stripeAccount: 'acct_new' });
    const former = stripes.of.acct_old;
    former.refundInDashboard(former.intents[0]?.id ?? '', 400);
    const none = { kind: 'page', movements: [], nextCursor: null } as const;
    const unlisted = vi.spyOn(StripeGateway.prototype, 'movements').mockResolvedValue(none);
    await sweepAtTime(AFTER_NIGHT);
    unlisted.mockRestore();
    await atTime(AFTER_NIGHT + 10 * MINUTE_MS, () => refreshPayments('OLD', 'mover', 'acct_old'));
    expect(await journalNow()).toEqual({ rows: 2, reconciled: 1 });
    await sweepAtTime(AFTER_NIGHT + HOUR_MS);
    expect(await journalNow()).toEqual({ rows: 2, reconciled: 2 });
  });

  it('is the property’s where nothing else names it', async () => {
    await propertyOn('acct_old');
    await makeProperty('mover', { stripeAccount: 'acct_new' });
    stripes.of.acct_old.chargeInDashboard(4_200);
    await sweepAtTime(LATER);
    expect(await exceptionsNow()).toMatchObject([{ kind: 'unknown_payment', property: 'mover' }]);
  });

  it('is asked for there: a refund, a capture, and a charge whose answer was lost', async () => {
    const mover = await propertyOn('acct_old');
    const { acct_new: present, acct_old: former } = stripes.of;
    const charged = await mover.call(CREATE, { amount: 10 });
    const held = await mover.call(CREATE, hold);
    former.fail('500 after execution');
    expect((await mover.call(CREATE, { amount: 30 })).status).toBe(504);
    await makeProperty('mover', { stripeAccount: 'acct_new' });
    const chargeId = held.json.transaction.id;
    expect((await mover.call('/payment/v1/charge-pre-auth', { chargeId })).status).toBe(200);
    const of = { amount: 4, chargeId: charged.json.transaction.id };
    expect((await mover.call('/refund/v1/create', of)).status).toBe(200);
    await sweepAtTime(LATER);
    expect(await mover.listed()).toEqual([
      ['Accepted', 10, [['Refunded', 4]], null],
      ['Accepted', 50, [], null],
      ['Accepted', 30, [], null],
    ]);
    expect(present.effects).toEqual([]);
    expect((await newestPaid('OLD')).payment).toBe(former.intents.at(-1)?.id);
  });

  it('is paid out from there', async () => {
    const mover = await propertyOn('acct_old');
    await mover.call(CREATE, { amount: 10 });
    await makeProperty('mover', { stripeAccount: 'acct_new' });
    stripes.of.acct_old.adjust(-50);
    const { id } = stripes.of.acct_old.payOut('paid');
    await sweepPayouts(testEnv, stripePayouts(), LATER);
    const as = { token: await makeProperty('mover') };
    expect(await itemsOf(id, as)).toMatchObject([{ grossAmount: 10 }, { grossAmount: -0.5 }]);
  });
});

describe('an account of several properties', () => {
  it('pays out to each what its charges and refunds were, also of archived bookings', async () => {
    const mover = await propertyOn('acct_old');
    const charged = await mover.call(CREATE, { amount: 10 });
    const chargeId = charged.json.transaction.id;
    await mover.call('/refund/v1/create', { amount: 4, chargeId });
    await makeProperty('neighbour', { stripeAccount: 'acct_old' });
    stripes.of.acct_old.adjust(-50);
    await archived(1, 'mover');
    const { id } = stripes.of.acct_old.payOut('paid');
    await sweepPayouts(testEnv, stripePayouts(), LATER);
    const as = { token: await makeProperty('mover') };
    const ofCharge = { bookingReference: 'OLD', chargeId };
    // What names nobody is nobody's.
    expect(await itemsOf(id, as)).toMatchObject([
      { ...ofCharge, grossAmount: 10, refundId: null },
      { ...ofCharge, grossAmount: -4, refundId: expect.any(Number) },
    ]);
  });
});

/** The one other property, which is on the platform's account, is there no more: nothing else asks for that account. */
async function freshDemo(): Promise<void> {
  await makeProperty('demo', { stripeAccount: 'acct_new' });
}

describe('the accounts of properties', () => {
  it.each([
    ['that are due', () => selectAccountsDue('stripe', 'named', plannedRuns(LATER), 20)],
    ['whose payouts are due', () => selectAccountsToCheck('stripe', '2027-01-01', 5)],
    ['of one property', () => selectAccountsOf('mover')],
    ['and the properties on one', () => selectPropertiesOf('named', 'acct_1', null, 2)],
    ['and the properties paid out', () => selectAccountProperties('acct_1')],
    ['and whether one is of it', () => selectOfAccount('mover', 'acct_1')],
  ])('%s are read by an index', async (_which, query) => {
    const plan = await planOf(query());
    expect(plan).toMatch(/USING (COVERING )?INDEX|USING PRIMARY KEY/);
    expect(plan).not.toMatch(/SCAN (transactions|cards|journal|refunds|earlier|run)\b(?! USING)/);
  });
});
