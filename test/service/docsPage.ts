/** The documentation in a real browser, with and without JavaScript: tests of pages.test.ts. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../scripts/seed.ts';
import type { Service } from '../../scripts/service.ts';
import { openWindow } from './browser.ts';
import { hasBrowser } from './chromium.ts';

/** What the pages are looked at on, and with. */
interface Shown {
  readonly service: Service;
  readonly browser: Browser;
}

/** How many requests the first page takes at most: it paints under a second on a slow line. */
const MOST_REQUESTS = 2;

/** Describes the documentation, once `shown` is there. */
export function describeDocs(shown: () => Shown): void {
  const url = () => shown().service.url;
  const open = (options: BrowserContextOptions = {}) => openWindow(shown().browser, url(), options);

  /** Sends the form of an operation's page as it stands, and returns what the service answered. */
  async function sendExample(page: Page, path: string): Promise<{ status: number; text: string }> {
    await page.goto(`${url()}/docs/operations${path}`);
    const answer = page.waitForResponse((one) => new URL(one.url()).pathname === path);
    await page.getByRole('button', { name: 'Send' }).click();
    const status = (await answer).status();
    await page.getByText(new RegExp(`^${status} `)).waitFor();
    return { status, text: (await page.locator('[data-answer]').textContent()) ?? '' };
  }

  async function signIn(page: Page, id: string, secret: string): Promise<void> {
    await page.getByLabel('Client id').fill(id);
    await page.getByLabel('Client secret').fill(secret);
    await page.getByRole('button', { name: 'Get an access token' }).click();
  }

  describe.runIf(hasBrowser)('the documentation in a browser', () => {
    it('lists all without JavaScript, in a page and its style', async () => {
      const { page, elsewhere, close } = await open({ javaScriptEnabled: false });
      const loaded: string[] = [];
      page.on('response', (response) => loaded.push(response.url()));
      await page.goto(`${url()}/docs`, { waitUntil: 'networkidle' });
      expect(loaded.length).toBeLessThanOrEqual(MOST_REQUESTS);
      await page.getByRole('link', { name: '/payment/v1/create' }).click();
      await page.getByText('curl -sS').waitFor();
      // Nothing can be typed that could not be sent.
      expect(await page.getByLabel('Client secret').isVisible()).toBe(false);
      expect(elsewhere()).toEqual([]);
      await close();
    });

    it('gets a token with id and secret, and sends the examples as they stand', async () => {
      const { page, complaints, elsewhere, close } = await open();
      await page.goto(`${url()}/docs/operations/booking/v1/create/manage-payments`);
      await signIn(page, seeded.client.id, 'wrong');
      await page.getByText(/^No access token: /).waitFor();
      await signIn(page, seeded.client.id, seeded.client.secret);
      await page.getByText(`Signed in as ${seeded.client.id}`).waitFor();
      expect(await page.getByLabel('Client secret').inputValue()).toBe('');
      const made = await sendExample(page, '/booking/v1/create/manage-payments');
      expect([made.status, JSON.parse(made.text)]).toMatchObject([200, { success: true }]);
      // The token is kept from page to page. The booking has no card yet: nothing is wrong with the request.
      const charge = await sendExample(page, '/payment/v1/create');
      expect([charge.status, charge.text]).toEqual([422, expect.stringContaining('no_card')]);
      for (const path of ['/payment/v1/tokenize', '/booking/v1/get-url', '/export/schema']) {
        expect([path, (await sendExample(page, path)).status]).toEqual([path, 200]);
      }
      // The browser tells of refused answers; a page has no other complaint.
      expect(complaints.filter((text) => !/status of (?:401|422)/.test(text))).toEqual([]);
      expect(elsewhere()).toEqual([]);
      await close();
    });
  });
}
