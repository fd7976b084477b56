/** Every page in a real browser, at a phone's and a desktop's width, with and without JavaScript. */

import type { Browser, BrowserContextOptions, Locator, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '../../scripts/service.ts';
import { DAY_MS } from '../../src/core/time.ts';
import { GOOD, INSUFFICIENT_FUNDS, OTHER_GOOD } from '../support/cards.ts';
import { monthAhead } from '../support/days.ts';
import { someOf } from '../support/long.ts';
import { SETTINGS } from '../support/recoverySettings.ts';
import { devices, dressed, openBrowser, openWindow, tabTo } from './browser.ts';
import { hasBrowser } from './chromium.ts';
import { Client, stateFolder } from './client.ts';
import { describeConsole } from './consolePages.ts';
import { describeDocs } from './docsPage.ts';
import { describeKit } from './kitPage.ts';
import { describeLanguages } from './languagePages.ts';
import { busyDay, describeOpsPage, giveUpMessages } from './opsPage.ts';
import { startQuickly } from './quickService.ts';

/** A day is played before. */
const SETUP_MS = 240_000;

const state = stateFolder();
let service: Service;
let client: Client;
let browser: Browser;

beforeAll(async () => {
  if (!hasBrowser) return;
  const started = await startQuickly({ persistTo: state.path });
  service = started;
  await busyDay(service.url);
  await giveUpMessages(started.database);
  client = new Client(service.url);
  browser = await openBrowser();
}, SETUP_MS);

afterAll(async () => {
  await browser?.close();
  await service?.kill();
  state.remove();
});

const open = (options: BrowserContextOptions = {}) => openWindow(browser, service.url, options);

// First, while nobody but its own guests has paid.
describeOpsPage(() => ({ service, browser }));
describeConsole(() => ({ service, browser }));
describeKit(() => ({ service, browser }));
describeDocs(() => ({ service, browser }));
describeLanguages(() => ({ service, browser }));

let bookings = 0;
let properties = 0;

/** Makes a booking of 600.00 and returns the link to its payment page. */
async function link(details: Record<string, unknown> = {}): Promise<string> {
  bookings += 1;
  const reference = `PAGE-${bookings}`;
  await client.book(reference, { firstName: 'Ana', ...details });
  return client.link(reference);
}

/** The payments of the booking that was made last. */
async function paid(): Promise<string[]> {
  const transactions = await client.transactions(`PAGE-${bookings}`);
  return transactions.map(({ status }) => status);
}

async function fillCard(page: Page, number: string, expiry = '12/30'): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry date').fill(expiry);
  await page.getByLabel('Security code').fill('123');
  await page.getByLabel('Name on the card').fill('Ana Nguyen');
}

async function addCard(page: Page, number: string, expiry?: string): Promise<void> {
  await page
    .getByRole('link', { name: /^Add (?:a|another) card$/ })
    .first()
    .click();
  await fillCard(page, number, expiry);
  await page.getByRole('button', { name: 'Add the card' }).click();
  await page.getByText('Card added.').waitFor();
}

/**
 * A property whose guest has added a card and is asked to pay 100.00 for the booking `ASKED`: the card is good, but will
 * have expired when that is to be charged.
 */
async function askedFor100(page: Page): Promise<Client> {
  properties += 1;
  const property = `asks-${properties}`;
  const house = await client.property(property, { cardRecovery: SETTINGS });
  const reference = 'ASKED';
  await house.book(reference, { arrival: '14-02-2028', departure: '17-02-2028' });
  const { text, endsAtMs } = monthAhead(2);
  await page.goto(await house.link(reference));
  await addCard(page, GOOD, text);
  const chargeAtMs = endsAtMs + 10 * DAY_MS;
  const time = new Date(chargeAtMs).toISOString();
  await house.call('/payment/v1/schedule', { reference, amount: 100, time });
  const to = new Date(chargeAtMs - SETTINGS.askDaysBefore * DAY_MS).toISOString();
  await client.call('/sandbox/v1/clock/advance', { property, to }, { admin: true });
  return house;
}

/** Chooses another amount than those that the page names. */
async function chooseAmount(page: Page, amount: string): Promise<void> {
  await page.getByLabel('Another amount').check();
  await page.getByLabel('Amount in AUD').fill(amount);
}

/** Pays, by the page that shows the price where the booking's page could not. */
async function pay(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(?:Pay|Continue)/ }).click();
  const done = page.getByRole('heading', { name: 'Payment successful' });
  const price = page.getByRole('heading', { name: 'Check and pay' });
  await done.or(price).waitFor();
  if (await price.isVisible()) await page.getByRole('button', { name: /^Pay/ }).click();
  await done.waitFor();
}

/** In the page: how far its parts have jumped since it was opened. */
const SHIFTED = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) sum += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
})`;

const ways = Object.keys(devices).flatMap((device) =>
  [true, false].map((script) => ({
    device: device as keyof typeof devices,
    script,
    name: `${device}${script ? '' : '-without-script'}`,
  })),
);

describe.runIf(hasBrowser)('a guest in a browser', () => {
  it.each(someOf(ways, 4))('pays on one page: $name', async ({ device, script }) => {
    const window = await open({ ...devices[device], javaScriptEnabled: script });
    const { page } = window;
    await page.goto(await link());
    expect(page.url()).not.toContain('?');
    const pages: string[] = [];
    page.on('framenavigated', (frame) => pages.push(new URL(frame.url()).pathname));
    await fillCard(page, GOOD);
    if (script) {
      await page.getByLabel(/^Deposit: AUD.200\.00/).check();
      await page.getByRole('button', { name: /^Pay AUD.206\.19/ }).waitFor();
      await chooseAmount(page, '300,50');
      await page.getByRole('button', { name: /^Pay AUD.309\.79/ }).waitFor();
    }
    await page.getByRole('button', { name: /^Pay AUD/ }).click();
    await page.getByRole('heading', { name: 'Payment successful' }).waitFor();
    expect(pages).toEqual([expect.stringContaining('/receipt/')]);
    await page.goBack();
    await page.getByText('Payment successful: AUD').waitFor();
    expect(await paid()).toEqual(['Accepted']);
    expect([window.complaints, window.elsewhere()]).toEqual([[], []]);
    await window.close();
  });

  it.each(someOf(ways, 4))(
    'sees that a card was declined, and pays with another one: $name',
    async (way) => {
      const { page, close } = await open({
        ...devices[way.device],
        javaScriptEnabled: way.script,
      });
      await page.goto(await link());
      await fillCard(page, INSUFFICIENT_FUNDS);
      await page.getByRole('button', { name: /^Pay/ }).click();
      await page.getByRole('heading', { name: 'The card was declined' }).waitFor();
      await page.getByLabel('A new card').check();
      await fillCard(page, GOOD);
      await pay(page);
      expect(await paid()).toEqual(['Declined', 'Accepted']);
      await close();
    },
  );

  it.each(someOf([true, false], 2))(
    'pays once when clicking twice, with script: %s',
    async (script) => {
      const { page, close } = await open({ javaScriptEnabled: script });
      await page.goto(await link());
      await addCard(page, GOOD);
      await page.getByLabel(/^Deposit/).check();
      await page.getByRole('button', { name: script ? /206\.19/ : /^Pay/ }).dblclick();
      if (!script) await page.getByRole('button', { name: /^Pay AUD.206\.19/ }).dblclick();
      await page.getByRole('heading', { name: 'Payment successful' }).waitFor();
      expect(await paid()).toEqual(['Accepted']);
      await close();
    },
  );

  it.each(someOf([true, false], 2))(
    'pays once after going back and sending the same form again, with script: %s',
    async (script) => {
      const { page, close } = await open({ javaScriptEnabled: script });
      await page.goto(await link());
      await addCard(page, GOOD);
      const attempt = await page.locator('[name="attempt"]').inputValue();
      await pay(page);
      await page.goBack();
      await page.getByText('Everything is paid').waitFor();
      await page.goto(`${page.url().split('?')[0]}/review?attempt=${attempt}`);
      await page.getByRole('heading', { name: 'Payment successful' }).waitFor();
      expect(await paid()).toEqual(['Accepted']);
      await close();
    },
  );

  it.each([true, false])(
    'pays with a new card within 25 s at a human pace, script: %s',
    async (javaScriptEnabled) => {
      const { page, close } = await open({ ...devices.phone, javaScriptEnabled });
      await page.goto(await link());
      // A person takes a second to find the next thing to touch, and types five keys a second.
      let seconds = 0;
      const touch = async (at: Locator) => {
        seconds += 1;
        await at.tap();
      };
      for (const [label, typed] of [
        ['Card number', GOOD],
        ['Expiry date', '1230'],
        ['Security code', '123'],
        ['Name on the card', 'Ana Nguyen'],
      ] as const) {
        await touch(page.getByLabel(label));
        seconds += typed.length / 5;
        await page.keyboard.type(typed);
      }
      await touch(page.getByRole('button', { name: /^Pay AUD/ }));
      await page.getByRole('heading', { name: 'Payment successful' }).waitFor();
      expect(await paid()).toEqual(['Accepted']);
      // What is left of the 25 s is for reading, and for the way to the acquirer.
      expect(seconds).toBeLessThan(15);
      await close();
    },
  );

  it('pays with the keyboard alone, and sees the focus', async () => {
    const { page, close } = await open();
    await page.goto(await link());
    const to = (name: string) => tabTo(page, new RegExp(name), 30);
    await to('Full amount');
    for (const [label, typed] of [
      ['Card number', GOOD],
      ['Expiry date', '1230'],
      ['Security code', '123'],
      ['Name on the card', 'Ana Nguyen'],
    ] as const) {
      await to(label);
      await page.keyboard.type(typed);
    }
    expect(await page.getByLabel('Card number').inputValue()).toBe('4242 4242 4242 4242');
    expect(await page.getByLabel('Expiry date').inputValue()).toBe('12/30');
    await to('Pay AUD');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Payment successful' }).waitFor();
    await close();
  });

  it('sees a mistake in the card number while typing, and every fault after sending', async () => {
    const { page, close } = await open(devices.phone);
    await page.goto(await link());
    await chooseAmount(page, '700');
    await page.getByText('You can pay up to AUD 600.00.').nth(1).waitFor();
    await page.getByLabel('Card number').fill('4242424242424241');
    await page.getByLabel('Expiry date').fill('01/20');
    await page.getByText('Check the card number.').waitFor();
    await page.getByLabel('Security code').fill('1');
    await page.getByLabel('Name on the card').fill('Ana');
    await page.getByRole('button', { name: 'Continue' }).click();
    const summary = page.getByRole('alert');
    await summary.waitFor();
    expect(await summary.getByRole('link').count()).toBe(4);
    await page.locator('[role=alert]:focus').waitFor();
    expect(await page.title()).toMatch(/^Error: /);
    const kept = [
      'Amount in AUD',
      'Card number',
      'Expiry date',
      'Security code',
      'Name on the card',
    ];
    const values = await Promise.all(kept.map((label) => page.getByLabel(label).inputValue()));
    expect(values).toEqual(['700', '', '01/20', '', 'Ana']);
    await page.getByLabel('Expiry date').fill('12/30');
    await page.locator('[name=cardExpiry]:not([aria-invalid])').waitFor();
    await close();
  });

  /** Holds the page's script back until the returned function is called. */
  async function holdScript(page: Page): Promise<() => void> {
    const held = Promise.withResolvers<void>();
    await page.route('**/guest/guest.js', async (route) => {
      await held.promise;
      await route.continue();
    });
    return held.resolve;
  }

  it('sees it too when the card was typed before the script arrived', async () => {
    const { page, close } = await open();
    const letScriptCome = await holdScript(page);
    await page.goto(await link(), { waitUntil: 'commit' });
    await page.getByLabel('Card number').fill('4242424242424241');
    await page.getByLabel('Expiry date').fill('1230');
    await page.getByLabel('Security code').focus();
    letScriptCome();
    await page.getByText('Check the card number.').waitFor();
    expect(await page.getByLabel('Card number').inputValue()).toBe('4242 4242 4242 4241');
    expect(await page.getByLabel('Expiry date').inputValue()).toBe('12/30');
    await close();
  });

  it('corrects a field before the script arrived', async () => {
    const { page, close } = await open();
    await page.goto(await link());
    await fillCard(page, GOOD);
    await page.getByLabel('Expiry date').fill('01/20');
    const letScriptCome = await holdScript(page);
    await page.getByRole('button', { name: /Continue|Pay/ }).click({ noWaitAfter: true });
    await page.getByRole('alert').waitFor();
    const expiry = page.locator('[name=cardExpiry]');
    expect(await expiry.getAttribute('aria-invalid')).toBe('true');
    await expiry.fill('12/30');
    letScriptCome();
    await page.locator('[name=cardExpiry]:not([aria-invalid])').waitFor();
    expect(await page.locator('#cardExpiry-fault').textContent()).toBe('');
    await close();
  });

  it.each(someOf(['12/2030', '12 / 30', '1230', '12/30']))(
    'may write the expiry date as %s',
    async (expiry) => {
      const { page, close } = await open();
      await page.goto(await link());
      await page.getByRole('link', { name: 'Add a card' }).click();
      await fillCard(page, GOOD);
      await page.getByLabel('Expiry date').fill('');
      await page.getByLabel('Expiry date').pressSequentially(expiry);
      await page.getByRole('button', { name: 'Add the card' }).click();
      await page.getByText('Card added.').waitFor();
      await close();
    },
  );

  it('removes a card', async () => {
    const { page, close } = await open(devices.phone);
    await page.goto(await link());
    await page.getByRole('link', { name: 'Add a card' }).click();
    await fillCard(page, GOOD);
    await page.getByRole('button', { name: 'Add the card' }).click();
    await page.getByRole('link', { name: 'Remove Visa ending in 4242' }).click();
    await page.getByRole('button', { name: 'Remove the card' }).click();
    await page.getByText('Card removed.').waitFor();
    expect(await page.getByText('ending in 4242').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Add a card' }).count()).toBe(1);
    await close();
  });

  it.each(
    someOf(
      [
        { what: 'a saved card', script: true },
        { what: 'a new card', script: true },
        { what: 'a new card', script: false },
      ],
      3,
    ),
  )(
    'is offered first what they were asked for, and pays it with $what, script: $script',
    async ({ what, script }) => {
      const { page, close, complaints } = await open({
        ...devices.phone,
        javaScriptEnabled: script,
      });
      const asked = await askedFor100(page);
      await page.goto(await asked.link('ASKED'));
      const choices = page.locator('[name=choice]');
      const labels = await page.locator('label:has([name=choice])').allInnerTexts();
      expect(labels[0]).toMatch(/^The amount asked for: AUD.100\.00/);
      expect([labels.length, await choices.first().isChecked()]).toEqual([5, true]);
      const saved = page.getByLabel(/^Visa ending in 4242/);
      const fresh = page.getByLabel('A new card');
      expect([await saved.isChecked(), await fresh.isVisible()]).toEqual([true, true]);
      if (what === 'a new card') {
        await fresh.check();
        await fillCard(page, OTHER_GOOD);
      }
      await page.getByRole('button', { name: /^Pay AUD.100\.00/ }).waitFor();
      await pay(page);
      const cards = (await asked.transactions('ASKED')).map(
        ({ amount, cardDetails, status }) => `${status}: ${amount} on ${cardDetails?.cardNumber}`,
      );
      expect(new Set(cards)).toEqual(
        new Set([
          'Cancelled: 100 on 4242',
          `Accepted: 100 on ${what === 'a new card' ? '4444' : '4242'}`,
        ]),
      );
      expect(complaints).toEqual([]);
      await close();
    },
  );

  it('sees what to do with an expired or a tampered link', async () => {
    const { page, close } = await open(devices.phone);
    const url = await link();
    await page.goto(`${url.slice(0, -3)}AAA`);
    await page.getByRole('heading', { name: "This link doesn't work" }).waitFor();
    await page.goto(url);
    await client.call('/booking/v1/get-url', {
      reference: `PAGE-${bookings}`,
      revokeEarlier: true,
    });
    await page.reload();
    await page.getByRole('heading', { name: 'This link has expired' }).waitFor();
    await close();
  });

  it('sees that there is nothing to pay for a cancelled booking', async () => {
    const { page, close } = await open(devices.phone);
    await page.goto(await link({ status: 'cancelled' }));
    await page.getByRole('heading', { name: 'Your booking is cancelled' }).waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    await close();
  });

  it('gives a card by the link of the e-mail that asks for it', async () => {
    const { page, close } = await open(devices.phone);
    await link();
    const reference = `PAGE-${bookings}`;
    await client.call('/payment/v1/request-card-details', { reference });
    const mail = page.getByRole('article').filter({ hasText: `(${reference})` });
    // The mail follows the answer.
    do await page.goto(`${service.url}/dev/mailbox`);
    while ((await mail.count()) === 0);
    // Only the newest mail is unfolded.
    const asked = mail.getByRole('link', { includeHidden: true }).first();
    await page.goto((await asked.getAttribute('href')) ?? '');
    await fillCard(page, GOOD);
    await page.getByRole('button', { name: 'Add the card' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    const { json } = await client.call('/booking/v1/get-details', { reference });
    expect(json.booking.payment).toHaveLength(1);
    await close();
  });
});

describe.runIf(hasBrowser)('the pages of a guest', () => {
  it.each(['light', 'dark'] as const)(
    'follow what the reader’s device prefers: %s',
    async (colorScheme) => {
      const { page, close } = await open({ colorScheme, reducedMotion: 'reduce' });
      await page.goto(await link());
      await dressed(page);
      const backgroundColor = await page.evaluate<string>(
        'getComputedStyle(document.documentElement).backgroundColor',
      );
      const moves = await page.evaluate<string>(
        "getComputedStyle(document.querySelector('button')).transitionDuration",
      );
      const dark = backgroundColor.match(/\d+/g)?.every((part) => Number(part) < 64);
      expect([dark, moves]).toEqual([colorScheme === 'dark', '0s']);
      await close();
    },
  );

  it('can be read at twice the size: nothing has to be scrolled sideways', async () => {
    // What is 640 wide at twice the size shows what fits into 320.
    const { page, close } = await open({ viewport: { width: 320, height: 640 } });
    const wide = async () => {
      await dressed(page);
      return page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
    };
    await page.goto(
      await link({ lastName: 'A-name-that-is-as-long-as-names-can-be-without-a-space' }),
    );
    expect(await wide()).toBe(false);
    await addCard(page, GOOD);
    expect(await wide()).toBe(false);
    await pay(page);
    expect(await wide()).toBe(false);
    await close();
  });

  it('come with the first bytes, and do not jump', async () => {
    const { page, close } = await open(devices.phone);
    const finished: Request[] = [];
    page.on('requestfinished', (request) => {
      finished.push(request);
    });
    await page.goto(await link(), { waitUntil: 'networkidle' });
    const names = finished.map((request) => new URL(request.url()).pathname);
    const shifted = await page.evaluate<number>(SHIFTED);
    const painted = await page.evaluate<number>(
      "performance.getEntriesByName('first-contentful-paint').length",
    );
    expect([shifted, painted]).toEqual([0, 1]);
    expect(names).toEqual(expect.arrayContaining(['/guest/guest.css', '/guest/guest.js']));
    await close();
  });
});
