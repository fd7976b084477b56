/** Every page in every state that a person may see it in: how to reach it, who sees it, and whether one prints it. */
import type { Page } from 'playwright-core';
import { seeded } from '../../scripts/seed.ts';
import { ASKS_GUEST, GOOD } from '../support/cards.ts';
import { mailedLink } from './client.ts';
import { HOTEL, STAFF, type World } from './looksWorld.ts';

/** Who looks, each with a browser of their own. */
export type Who = 'guest' | 'manager' | 'viewer' | 'administrator' | 'anyone';

export interface State {
  readonly who: Who;
  readonly name: string;
  /** The route that shows it. */
  readonly route: string;
  /** Opens the page, in any language. */
  readonly open: (page: Page, world: World) => Promise<unknown>;
  /** Whether it belongs on paper too, with the hotel's name. */
  readonly prints?: boolean;
}

/** Stands for the ids of payments in addresses. */
const ANY_ID: World['ids'] = { paid: ':chargeId' };

/** A guest's page of a booking: what follows its address, and what the guest does there. */
function guest(
  name: string,
  reference: string,
  at: (ids: World['ids']) => string = () => '',
  act: (page: Page) => Promise<unknown> = async () => undefined,
  prints = false,
): State {
  const open = async (page: Page, { ids, linkTo }: World) => {
    await page.goto(await linkTo(reference));
    if (at(ids) !== '') await page.goto(page.url().replace(/[?].*/, '') + at(ids));
    await act(page);
  };
  const route = `/guest/v1/payments/:visit${at(ANY_ID).replace(/[?].*/, '')}`;
  return { who: 'guest', name: `guest-${name}`, route, open, prints };
}

/** A page of the hotel in the console; `query` names a booking by `reference`, and ids by their names in the world. */
function desk(
  name: string,
  path: string,
  query: Readonly<Record<string, string>> = {},
  { act, prints = false, who = 'manager' }: Partial<State> & Acting = {},
): State {
  const open = async (page: Page, { ids, url }: World) => {
    const named = Object.entries(query).map(([key, value]) => [key, ids[value] ?? value]);
    const asked = new URLSearchParams([['property', HOTEL.id], ...named]);
    await page.goto(`${url}/console/${path}?${asked.toString()}`);
    await act?.(page);
  };
  return { who, name: `console-${name}`, route: `/console/${path}`, open, prints };
}

interface Acting {
  readonly act?: (page: Page) => Promise<unknown>;
}

/** A page by its path alone; `route` if that has parameters. */
function at(who: Who, name: string, path: string, route = path.replace(/[?].*/, '')): State {
  return { who, name, route, open: (page, { url }) => page.goto(url + path) };
}

/** A guest's page that a link of the world leads to. */
function linked(name: string, link: string, route: string): State {
  const open = (page: Page, { ids }: World) => page.goto(ids[link] ?? '');
  return { who: 'guest', name: `guest-${name}`, route, open };
}

/** What a card form wants. */
async function typeCard(page: Page, cardNumber: string): Promise<void> {
  const typed = { cardNumber, cardExpiry: '12/30', cvv: '123', cardHolderName: 'Ana Nguyen' };
  for (const [name, value] of Object.entries(typed)) await page.locator(`#${name}`).fill(value);
}

/** Presses the button of a form, and waits for what it leads to. */
async function press(page: Page, button: string): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.locator(button).first().click()]);
}

/** Opens whatever can be unfolded. */
async function unfold(page: Page): Promise<void> {
  for (const fold of await page.locator('main summary:visible').all()) await fold.click();
}

async function unfoldKit(page: Page, { url }: World): Promise<void> {
  await page.goto(`${url}/dev/kit`);
  await unfold(page);
}

const follow = (link: string) => (page: Page) => press(page, link);

async function accept(page: Page): Promise<void> {
  await page.locator('main input[name=reason]').first().fill('paid at the desk');
  await press(page, 'main form button');
}

/** A page that the first such link of another one leads to. */
function led(name: string, from: string, path: string): State {
  const act = follow(`main a[href*="/${path}?"]`);
  return { ...desk(name, from, {}, { act, prints: true }), route: `/console/${path}` };
}

const PAY = '#pay button[type=submit]';

async function payAtBank(page: Page): Promise<void> {
  // Somebody has come so far before, perhaps in another language.
  if ((await page.locator(PAY).count()) === 0) return press(page, 'a[href*="/receipt/"]');
  await typeCard(page, ASKS_GUEST);
  await press(page, PAY);
}

/** Pays as a browser without JavaScript does, which has seen no price of another amount. */
async function askForPrice(page: Page): Promise<void> {
  await page.evaluate("document.querySelector('[name=agreedMinor]').remove()");
  await press(page, PAY);
}

async function goToBank(page: Page): Promise<void> {
  await payAtBank(page);
  await press(page, 'main a.button');
}

export const states: readonly State[] = [
  guest('pay', 'FRESH', undefined, undefined, true),
  guest('pay-other-amount', 'FRESH', undefined, (page) => page.locator('#choice-other').check()),
  guest('faults', 'FRESH', undefined, async (page) => {
    await typeCard(page, '4242424242424241');
    await page.locator('#cardExpiry').fill('01/20');
    await press(page, PAY);
  }),
  guest('unpriced', 'UNPRICED'),
  guest('add-card', 'FRESH', () => '/card'),
  guest(
    'card-added',
    'ADDED',
    () => '/card',
    async (page) => {
      await typeCard(page, GOOD);
      await press(page, 'main button[type=submit]');
    },
  ),
  {
    ...guest('remove-card', 'ADDED', undefined, follow('a[href*="/remove?"]')),
    route: '/guest/v1/payments/:visit/remove',
  },
  {
    ...guest('review', 'ADDED', undefined, askForPrice),
    route: '/guest/v1/payments/:visit/review',
  },
  guest('saved-card', 'ADDED'),
  guest('declined', 'DECLINED', ({ declined }) => `?declined=${declined}`),
  guest('bank-step', 'STEP', undefined, payAtBank),
  { ...guest('bank', 'STEP', undefined, goToBank), route: '/bank/v1/:step' },
  guest('bank-under-way', 'STEP'),
  guest('unknown', 'UNKNOWN'),
  guest('scheduled', 'SCHEDULED', undefined, undefined, true),
  guest('refunded', 'REFUNDED', undefined, undefined, true),
  guest('overpaid', 'OVERPAID'),
  guest('disputed', 'DISPUTED'),
  guest('overdue', 'OVERDUE'),
  guest('plans-offered', 'OFFERED'),
  guest('plan-choice', 'OFFERED', () => '/plan?template=halves'),
  guest('planned', 'PLANNED'),
  guest('cancel', 'SCHEDULED', () => '/cancel'),
  guest('cancelled', 'CANCELLED'),
  guest('settled', 'SETTLED'),
  guest('recovery', 'RECOVERY'),
  guest('recovery-card', 'RECOVERY', () => '/card'),
  guest('paid', 'PAID', undefined, undefined, true),
  guest('receipt', 'PAID', ({ paid }) => `/receipt/${paid}`, undefined, true),
  guest('many-payments', 'MANY', undefined, undefined, true),
  guest('all-payments', 'MANY', () => '/all', undefined, true),
  guest('timed-out', 'FRESH', undefined, async (page) => {
    await page.context().clearCookies();
    await page.reload();
  }),
  guest('bad-link', 'FRESH', undefined, (page) => page.goto(`${page.url()}nobody`)),
  linked('expired-link', 'expired', '/guest/v1/payments'),
  linked('card-request', 'request', '/guest/v1/card/:visit'),
  desk('today', 'property', {}, { prints: true }),
  desk('found', 'property', { q: 'nguyen' }),
  desk('found-nothing', 'property', { q: 'nobody at all' }),
  ...['BUSY', 'DISPUTED', 'PLANNED', 'SETTLED', 'VIRTUAL', 'UNKNOWN', 'RECOVERY', 'MANY'].map(
    (reference) =>
      desk(`booking-${reference.toLowerCase()}`, 'booking', { reference }, { prints: true }),
  ),
  desk('booking-viewer', 'booking', { reference: 'BUSY' }, { who: 'viewer' }),
  desk('booking-nobody', 'booking', { reference: 'NOBODY' }),
  desk('booking-forms', 'booking', { reference: 'BUSY' }, { act: unfold }),
  ...['charge', 'schedule', 'hold', 'putPlan', 'cancelBooking'].map((action) =>
    desk(`form-${action}`, 'form', { reference: 'BUSY', do: action }),
  ),
  desk('form-refund', 'form', { reference: 'BUSY', do: 'refund', chargeId: 'Accepted' }),
  desk('form-capture', 'form', { reference: 'BUSY', do: 'capture', chargeId: 'Authorized' }),
  desk('form-resolve', 'form', { reference: 'UNKNOWN', do: 'resolve', chargeId: 'unknown' }),
  desk('form-wrong', 'confirm', {
    reference: 'BUSY',
    do: 'refund',
    chargeId: 'Accepted',
    amount: 'much',
  }),
  ...Object.entries({
    charge: { amount: '10', purpose: 'Balance', initiator: 'phone' },
    refund: {
      chargeId: 'Accepted',
      amount: '60,50',
      waive: 'no',
      description: 'The lift was broken',
    },
    release: { chargeId: 'Authorized' },
    cancelSchedule: { chargeId: 'Pending' },
    cancelSchedules: {},
    cancelBooking: { reason: 'guest', amount: '', why: '' },
    putPlan: { template: 'halves' },
    requestCard: {},
    makeLink: {},
  }).map(([action, typed]) =>
    desk(`confirm-${action}`, 'confirm', { reference: 'BUSY', do: action, ...typed }),
  ),
  desk('confirm-cancelPlan', 'confirm', { reference: 'PLANNED', do: 'cancelPlan' }),
  desk('link', 'link', { reference: 'FRESH' }),
  desk('failed', 'failed'),
  desk('coming', 'coming'),
  desk('virtual', 'virtual'),
  desk('disputes', 'disputes'),
  desk('dispute', 'dispute', { dispute: 'dispute' }),
  desk('differences', 'differences'),
  { ...desk('accept', 'differences', {}, { act: accept }), route: '/console/accept' },
  desk('pms-ledger', 'pms-ledger'),
  desk('pms-ledger-report', 'pms-ledger', { report: 'report' }),
  desk('report', 'report', {}, { prints: true }),
  desk('report-months', 'report', { from: 'longAgo', to: 'today' }, { prints: true }),
  desk('report-refused', 'report', {}, { who: 'viewer' }),
  led('figure', 'report', 'payments'),
  desk('outstanding', 'outstanding', {}, { prints: true }),
  desk('payouts', 'disbursements', {}, { prints: true }),
  led('payout', 'disbursements', 'disbursement'),
  desk('bank-line', 'bank-line', { amount: '705.00', day: 'today' }),
  desk('bank-statement', 'bank-statement'),
  desk('staff', 'staff'),
  desk('audit', 'audit', {}, { prints: true }),
  at('manager', 'console-account', '/console/me'),
  at('anyone', 'console-sign-in', '/console'),
  at('anyone', 'console-link', '/console/enter/nothing', '/console/enter/:secret'),
  ...['', 'failed', 'coming', 'disputes', 'differences', 'disbursements'].map((list) =>
    at('administrator', `ops-${list || 'overview'}`, list === '' ? '/ops' : `/ops/${list}`),
  ),
  {
    who: 'administrator',
    name: 'ops-dismiss',
    route: '/ops/outbox/dismiss',
    open: async (page, { url }) => {
      await page.goto(`${url}/ops`);
      await press(page, 'form[action="/ops/outbox/dismiss"] button');
    },
  },
  at('anyone', 'ops-sign-in', '/ops'),
  at('anyone', 'home', '/'),
  at('anyone', 'not-found', '/nothing/here'),
  at('anyone', 'mailbox', '/dev/mailbox'),
  at('anyone', 'kit', '/dev/kit'),
  { ...at('anyone', 'kit-unfolded', '/dev/kit'), open: unfoldKit },
  at('anyone', 'docs', '/docs'),
  at('anyone', 'docs-search', '/docs?q=refund'),
  at('anyone', 'docs-operation', '/docs/operations/payment/v1/create', '/docs/operations/*'),
  at('anyone', 'docs-file', '/docs/operations/export', '/docs/operations/*'),
  at('anyone', 'docs-message', '/docs/messages/payment.accepted', '/docs/messages/:name'),
  ...['first-charge', 'going-live', 'webhooks', 'test-cards', 'decline-codes', 'errors'].map(
    (guide) => at('anyone', `docs-guide-${guide}`, `/docs/guides/${guide}`, '/docs/guides/:name'),
  ),
];

/** How links to sign in begin. */
const ENTER = '/console/enter/';

/** Signs somebody in, by what their pages' forms are called. */
export async function signIn(page: Page, who: Who, { url }: World): Promise<void> {
  if (who === 'administrator') {
    await page.goto(`${url}/ops`);
    await page.locator('#clientId').fill(seeded.admin.id);
    await page.locator('#clientSecret').fill(seeded.admin.secret);
    await press(page, 'form:has(#clientSecret) button');
  }
  if (who !== 'manager' && who !== 'viewer') return;
  const before = await mailedLink(url, STAFF[who], ENTER, { isThere: false });
  await page.goto(`${url}/console`);
  await page.locator('#email').fill(STAFF[who]);
  await press(page, 'form:has(#email) button');
  await page.goto(await mailedLink(url, STAFF[who], ENTER, { before }));
  await press(page, 'main button');
}
