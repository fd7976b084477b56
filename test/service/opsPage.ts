/** The operations page in a real browser, with and without JavaScript: tests of pages.test.ts. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../scripts/seed.ts';
import type { Service } from '../../scripts/service.ts';
import { GOOD, INSUFFICIENT_FUNDS } from '../support/cards.ts';
import { devices, dressed, openWindow, tabTo } from './browser.ts';
import { hasBrowser } from './chromium.ts';
import { Client } from './client.ts';

/** The messages of these bookings are dead when the browser comes. */
const DEAD = ['OPS-DEAD-1', 'OPS-DEAD-2', 'OPS-DEAD-3'] as const;

/** Makes something of everything that the page shows, at a property whose PMS is never there. */
export async function busyDay(url: string): Promise<void> {
  const admin = new Client(url);
  const pms = { url: 'http://127.0.0.1:1/pms', username: 'pms', password: 'pms-pass' };
  const client = await admin.property('seaside', { pms, cardFeeBasisPoints: 300 });
  await client.booking('OPS-1', GOOD);
  await client.booking('OPS-2', INSUFFICIENT_FUNDS);
  for (const reference of DEAD) await client.booking(reference, GOOD);
  for (const [reference, amount] of [
    ['OPS-1', 150],
    ['OPS-1', 75.5],
    ['OPS-2', 20],
  ] as const) {
    await client.call('/payment/v1/create', { reference, amount });
  }
  await client.booking('OPS-3', '4000000000000119');
  await client.call('/payment/v1/create', { reference: 'OPS-3', amount: 30 });
  await client.booking('OPS-4', '4000000000005126');
  await client.call('/payment/v1/create', { reference: 'OPS-4', amount: 1 });
  await client.call('/refund/v1/create', { reference: 'OPS-4', amount: 1 });
  const time = new Date(Date.now() + 3_600_000).toISOString();
  await client.call('/payment/v1/schedule', { reference: 'OPS-1', amount: 100, time });
  const run = { variant: 'applicationConsole' };
  await admin.call('/admin/v1/export/run', run, { admin: true });
  await chargeAtDesk(admin);
}

/** A person charges the card of OPS-1 at the acquirer, past the service; a comparison finds that. */
async function chargeAtDesk(admin: Client): Promise<void> {
  const booking = { property: 'seaside', reference: 'OPS-1' };
  const charge = { action: 'charge', ...booking, amount: 42, notify: false };
  await admin.call('/sandbox/v1/act', charge, { admin: true });
  const hour = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const compared = { property: 'seaside', from: hour(-1), to: hour(1) };
  await admin.call('/admin/v1/reconciliation/run', compared, { admin: true });
}

/** As if the PMS had refused the first message of these bookings for days. An attempt that is under way changes no more. */
export async function giveUpMessages(d1: D1Database): Promise<void> {
  await d1
    .prepare(
      `UPDATE outbox SET status = 'Dead', due_at_ms = NULL, attempts = 11, last_error = '503 <b>Service Unavailable</b>'
         WHERE message_type = 'PushBooking' AND booking_reference IN (SELECT value FROM json_each(?))`,
    )
    .bind(JSON.stringify(DEAD))
    .run();
}

/** What the page is looked at on, and with. */
interface Shown {
  readonly service: Service;
  readonly browser: Browser;
}

/** Describes the page after a busy day, once `shown` is there. */
export function describeOpsPage(shown: () => Shown): void {
  const open = (options: BrowserContextOptions = {}) =>
    openWindow(shown().browser, shown().service.url, options);

  async function signIn(page: Page): Promise<void> {
    await page.goto(`${shown().service.url}/ops`);
    await page.getByLabel('Client id').fill(seeded.admin.id);
    await page.getByLabel('Client secret').fill(seeded.admin.secret);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Operations' }).waitFor();
  }

  describe.runIf(hasBrowser)('an administrator in a browser', () => {
    it.each([
      ['desktop', true],
      ['desktop', false],
      ['phone', false],
    ] as const)(
      'signs in, sees what goes on, and signs out: %s, script %s',
      async (device, script) => {
        const { page, complaints, elsewhere, close } = await open({
          ...devices[device],
          javaScriptEnabled: script,
        });
        await page.goto(`${shown().service.url}/ops`);
        await signIn(page);
        await page
          .getByRole('img', { name: /^Accepted by hour in AUD: AUD\s233.51 in all$/ })
          .waitFor();
        await page.getByRole('img', { name: 'Declined by hour: 1 in all' }).waitFor();
        // Three charts have one column each.
        const columns = await page
          .locator('figure .bar')
          .evaluateAll((bars) => bars.map((bar) => bar.getAttribute('d') ?? ''));
        expect(
          columns.filter((column) => /^M[\d.]+ 128V[\d.]+h[\d.]+V128z$/.test(column)),
        ).toHaveLength(3);
        await page.getByText('Show as table').click();
        await page
          .getByRole('table', { name: 'Accepted, declined and failed by hour, UTC' })
          .waitFor();
        await page.getByRole('row', { name: /OPS-1 .*AUD\s103.09/ }).waitFor();
        expect(await page.getByRole('progressbar').count()).toBe(1);
        await page.getByRole('button', { name: 'Sign out' }).click();
        await page.getByLabel('Client secret').waitFor();
        await page.goto(`${shown().service.url}/ops`);
        expect(await page.getByRole('heading', { name: 'Operations' }).count()).toBe(0);
        expect([elsewhere(), complaints]).toEqual([[], []]);
        await close();
      },
    );

    it('sees that a secret is wrong', async () => {
      const { page, close } = await open(devices.phone);
      await page.goto(`${shown().service.url}/ops`);
      await page.getByLabel('Client id').fill(seeded.admin.id);
      await page.getByLabel('Client secret').fill('wrong');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').waitFor();
      expect(await page.getByLabel('Client secret').inputValue()).toBe('');
      await close();
    });

    it('signs in and replays a dead message with the keyboard alone', async () => {
      const { page, close } = await open(devices.desktop);
      await page.goto(`${shown().service.url}/ops`);
      await tabTo(page, /^Client id$/, 60);
      await page.keyboard.type(seeded.admin.id);
      await tabTo(page, /^Client secret$/, 60);
      await page.keyboard.type(seeded.admin.secret);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Operations' }).waitFor();
      const before = await page.getByRole('button', { name: /^Replay 0/ }).count();
      await tabTo(page, /^Replay 0/, 60);
      await page.keyboard.press('Enter');
      await page.getByText('1 message will be sent again.').waitFor();
      expect(await page.getByRole('button', { name: /^Replay 0/ }).count()).toBe(before - 1);
      await close();
    });

    it('sees it anew each minute, but not while somebody is at work on it', async () => {
      const { page, close } = await open(devices.desktop);
      await page.clock.install();
      await signIn(page);
      const mark = () => page.evaluate(`document.body.dataset.seen = 'yes'`);
      const isSeenAgain = () => page.evaluate<boolean>(`document.body.dataset.seen === 'yes'`);
      const isShownAnew = async () => {
        await page.locator('body:not([data-seen])').waitFor();
        // Its script sets the timer that the clock is to ring.
        await dressed(page);
      };
      await dressed(page);
      await mark();
      await page.clock.runFor(61_000);
      await isShownAnew();
      const reason = page.getByLabel(/^Reason to accept /);
      await reason.fill('A walk-in guest');
      await mark();
      await page.clock.runFor(300_000);
      expect([await isSeenAgain(), await reason.inputValue()]).toEqual([true, 'A walk-in guest']);
      await reason.fill('');
      await reason.blur();
      await page.clock.runFor(121_000);
      await isShownAnew();
      await page.getByText('Show as table').click();
      await mark();
      await page.clock.runFor(300_000);
      expect(await isSeenAgain()).toBe(true);
      await close();
    });

    it('accepts a difference from the acquirer, with a reason', async () => {
      const { page, close } = await open({ ...devices.phone, javaScriptEnabled: false });
      await signIn(page);
      await page
        .getByRole('rowheader', { name: /^A payment at the acquirer that is not in our records/ })
        .waitFor();
      await page.getByRole('cell', { name: /AUD\s42.00/ }).waitFor();
      await page.getByRole('button', { name: /^Accept / }).click();
      // The browser asks for the reason.
      expect(await page.getByText('The difference is accepted.').count()).toBe(0);
      await page.getByLabel(/^Reason to accept /).fill('A walk-in guest at the terminal');
      await page.getByRole('button', { name: /^Accept / }).click();
      await page.getByText('The difference is accepted.').waitFor();
      expect(
        await page
          .getByRole('rowheader', { name: /^A payment at the acquirer that is not in our records/ })
          .count(),
      ).toBe(0);
      await close();
    });

    it('dismisses a dead message, and replays all others of the property', async () => {
      const { page, close } = await open({ javaScriptEnabled: false });
      await signIn(page);
      await page
        .getByRole('button', { name: /^Dismiss 0/ })
        .first()
        .click();
      await page.getByRole('heading', { name: 'Dismiss this message?' }).waitFor();
      await page.getByText('This is final.').waitFor();
      await page.getByRole('link', { name: 'Keep it' }).click();
      await page
        .getByRole('button', { name: /^Dismiss 0/ })
        .first()
        .click();
      await page.getByRole('button', { name: 'Dismiss for good' }).click();
      await page.getByText('1 message dismissed.').waitFor();
      await page.getByRole('button', { name: 'Replay all seaside' }).click();
      await page.getByText(/^\d+ messages? will be sent again\.$/).waitFor();
      expect(await page.getByRole('button', { name: /^Replay/ }).count()).toBe(0);
      await close();
    });
  });
}
