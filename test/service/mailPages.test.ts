/** The HTML part of every mail as a mail program with a modern engine shows it: light and dark, on a phone and wide. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleMails } from '../support/mailSamples.ts';
import { allBarriers, devices, openBrowser, openWindow, picture } from './browser.ts';
import { hasBrowser } from './chromium.ts';
import { faultsOf } from './measures.ts';

let browser: Browser;

beforeAll(async () => {
  if (hasBrowser) browser = await openBrowser();
});

afterAll(() => browser?.close());

const looks = [
  ['light', 'phone'],
  ['dark', 'phone'],
  ['light', 'desktop'],
  ['dark', 'desktop'],
] as const;

describe.runIf(hasBrowser)('the mails', () => {
  it.each(looks)(
    'have no barrier, load nothing and need no scrolling sideways: %s, %s',
    async (colorScheme, device) => {
      const window = await openWindow(browser, 'about:blank', { ...devices[device], colorScheme });
      const { page } = window;
      for (const [name, { html }] of await sampleMails()) {
        await page.setContent(html);
        await picture(page, `mail-${name}-${colorScheme}-${device}`);
        const wide = 'document.documentElement.scrollWidth > innerWidth';
        const background = "getComputedStyle(document.querySelector('.card')).backgroundColor";
        const colour = await page.evaluate<string>(background);
        const isDark = colour.match(/\d+/g)?.every((part) => Number(part) < 64);
        expect([name, isDark, await page.evaluate<boolean>(wide)]).toEqual([
          name,
          colorScheme === 'dark',
          false,
        ]);
        expect([name, await faultsOf(page)]).toEqual([name, []]);
        expect([name, await allBarriers(page)]).toEqual([name, []]);
      }
      expect([window.complaints, window.elsewhere()]).toEqual([[], []]);
      await window.close();
    },
  );
});
