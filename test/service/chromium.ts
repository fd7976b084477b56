import { existsSync } from 'node:fs';

/** Where Debian's packages `chromium` and `chromium-headless-shell` put the browser. */
const WHOLE = '/usr/bin/chromium';
const SHELL = '/usr/bin/chromium-headless-shell';

/** Whether pages can be tried in a real browser here. */
export const hasBrowser = existsSync(WHOLE) || existsSync(SHELL);

/**
 * The browser to try pages in: the whole of it in the long form. The short form prefers the headless shell, the same
 * engine without the browser's own windows, which takes less than half as much of the processor for a page.
 */
export function browserPath(isLong: boolean): string {
  const [first, second] = isLong ? [WHOLE, SHELL] : [SHELL, WHOLE];
  return existsSync(first) ? first : second;
}

/** Says aloud that browser tests are skipped; CI sets REQUIRE_BROWSER, so that it never goes without. */
export function announceMissingBrowser(): void {
  if (hasBrowser) return;
  const missing =
    'No browser: install Debian’s packages chromium and chromium-headless-shell to try the pages in one.';
  if (process.env['REQUIRE_BROWSER'] === '1') throw new Error(missing);
  console.warn(`\n!!! BROWSER TESTS ARE SKIPPED. ${missing}\n`);
}
