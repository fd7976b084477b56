/** The kit of the staff's pages in a real browser: tests of pages.test.ts. */
import type { Browser } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Service } from '../../scripts/service.ts';
import { openWindow } from './browser.ts';
import { hasBrowser } from './chromium.ts';

/** Describes the kit, once `shown` is there. */
export function describeKit(shown: () => { service: Service; browser: Browser }): void {
  describe.runIf(hasBrowser)('the kit', () => {
    it('shows two or three lines a record on a phone, and all of it to whom asks', async () => {
      const { browser, service } = shown();
      const viewport = { width: 360, height: 800 };
      const { close, page } = await openWindow(browser, service.url, { viewport });
      await page.goto(`${service.url}/dev/kit`);
      const record = page.locator('section[aria-labelledby=list] tbody tr').first();
      const cells = () => record.locator('td:visible, th:visible').count();
      expect(await cells()).toBe(4);
      await page.getByText('All columns').first().click();
      expect(await cells()).toBe(8);
      await close();
    });
  });
}
