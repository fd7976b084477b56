import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';

/** Whether pages can be tried in a real browser here. CI sets REQUIRE_BROWSER, so that it never goes without. */
export const hasBrowser = existsSync(CHROMIUM);

if (!hasBrowser) {
  const missing = `No ${CHROMIUM}: install Debian's package chromium to try the pages in a browser.`;
  if (process.env['REQUIRE_BROWSER'] === '1') throw new Error(missing);
  console.warn(`\n!!! BROWSER TESTS ARE SKIPPED. ${missing}\n`);
}

/** Starts the browser without anything that would call home. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
