import { mkdirSync } from 'node:fs';
import path from 'node:path';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { root } from '../../scripts/environment.ts';
import { CHROMIUM } from './chromium.ts';

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

/** Where a person can look at what the guests see. */
const pictures = path.join(root, 'screenshots');

/** A page's text may be there before its style is. */
export async function dressed(page: Page): Promise<void> {
  await page.waitForLoadState('load');
}

/** Takes a picture of a page. */
export async function picture(page: Page, name: string): Promise<void> {
  await dressed(page);
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage: true });
}

/** What axe finds to be serious or critical on a page. */
export async function barriers(page: Page): Promise<string[]> {
  await dressed(page);
  await page.evaluate(axe.source);
  const found = await page.evaluate(
    async () => (await (globalThis as unknown as { axe: typeof axe }).axe.run()).violations,
  );
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}
