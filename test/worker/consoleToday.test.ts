import { beforeAll, describe, expect, it } from 'vitest';
import { attachCard, bookingOf, call, callAsAdmin, testEnv } from '../support/api.ts';
import { applied, bookedWith, cancellationOf, settlementOf } from '../support/cancellation.ts';
import {
  DISPUTED,
  GOOD,
  INSUFFICIENT_FUNDS,
  LOST_CARD,
  NEVER_ARRIVES,
  REFUND_FAILS,
} from '../support/cards.ts';
import { words } from '../support/console.ts';
import { used } from '../support/counting.ts';
import { eventually } from '../support/eventually.ts';
import type { Guest } from '../support/guest.ts';
import { putUser, signedIn } from '../support/staff.ts';
import { holdNews, story } from '../support/story.ts';

story({ silent: ['pms'] });

const HOUR_MS = 3_600_000;

/** A day of the property's zone as callers write it. */
function dayIn(days: number): string {
  const at = new Date(Date.now() + days * 24 * HOUR_MS);
  const iso = at.toLocaleDateString('sv-SE', { timeZone: 'Australia/Perth' });
  return iso.split('-').toReversed().join('-');
}

async function book(reference: string, arrival: number, details: Record<string, unknown> = {}) {
  const stay = { arrival: dayIn(arrival), departure: dayIn(arrival + 3), totalCost: 600 };
  const body = bookingOf(reference, { ...stay, ...details });
  const { status } = await call('/booking/v1/create/manage-payments', body);
  expect(status).toBe(200);
}

const pay = (reference: string, amount: number, more: object = {}) =>
  call('/payment/v1/create', { reference, amount, isVirtualCard: false, ...more });

let manager: Guest;

const open = (page = 'property') => manager.open(`/console/${page}?property=demo`);

/** What the tabs count, by their names. */
function counted(): Record<string, string> {
  const tabs = manager.page.html.matchAll(
    /<a href="[^"]*"[^>]*>([^<]*) <span class="count">([^<]*)/g,
  );
  return Object.fromEntries([...tabs].map(([, name = '', count = '']) => [name.trim(), count]));
}

beforeAll(async () => {
  manager = await signedIn();
});

describe('the first page of a property', () => {
  it('says where nothing needs anybody', async () => {
    await open();
    expect(words(manager)).toContain('Nothing needs you');
    expect(words(manager)).toContain('Nobody who arrives today or tomorrow has anything to pay.');
    expect(words(manager)).toContain('Taken Today AUD 0.00 This month AUD 0.00');
    expect(counted()).toEqual({});
  });

  it('shows a cancellation that is not settled, with what lacks, until that is paid', async () => {
    await bookedWith('DAY-C', { amount: 80 }, { totalCost: 600 });
    const quote = await cancellationOf('DAY-C');
    await applied('DAY-C', quote.cancellationQuoteId);
    expect(await settlementOf('DAY-C')).toMatchObject({ status: 'incomplete', uncollected: 80 });
    for (const page of ['property', 'failed']) {
      await open(page);
      expect(words(manager)).toMatch(
        /Cancellations that are not settled .*DAY-C Nguyen AUD 80.00 AUD 0.00 AUD 80\.00 could not be taken, there is no card: settle it with the guest another way\./,
      );
      expect(counted()['Needs attention']).toBe('1');
    }
    const path = '/console/booking?property=demo&reference=DAY-C';
    await manager.open(path);
    expect(words(manager)).toMatch(/Kept by the cancellation AUD 80\.00 Not collected AUD 80\.00/);
    await attachCard('DAY-C', GOOD);
    await open('failed');
    expect(words(manager)).toContain('AUD 80.00 could not be taken: charge another card');
    const { html } = await manager.open(path);
    expect(/id="charge-amount"[^>]*value="([^"]*)"/.exec(html)?.[1]).toBe('80.00');
    expect(html).not.toContain('Cancel the booking');
    expect((await pay('DAY-C', 80)).status).toBe(200);
    await manager.open(path);
    expect(words(manager)).not.toContain('Not collected');
    await open();
    expect(words(manager)).toContain('Nothing needs you');
    expect(counted()).toEqual({});
  });

  it('shows what needs somebody, who arrives and owes, what is charged, and what was taken', async () => {
    await book('DAY-1', 0);
    await attachCard('DAY-1', INSUFFICIENT_FUNDS);
    await pay('DAY-1', 100);
    await book('DAY-2', 1, { totalCost: 250 });
    await book('DAY-3', 2);
    await book('DAY-4', 0, { totalCost: 100 });
    await attachCard('DAY-4', GOOD);
    await pay('DAY-4', 100);
    await book('DAY-5', 9);
    await attachCard('DAY-5', REFUND_FAILS);
    await pay('DAY-5', 600);
    await call('/refund/v1/create', { reference: 'DAY-5', amount: 30 });
    await book('DAY-6', 9);
    await attachCard('DAY-6', DISPUTED);
    await pay('DAY-6', 600);
    // Paid since: nobody has to do anything about its decline.
    await book('DAY-7', 9);
    await attachCard('DAY-7', INSUFFICIENT_FUNDS);
    await pay('DAY-7', 600);
    await attachCard('DAY-7', GOOD);
    await pay('DAY-7', 600);
    await eventually(async () => {
      await open();
      expect(counted()).toEqual({ 'Needs attention': '2', Disputes: '1' });
    });
    const text = words(manager);
    for (const said of [
      /Failed payments .*DAY-1.*not enough money on the card/,
      /Failed refunds .*DAY-5/,
      /Open disputes .*DAY-6/,
      /Arriving today and tomorrow, with something to pay All columns 2 stays, AUD 850.00 to pay .*DAY-1.*DAY-2/,
      /Taken Today AUD 2,0\d\d.\d\d.* This month AUD/,
    ]) {
      expect(text).toMatch(said);
    }
    expect(text).not.toMatch(/DAY-[347]/);
    expect(text).not.toContain('Nothing needs you');
  });

  it('counts on every page', async () => {
    for (const page of ['failed', 'coming', 'disputes', 'differences', 'report', 'disbursements']) {
      await open(page);
      expect([page, counted()]).toEqual([page, { 'Needs attention': '2', Disputes: '1' }]);
    }
  });

  it('counts what needs somebody behind many that were paid since', async () => {
    await book('DAY-9', 9);
    await attachCard('DAY-9', INSUFFICIENT_FUNDS);
    for (let tries = 0; tries < 21; tries += 1) await pay('DAY-9', 600);
    await attachCard('DAY-9', GOOD);
    await pay('DAY-9', 600);
    await open();
    expect(counted()).toEqual({ 'Needs attention': '2', Disputes: '1' });
  });

  it('has what is charged until midnight', async () => {
    await book('DAY-8', 20);
    await attachCard('DAY-8', GOOD);
    const time = new Date(Date.now() + 2_000).toISOString();
    await call('/payment/v1/schedule', { reference: 'DAY-8', amount: 50, time });
    await open();
    expect(words(manager)).toMatch(/Charged automatically today .*DAY-8/);
  });

  it('takes three round trips to D1', async () => {
    holdNews();
    await open();
    expect((await used(() => open())).d1).toBe(3);
  });

  it('owes exactly what the balance says, whatever was refunded, waived, disputed or kept as a bond', async () => {
    await book('DUE-1', 1, { totalCost: 500 });
    await attachCard('DUE-1', GOOD);
    const first = await pay('DUE-1', 200);
    await pay('DUE-1', 70, { transactionType: 'Bond' });
    const chargeId = first.json.transaction.id;
    await call('/refund/v1/create', { reference: 'DUE-1', chargeId, amount: 50, waive: true });
    await call('/refund/v1/create', { reference: 'DUE-1', chargeId, amount: 20 });
    await book('DUE-2', 1, { totalCost: 500 });
    await attachCard('DUE-2', DISPUTED);
    await pay('DUE-2', 120);
    await eventually(async () => {
      const { json } = await call('/payment/v1/balance', { reference: 'DUE-2' });
      expect(json.balance.disputed).toBeGreaterThan(0);
    });
    const stays = ['DAY-1', 'DAY-2', 'DUE-1', 'DUE-2'];
    const expectSum = async (references = stays) => {
      const due = await Promise.all(
        references.map(async (reference) => {
          const { json } = await call('/payment/v1/balance', { reference });
          return json.balance.due;
        }),
      );
      const sum = due.reduce((all, one) => all + one, 0).toFixed(2);
      await open();
      const said = sum.replace(/(\d)(?=(\d{3})+\.)/, '$1,');
      expect(words(manager)).toContain(`${references.length} stays, AUD ${said} to pay`);
    };
    await expectSum();
    // The same where it is noted, and where something has happened since to some of them.
    await manager.open('/console/outstanding?property=demo');
    await expectSum();
    await pay('DUE-1', 30);
    await expectSum();
    await book('DUE-2', 9, { totalCost: 500 });
    await expectSum(['DAY-1', 'DAY-2', 'DUE-1']);
  });

  it('keeps what was taken from whom may not see reports', async () => {
    await putUser({ email: 'desk2@hotel.com', role: 'cashier', property: 'demo' });
    const cashier = await signedIn('desk2@hotel.com');
    await cashier.open('/console/property?property=demo');
    expect(words(cashier)).toContain('Failed payments');
    expect(words(cashier)).not.toContain('This month');
    expect((await callAsAdmin('/admin/v1/user/list', {})).status).toBe(200);
  });
});

describe('a card that fails', () => {
  /** A recovery as the service notes it, of the newest payment of a booking. */
  const noted = (reference: string, what: { cause: string; endedAs: string | null }) =>
    testEnv.DB.prepare(
      `INSERT INTO recoveries (transaction_id, property_id, booking_reference, cause, charge_at_ms, card_token,
         created_at_ms, changed_at_ms, ended_as, ended_at_ms)
       SELECT id, 'demo', booking_reference, ?2, coalesce(scheduled_at_ms, created_at_ms), card_token, 1, 1, ?3, iif(?3 IS NULL, NULL, 1)
       FROM transactions WHERE booking_reference = ?1 ORDER BY id DESC LIMIT 1
       ON CONFLICT (transaction_id) DO UPDATE SET ended_as = excluded.ended_as, ended_at_ms = excluded.ended_at_ms, due_at_ms = NULL, version = version + 1`,
    )
      .bind(reference, what.cause, what.endedAs)
      .run();

  it('needs somebody where a charge is to come, or its guest did not answer', async () => {
    await open();
    const before = Number(counted()['Needs attention']);
    await book('CARD-1', 40);
    await attachCard('CARD-1', GOOD);
    const time = new Date(Date.now() + 20 * 24 * HOUR_MS).toISOString();
    await call('/payment/v1/schedule', { reference: 'CARD-1', amount: 75, time });
    await noted('CARD-1', { cause: 'expiring', endedAs: null });
    await book('CARD-2', 40);
    await attachCard('CARD-2', LOST_CARD);
    await pay('CARD-2', 80);
    await noted('CARD-2', { cause: 'declined', endedAs: 'unanswered' });
    await open();
    const [, cards = ''] = words(manager).split('Cards that fail (2)');
    expect(cards).toMatch(
      /CARD-2 Nguyen AUD 82\.47 .*did not answer: call them.*CARD-1 Nguyen AUD 77\.32 .*Ask the guest for another card/,
    );
    expect(words(manager).split('Cards that fail')[0]).not.toContain('CARD-2');
    expect(counted()['Needs attention']).toBe(String(before + 2));
    // Paid another way: it needs nobody any more.
    await attachCard('CARD-2', GOOD);
    await pay('CARD-2', 600);
    await open();
    expect(words(manager)).toContain('Cards that fail (1)');
  });
});

describe('tries of one payment', () => {
  it('are one line, with how many there were, and all in the file', async () => {
    await open();
    const before = Number(counted()['Needs attention']);
    await book('TRIES', 40);
    await attachCard('TRIES', INSUFFICIENT_FUNDS);
    for (let n = 0; n < 3; n += 1) await pay('TRIES', 60);
    await pay('TRIES', 61);
    const shown = () => [...words(manager).matchAll(/TRIES Nguyen/g)].length;
    for (const page of ['property', 'failed']) {
      await open(page);
      expect([page, shown()]).toEqual([page, 2]);
      expect(words(manager)).toMatch(
        /TRIES Nguyen .*AUD 61\.86 .*not enough money on the card; tried 3 times/,
      );
    }
    expect(counted()['Needs attention']).toBe(String(before + 2));
    await manager.open('/console/failed?property=demo&format=csv');
    expect(manager.page.html.match(/TRIES/g)).toHaveLength(4);
  });
});

describe('planned parts', () => {
  it('are charged today and in the next weeks, and arranged where stays owe', async () => {
    await book('DAY-P', 9);
    await attachCard('DAY-P', GOOD);
    const terms = [
      { label: 'First rate', amount: 150, due: { anchor: 'now', time: '23:59' } },
      { label: 'Second rate', amount: 450, due: { anchor: 'arrival' } },
    ];
    const put = await call('/payment-plan/v1/put', { reference: 'DAY-P', terms });
    expect(put.status).toBe(200);
    const line = /Payment plans All columns The next part of each .*DAY-P.*First rate AUD 150.00/;
    for (const page of ['property', 'coming']) {
      await open(page);
      expect(words(manager)).toMatch(line);
    }
    await open('outstanding');
    expect(words(manager)).toMatch(/DAY-P [^-]*Scheduled/);
  });
});

// The last, because what has no answer may get one while other tests count.
describe('what has no answer', () => {
  const run = (statement: string, ...values: unknown[]) =>
    testEnv.DB.prepare(statement)
      .bind(...values)
      .run();

  it('is counted, with its first lines, and leads to all of it', async () => {
    await open();
    const before = Number(counted()['Needs attention']);
    for (let n = 1; n <= 4; n += 1) {
      await book(`ASK-${n}`, 30);
      await attachCard(`ASK-${n}`, NEVER_ARRIVES);
      await pay(`ASK-${n}`, 100 + n);
    }
    await run(
      "UPDATE transactions SET status_checks = 1, version = version + 1 WHERE booking_reference LIKE 'ASK-%'",
    );
    await book('ASK-R', 30);
    await attachCard('ASK-R', GOOD);
    const { json } = await pay('ASK-R', 100);
    const chargeId = json.transaction.id;
    await run(
      `INSERT INTO refunds (id, transaction_id, property_id, booking_reference, reference, command_reference, status,
         amount_minor, currency, status_checks, due_at_ms, created_at_ms)
       VALUES (?1 + 1, ?1, 'demo', 'ASK-R', 'ask-r', 'ask-r', 'Processing', 4200, 'AUD', 1, ?2, ?3)`,
      chargeId,
      Date.now() + 24 * HOUR_MS,
      Date.now(),
    );
    await open();
    const text = words(manager);
    expect(text).toMatch(
      /Payments without an answer \(4\) .*do not charge again .*ASK-4.*ASK-3.*ASK-2.*See all Refunds without an answer \(1\) .*ASK-R Nguyen AUD 42\.00/,
    );
    expect(text.split('Refunds without an answer')[0]).not.toContain('ASK-1');
    expect(counted()['Needs attention']).toBe(String(before + 5));
    await open('failed');
    expect(words(manager)).toMatch(/Payments without an answer .*ASK-1 .*ASK-R Nguyen AUD 42\.00/);
  });
});
