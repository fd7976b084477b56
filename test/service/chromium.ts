import { existsSync } from 'node:fs';

/** Where Debian's packages `chromium` and `chromium-headless-shell` put the browser. */
const WHOLE = '/usr/bin/chromium';
const SHELL = '/usr/bin/chromium-headless-shell';

/** Whether pages can be tried in a real browser here. */
export const hasBrowser = existsSync(WHOLE) || existsSync(SHELL);

/** Fonts with Japanese characters, and with Chinese and Korean ones. */
const FONTS = [
  '/usr/share/fonts/opentype/ipafont-gothic/ipag.ttf',
  '/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc',
];

/** Whether pages in Chinese, Japanese and Korean can be looked at here. */
export const hasEastAsianFonts = hasBrowser && FONTS.every((path) => existsSync(path));

/**
 * The browser to try pages in. The headless shell is the same engine without the browser's own windows, and takes less
 * than half as much of the processor for a page.
 */
export function browserPath(whole: boolean): string {
  const [first, second] = whole ? [WHOLE, SHELL] : [SHELL, WHOLE];
  return existsSync(first) ? first : second;
}

/** Says aloud that browser tests are skipped; CI sets REQUIRE_BROWSER, so that it never goes without. */
export function announceMissingBrowser(): void {
  if (hasBrowser && hasEastAsianFonts) return;
  const missing = hasBrowser
    ? 'No East Asian fonts: install Debian’s packages fonts-ipafont-gothic and fonts-wqy-zenhei to try those languages.'
    : 'No browser: install Debian’s packages chromium and chromium-headless-shell to try the pages in one.';
  if (process.env['REQUIRE_BROWSER'] === '1') throw new Error(missing);
  console.warn(`\n!!! BROWSER TESTS ARE SKIPPED. ${missing}\n`);
}
