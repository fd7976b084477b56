/** Cancelling on pages: at the desk with the quote as preview, and by the guest where the property allows it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../../scripts/seed.ts';
import { attachCard, call, callAsAdmin, testEnv, transactionsOf } from '../support/api.ts';
import { bookedWith, settlementOf, unsettled } from '../support/cancellation.ts';
import { GOOD } from '../support/cards.ts';
import { ask, confirmFields, words } from '../support/console.ts';
import { type Guest, visit } from '../support/guest.ts';
import { disagreements } from '../support/oracle.ts';
import { signedIn } from '../support/staff.ts';
import { story } from '../support/story.ts';

story({ silent: ['pms', 'alarms'] });

let manager: Guest;
let cashier: Guest;

const put = (change: object) =>
  callAsAdmin('/admin/v1/property/put', {
    property: 'demo',
    name: 'Demo Property',
    site: 'demo.localhost',
    currency: 'AUD',
    timeZone: 'Australia/Perth',
    ...change,
  });

beforeAll(async () => {
  manager = await signedIn(seeded.manager.email);
  cashier = await signedIn(seeded.desk.email);
});

describe('at the desk', () => {
  it('a manager sees what it comes to, and does exactly that', async () => {
    await bookedWith('PAGE-1', { percent: 50 });
    await attachCard('PAGE-1', GOOD);
    await call('/payment/v1/create', { reference: 'PAGE-1', amount: 100 });
    await ask(manager, 'PAGE-1', { do: 'cancelBooking', reason: 'guest', amount: '', why: '' });
    expect(words(manager)).toContain('AUD 300.00 is kept; AUD 100.00 is paid so far.');
    expect(words(manager)).toContain('AUD 206.19 is charged to Visa');
    expect(await transactionsOf('PAGE-1')).toHaveLength(1);
    await manager.post('/console/do', confirmFields(manager));
    expect(await settlementOf('PAGE-1')).toMatchObject({ status: 'settled', kept: 300 });
    expect(words(manager)).toContain('Cancellation settled');
    expect(await disagreements('PAGE-1')).toEqual([]);
  });

  it('another amount takes a reason, and a cashier cancels nothing', async () => {
    await bookedWith('PAGE-2', { percent: 50 });
    await ask(manager, 'PAGE-2', { do: 'cancelBooking', reason: 'noShow', amount: '10', why: '' });
    expect(words(manager)).toContain('Enter a reason');
    await ask(manager, 'PAGE-2', {
      do: 'cancelBooking',
      reason: 'noShow',
      amount: '0',
      why: 'ill',
    });
    await manager.post('/console/do', confirmFields(manager));
    expect(await settlementOf('PAGE-2')).toMatchObject({ status: 'settled', kept: 0 });
    await bookedWith('PAGE-3', { percent: 50 });
    await ask(cashier, 'PAGE-3', { do: 'cancelBooking', reason: 'guest', amount: '', why: '' });
    expect(words(cashier)).toContain('does not allow this');
    expect(await settlementOf('PAGE-3')).toBeUndefined();
  });
});

describe('a guest', () => {
  it('reads the policy, and cancels where the property allows it', async () => {
    const text = 'Half of the stay is kept.';
    const rules = [{ keep: { percent: 50 } }];
    await bookedWith('PAGE-4', {}, { cancellationPolicy: { rules, text } });
    await attachCard('PAGE-4', GOOD);
    await call('/payment/v1/create', { reference: 'PAGE-4', amount: 600 });
    const guest = await visit('PAGE-4');
    const home = guest.page.path;
    expect(guest.page.html).toContain(text);
    expect(guest.page.html).not.toContain('Cancel this booking');
    expect((await guest.open(`${home}/cancel`)).html).not.toContain('Cancel this booking?');
    await put({ guestCancellation: true });
    expect((await guest.open(home)).html).toContain('Cancel this booking');
    const asked = await guest.open(`${home}/cancel`);
    expect(asked.html).toContain('keeps');
    // What was shown no longer holds: it is shown again.
    await call('/refund/v1/create', { reference: 'PAGE-4', amount: 1 });
    const again = await guest.submit();
    expect([again.status, again.html.includes('Something has changed')]).toEqual([409, true]);
    await guest.submit();
    expect(await settlementOf('PAGE-4')).toMatchObject({ status: 'settled', kept: 300 });
    expect((await guest.open(`${home}/cancel`)).html).not.toContain('Cancel this booking?');
    expect(await unsettled('PAGE-4')).toEqual([]);
    // What they agreed to is kept, once, with the words of the page.
    const { results } = await testEnv.DB.prepare(
      "SELECT language, words FROM guest_acts WHERE booking_reference = 'PAGE-4' AND kind = 'policy'",
    ).all<Record<'language' | 'words', string>>();
    expect(results).toHaveLength(1);
    expect(results[0]?.language).toBe('en');
    for (const said of [text, 'keeps', '300.00', 'This cannot be undone.']) {
      expect(results[0]?.words).toContain(said);
    }
    await put({ guestCancellation: false });
  });
});
