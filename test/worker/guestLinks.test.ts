import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { atTime, call, http, makeBooking, makeProperty } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { enterCard, Guest, linkTo, savedForm, typedCard, visit } from '../support/guest.ts';
import { mailStates, mailsAreOut, mailsTo } from '../support/mailbox.ts';

beforeAll(async () => {
  await makeBooking('LINK-1');
  await makeBooking('LINK-2');
});

describe('a link to the payment page', () => {
  it('is one opaque value, another one each time, and works for thirty days unless said otherwise', async () => {
    const { json } = await call('/booking/v1/get-url', { reference: 'LINK-1' });
    expect(json.success).toBe(true);
    expect(json.url).toMatch(/^http:\/\/localhost\/guest\/v1\/payments\?[\w.-]+$/);
    expect(json.url).not.toContain('LINK-1');
    expect(await linkTo('LINK-1')).not.toBe(json.url);
    const days = (Date.parse(json.expiresAt) - Date.now()) / DAY_MS;
    expect(Math.round(days * 100) / 100).toBe(30);
    expect(json.expiresAt).toMatch(/\+08:00$/);
    const soon = await call('/booking/v1/get-url', { reference: 'LINK-1', expiresInMinutes: 10 });
    expect(Math.round((Date.parse(soon.json.expiresAt) - Date.now()) / MINUTE_MS)).toBe(10);
  });

  it.each([
    [{}, ['reference']],
    [{ reference: 'LINK-1', expiresInMinutes: 0 }, ['expiresInMinutes']],
    [
      { reference: 5, expiresInMinutes: 1.5, revokeEarlier: 'yes' },
      ['expiresInMinutes', 'reference', 'revokeEarlier'],
    ],
  ])('is refused for %o', async (body, fields) => {
    const { status, json } = await call('/booking/v1/get-url', body);
    const named = json.errors.map(({ field }) => field).toSorted();
    expect([status, named]).toEqual([422, fields]);
  });

  it('of a booking that there is not is 404', async () => {
    for (const revokeEarlier of [false, true]) {
      const body = { reference: 'NOWHERE', revokeEarlier };
      expect((await call('/booking/v1/get-url', body)).json.code).toBe('booking_not_found');
    }
  });

  it('is taken out of the address bar into a cookie that no script can read', async () => {
    const link = (await linkTo('LINK-1')).replace('http://localhost', '');
    const opened = await http(link, { redirect: 'manual' });
    expect(opened.status).toBe(303);
    expect(opened.headers.get('Location')).toMatch(/^\/guest\/v1\/payments\/[0-9a-f-]{36}$/);
    const cookie = opened.headers.get('Set-Cookie') ?? '';
    expect(cookie).toContain('HttpOnly');
    expect(cookie).toContain('SameSite=Lax');
    expect(cookie).toContain(`Path=${opened.headers.get('Location')}`);
    expect(cookie).toContain('Max-Age=88200');
    expect(cookie).not.toContain('LINK-1');
  });

  it('can be looked at by a mail scanner as often as it likes', async () => {
    const link = await linkTo('LINK-1');
    for (let looks = 0; looks < 5; looks += 1) await http(link.replace('http://localhost', ''));
    const guest = new Guest();
    await guest.open(link);
    expect(guest.page.html).toContain('Your booking');
  });

  it.each([
    ['changed', (link: string) => `${link.slice(0, -2)}${link.endsWith('AA') ? 'BB' : 'AA'}`],
    ['cut off', (link: string) => link.slice(0, -20)],
    ['empty', (link: string) => link.replace(/\?.*/, '?')],
    ['without a query', (link: string) => link.replace(/\?.*/, '')],
    ['made up', (link: string) => link.replace(/\?.*/, '?local-1.AAAA')],
  ])('that is %s is not known, and the page says what to do', async (_how, change) => {
    const guest = new Guest();
    const { status, html } = await guest.open(change(await linkTo('LINK-1')));
    expect([status, html.includes('open the complete link from your message again')]).toEqual([
      404,
      true,
    ]);
  });

  it('that has expired can be had anew by mail, once an hour', async () => {
    await makeBooking('LINK-NEW');
    const link = await atTime(Date.now() - 31 * DAY_MS, () => linkTo('LINK-NEW'));
    const guest = new Guest();
    const before = (await mailsTo('guest@hotel.com')).length;
    await guest.open(link);
    expect([guest.page.status, guest.page.html]).toEqual([
      410,
      expect.stringContaining('Send me a new link'),
    ]);
    const path = /action="([^"]*new-link[^"]*)"/.exec(guest.page.html)?.[1] ?? '';
    for (let presses = 0; presses < 3; presses += 1) {
      await guest.post(path, {});
      expect([guest.page.status, guest.page.html.includes('on its way')]).toEqual([200, true]);
    }
    await mailsAreOut();
    const [mail, ...others] = (await mailsTo('guest@hotel.com')).slice(before);
    expect([mail?.subject, others]).toEqual([expect.stringContaining('LINK-NEW'), []]);
    await guest.open(/https?:\S+payments\?\S+/.exec(mail?.text ?? '')?.[0] ?? '');
    expect(guest.page.html).toContain('Your booking');
    await guest.post('/guest/v1/new-link?made-up', {});
    expect(guest.page.status).toBe(404);
  });

  it('that was revoked cannot be had anew', async () => {
    await makeBooking('LINK-GONE');
    const link = await atTime(Date.now() - 31 * DAY_MS, () => linkTo('LINK-GONE'));
    await call('/booking/v1/get-url', { reference: 'LINK-GONE', revokeEarlier: true });
    await new Guest().post(
      new URL(link).pathname.replace('payments', 'new-link') + new URL(link).search,
      {},
    );
    expect(await mailStates('demo', 'LINK-GONE')).toEqual([]);
  });

  it('that has expired says so, also in the middle of a visit', async () => {
    const link = await linkTo('LINK-1', { expiresInMinutes: 10 });
    const guest = new Guest();
    await guest.open(link);
    const later = Date.now() + 11 * MINUTE_MS;
    await atTime(later, () => guest.open(guest.page.path));
    expect([guest.page.status, guest.page.html.includes('has expired')]).toEqual([410, true]);
    const fresh = new Guest();
    await atTime(later, () => fresh.open(link));
    expect(fresh.page.status).toBe(410);
  });

  it('is taken back with every other one when a link is asked for that way', async () => {
    const link = await linkTo('LINK-2');
    const guest = new Guest();
    await guest.open(link);
    const next = await linkTo('LINK-2', { revokeEarlier: true });
    await guest.open(guest.page.path);
    expect(guest.page.status).toBe(410);
    expect((await new Guest().open(link)).status).toBe(410);
    expect((await new Guest().open(next)).status).toBe(200);
    const details = await call('/booking/v1/get-details', { reference: 'LINK-2' });
    const { url } = details.json.booking as unknown as { url: string };
    expect((await new Guest().open(url)).status).toBe(200);
  });

  it('opens its own booking only, also when the cookie is carried elsewhere', async () => {
    const token = await makeProperty('elsewhere');
    await makeBooking('LINK-1', undefined, { token });
    const one = await visit('LINK-1');
    const other = await visit('LINK-2');
    expect(other.page.html).toContain('LINK-2');
    expect(one.page.html).not.toContain('LINK-2');
    const link = (await linkTo('LINK-1')).replace('http://localhost', '');
    const cookie = (await http(link, { redirect: 'manual' })).headers.get('Set-Cookie') ?? '';
    const carried = await http(other.page.path, {
      headers: { Cookie: cookie.split(';')[0] ?? '' },
    });
    expect(carried.status).toBe(401);
    await carried.body?.cancel();
  });

  it('needs its cookie, and half an hour without use ends the visit', async () => {
    const guest = await visit('LINK-1');
    expect((await new Guest().open(guest.page.path)).html).toContain('Your session has timed out');
    await atTime(Date.now() + 20 * MINUTE_MS, () => guest.open(guest.page.path));
    await atTime(Date.now() + 45 * MINUTE_MS, () => guest.open(guest.page.path));
    expect(guest.page.status).toBe(200);
    await atTime(Date.now() + 2 * HOUR_MS, () => guest.open(guest.page.path));
    expect(guest.page.status).toBe(401);
    // What timed out still says whose page it was, and lets a new link be mailed: itself it opens nothing.
    expect(guest.page.html).toContain('Demo Property');
    const [, link = ''] = /action="(\/guest\/v1\/new-link[^"]+)"/.exec(guest.page.html) ?? [];
    const { search } = new URL(link, 'http://localhost');
    await guest.open(`/guest/v1/payments${search}`);
    expect([guest.page.status, guest.page.html.includes('has expired')]).toEqual([410, true]);
  });
});

describe('every page', () => {
  it('is kept by nobody, named to nobody, shown in no frame, and runs nothing but its own', async () => {
    const guest = await visit('LINK-1');
    const home = guest.page.path;
    const pages = [guest.page, await guest.open(`${home}/card`), await new Guest().open(home)];
    for (const { headers, html } of pages) {
      const policy = headers.get('Content-Security-Policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(headers.get('Referrer-Policy')).toBe('no-referrer');
      expect(headers.get('Cache-Control')).toBe('no-store');
      expect(headers.get('X-Frame-Options')).toBe('DENY');
      expect(html).not.toMatch(/ style=| on\w+=|<script>|javascript:/);
      expect(html).not.toMatch(/(?:src|href)="https?:/);
    }
  });

  it.each([
    [{ Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }],
    [{ Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }],
    [{ Origin: 'https://evil.localhost', 'Sec-Fetch-Site': 'same-site' }],
  ])('refuses a form from elsewhere: %o', async (headers) => {
    const guest = await visit('LINK-1');
    const form = { ...typedCard(GOOD), ...savedForm() };
    const { status } = await guest.post(`${guest.page.path}/card`, form, headers);
    expect(status).toBe(403);
    const { json } = await call('/booking/v1/get-details', { reference: 'LINK-1' });
    expect(json.booking.payment).toEqual([]);
  });

  it.each([
    ['application/json', '{}', 415],
    ['application/x-www-form-urlencoded', 'x'.repeat(40_000), 413],
  ])('takes nothing but a form of reasonable size: %s', async (type, body, status) => {
    const guest = await visit('LINK-1');
    const link = (await linkTo('LINK-1')).replace('http://localhost', '');
    const opened = await http(link, { redirect: 'manual' });
    const answer = await http(`${opened.headers.get('Location')}/card`, {
      method: 'POST',
      headers: {
        'Content-Type': type,
        'Sec-Fetch-Site': 'same-origin',
        Cookie: (opened.headers.get('Set-Cookie') ?? '').split(';')[0] ?? '',
      },
      body,
    });
    expect([answer.status, guest.page.status]).toEqual([status, 200]);
    await answer.body?.cancel();
  });

  it('is a page also where there is none', async () => {
    const guest = await visit('LINK-1');
    const home = guest.page.path;
    for (const path of ['/guest/v1/payments/', '/guest/v1/nothing', `${home}/nothing`]) {
      const { status, headers } = await new Guest().open(path);
      expect([path, status, headers.get('Content-Type')]).toEqual([
        path,
        404,
        'text/html; charset=utf-8',
      ]);
    }
    expect((await guest.open(`${home}/pay`)).path).toBe(home);
  });

  it('answers a payment with nonsense in its fields as a page, and charges nothing', async () => {
    const guest = await visit('LINK-1');
    const home = guest.page.path;
    for (const form of [
      {},
      { attempt: 'x', card: 'y', requestedMinor: '-1', agreedMinor: '1e9' },
    ]) {
      await guest.post(`${home}/pay`, form);
      expect(guest.page.status).toBe(422);
    }
    for (const path of ['/receipt/1', '/receipt/x', '/review', '/review?amount=1&card=x']) {
      await guest.open(`${home}${path}`);
      expect(guest.page.status).toBeLessThan(500);
    }
    expect(
      (await call('/payment/v1/transaction', { reference: 'LINK-1' })).json.transactions,
    ).toEqual([]);
  });
});

describe('a card that a guest adds', () => {
  it('becomes the one that the booking uses', async () => {
    await makeBooking('HEARS');
    await enterCard(await visit('HEARS'), GOOD);
    const { json } = await call('/booking/v1/get-details', { reference: 'HEARS' });
    expect(json.booking.payment).toMatchObject([
      { cardNumber: 'XXXX-XXXX-XXXX-X242', cardHolderName: 'A Nguyen' },
    ]);
  });
});
