import { existsSync } from 'node:fs';

/** Where Debian's package puts the browser. */
export const CHROMIUM = '/usr/bin/chromium';

/** Whether pages can be tried in a real browser here. */
export const hasBrowser = existsSync(CHROMIUM);

/** Says aloud that browser tests are skipped; CI sets REQUIRE_BROWSER, so that it never goes without. */
export function announceMissingBrowser(): void {
  if (hasBrowser) return;
  const missing = `No ${CHROMIUM}: install Debian's package chromium to try the pages in a browser.`;
  if (process.env['REQUIRE_BROWSER'] === '1') throw new Error(missing);
  console.warn(`\n!!! BROWSER TESTS ARE SKIPPED. ${missing}\n`);
}
