import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { root } from '../../scripts/environment.ts';
import { PATIENCE_MS } from '../support/eventually.ts';
import { browserPath } from './chromium.ts';

/** Starts the browser, or the whole of it with its own windows, without anything that would call home. */
export function openBrowser({ whole = false } = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: browserPath(whole),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // A process for each site costs as much as a page.
      '--process-per-site',
      '--renderer-process-limit=1',
      '--disable-site-isolation-trials',
    ],
  });
}

/** What people look at pages with. */
export const devices = {
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  desktop: { viewport: { width: 1280, height: 900 } },
} as const satisfies Record<string, BrowserContextOptions>;

/** Opens a window of its own on a service, and tells of everything that it asked for elsewhere and complained of. */
export async function openWindow(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  const elsewhere = () =>
    asked.filter((url) => !url.startsWith(origin) && !url.startsWith('data:'));
  return { page, complaints, elsewhere, close: () => context.close() };
}

/** Where a person can look at what guests and administrators see. */
const pictures = path.join(root, 'screenshots');

/** A page's text may be there before its style is. */
export async function dressed(page: Page): Promise<void> {
  await page.waitForLoadState('load');
}

/** Whether somebody asked for pictures of the pages (`npm run test:long`). */
export const takesPictures = process.env['PICTURES'] === '1';

/** Takes a picture of a page for people to look at, where they asked for it. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!takesPictures) return;
  await dressed(page);
  mkdirSync(pictures, { recursive: true });
  // Half as long as by the library's own way.
  const browser = await page.context().newCDPSession(page);
  const { cssContentSize } = await browser.send('Page.getLayoutMetrics');
  const { data } = await browser.send('Page.captureScreenshot', {
    format: 'jpeg',
    quality: 70,
    captureBeyondViewport: true,
    clip: { ...cssContentSize, x: 0, y: 0, scale: 1 },
  });
  await browser.detach();
  writeFileSync(path.join(pictures, `${name}.jpg`), data, 'base64');
}

/** What axe finds to be serious or critical on a page. */
export async function barriers(page: Page): Promise<string[]> {
  const found = await findings(page);
  return described(found.filter(({ impact }) => impact === 'serious' || impact === 'critical'));
}

/** Whatever axe finds on a page. */
export async function allBarriers(page: Page): Promise<string[]> {
  return described(await findings(page));
}

function described(found: readonly axe.Result[]): string[] {
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

/** Less than half of what the library itself puts into a page. */
const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

async function findings(page: Page): Promise<readonly axe.Result[]> {
  await dressed(page);
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) await page.evaluate(axeSource);
  return page.evaluate(
    async () => (await (globalThis as unknown as { axe: typeof axe }).axe.run()).violations,
  );
}

/** In the page: what has the focus, by its label or text, and whether one sees that it has. */
const FOCUSED = `(() => {
  const at = document.activeElement;
  // Between the browser's own bar and the page, nothing in the page has it.
  if (at === document.body) return null;
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  const text = at.labels?.[0]?.textContent ?? at.textContent;
  return { text, outlined: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 };
})()`;

/** Goes on with the tabulator until something has the focus; whatever has it on the way must be seen to. */
export async function tabTo(page: Page, name: RegExp, mostTabs: number): Promise<void> {
  await dressed(page);
  for (let tabs = 0; tabs < mostTabs; tabs += 1) {
    await page.keyboard.press('Tab');
    const shown = await page.evaluate<{ text: string; outlined: boolean } | null>(FOCUSED);
    if (shown === null) continue;
    expect(shown).toMatchObject({ outlined: true });
    if (name.test(shown.text.trim())) return;
  }
  throw new Error(`${name} cannot be reached`);
}
