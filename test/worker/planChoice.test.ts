/** Plans of templates on pages: a guest chooses one, a person of the staff puts one, each as it was shown. */

import { describe, expect, it } from 'vitest';
import { seeded } from '../../scripts/seed.ts';
import {
  attachCard,
  bookingOf,
  call,
  callAsAdmin,
  makeBooking,
  makeProperty,
  testEnv,
} from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { ask, confirmFields, words } from '../support/console.ts';
import { Guest } from '../support/guest.ts';
import { signedIn } from '../support/staff.ts';

let made = 0;

const DAY_MS = 24 * 60 * 60 * 1_000;

const dayIn = (days: number) =>
  new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10).split('-').toReversed().join('-');

const HALVES = {
  key: 'halves',
  name: 'Two halves',
  offered: true,
  terms: [
    { label: 'First half', percent: 50, due: { anchor: 'arrival', days: -5 } },
    { rest: true, due: { anchor: 'arrival' } },
  ],
};

/** A property that offers a plan and keeps another to itself, with a booking and its guest. */
async function story(card: string | null = GOOD) {
  made += 1;
  const property = `choice-${made}`;
  const planTemplates = [HALVES, { ...HALVES, key: 'own', name: 'Ours', offered: false }];
  const options = { token: await makeProperty(property, { planTemplates }) };
  const save = (totalCost: number) =>
    call(
      '/booking/v1/create/manage-payments',
      bookingOf('C-1', {
        arrival: dayIn(30),
        departure: dayIn(33),
        totalCost,
        firstNightCost: 100,
      }),
      options,
    );
  await save(600);
  if (card !== null) await attachCard('C-1', card, options);
  const { json } = await call('/booking/v1/get-url', { reference: 'C-1' }, options);
  const guest = new Guest();
  await guest.open(json.url);
  const home = guest.page.path;
  return {
    property,
    save,
    guest,
    home,
    look: (template = 'halves') => guest.open(`${home}/plan?template=${template}`),
    post: (path: string, body: object = {}) => call(path, { reference: 'C-1', ...body }, options),
  };
}

async function actsOf(property: string) {
  const { results } = await testEnv.DB.prepare(
    "SELECT kind, subject_id AS subjectId, language, words FROM guest_acts WHERE property_id = ? AND kind = 'plan'",
  )
    .bind(property)
    .all<Record<'kind' | 'subjectId' | 'language' | 'words', string>>();
  return results;
}

describe('a guest', () => {
  it('sees all parts of an offered plan, and chooses it once', async () => {
    const { guest, home, look, post, property } = await story();
    expect(guest.page.html).toContain('Two halves');
    expect(guest.page.html).not.toContain('Ours');
    await look();
    for (const said of ['First half', 'AUD 300.00', 'In all: AUD 600.00', 'Visa']) {
      expect(words(guest)).toContain(said);
    }
    expect((await post('/payment-plan/v1/get')).status).toBe(404);
    const other = guest.copy();
    await other.open(guest.page.path);
    await guest.submit();
    expect(guest.page.path).toContain('?planned');
    expect(words(guest)).toContain('Your payment plan is set up.');
    expect(guest.page.html).not.toContain('template=halves');
    const { plan } = (await post('/payment-plan/v1/get')).json;
    expect(plan).toMatchObject({ status: 'active', total: 600, open: 600, difference: 0 });
    expect(plan.parts.map(({ amount }) => amount)).toEqual([300, 300]);
    // Another tab, opened before, changes nothing.
    await other.submit();
    expect((await post('/payment-plan/v1/get')).json.plan).toEqual(plan);
    expect((await look()).path).toBe(home);
    const acts = await actsOf(property);
    expect(acts).toHaveLength(1);
    expect(acts[0]).toMatchObject({ subjectId: plan.planId, language: 'en' });
    for (const said of ['First half', '300.00', 'you agree that', 'Agree and choose this plan']) {
      expect(acts[0]?.words).toContain(said);
    }
  });

  it('agrees to what the page showed, and to nothing else', async () => {
    const { guest, look, post, property, save } = await story();
    await look();
    await save(700);
    const again = await guest.submit();
    expect([again.status, again.html.includes('Something has changed')]).toEqual([409, true]);
    expect((await post('/payment-plan/v1/get')).status).toBe(404);
    expect(await actsOf(property)).toEqual([]);
    await guest.submit();
    expect((await post('/payment-plan/v1/get')).json.plan.total).toBe(700);
  });

  it('chooses none beside a schedule, nor what is not offered, nor without a card', async () => {
    const { guest, home, look, post } = await story();
    expect((await look('own')).path).toBe(home);
    await look();
    const time = new Date(Date.now() + 10 * DAY_MS).toISOString();
    expect((await post('/payment/v1/schedule', { amount: 10, time })).status).toBe(200);
    // The page was open before.
    expect((await guest.submit()).path).toBe(home);
    expect((await guest.open(home)).html).not.toContain('template=halves');
    expect((await look()).path).toBe(home);
    const bare = await story(null);
    await bare.look();
    expect(words(bare.guest)).toContain('Add a card first');
    expect(bare.guest.page.html).not.toContain('name="shown"');
  });
});

describe('at the desk', () => {
  const PUT = { do: 'putPlan', template: 'own' };
  const get = async (reference: string) =>
    (await call('/payment-plan/v1/get', { reference })).json.plan;
  const putDemo = (planTemplates: object[]) =>
    callAsAdmin('/admin/v1/property/put', {
      property: 'demo',
      name: 'Demo Property',
      site: 'demo.localhost',
      currency: 'AUD',
      timeZone: 'Australia/Perth',
      planTemplates,
    });

  it('a manager puts a plan as it was shown, once, and a cashier none', async () => {
    await putDemo([{ ...HALVES, key: 'own', name: 'Ours', offered: false }]);
    await makeBooking('DESK-1', GOOD);
    const [manager, cashier] = [
      await signedIn(seeded.manager.email),
      await signedIn(seeded.desk.email),
    ];
    await ask(manager, 'DESK-1', PUT);
    expect(words(manager)).toMatch(
      /AUD 600\.00 will be charged to the card.* First half: AUD 300\.00 on.* Part 2: AUD 300\.00 on/,
    );
    expect(await get('DESK-1')).toBeUndefined();
    // The stay costs more since: it is shown again.
    const shown = confirmFields(manager);
    await call('/booking/v1/create/manage-payments', bookingOf('DESK-1', { totalCost: 700 }));
    await manager.post('/console/do', shown);
    expect(words(manager)).toContain('AUD 700.00 will be charged to the card');
    expect(await get('DESK-1')).toBeUndefined();
    const again = confirmFields(manager);
    await manager.post('/console/do', again);
    await manager.post('/console/do', again);
    expect(words(manager)).toContain('The payment plan is set up.');
    expect(await get('DESK-1')).toMatchObject({ total: 700, open: 700, version: 1 });
    await ask(manager, 'DESK-1', PUT);
    expect(words(manager)).toContain('It takes the place of the payment plan');
    await ask(manager, 'DESK-1', { ...PUT, template: 'none' });
    expect(words(manager)).toContain('Choose one of the plans.');
    await ask(cashier, 'DESK-1', PUT);
    expect(words(cashier)).toContain('Only managers can');
    await putDemo([]);
  });

  it('a manager is told of what is scheduled beside a plan: the guest would pay twice', async () => {
    await putDemo([{ ...HALVES, key: 'own', name: 'Ours', offered: false }]);
    await makeBooking('DESK-2', GOOD);
    const manager = await signedIn(seeded.manager.email);
    await ask(manager, 'DESK-2', PUT);
    expect(words(manager)).not.toContain('scheduled');
    const time = new Date(Date.now() + 10 * DAY_MS).toISOString();
    await call('/payment/v1/schedule', { reference: 'DESK-2', amount: 450, time });
    await ask(manager, 'DESK-2', PUT);
    expect(words(manager)).toMatch(
      /More stays scheduled than is due then.* AUD 600\.00 will be charged.* AUD 463\.92/,
    );
    expect(words(manager)).toContain('Cancel all scheduled charges');
    await putDemo([]);
  });
});
