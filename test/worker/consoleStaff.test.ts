import { beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../../scripts/seed.ts';
import {
  attachCard,
  bookingOf,
  call,
  callAsAdmin,
  makeBooking,
  makeProperty,
} from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { ask, take, words } from '../support/console.ts';
import { used } from '../support/counting.ts';
import { eventually } from '../support/eventually.ts';
import { Guest } from '../support/guest.ts';
import { mailbox } from '../support/mailbox.ts';
import { askForLink, linksTo, putUser, signedIn, signInLink } from '../support/staff.ts';
import { story } from '../support/story.ts';

story({ silent: ['news', 'pms'] });

let admin: Guest;
let manager: Guest;

beforeAll(async () => {
  await makeProperty('elsewhere');
  await putUser({ email: 'boss@hotel.com', name: 'Olga Boss', role: 'admin', property: 'demo' });
  await putUser({
    email: 'far@hotel.com',
    name: 'Far Away',
    role: 'cashier',
    property: 'elsewhere',
  });
  await putUser({ email: 'all@hotel.com', name: 'Everywhere', role: 'admin' });
  admin = await signedIn('boss@hotel.com');
  manager = await signedIn();
});

const change = (person: Guest, fields: Record<string, string>) =>
  person.post('/console/staff', { property: 'demo', ...fields });

const roleOf = async (email: string) => {
  const { json } = await callAsAdmin('/admin/v1/user/list', {});
  return json.users.find((user) => user.email === email)?.role;
};

describe('the language of the console', () => {
  it('is what the browser asks for, until somebody chooses one, who keeps it in other browsers too', async () => {
    await putUser({ email: 'greta@hotel.com', name: 'Greta', role: 'viewer', property: 'demo' });
    const tags = { 'Accept-Language': 'fr, de-AT;q=0.9, en;q=0.8' };
    expect((await new Guest().open('/console', tags)).html).toMatch(
      /<html lang="de">.*Wir schicken Ihnen einen Link.*Sprache: Deutsch/s,
    );
    const greta = await signedIn('greta@hotel.com');
    await greta.open('/console/me');
    expect(words(greta)).toContain('Language: English');
    await greta.post('/console/language', { language: 'de', next: '/console/me' });
    expect(words(greta)).toContain('Wo Sie angemeldet sind');
    const elsewhere = await signedIn('greta@hotel.com');
    const subjects = (await mailbox()).filter(({ to }) => to === 'greta@hotel.com');
    expect(subjects.map(({ subject }) => subject)).toContain(
      'Anmelden bei Buchungen und Zahlungen',
    );
    await elsewhere.open('/console/staff?property=demo');
    expect([elsewhere.page.status, words(elsewhere)]).toEqual([
      403,
      expect.stringContaining('Nur die Leitung kann Berichte ansehen.'),
    ]);
    await makeBooking('GERMAN', GOOD);
    await elsewhere.open('/console/booking?property=demo&reference=GERMAN');
    expect(words(elsewhere)).toMatch(/Gesamtpreis 600,00 AUD .*Hinterlegte Karten/);
    await elsewhere.open('/console/failed?property=demo&format=csv');
    expect(elsewhere.page.html).toContain('Time in Australia/Perth');
    await greta.post('/console/language', { language: 'xx', next: 'https://elsewhere.com' });
    expect([greta.page.status, greta.page.path]).toEqual([200, expect.stringMatching(/^.console/)]);
  });
});

describe('the staff page', () => {
  it('lists who may see the property, with when they were seen, to managers', async () => {
    await manager.open('/console/staff?property=demo');
    expect(words(manager)).toMatch(
      /Olga Boss boss@hotel.com Administrator \d+ \w+ 20\d\d, \d\d:\d\d 1/,
    );
    expect(words(manager)).toContain(
      'Everywhere all@hotel.com Administrator, of several properties – 0',
    );
    expect(words(manager)).not.toContain('Far Away');
    expect(manager.page.html).not.toContain('Add someone');
  });

  it('lets an administrator add someone, who is mailed a link and signs in', async () => {
    await change(admin, { do: 'invite', email: 'New@hotel.com', name: 'Nia New', role: 'cashier' });
    expect([admin.page.status, words(admin)]).toEqual([
      200,
      expect.stringContaining('The change was saved.'),
    ]);
    expect(words(admin)).toContain('Nia New new@hotel.com Cashier');
    await eventually(async () => {
      const [mail] = (await mailbox()).filter(({ to }) => to === 'new@hotel.com');
      expect(mail?.text).toMatch(
        /Olga Boss gave you access to .*Later, ask for a new link at http/s,
      );
      expect(mail?.text).not.toContain('did not ask');
    });
    const nia = await signedIn('new@hotel.com');
    await nia.open('/console/property?property=demo');
    expect(nia.page.status).toBe(200);
    await change(admin, { do: 'end', email: 'new@hotel.com' });
    await nia.open('/console/property?property=demo');
    expect(words(nia)).toContain('We e-mail you a link');
  });

  it('keeps what was typed of someone who cannot be added, and of a limit that is none', async () => {
    const who = { email: 'zoe@hotel', name: 'Zoe Boss', role: 'manager', refundLimit: '12,30' };
    await change(admin, { do: 'invite', ...who });
    expect(admin.page.status).toBe(422);
    const { html } = admin.page;
    for (const typed of ['value="zoe@hotel"', 'value="Zoe Boss"', 'value="12,30"']) {
      expect(html).toContain(typed);
    }
    expect(html).toMatch(/<option value="manager" selected/);
    expect(html).toContain('id="email-error"');
    await change(admin, { do: 'limit', refundLimit: 'fifty' });
    expect(admin.page.html).toMatch(/id="ofAll"[^>]*value="fifty"/);
  });

  it('adds nobody who is there already, switched off or not', async () => {
    const who = { email: 'twice@hotel.com', name: 'Tia Twice', role: 'viewer' };
    await change(admin, { do: 'invite', ...who });
    await change(admin, { do: 'put', ...who, active: 'no' });
    await change(admin, { do: 'invite', ...who, email: 'Twice@hotel.com', role: 'admin' });
    expect([admin.page.status, words(admin)]).toEqual([
      409,
      expect.stringContaining('Tia Twice is in the list already: change them there.'),
    ]);
    expect(words(admin)).toContain('Tia Twice twice@hotel.com Viewer, switched off');
  });

  it('gives a cashier a limit of their own, in place of the property’s', async () => {
    await makeBooking('LIMITED', GOOD);
    const { json } = await call('/payment/v1/create', { reference: 'LIMITED', amount: 100 });
    const chargeId = String(json.transaction.id);
    const who = { email: 'own@hotel.com', name: 'Own Limit', role: 'cashier' };
    await change(admin, { do: 'invite', ...who, refundLimit: 'much' });
    expect([admin.page.status, words(admin)]).toEqual([
      422,
      expect.stringContaining('Enter an amount'),
    ]);
    await change(admin, { do: 'invite', ...who, refundLimit: '20,50' });
    expect(words(admin)).toContain('Own Limit own@hotel.com Cashier, refunds up to AUD 20.50');
    const cashier = await signedIn('own@hotel.com');
    const refund = { do: 'refund', chargeId, waive: '0' };
    await ask(cashier, 'LIMITED', { ...refund, amount: '20.51' });
    expect(cashier.page.status).toBe(403);
    await take(cashier, 'LIMITED', { ...refund, amount: '20.50' });
    expect(words(cashier)).toContain('The refund was made.');
    await change(admin, { do: 'put', ...who, active: 'yes' });
    expect(words(admin)).toContain('refunds up to AUD 20.50');
    await change(admin, { do: 'put', ...who, active: 'yes', refundLimit: '' });
    expect(words(admin)).not.toContain('refunds up to');
  });

  it('lets an administrator say what cashiers refund, which is audited', async () => {
    const limit = { do: 'limit', refundLimit: '75,50' };
    await change(manager, limit);
    expect(manager.page.status).toBe(403);
    await change(admin, { ...limit, refundLimit: '-1' });
    expect(admin.page.status).toBe(422);
    await change(admin, limit);
    expect(words(admin)).toContain('A cashier refunds up to AUD 75.50 of one booking in a day');
    await admin.open('/console/audit?property=demo');
    expect(words(admin)).toMatch(/Olga Boss .*refund limit .*75\.5/);
    await change(admin, { ...limit, refundLimit: '' });
    expect(words(admin)).toContain('Cashiers refund nothing');
  });

  it('lets an administrator change a role, and switch someone off', async () => {
    await change(admin, {
      do: 'put',
      email: 'new@hotel.com',
      name: 'Nia New',
      role: 'manager',
      active: 'yes',
    });
    expect(await roleOf('new@hotel.com')).toBe('manager');
    expect(words(admin)).toContain('End all sessions (also removes passkeys)');
    await change(admin, {
      do: 'put',
      email: 'new@hotel.com',
      name: 'Nia New',
      role: 'manager',
      active: 'no',
    });
    expect(words(admin)).toContain('Manager, switched off');
    const before = await linksTo('new@hotel.com');
    await askForLink('new@hotel.com');
    await signInLink('boss@hotel.com');
    expect(await linksTo('new@hotel.com')).toEqual(before);
  });

  it.each([
    ['their own role', 'boss@hotel.com', 409],
    ['someone of another property', 'far@hotel.com', 409],
    ['an administrator of everything', 'all@hotel.com', 409],
    ['an address that is none', 'nobody', 422],
  ])('changes not %s', async (_, email, status) => {
    for (const done of ['put', 'invite', 'end']) {
      const before = await roleOf(email);
      await change(admin, { do: done, email, name: 'X', role: 'viewer' });
      expect([done, admin.page.status, await roleOf(email)]).toEqual([done, status, before]);
      // Each form says why, also where it does not show the field.
      if (status === 422) expect(words(admin)).toContain('Enter an e-mail address');
    }
  });

  it('changes nothing for whoever is no administrator', async () => {
    await change(manager, { do: 'invite', email: 'bad@hotel.com', name: 'X', role: 'admin' });
    expect([manager.page.status, await roleOf('bad@hotel.com')]).toEqual([403, undefined]);
    await putUser({ email: 'till@hotel.com', role: 'cashier', property: 'demo' });
    const cashier = await signedIn('till@hotel.com');
    for (const page of ['staff', 'audit']) {
      await cashier.open(`/console/${page}?property=demo`);
      expect([page, cashier.page.status]).toEqual([page, 403]);
    }
  });
});

describe('what they did', () => {
  it('shows who moved how much, by person and kind, and who changed people', async () => {
    const stay = { arrival: '14-02-2027', departure: '17-02-2027', totalCost: 600 };
    await call('/booking/v1/create/manage-payments', bookingOf('AUD-1', stay));
    await attachCard('AUD-1', GOOD);
    const paid = await call('/payment/v1/create', { reference: 'AUD-1', amount: 100 });
    const id = String(paid.json.transaction.id);
    await take(manager, 'AUD-1', { do: 'refund', chargeId: id, amount: '30' });
    await callAsAdmin('/admin/v1/client/put', { clientId: seeded.client.id, name: 'Demo Engine' });
    await manager.open('/console/audit?property=demo');
    expect(words(manager)).toMatch(/Demo Manager Refunded AUD-1 −AUD 30\.00/);
    // The booking engine has the name of its client.
    expect(words(manager)).toMatch(/Demo Engine Payment taken AUD-1 AUD 103\.09/);
    expect(manager.page.html).toMatch(/<option value="[^"]+">Demo Engine/);
    expect(words(manager)).toMatch(/Olga Boss person new@hotel\.com role Cashier Manager/);
    // Whose setting it is, stands on the narrowest screen too.
    expect(manager.page.html).toMatch(/<td [^>]*class="main"[^>]*><bdi>person new@hotel\.com/);
    const statement = '/console/bank-statement?property=demo';
    await manager.upload(statement, {}, 'Date,Amount,Description\n2027-02-16,5,Rent');
    await manager.open('/console/audit?property=demo', { 'Accept-Language': 'de' });
    expect(words(manager)).toMatch(/Person new@hotel\.com Rolle Kasse Leitung/);
    expect(words(manager)).toMatch(/Person new@hotel\.com aktiv ja nein/);
    expect(words(manager)).toMatch(/Sitzungen – beendet/);
    expect(words(manager)).toMatch(/own@hotel\.com Rolle – Kasse/);
    expect(words(manager)).toMatch(/Haus Erstattungslimit 75\.5 –/);
    expect(words(manager)).toMatch(
      /Kontoauszug Import – Zeilen: 1 \(16\.02\.2027\), schon eingelesen: 0/,
    );
    await manager.open('/console/audit?property=demo&kind=refunded');
    expect(words(manager)).not.toContain('Payment taken AUD-1');
    const who = /<option value="([^"]+)">Demo Manager/.exec(manager.page.html)?.[1] ?? '';
    await manager.open(`/console/audit?property=demo&who=${who}`);
    expect(words(manager)).toContain('Refunded AUD-1');
    expect(words(manager)).not.toContain('Payment taken AUD-1');
    await manager.open(`/console/audit?property=demo&who=${who}&format=csv`);
    expect(manager.page.html).toContain('-30.00');
    await manager.open('/console/audit?property=demo&from=2020-01-01&to=2020-01-03');
    expect(words(manager)).toContain('Nothing was moved on these days.');
  });

  it('has more than a page of either, which goes on by its key, and files of both', async () => {
    await makeBooking('AUD-MANY', GOOD);
    for (let amount = 1; amount <= 21; amount += 1) {
      await call('/payment/v1/create', { reference: 'AUD-MANY', amount });
      const role = amount % 2 ? 'viewer' : 'cashier';
      await putUser({ email: 'often@hotel.com', property: 'demo', role });
    }
    await manager.open('/console/audit?property=demo');
    const rows = (id: string) =>
      (new RegExp(`id="${id}".*?</section>`, 's').exec(manager.page.html)?.[0] ?? '').split('<tr>');
    expect([rows('audit').length, rows('changes').length]).toEqual([22, 22]);
    for (const [id, field] of [
      ['audit', 'afterMoved'],
      ['changes', 'afterChange'],
    ] as const) {
      await manager.open('/console/audit?property=demo');
      const first = rows(id).slice(2);
      const [, next = ''] =
        new RegExp(`href="([^"]*${field}=[^"]*)">Next 20`).exec(manager.page.html) ?? [];
      await manager.open(next.replaceAll('&amp;', '&'));
      const rest = rows(id).slice(2);
      expect(rest.length).toBeGreaterThan(0);
      expect(rest.filter((row) => first.includes(row) && id === 'audit')).toEqual([]);
      expect(manager.page.html).toContain('Back to the first ones');
    }
    const { html } = await manager.open('/console/audit?property=demo&table=changes&format=csv');
    expect(html.split('"user often@hotel.com"').length).toBeGreaterThan(20);
  });

  it('and the staff page each take two round trips to D1', async () => {
    for (const page of ['staff', 'audit']) {
      const { d1 } = await used(() => manager.open(`/console/${page}?property=demo`));
      expect([page, d1]).toEqual([page, 2]);
    }
  });
});
