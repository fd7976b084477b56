/** The console in a real browser, with and without JavaScript: tests of pages.test.ts. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../scripts/seed.ts';
import type { Service } from '../../scripts/service.ts';
import { someOf } from '../support/long.ts';
import { barriers, openWindow, picture } from './browser.ts';
import { hasBrowser } from './chromium.ts';
import { Client } from './client.ts';

const GOOD = '4242424242424242';
const DECLINED = '4000000000009995';

/** The most that a page may weigh. */
const MOST_BYTES = 30 * 1024;

/** How often the mailbox is looked into: links are mailed after the answer. */
const MOST_LOOKS = 50;

/** What the pages are looked at on, and with. */
interface Shown {
  readonly service: Service;
  readonly browser: Browser;
}

/** The styles are the same without a script, so that way is looked at in the light alone. */
const looks = [
  { colorScheme: 'light', javaScriptEnabled: true, as: 'light' },
  { colorScheme: 'dark', javaScriptEnabled: true, as: 'dark' },
  { colorScheme: 'light', javaScriptEnabled: false, as: 'without-script' },
] as const;

const ways = [360, 768, 1280].flatMap((width) =>
  looks.map(({ as, ...look }) => ({ width, ...look, name: `${width}-${as}` })),
);

/** Describes the console, once `shown` is there. */
export function describeConsole(shown: () => Shown): void {
  const url = () => shown().service.url;

  const open = (options: BrowserContextOptions) => openWindow(shown().browser, url(), options);

  async function signIn(page: Page, email: string): Promise<void> {
    await page.goto(`${url()}/console`);
    const before = await linkTo(email);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
    await page.goto(await newLink(email, before));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Console' }).waitFor();
  }

  /** The newest sign-in link to an address; empty if there is none. */
  async function linkTo(email: string): Promise<string> {
    const answer = await fetch(`${url()}/dev/mailbox`, { headers: { Accept: 'application/json' } });
    const { messages } = (await answer.json()) as {
      messages: { to: string; text: string }[];
    };
    const texts = messages.filter(({ to }) => to === email).map(({ text }) => text);
    return /https?:\/\/\S+\/console\/enter\/\S+/.exec(texts[0] ?? '')?.[0] ?? '';
  }

  async function newLink(email: string, before: string): Promise<string> {
    for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
      const link = await linkTo(email);
      if (link !== before) return link;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('no link came');
  }

  /** A booking with a payment that was taken, a part of it given back, and one that was declined. */
  async function eventful(reference: string): Promise<Client> {
    const client = new Client(url());
    await client.booking(reference, DECLINED);
    await client.call('/payment/v1/create', { reference, amount: 20 });
    const card = { cardExpiry: '12/2030', cardHolderName: 'Ana Nguyen', cvv: '123' };
    await client.call('/payment/v1/tokenize', { reference, cardNumber: GOOD, ...card });
    const paid = await client.call('/payment/v1/create', { reference, amount: 150 });
    const chargeId = paid.json.transaction.id;
    await client.call('/refund/v1/create', { reference, chargeId, amount: 40 });
    return client;
  }

  describe.runIf(hasBrowser)('a manager in a browser', () => {
    it.each(someOf(ways, 9))(
      'finds a booking, sees what happened, and refunds: $name',
      async ({ width, colorScheme, javaScriptEnabled, name }) => {
        const reference = `DESK-${name}`;
        const client = await eventful(reference);
        // A person gets few links in an hour.
        const email = `manager-${name}@hotel.com`;
        const user = { email, name: 'Kim Lee', role: 'manager', property: seeded.property };
        await client.call('/admin/v1/user/put', user, { admin: true });
        const viewport = { width, height: 800 };
        const { page, complaints, elsewhere, close } = await open({
          viewport,
          colorScheme,
          javaScriptEnabled,
        });
        const weights: number[] = [];
        page.on('response', (response) => {
          void response.body().then(
            (body) => weights.push(body.length),
            () => undefined,
          );
        });
        const found: string[] = [];
        const look = async (screen: string) => {
          await picture(page, `console-${name}-${screen}`);
          // Axe needs scripts.
          if (javaScriptEnabled) found.push(...(await barriers(page)));
          const needed = await page.evaluate<number>('document.documentElement.scrollWidth');
          expect([screen, needed <= width]).toEqual([screen, true]);
        };
        await page.goto(`${url()}/console`);
        await look('1-sign-in');
        await signIn(page, email);
        await look('2-properties');
        // Three clicks from signing in to all answers.
        await page.getByRole('link', { name: 'Demo Property' }).click();
        await page.getByLabel('Find a booking').fill(reference);
        await page.getByRole('button', { name: 'Find' }).click();
        await look('3-found');
        await page.getByRole('link', { name: reference }).click();
        await page.getByText('Payment taken').waitFor();
        await page.getByText('Declined: not enough money').waitFor();
        await page.getByText('Refunded', { exact: true }).first().waitFor();
        await look('4-booking');
        await page
          .getByLabel(/^Amount to refund/)
          .first()
          .fill('60,50');
        await page
          .getByRole('button', { name: /^Refund/ })
          .first()
          .click();
        await page.getByText(/AUD\s60.50 goes back to the card/).waitFor();
        await look('5-confirm');
        await page.getByRole('button', { name: 'Refund the payment' }).click();
        await page.getByText('The refund was made.').waitFor();
        await look('6-done');
        const transactions = await client.transactions(reference);
        const refunds = transactions.flatMap((transaction) => transaction.refunds);
        expect(refunds.map(({ amount }) => amount)).toEqual([40, 60.5]);
        expect([found, complaints, elsewhere()]).toEqual([[], [], []]);
        expect(Math.max(...weights)).toBeLessThan(MOST_BYTES);
        await close();
      },
    );
  });
}
