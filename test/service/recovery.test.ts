/** A guest who is asked for another card, in a real browser: the link of the message, on a phone without JavaScript. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '../../scripts/service.ts';
import { HOUR_MS } from '../../src/core/time.ts';
import { SETTINGS } from '../support/recoverySettings.ts';
import { barriers, devices, openBrowser, openWindow, picture } from './browser.ts';
import { hasBrowser } from './chromium.ts';
import { Client, stateFolder } from './client.ts';
import { startQuickly } from './quickService.ts';

const state = stateFolder();
let service: Service;
let browser: Browser;

beforeAll(async () => {
  if (!hasBrowser) return;
  service = await startQuickly({ persistTo: state.path });
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  await service?.kill();
  state.remove();
});

/** The link of the most recent e-mail, as a mail program shows it. */
async function linkOfNewest(): Promise<string> {
  const headers = { Accept: 'application/json' };
  const response = await fetch(`${service.url}/dev/mailbox`, { headers });
  const { messages } = (await response.json()) as { messages: { text: string }[] };
  return /https?:\/\/\S+/.exec(messages[0]?.text ?? '')?.[0] ?? '';
}

describe.runIf(hasBrowser)('a guest whose scheduled payment was declined', () => {
  it('follows the message, adds a card, and has it charged once', async () => {
    const client = await new Client(service.url).property('recovering', {
      cardRecovery: SETTINGS,
    });
    const reference = 'ASKED-1';
    await client.booking(reference, '4000000000009987');
    const atMs = Math.ceil((Date.now() + HOUR_MS) / 1000) * 1000;
    const time = new Date(atMs).toISOString();
    await client.call('/payment/v1/schedule', { reference, amount: 200, time });
    const advance = { property: 'recovering', to: time };
    const advanced = await client.call('/sandbox/v1/clock/advance', advance, { admin: true });
    expect(advanced.status).toBe(200);

    const look = { ...devices.phone, javaScriptEnabled: false };
    const window = await openWindow(browser, service.url, look);
    const { page } = window;
    const link = await linkOfNewest();
    expect(link.startsWith(`${service.url}/guest/v1/payments?`)).toBe(true);
    await page.goto(link);
    await page.getByRole('heading', { name: 'Your card needs your attention' }).waitFor();
    await page.getByText(/The payment of AUD.200\.00 .* was declined/).waitFor();
    await picture(page, 'recovery-1-asked');

    await page.getByRole('link', { name: 'Replace the card' }).click();
    await page.getByText('When you add this card, it is charged at once').waitFor();
    await picture(page, 'recovery-2-card');
    await page.getByLabel('Card number').fill('5555555555554444');
    await page.getByLabel('Expiry date').fill('12/34');
    await page.getByLabel('Security code').fill('123');
    await page.getByLabel('Name on the card').fill('Ana Nguyen');
    await page.getByRole('button', { name: /^Add card and pay AUD.200\.00$/ }).click();
    await page.getByText(/AUD.200\.00, which was declined before, was charged to it/).waitFor();
    await picture(page, 'recovery-3-charged');
    expect(await page.getByText('Your card needs your attention').count()).toBe(0);
    expect([window.complaints, window.elsewhere()]).toEqual([[], []]);
    await window.close();

    const statuses = (await client.transactions(reference)).map(({ status }) => status);
    expect(statuses).toEqual(['Declined', 'Accepted']);
  });

  it('finds no barriers on the way', async () => {
    const client = await new Client(service.url).property('barriers', { cardRecovery: SETTINGS });
    const reference = 'ASKED-2';
    await client.booking(reference, '4000000000009987');
    const time = new Date(Math.ceil((Date.now() + HOUR_MS) / 1000) * 1000).toISOString();
    await client.call('/payment/v1/schedule', { reference, amount: 200, time });
    const advance = { property: 'barriers', to: time };
    await client.call('/sandbox/v1/clock/advance', advance, { admin: true });
    const { page, close } = await openWindow(browser, service.url, devices.phone);
    await page.goto(await linkOfNewest());
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('link', { name: 'Replace the card' }).click();
    expect(await barriers(page)).toEqual([]);
    await close();
  });
});
