/** The kit of the staff's pages in a real browser: tests of pages.test.ts. */
import type { Browser } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Service } from '../../scripts/service.ts';
import { someOf } from '../support/long.ts';
import { allBarriers, BROKEN_WORDS, lowControls, openWindow, picture } from './browser.ts';
import { hasBrowser } from './chromium.ts';

/** In the page: what stands beyond the edge of the window, but for what screen readers alone find. */
const BEYOND = `[...document.querySelectorAll('body *')]
  .filter((one) => !one.closest('.unseen, .tabs, details:not([open])'))
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
  .map((one) => one.outerHTML.slice(0, 120))`;

const ways = [360, 768, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

/** Describes the kit, once `shown` is there. */
export function describeKit(shown: () => { service: Service; browser: Browser }): void {
  describe.runIf(hasBrowser)('the kit', () => {
    it.each(someOf(ways, 3))(
      'fits, breaks no word and has no barrier: $width, $colorScheme',
      async (way) => {
        const { browser, service } = shown();
        const viewport = { width: way.width, height: 800 };
        const look = { viewport, colorScheme: way.colorScheme };
        const { close, complaints, elsewhere, page } = await openWindow(browser, service.url, look);
        await page.goto(`${service.url}/dev/kit`);
        for (const state of ['closed', 'open']) {
          await picture(page, `kit-${way.width}-${way.colorScheme}-${state}`);
          const beyond = await page.evaluate<string[]>(BEYOND);
          // Asked for all its columns, a report is moved sideways within its own frame.
          const found =
            state === 'closed' ? beyond : beyond.filter((one) => !/^<(?:t|caption)/.test(one));
          expect([state, found]).toEqual([state, []]);
          const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
          expect([state, wide]).toEqual([state, way.width]);
          expect([state, await page.evaluate(BROKEN_WORDS)]).toEqual([state, []]);
          expect([state, await lowControls(page)]).toEqual([state, []]);
          expect([state, await allBarriers(page)]).toEqual([state, []]);
          for (const fold of await page.locator('summary:visible').all()) await fold.click();
        }
        expect([complaints, elsewhere()]).toEqual([[], []]);
        await close();
      },
    );

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
