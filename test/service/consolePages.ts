/** The console in a real browser, with and without JavaScript: tests of pages.test.ts. */
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../scripts/seed.ts';
import type { Service } from '../../scripts/service.ts';
import { DISPUTED, GOOD, INSUFFICIENT_FUNDS, REFUND_FAILS } from '../support/cards.ts';
import { someOf } from '../support/long.ts';
import { allBarriers, dressed, openWindow } from './browser.ts';
import { hasBrowser } from './chromium.ts';
import { Client, mailedLink } from './client.ts';

const DAY_MS = 86_400_000;

/** How links to sign in begin. */
const ENTER = '/console/enter/';

/** What the pages are looked at on, and with. */
interface Shown {
  readonly service: Service;
  readonly browser: Browser;
}

/** How the pages look is measured in looks.test.ts: here are a desk, and a phone that runs no script. */
const ways = [
  { name: 'desk', width: 1_280, javaScriptEnabled: true },
  { name: 'phone-without-script', width: 360, javaScriptEnabled: false },
] as const;

/** Describes the console, once `shown` is there. */
export function describeConsole(shown: () => Shown): void {
  const url = () => shown().service.url;

  const open = (options: BrowserContextOptions) => openWindow(shown().browser, url(), options);

  async function signIn(page: Page, email: string): Promise<void> {
    await followMailedLink(page, url(), email);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
  }

  /** Has a link mailed from the page to sign in at some address, and signs in by it. */
  async function followMailedLink(page: Page, home: string, email: string): Promise<void> {
    await page.goto(`${home}/console`);
    const before = await mailedLink(url(), email, ENTER, { isThere: false });
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
    await page.goto(await mailedLink(url(), email, ENTER, { before }));
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** A property with one of everything that its staff looks after, and its people. */
  async function busyProperty(name: string) {
    const property = `desk-${name}`;
    const admin = new Client(url());
    const client = await admin.property(property, { refundLimit: 50, cardFeeBasisPoints: 300 });
    const user = async (role: string) => {
      const email = `${role}-${name}@hotel.com`;
      const person = { email, name: `Kim ${role}`, role, property };
      const { json } = await admin.call('/admin/v1/user/put', person, { admin: true });
      return { email, id: json.user.userId };
    };
    const time = new Date(Date.now() + 5 * DAY_MS).toISOString();
    await client.booking('RES-1', INSUFFICIENT_FUNDS);
    await client.call('/payment/v1/create', { reference: 'RES-1', amount: 20 });
    await client.booking('RES-1', GOOD);
    const paid = await client.call('/payment/v1/create', { reference: 'RES-1', amount: 150 });
    const chargeId = paid.json.transaction.id;
    await client.call('/refund/v1/create', { reference: 'RES-1', chargeId, amount: 40 });
    for (const amount of [60, 70]) {
      const hold = { reference: 'RES-1', amount, preAuth: true, expiryTime: time };
      await client.call('/payment/v1/create', hold);
    }
    await client.booking('RES-2', REFUND_FAILS);
    await client.call('/payment/v1/create', { reference: 'RES-2', amount: 30 });
    await client.call('/refund/v1/create', { reference: 'RES-2', amount: 30 });
    await client.booking('RES-3', DISPUTED);
    await client.call('/payment/v1/create', { reference: 'RES-3', amount: 90 });
    await client.call('/payment/v1/schedule', { reference: 'RES-3', amount: 25, time });
    const act = { action: 'charge', property, reference: 'RES-1', amount: 42, notify: false };
    await admin.call('/sandbox/v1/act', act, { admin: true });
    const hour = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const compared = { property, from: hour(-1), to: hour(1) };
    await admin.call('/admin/v1/reconciliation/run', compared, { admin: true });
    return { property, client, user };
  }

  /** What was done to the booking by a person, in order: `charge Accepted`. */
  async function doneBy(client: Client, property: string, userId: string): Promise<string[]> {
    const of = { property, reference: 'RES-1' };
    const { json } = await client.call('/admin/v1/audit/list', of, { admin: true });
    return json.entries
      .filter(({ actor }) => actor === userId)
      .map(({ subject, to }) => `${String(subject).split(' ')[0]} ${String(to)}`);
  }

  /** Opens a window. */
  async function watched({ width, javaScriptEnabled }: (typeof ways)[number]) {
    const viewport = { width, height: 800 };
    const { page, complaints, elsewhere, close } = await open({ viewport, javaScriptEnabled });
    /** Closes the window, after as many answers of these statuses as were wanted. */
    const ended = async (...refusals: readonly number[]) => {
      const told = complaints.map((complaint) => Number(/status of (\d+)/.exec(complaint)?.[1]));
      expect([told, elsewhere()]).toEqual([refusals, []]);
      await close();
    };
    return { page, ended };
  }

  describe.runIf(hasBrowser)('the staff in a browser', () => {
    it.each(someOf(ways, ways.length))(
      'finds a booking, sees what happened, and acts: $name',
      async (way) => {
        const { client, property, user } = await busyProperty(way.name);
        const manager = await user('manager');
        const { ended, page } = await watched(way);
        await page.goto(`${url()}/console`);
        await signIn(page, manager.email);
        if (way.javaScriptEnabled) {
          await dressed(page);
          await page.keyboard.press('/');
          await page.keyboard.type('res');
          expect(await page.getByLabel('Find a booking').inputValue()).toBe('res');
        }
        // Two clicks from signing in to all answers.
        await page.getByLabel('Find a booking').fill('res');
        await page.getByRole('button', { name: 'Find' }).click();
        await page.getByRole('heading', { name: '3 bookings' }).waitFor();
        // The only one opens at once.
        await page.getByLabel('Find a booking').fill('res-1');
        await page.getByRole('button', { name: 'Find' }).click();
        await page.getByText('Payment taken').waitFor();
        await page.getByText('Declined: not enough money on the card').first().waitFor();
        await page.getByText(/^Refunded: on its way to the card/).waitFor();
        const take = async (button: string, done: string) => {
          await page.getByRole('button', { name: button }).click();
          await page.getByText(done).waitFor();
        };
        await page.getByRole('link', { name: /^Refund payment/ }).click();
        await page.getByText('Does the stay now cost less?').waitFor();
        await page.getByLabel(/^Amount to refund/).fill('much');
        await page.getByLabel(/^Reason/).fill('The lift was broken');
        await page.getByRole('button', { name: 'Continue' }).click();
        // What was typed is kept, with what is wrong beside it.
        await page.getByText('Enter an amount, such as 150.00.').waitFor();
        expect(await page.getByLabel(/^Reason/).inputValue()).toBe('The lift was broken');
        await page.getByLabel(/^Amount to refund/).fill('60,50');
        await page.getByRole('button', { name: 'Continue' }).click();
        await page.getByText(/AUD\s60.50 goes back to Visa/).waitFor();
        await take('Refund the payment', 'The refund was made.');
        await page
          .getByRole('link', { name: /^Capture payment/ })
          .first()
          .click();
        await page.getByLabel(/^Amount to capture/).fill('50');
        await page.getByRole('button', { name: 'Continue' }).click();
        await take('Capture the hold', 'The hold was captured.');
        await page.getByRole('link', { name: /^Release payment/ }).click();
        await take('Release the hold', 'The hold was released.');
        await page.getByText('Schedule a charge').click();
        const form = page.locator('details', { hasText: 'Schedule a charge' });
        await form.getByLabel('Amount without fees').fill('33');
        await form.getByLabel('Charge at').fill(inAWeek());
        await form
          .getByLabel('How is it authorised?')
          .selectOption('By the guest, by phone or mail');
        await form.getByRole('button', { name: 'Continue' }).click();
        await page.getByText('as an order of the guest by phone or mail').waitFor();
        await take('Schedule the charge', 'The charge is scheduled.');
        await page.getByText('Charge a card now').click();
        const charge = page.locator('details', { hasText: 'Charge a card now' });
        await charge.getByLabel('Amount without fees').fill('10');
        await charge.getByRole('button', { name: 'Continue' }).click();
        await take('Charge the card', 'The card was charged.');
        await page.getByRole('button', { name: 'Make a payment link' }).click();
        await take('Make a payment link', 'Link to copy');
        const copy = page.getByRole('button', { name: 'Copy' });
        await dressed(page);
        expect(await copy.isVisible()).toBe(way.javaScriptEnabled);
        if (way.javaScriptEnabled) {
          await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
          await copy.click();
          await page.getByText('Copied.').waitFor();
          const copied = await page.evaluate<string>('navigator.clipboard.readText()');
          expect(copied).toBe(await page.getByLabel('Link to copy').inputValue());
        }
        await page.getByRole('link', { name: 'Back to the booking' }).click();
        await page.getByRole('button', { name: 'Cancel all scheduled charges' }).click();
        await take('Cancel all scheduled charges', 'charges were cancelled.');
        await page.getByRole('link', { name: 'Refunds', exact: true }).click();
        await page.locator('a[aria-current]', { hasText: 'Refunds' }).waitFor();
        expect(await doneBy(client, property, manager.id)).toEqual(DONE_BY_MANAGER);
        for (const [name, shown] of [
          ['Needs attention', 'The guest did not get the money.'],
          ['Upcoming', 'The next first'],
          ['Disputes', 'Open disputes, the soonest deadline first'],
          ['To reconcile', 'A payment at the acquirer that is not in our records'],
        ] as const) {
          await page.getByRole('link', { name }).click();
          await page.getByText(shown).first().waitFor();
        }
        await page.getByLabel(/^Reason to accept/).fill('paid at the desk');
        await page.getByRole('button', { name: /^Accept/ }).click();
        await take('Accept the difference', 'The difference is accepted.');
        await ended(422);
      },
    );

    it.each(
      someOf(
        [
          { width: 1280, height: 900 },
          { width: 360, height: 740 },
        ],
        2,
      ),
    )('answers in two actions at most, in the first screen: $width', async (viewport) => {
      const { property, user } = await busyProperty(`asked-${viewport.width}`);
      const { page, complaints, close } = await open({ viewport });
      await signIn(page, (await user('manager')).email);
      const home = `${url()}/console/property?property=${property}`;
      const below: unknown[] = [];
      for (const [question, actions, answer] of QUESTIONS) {
        await page.goto(home);
        for (const action of actions) await act(page, action);
        const found = page.getByText(answer).locator('visible=true').first();
        await found.waitFor();
        if (!(await isInWindow(found))) below.push([question, await found.boundingBox()]);
      }
      expect([below, complaints]).toEqual([[], []]);
      await close();
    });

    it('signs in with a passkey of the device, until that is removed', async () => {
      const { user } = await busyProperty('passkeys');
      const { email } = await user('cashier');
      const { page, complaints, close } = await open({ viewport: { width: 360, height: 740 } });
      const device = await page.context().newCDPSession(page);
      await device.send('WebAuthn.enable');
      await device.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
        },
      });
      // Browsers keep passkeys for names, not for IP addresses.
      const home = url().replace('127.0.0.1', 'localhost');
      await followMailedLink(page, home, email);
      await page.getByRole('link', { name: 'Kim cashier' }).click();
      await page.getByText('You have no passkey yet.').waitFor();
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await page.getByRole('button', { name: /^Remove Chrome/ }).waitFor();
      expect(await allBarriers(page)).toEqual([]);
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await page.getByText('No passkey was added.').waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.goto(`${home}/console/me`);
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
      await page.getByRole('heading', { name: 'Your sign-in' }).waitFor();
      const copy = await page.context().newPage();
      await copy.goto(page.url());
      await page.getByRole('button', { name: /^Remove / }).click();
      await page.getByText('You have no passkey yet.').waitFor();
      await page.getByRole('button', { name: /^End / }).click();
      await page.getByText('You were signed out').waitFor();
      await copy.reload();
      await copy.getByText('You were signed out').waitFor();
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
      await page.getByText('This passkey did not work.').waitFor();
      expect(await allBarriers(page)).toEqual([]);
      expect(complaints).toEqual([expect.stringContaining('401')]);
      await close();
    });

    it.each(someOf(ways, ways.length))(
      'reads reports, payouts down to bookings, and lines of the bank: $name',
      async (way) => {
        const { client, property, user } = await busyProperty(`reports-${way.name}`);
        const to = new Date(Date.now() + 4 * DAY_MS).toISOString();
        await client.call('/sandbox/v1/clock/advance', { property, to }, { admin: true });
        const { ended, page } = await watched(way);
        await signIn(page, (await user('manager')).email);
        await page.getByRole('link', { name: 'Reports' }).click();
        await page.getByRole('img', { name: /^Taken, AUD: / }).waitFor();
        await page.getByText('Not enough money on the card').waitFor();
        await page.getByLabel('From', { exact: true }).fill(daysAgo(300));
        await page.getByRole('button', { name: 'Show' }).click();
        await page.getByRole('heading', { name: 'By month' }).waitFor();
        await page.getByLabel('From', { exact: true }).fill(daysAgo(2_000));
        await page.getByRole('button', { name: 'Show' }).click();
        await page.getByText('Choose at most 366 days at a time.').waitFor();
        await page.getByRole('link', { name: 'Outstanding' }).click();
        await page.getByRole('heading', { name: 'Stays that owe something' }).waitFor();
        await page.getByRole('link', { name: 'Staff' }).click();
        await page.getByText('Kim manager').last().waitFor();
        await page.getByRole('link', { name: 'What they did' }).click();
        await page.getByRole('heading', { name: 'Money moved' }).waitFor();
        await page.getByRole('link', { name: 'Disbursements' }).click();
        await page
          .getByRole('link', { name: /^sandbox-/ })
          .first()
          .click();
        await page.getByRole('link', { name: 'RES-1' }).first().waitFor();
        const net = (await page.locator('h2#payout').textContent()) ?? '';
        // Two actions from the first page, and the answer is in the first screen.
        await page.getByRole('link', { name: 'Disbursements' }).click();
        await page.getByLabel('Amount on the bank statement').fill(net);
        await page.locator('main').getByRole('button', { name: 'Find' }).click();
        const itIs = page.getByRole('heading', { name: 'It is this payout' });
        await itIs.waitFor();
        expect(await isInWindow(itIs)).toBe(true);
        await page.goBack();
        await page.goBack();
        await page.getByRole('link', { name: 'Find it on the bank statement' }).click();
        await page.getByLabel('Amount', { exact: true }).fill(net);
        await page.locator('main').getByRole('button', { name: 'Find' }).click();
        await page.getByRole('heading', { name: 'It is this payout' }).waitFor();
        await page.getByRole('link', { name: 'RES-1' }).first().waitFor();
        await page
          .getByLabel('Amount', { exact: true })
          .fill(net.startsWith('AUD\u00a0-') ? net.replace('-', '') : `-${net}`);
        await page.locator('main').getByRole('button', { name: 'Find' }).click();
        await page.getByText('but the money goes the other way').waitFor();
        await page.getByLabel('Amount', { exact: true }).fill('a lot');
        await page.locator('main').getByRole('button', { name: 'Find' }).click();
        await page.getByText('Enter an amount such as 600.00.').waitFor();
        await page.getByRole('button', { name: 'Sign out' }).click();
        await signIn(page, (await user('cashier')).email);
        await page.goto(`${url()}/console/report?${new URLSearchParams({ property }).toString()}`);
        await page.getByText('Only managers can see reports.').waitFor();
        await ended(422, 422, 403);
      },
    );

    it('prints every column of a report', async () => {
      const { property, user } = await busyProperty('paper');
      const { page, close } = await open({});
      await signIn(page, (await user('manager')).email);
      await page.goto(`${url()}/console/report?${new URLSearchParams({ property }).toString()}`);
      await page.emulateMedia({ media: 'print' });
      const fees = page.getByRole('columnheader', { name: 'Acquirer’s fees' }).last();
      expect(await fees.isVisible()).toBe(true);
      await close();
    });

    it.each(someOf(ways, ways.length))(
      'is refused what its role or its place does not allow: $name',
      async (way) => {
        const { property, user } = await busyProperty(`refused-${way.name}`);
        const elsewhere = { property: seeded.property };
        const { ended, page } = await watched(way);
        const booking = `${url()}/console/booking?${new URLSearchParams({ property, reference: 'RES-1' }).toString()}`;
        await signIn(page, (await user('cashier')).email);
        await page.goto(booking);
        await page.getByRole('link', { name: /^Refund payment/ }).click();
        await page.getByLabel(/^Amount to refund/).fill('50,01');
        await page.getByRole('button', { name: 'Continue' }).click();
        await page.getByText('Only managers can refund more.').waitFor();
        expect(await page.getByText('Schedule a charge').count()).toBe(0);
        await page.getByRole('button', { name: 'Sign out' }).click();
        await signIn(page, (await user('viewer')).email);
        await page.goto(booking);
        await page.getByText('You can view this booking but not change it.').waitFor();
        await page.goto(`${booking.replace('/booking?', '/confirm?')}&do=makeLink`);
        await page.getByText('Only cashiers and managers can send links.').waitFor();
        const answer = await page.goto(booking.replace(property, elsewhere.property));
        expect(answer?.status()).toBe(404);
        await ended(403, 403, 404);
      },
    );
  });
}

/** Finds the booking, or follows a link. */
async function act(page: Page, action: string | RegExp): Promise<void> {
  if (action !== 'find') return page.getByRole('link', { name: action }).first().click();
  await page.getByLabel('Find a booking').fill('res-1');
  await page.keyboard.press('Enter');
}

/** Whether something can be seen without moving the page. */
function isInWindow(found: Locator): Promise<boolean> {
  return found.evaluate((one) => {
    const { bottom, top } = one.getBoundingClientRect();
    return top >= 0 && bottom <= one.ownerDocument.documentElement.clientHeight;
  });
}

/** What people of a hotel ask: the links that they follow, or the search, and what answers them. */
const QUESTIONS: readonly (readonly [string, readonly (string | RegExp)[], string | RegExp])[] = [
  ['what needs me', [], 'Failed payments'],
  ['did it go through', ['find'], 'Partly paid'],
  ['where is the refund', ['find'], /^Refunded$/],
  ['what is due', ['find'], /490\.00 due/],
  ['why was it declined', [/^Needs attention/], 'Declined: not enough money on the card'],
  ['what is disputed until when', [/^Disputes/], /^Answer by \d+ \w+ 20\d\d, \d\d:\d\d$/],
  ['what did we earn', ['Reports', 'This month'], / net$/],
  ['by which card', ['Reports', /^By card/], /^Visa$/],
  ['what is outstanding', ['Reports', 'Outstanding'], /^AUD\s[\d,]+\.\d\d outstanding$/],
  ['for which purpose', ['Reports', /^By card/], /^Other$/],
  ['who took it', ['Reports', /^By card/], /^the program \w+…$/i],
  ['who refunded most this week', ['Staff', 'What they did'], /^AUD\s40\.00$/],
];

/** What a manager did who acted as above. */
const DONE_BY_MANAGER = [
  'refund Processing',
  'refund Refunded',
  'charge Processing',
  'charge Accepted',
  'charge Processing',
  'charge Released',
  'charge Pending',
  'charge Processing',
  'charge Accepted',
  'links made',
  'charge Cancelled',
];

/** A time as a field for times takes it. */
function inAWeek(): string {
  return new Date(Date.now() + 7 * DAY_MS).toISOString().slice(0, 16);
}

/** A day as a field for days takes it. */
function daysAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
}
