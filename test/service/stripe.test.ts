/** The whole service with Stripe as its gateway: money over real sockets, and Stripe's own form in a real browser. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '../../scripts/service.ts';
import { someOf } from '../support/long.ts';
import { confirmationTokens } from '../support/stripe.ts';
import { barriers, openBrowser, picture } from './browser.ts';
import { hasBrowser } from './chromium.ts';
import { Client, stateFolder } from './client.ts';
import { startQuickly } from './quickService.ts';
import { type StripeServer, startStripe } from './stripeServer.ts';

/** The gateway's deadline, the first look-up and some more. */
const MOST_WAIT_MS = 60_000;

const state = stateFolder();
let server: StripeServer;
let service: Service;
let client: Client;

beforeAll(async () => {
  server = await startStripe();
  service = await startQuickly({
    persistTo: state.path,
    variables: {
      GATEWAY: 'stripe',
      STRIPE_API_BASE: server.url,
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    },
  });
  client = new Client(service.url);
});

afterAll(async () => {
  await service?.kill();
  await server?.stop();
  state.remove();
});

/** Waits until a booking's only transaction is settled. */
async function settled(reference: string): Promise<string> {
  const until = Date.now() + MOST_WAIT_MS;
  while (Date.now() < until) {
    const [transaction] = await client.transactions(reference);
    if (transaction && transaction.status !== 'Processing') return transaction.status;
    await sleep(500);
  }
  throw new Error(`${reference} is still under way`);
}

describe('money with Stripe over real sockets', () => {
  it.concurrent.each(
    someOf(
      [
        ['an answer that never comes', 'hang after execution', 504],
        ['a 500 without a word', '500 without error', 504],
        ['an answer that is cut off', 'malformed after execution', 504],
        ['a connection that is cut before anything was done', 'reset before execution', 504],
        ['too many requests', '429', 502],
        ['a key that is in use', '409 in progress', 504],
      ] as const,
      6,
    ),
  )('is charged at most once, and known in the end: %s', async (what, fault, status) => {
    const reference = `SOCKET-${what.replace(/\W/g, '').slice(0, 20)}`;
    await client.booking(reference, '4242424242424242');
    server.stripe.failFor(reference, fault);
    const asked = await client.call('/payment/v1/create', {
      reference,
      amount: 100,
      description: 'Deposit',
    });
    expect(asked.status).toBe(status);
    const made = server.stripe.intents.filter(({ metadata }) => metadata['booking'] === reference);
    const end = await settled(reference);
    const after = server.stripe.intents.filter(({ metadata }) => metadata['booking'] === reference);
    expect(end).toBe(after.length === 1 ? 'Accepted' : 'Failed');
    expect(after.length).toBeLessThanOrEqual(1);
    expect(made.length).toBeLessThanOrEqual(after.length);
  });
});

/** In the page: Stripe's script as far as ours speaks to it, with a frame of Stripe's own as its form. */
const SCRIPT = `
window.Stripe = (key, { locale }) => {
  const listeners = {};
  let frame;
  return {
    elements: () => ({
      create: () => ({
        on: (event, listener) => { listeners[event] = listener; },
        mount: (at) => {
          frame = document.createElement('iframe');
          frame.src = 'https://js.stripe.com/form.html';
          frame.dataset.locale = locale;
          frame.title = 'Secure card payment input frame';
          frame.onload = () => listeners.ready();
          document.querySelector(at).append(frame);
        },
      }),
      submit: async () => ({}),
    }),
    createConfirmationToken: async () =>
      key === 'pk_test_1' && window.nextToken
        ? { confirmationToken: { id: window.nextToken } }
        : { error: { message: 'Your card number is incomplete.' } },
  };
};`;

describe.runIf(hasBrowser)("Stripe's own form in a browser", () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
  });

  afterAll(() => browser?.close());

  /** A guest at the form, and what the page complained of. */
  async function atForm(
    reference: string,
    options: { script?: boolean; stripe?: boolean; locale?: string } = {},
  ) {
    const { script = true, stripe = true, locale = 'en' } = options;
    await client.book(reference);
    const context = await browser.newContext({ javaScriptEnabled: script, locale });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.route('https://js.stripe.com/**', async (route) => {
      if (!stripe) await route.abort();
      else if (route.request().url().endsWith('.js')) {
        await route.fulfill({ contentType: 'text/javascript', body: SCRIPT });
      } else {
        await route.fulfill({ contentType: 'text/html', body: '<p>The card goes in here.</p>' });
      }
    });
    await page.goto(await client.link(reference));
    await page.goto(`${page.url()}/card`);
    return { page, complaints, close: () => context.close() };
  }

  async function add(page: Page, token: string | null): Promise<void> {
    const button = page.getByRole('button', { name: 'Add the card' });
    await button.and(page.locator(':enabled')).waitFor();
    await page.evaluate((next) => Object.assign(globalThis, { nextToken: next }), token);
    await button.click();
  }

  it('takes the card in its own frame, and the guest pays with it', async () => {
    const { page, complaints, close } = await atForm('FORM-1');
    await page.frameLocator('iframe').getByText('The card goes in here.').waitFor();
    expect(await barriers(page)).toEqual([]);
    await picture(page, 'stripe-1-form');
    await add(page, null);
    await page.getByText('Your card number is incomplete.').waitFor();
    await add(page, confirmationTokens.good);
    await page.getByText('Card added.').waitFor();
    await page.getByRole('button', { name: /^Pay/ }).click();
    await page.getByRole('heading', { name: 'Payment successful' }).waitFor();
    const intents = server.stripe.intents.filter(
      ({ metadata }) => metadata['booking'] === 'FORM-1',
    );
    expect(intents).toMatchObject([{ amount: 61_856, status: 'succeeded' }]);
    expect(complaints).toEqual([]);
    await close();
  });

  it('is followed by the bank where it asks for the guest, who comes back to their card', async () => {
    const { page, close } = await atForm('FORM-2');
    const home = page.url().replace(/\/card$/, '');
    await add(page, confirmationTokens.bank);
    await page.getByRole('heading', { name: "Confirm it's you" }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await picture(page, 'stripe-2-bank');
    const setup = server.stripe.setups.at(-1)?.id ?? '';
    await page.route('https://hooks.stripe.com/**', (route) => {
      server.stripe.confirmSetup(setup);
      return route.fulfill({
        status: 303,
        headers: { Location: `${home}/card/confirmed?setup_intent=${setup}` },
      });
    });
    await page.getByRole('link', { name: 'Continue to your bank' }).click();
    await page.getByText('Card added.').waitFor();
    expect(page.url()).not.toContain(setup);
    await close();
  });

  it.each([
    ['de-AT', 'de'],
    ['zh-CN', 'zh'],
    ['sv', 'en'],
  ])('speaks the language of the page to a browser in %s: %s', async (locale, spoken) => {
    const { page, close } = await atForm(`FORM-${locale}`, { locale });
    const frame = page.locator('iframe');
    await frame.waitFor();
    expect(await frame.getAttribute('data-locale')).toBe(spoken);
    await close();
  });

  it('says what is wrong when it cannot be loaded, or there is no JavaScript', async () => {
    const blocked = await atForm('FORM-3', { stripe: false });
    await blocked.page.getByText('The form could not be loaded.').waitFor();
    await blocked.close();
    const plain = await atForm('FORM-4', { script: false });
    await plain.page.getByText('which needs JavaScript').waitFor();
    expect(await plain.page.getByRole('button', { name: 'Add the card' }).isDisabled()).toBe(true);
    await plain.close();
  });
});
