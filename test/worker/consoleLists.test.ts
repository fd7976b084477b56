import { beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../../scripts/seed.ts';
import {
  selectFailed,
  selectFailedRefunds,
  selectUnsettled,
} from '../../src/desk/attentionLists.ts';
import { selectComing, selectDisputesByDeadline } from '../../src/desk/lists.ts';
import {
  inquireAtSandbox,
  newestPaid,
  sandboxDesk,
  tellOfDispute,
} from '../support/acquirerDesk.ts';
import {
  attachCard,
  bookingOf,
  call,
  callAsAdmin,
  makeBooking,
  makeProperty,
  transactionsOf,
} from '../support/api.ts';
import { ASKS_GUEST, DISPUTED, GOOD, INSUFFICIENT_FUNDS, REFUND_FAILS } from '../support/cards.ts';
import { confirmFields, words } from '../support/console.ts';
import { used } from '../support/counting.ts';
import { inDays } from '../support/days.ts';
import { eventually } from '../support/eventually.ts';
import type { Guest } from '../support/guest.ts';
import { planOf } from '../support/plans.ts';
import { compare, exceptionsNow } from '../support/reconciliation.ts';
import { putUser, signedIn } from '../support/staff.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'events', 'news', 'pms'] });

const CREATE = '/payment/v1/create';

let manager: Guest;
let cashier: Guest;

/** One of everything that people have to look after. */
beforeAll(async () => {
  await makeBooking('LIST-1', INSUFFICIENT_FUNDS);
  await call(CREATE, { reference: 'LIST-1', amount: 20 });
  await attachCard('LIST-1', ASKS_GUEST);
  await call(CREATE, { reference: 'LIST-1', amount: 30 });
  await makeBooking('LIST-2', REFUND_FAILS);
  await call(CREATE, { reference: 'LIST-2', amount: 40 });
  await call('/refund/v1/create', { reference: 'LIST-2', amount: 5 });
  await makeBooking('LIST-3', GOOD);
  await call('/payment/v1/schedule', { reference: 'LIST-3', amount: 60, time: inDays(20) });
  await call('/payment/v1/schedule', { reference: 'LIST-3', amount: 70, time: inDays(40) });
  await call(CREATE, { reference: 'LIST-3', amount: 80, preAuth: true, expiryTime: inDays(3) });
  await makeBooking('LIST-4', DISPUTED);
  await call(CREATE, { reference: 'LIST-4', amount: 90 });
  const act = {
    action: 'charge',
    property: 'demo',
    reference: 'LIST-3',
    amount: 42,
    notify: false,
  };
  await callAsAdmin('/sandbox/v1/act', act);
  await compare();
  manager = await signedIn(seeded.manager.email);
  cashier = await signedIn(seeded.desk.email);
});

const open = (page: string, person = manager) => person.open(`/console/${page}?property=demo`);

describe('a work list', () => {
  it('tells what failed, why, and what can be done', async () => {
    await open('failed', cashier);
    expect(words(cashier)).toMatch(
      /LIST-1 .*AUD 30\.93 .*Declined: the guest has to confirm the payment .*LIST-1 .*AUD 20\.62 Visa 9995 Declined: not enough money on the card Charge it again later, or send a payment link\./,
    );
    expect(words(cashier)).toMatch(/LIST-2 .*AUD 5\.00 \d+ The guest did not get the money/);
    // What it says leads to where that is done; who may not do it sees the booking.
    const { html } = cashier.page;
    expect(html).toMatch(/confirm\?[^"]*LIST-1[^"]*do=mailLink">Charge it again later/);
    expect(html).toMatch(/form\?[^"]*LIST-2[^"]*do=refund[^"]*chargeId=\d+">The guest did not/);
    await putUser({ email: 'looks@hotel.com', role: 'viewer', property: 'demo' });
    const viewer = await signedIn('looks@hotel.com');
    await open('failed', viewer);
    expect(viewer.page.html).toMatch(/booking\?[^"]*LIST-1#actions">Charge it again later/);
    expect(viewer.page.html).not.toMatch(/do=/);
  });

  it.each([
    ['all of it was paid', { totalCost: 100 }, 100, 'Nothing: nothing is due any more.'],
    ['a part of it was paid', { totalCost: 100 }, 70, 'Charge AUD 30.00 at most'],
    ['it was paid, whatever the stay costs', { totalCost: 0 }, 100, 'Nothing: it was paid since.'],
  ])('does not say to charge again where %s on another card', async (_, cost, amount, advice) => {
    const reference = `PAID-${cost.totalCost}-${amount}`;
    await call('/booking/v1/create/manage-payments', bookingOf(reference, cost));
    await attachCard(reference, INSUFFICIENT_FUNDS);
    await call(CREATE, { reference, amount: 100 });
    await attachCard(reference, GOOD);
    await call(CREATE, { reference, amount, description: 'another card' });
    await open('failed');
    expect(words(manager).split(reference)[1]).toContain(advice);
  });

  it('does not say to charge again what is scheduled', async () => {
    await makeBooking('PLANNED', INSUFFICIENT_FUNDS);
    await call(CREATE, { reference: 'PLANNED', amount: 600 });
    await call('/payment/v1/schedule', { reference: 'PLANNED', amount: 600, time: inDays(60) });
    await open('failed');
    expect(words(manager).split('PLANNED')[1]).toContain('Nothing now: what is due is scheduled');
  });

  it('tells what comes within 30 days, the next first', async () => {
    await open('coming');
    expect(words(manager)).toMatch(
      /LIST-3 .*Hold ends: capture it before AUD 82\.47 Visa 4242 .*LIST-3 .*Other AUD 61\.86/,
    );
    expect(words(manager)).toMatch(/charges listed here: AUD [\d.]+/);
    expect(words(manager)).not.toContain('72.16');
  });

  it('tells which disputes need an answer, with the deadline and the booking', async () => {
    await eventually(async () => {
      await open('disputes');
      expect(words(manager)).toMatch(
        /\d+ \w+ 20\d\d, \d\d:\d\d LIST-4 .*AUD 92\.78 .*The guest does not know the payment Chargeback Needs an answer/,
      );
    });
  });

  it('is read in two round trips to D1', async () => {
    for (const page of ['failed', 'coming', 'disputes', 'differences']) {
      expect([page, (await used(() => open(page))).d1]).toEqual([page, 2]);
    }
  });

  it('is of the property’s own staff alone', async () => {
    await makeProperty('elsewhere');
    await putUser({ email: 'far@hotel.com', role: 'manager', property: 'elsewhere' });
    const far = await signedIn('far@hotel.com');
    const [difference] = await exceptionsNow({ property: 'demo' });
    const exception = difference?.exceptionId ?? '';
    for (const page of ['failed', 'coming', 'disputes', 'differences']) {
      expect([page, (await open(page, far)).status]).toEqual([page, 404]);
      await far.open(`/console/${page}?property=elsewhere`);
      expect([page, far.page.status, far.page.html.includes('LIST-')]).toEqual([page, 200, false]);
    }
    for (const property of ['demo', 'elsewhere']) {
      await far.post('/console/accept', { property, exception, reason: 'mine' });
      expect(far.page.status).toBe(404);
    }
    expect(await exceptionsNow({ status: 'open' })).toHaveLength(1);
  });

  it('goes on where its page ended', async () => {
    const time = inDays(10);
    await makeBooking('LIST-5', GOOD);
    for (let amount = 1; amount <= 26; amount += 1) {
      await call('/payment/v1/schedule', { reference: 'LIST-5', amount, time });
    }
    await open('coming');
    const rows = () => [...manager.page.html.matchAll(/<th scope="row"/g)].length;
    expect(rows()).toBe(20);
    expect(manager.page.html.length).toBeLessThan(30 * 1024);
    const next = /href="(\/console\/coming\?[^"]*after=[^"]*)"/.exec(manager.page.html)?.[1] ?? '';
    await manager.open(next.replaceAll('&amp;', '&'));
    // A hold, 26 schedules and the one of LIST-3, less the page before.
    expect([rows(), manager.page.html.includes('after=')]).toEqual([8, false]);
    expect(words(manager)).toContain('61.86');
  });

  it('tells that nothing was withdrawn for an inquiry, with its deadline, also on the booking', async () => {
    await makeBooking('LIST-7', GOOD);
    await call(CREATE, { reference: 'LIST-7', amount: 50 });
    const paid = await newestPaid('LIST-7');
    const inquiry = await inquireAtSandbox(paid.payment);
    await tellOfDispute(paid, inquiry);
    await open('disputes');
    expect(words(manager)).toMatch(
      /\d+ \w+ 20\d\d, \d\d:\d\d LIST-7 .*AUD 51\.55 AUD 0\.00 \w[\w ]* Inquiry: nothing was withdrawn Needs an answer/,
    );
    const { html } = await manager.open('/console/disputes?property=demo&format=csv');
    expect(html).toMatch(/LIST-7.*"Inquiry: nothing was withdrawn","Needs an answer"/);
    await manager.open('/console/booking?property=demo&reference=LIST-7');
    expect(words(manager)).toMatch(/\(inquiry: nothing was withdrawn\)/);
    await sandboxDesk.closeDispute(paid.payment, 'won');
    await tellOfDispute(paid, inquiry);
    await open('disputes');
    const [stillOpen = '', decided = ''] = words(manager).split('Decided disputes');
    expect([stillOpen.includes('LIST-7'), decided.includes('LIST-7 Nguyen Won')]).toEqual([
      false,
      true,
    ]);
  });
});

it('a difference is accepted by a manager, with a reason, once it was confirmed', async () => {
  const [found] = await exceptionsNow({ status: 'open' });
  const exception = found?.exceptionId ?? '';
  await open('differences', cashier);
  expect(words(cashier)).toContain('A manager may accept them');
  const asked = { property: 'demo', exception, reason: 'paid at the desk' };
  await cashier.post('/console/accept', asked);
  expect([cashier.page.status, words(cashier)]).toEqual([
    403,
    expect.stringContaining('Only managers can'),
  ]);
  const asking = (reason: string) =>
    manager.open(`/console/accept?${new URLSearchParams({ ...asked, reason }).toString()}`);
  expect((await asking(' ')).status).toBe(422);
  await asking(asked.reason);
  expect(words(manager)).toContain('The reason is kept: paid at the desk');
  expect(await exceptionsNow({ status: 'open' })).toHaveLength(1);
  const fields = confirmFields(manager);
  const twin = manager.copy();
  await Promise.all([
    manager.post('/console/accept', fields),
    twin.post('/console/accept', fields),
  ]);
  expect([words(manager), twin.page.status]).toEqual([
    expect.stringContaining('The difference is accepted.'),
    200,
  ]);
  expect(await exceptionsNow({ property: 'demo' })).toMatchObject([
    { status: 'closed', resolution: 'accepted' },
  ]);
});

it('each list reads by its index, however much the property has', async () => {
  const nowMs = Date.now();
  for (const after of [undefined, [nowMs, 5]]) {
    const part = { limit: 25, after };
    const dispute = after && ['needs_response', nowMs, 'd'];
    const plans = await Promise.all(
      [
        selectComing('demo', nowMs, part),
        selectFailed('demo', 1, part),
        selectFailedRefunds('demo', 1, part),
        selectDisputesByDeadline('demo', nowMs, { limit: 25, after: dispute }),
      ].map(planOf),
    );
    for (const plan of plans) expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
    for (const [index, by] of [
      'transactions_coming (property_id=?',
      'transactions_failed (property_id=?',
      'refunds_failed (property_id=?',
      'disputes_by_deadline (property_id=?',
    ].entries()) {
      expect(plans[index]).toContain(by);
    }
    const unsettled = await planOf(
      selectUnsettled('demo', 1, { limit: 25, after: after && [nowMs, 's'] }),
    );
    // What is paid is the sum of a booking's own charges.
    expect(unsettled).not.toMatch(/SCAN (?!\(subquery)|TEMP B-TREE FOR (?!GROUP)/);
    expect(unsettled).toContain('settlements_incomplete (property_id=?');
  }
});

it('the console shows a property that has nothing to look after', async () => {
  await putUser({ email: 'owner@hotel.com', role: 'admin' });
  const owner = await signedIn('owner@hotel.com');
  for (const [page, said] of [
    ['failed', 'Nothing to do in 6 parts'],
    ['failed', 'No refund failed.'],
    ['failed', 'Every cancellation is settled.'],
    ['coming', 'Nothing is scheduled or held.'],
    ['disputes', 'There are no open disputes.'],
    ['differences', 'The records agree'],
  ] as const) {
    await owner.open(`/console/${page}?property=elsewhere&after=nonsense`);
    expect([owner.page.status, words(owner)]).toEqual([200, expect.stringContaining(said)]);
    expect(words(owner)).toContain('All properties');
  }
  expect(await transactionsOf('LIST-4')).toHaveLength(1);
});
