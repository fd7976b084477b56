/** The bank's step of a guest's payment in a real browser, at a phone's width, with and without JavaScript. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '../../scripts/service.ts';
import { ASKS_GUEST } from '../support/cards.ts';
import { isLong } from '../support/long.ts';
import { barriers, devices, openBrowser, openWindow, picture, tabTo } from './browser.ts';
import { hasBrowser } from './chromium.ts';
import { Client, stateFolder } from './client.ts';
import { startQuickly } from './quickService.ts';

const state = stateFolder();
let service: Service;
let client: Client;
let browser: Browser;

beforeAll(async () => {
  if (!hasBrowser) return;
  service = await startQuickly({ persistTo: state.path });
  client = new Client(service.url);
  browser = await openBrowser({ whole: isLong });
});

afterAll(async () => {
  await browser?.close();
  await service?.kill();
  state.remove();
});

let bookings = 0;

/** A booking of 600.00; its reference, and the link to its payment page. */
async function booked(): Promise<{ reference: string; link: () => Promise<string> }> {
  bookings += 1;
  const reference = `BANK-${bookings}`;
  await client.book(reference);
  return { reference, link: () => client.link(reference) };
}

/** The payments of a booking, and how often its card was charged. */
async function moneyOf(reference: string): Promise<{ statuses: string[]; charged: number }> {
  const statuses = (await client.transactions(reference)).map(({ status }) => status);
  const operations = await client.ledger(reference);
  const charged = operations.filter((one) => one.kind === 'charge' && one.status === 'succeeded');
  return { statuses, charged: charged.length };
}

/** Adds the card whose bank asks, and pays: the page that leads to the bank is shown then. */
async function payWithStep(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('link', { name: 'Add a card' }).first().click();
  await page.getByLabel('Card number').fill(ASKS_GUEST);
  await page.getByLabel('Expiry date').fill('12/30');
  await page.getByLabel('Security code').fill('123');
  await page.getByLabel('Name on the card').fill('Ana Nguyen');
  await page.getByRole('button', { name: 'Add the card' }).click();
  await page.getByText('Card added.').waitFor();
  await pay(page);
}

async function pay(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.getByRole('heading', { name: "Confirm it's you" }).waitFor();
}

async function toBank(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Continue to your bank' }).click();
  await page.getByRole('heading', { name: 'Is this you?' }).waitFor();
}

const thanked = (page: Page) => page.getByRole('heading', { name: 'Payment successful' }).waitFor();

describe.runIf(hasBrowser).each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])("the bank's step on a phone, %s", (name, javaScriptEnabled) => {
  const open = () => openWindow(browser, service.url, { ...devices.phone, javaScriptEnabled });

  it('leads to the bank and back, and charges once what is allowed', async () => {
    const { reference, link } = await booked();
    const window = await open();
    const { page } = window;
    await payWithStep(page, await link());
    await picture(page, `bank-1-step ${name}`);
    const found = javaScriptEnabled ? await barriers(page) : [];
    await toBank(page);
    await picture(page, `bank-2-bank ${name}`);
    expect(await page.getByRole('button').allInnerTexts()).toEqual(['Allow', 'Refuse']);
    if (javaScriptEnabled) found.push(...(await barriers(page)));
    await page.getByRole('button', { name: 'Allow' }).click();
    await thanked(page);
    expect(page.url()).not.toContain('?');
    expect(found).toEqual([]);
    expect(window.complaints).toEqual([]);
    expect(window.elsewhere()).toEqual([]);
    expect(await moneyOf(reference)).toEqual({ statuses: ['Accepted'], charged: 1 });
    await window.close();
  });

  it('charges nothing that is refused, and lets the guest pay again', async () => {
    const { reference, link } = await booked();
    const window = await open();
    const { page } = window;
    await payWithStep(page, await link());
    await toBank(page);
    await page.getByRole('button', { name: 'Refuse' }).click();
    await page.getByText('You can pay again and confirm it there.').waitFor();
    await picture(page, `bank-3-refused ${name}`);
    if (javaScriptEnabled) expect(await barriers(page)).toEqual([]);
    expect(await moneyOf(reference)).toEqual({ statuses: ['Declined'], charged: 0 });
    await pay(page);
    await toBank(page);
    await page.getByRole('button', { name: 'Allow' }).click();
    await thanked(page);
    expect(await moneyOf(reference)).toEqual({ statuses: ['Declined', 'Accepted'], charged: 1 });
    await window.close();
  });

  it('is told to a guest who abandoned it and comes back, and ends in time', async () => {
    const { reference, link } = await booked();
    const left = await open();
    await payWithStep(left.page, await link());
    await toBank(left.page);
    await left.close();
    const window = await open();
    const { page } = window;
    await page.goto(await link());
    await page.getByText('is not finished: your bank needs to verify').waitFor();
    await picture(page, `bank-4-under-way ${name}`);
    if (javaScriptEnabled) expect(await barriers(page)).toEqual([]);
    await page.getByRole('link', { name: 'Continue or cancel this payment' }).click();
    await page.getByRole('button', { name: 'Cancel this payment' }).click();
    await page.getByText('The payment was cancelled. You were not charged.').waitFor();
    expect(await moneyOf(reference)).toEqual({ statuses: ['Declined'], charged: 0 });
    await window.close();
  });

  it('charges once however often the guest goes back and forth, in two tabs', async () => {
    const { reference, link } = await booked();
    const window = await open();
    const { page } = window;
    await payWithStep(page, await link());
    const step = page.url();
    await toBank(page);
    const bank = page.url();
    await page.goBack();
    await page.getByRole('heading', { name: "Confirm it's you" }).waitFor();
    const other = await page.context().newPage();
    await other.goto(bank);
    await toBank(page);
    await page.getByRole('button', { name: 'Allow' }).click();
    await thanked(page);
    await other.getByRole('button', { name: 'Allow' }).click();
    await thanked(other);
    await other.goto(bank);
    await other.getByRole('heading', { name: 'You allowed this payment' }).waitFor();
    await picture(other, `bank-5-ended ${name}`);
    if (javaScriptEnabled) expect(await barriers(other)).toEqual([]);
    await other.getByRole('link', { name: 'Back to your payment' }).click();
    await thanked(other);
    await page.goto(step);
    await thanked(page);
    expect(await moneyOf(reference)).toEqual({ statuses: ['Accepted'], charged: 1 });
    await window.close();
  });

  it('can be taken with the keyboard alone', async () => {
    const { reference, link } = await booked();
    const window = await open();
    const { page } = window;
    await payWithStep(page, await link());
    await tabTo(page, /^Continue to your bank$/, 10);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Is this you?' }).waitFor();
    await tabTo(page, /^Allow$/, 10);
    await page.keyboard.press('Enter');
    await thanked(page);
    expect((await moneyOf(reference)).charged).toBe(1);
    await window.close();
  });
});
