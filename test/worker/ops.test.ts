import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../../scripts/seed.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import worker from '../../src/index.ts';
import type { Env } from '../../src/platform/env.ts';
import { sweepSandboxDisbursements } from '../../src/sandbox/disbursements.ts';
import {
  atTime,
  bookingOf,
  call,
  callAsAdmin,
  freshDatabase,
  http,
  makeBooking,
  makeProperty,
  testEnv,
} from '../support/api.ts';
import { GOOD, INSUFFICIENT_FUNDS, NEVER_ARRIVES } from '../support/cards.ts';
import { used } from '../support/counting.ts';
import { eventually } from '../support/eventually.ts';
import { breakSpan } from '../support/faults.ts';
import { Guest } from '../support/guest.ts';
import { makeAdmin, signIn } from '../support/ops.ts';
import { confirming, dispatchersAt, dispatchUntil, PlayedPms } from '../support/pms.ts';
import { linksTo, putUser, signedIn } from '../support/staff.ts';

const REFUSED = 'Wrong client ID or secret, or no administrator access.';

/** Whether the form to sign in is shown, and nothing else. */
function isSignIn({ page }: Guest): boolean {
  return page.html.includes('Client secret') && !page.html.includes('Last 24 hours');
}

/** Signs in and returns the cookie as the Worker has set it. */
async function sessionCookie(): Promise<string> {
  const answer = await http('/ops/sign-in', {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams({ clientId: seeded.admin.id, clientSecret: seeded.admin.secret }),
  });
  return answer.headers.get('Set-Cookie') ?? '';
}

describe('signing in', () => {
  it('is asked of whoever has no session, and lets an administrator in', async () => {
    const visitor = new Guest();
    await visitor.open('/ops');
    expect([visitor.page.status, isSignIn(visitor)]).toEqual([200, true]);
    await visitor.submit({ clientId: seeded.admin.id, clientSecret: seeded.admin.secret });
    expect(visitor.page).toMatchObject({ status: 200, path: '/ops' });
    expect(visitor.page.html).toContain('Signed in as <bdi>admin</bdi>');
  });

  it('is refused in the same words, whatever was wrong', async () => {
    const revoked = await makeAdmin('was-admin');
    await callAsAdmin('/admin/v1/client/revoke', { clientId: revoked });
    const pages: string[] = [];
    for (const [id, secret] of [
      ['nobody', 'admin-secret'],
      ['admin', 'wrong'],
      ['admin', ''],
      ['', ''],
      [seeded.client.id, seeded.client.secret],
      [revoked, `${revoked}-secret`],
    ] as const) {
      const { page } = await signIn(id, secret);
      expect([id, page.status]).toEqual([id, 401]);
      expect(page.headers.getSetCookie()).toEqual([]);
      pages.push(page.html);
    }
    expect(pages[0]).toContain(REFUSED);
    expect(new Set(pages).size).toBe(1);
  });

  it('keeps a cookie that no script and no other site has, for the page alone', async () => {
    const cookie = await sessionCookie();
    for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/ops', 'Max-Age=1800']) {
      expect(cookie).toContain(part);
    }
    // A local start is reached without TLS.
    expect(cookie).not.toContain('Secure');
    expect(cookie).not.toContain('admin');
  });

  it('ends with signing out, also for who kept the cookie', async () => {
    const Cookie = (await sessionCookie()).split(';')[0] ?? '';
    const other = await signIn();
    const ask = (path: string, method = 'GET') =>
      http(path, {
        method,
        redirect: 'manual',
        headers: {
          Cookie,
          'Sec-Fetch-Site': 'same-origin',
          ...(method === 'POST' && { 'Content-Type': 'application/x-www-form-urlencoded' }),
        },
      });
    expect(await (await ask('/ops')).text()).toContain('Signed in as');
    const out = await ask('/ops/sign-out', 'POST');
    expect([out.status, out.headers.get('Location')]).toEqual([303, '/ops']);
    expect(out.headers.get('Set-Cookie')).toContain('Max-Age=0');
    const after = await (await ask('/ops')).text();
    expect(after).toContain('Client secret');
    expect(after).not.toContain('Last 24 hours');
    expect((await ask('/ops/outbox/replay-all', 'POST')).status).toBe(401);
    expect((await ask('/ops/sign-out', 'POST')).status).toBe(303);
    // Another session of the same administrator goes on.
    await other.open('/ops');
    expect(isSignIn(other)).toBe(false);
  });

  it('ends with the button of the page', async () => {
    const visitor = await signIn();
    await visitor.submit();
    expect([visitor.page.path, isSignIn(visitor)]).toEqual(['/ops', true]);
    await visitor.open('/ops');
    expect(isSignIn(visitor)).toBe(true);
  });

  it('keeps no list of those who signed out for longer than their cookies would have worked', async () => {
    const kept = async () =>
      (await testEnv.DB.prepare('SELECT count(*) AS n FROM ended_sessions').first<number>('n')) ??
      0;
    await (await signIn()).submit();
    const before = await kept();
    expect(before).toBeGreaterThan(0);
    const T = Date.now() + 13 * HOUR_MS;
    await atTime(T, async () => (await signIn()).submit());
    expect(await kept()).toBe(1);
  });

  it('is still signed in when signing out could not be written', async () => {
    const visitor = await signIn();
    const mend = breakSpan('d1.session.end');
    await visitor.submit();
    mend();
    expect(visitor.page.status).toBe(504);
    await visitor.open('/ops');
    await visitor.submit();
    expect(isSignIn(visitor)).toBe(true);
  });
});

describe('a session', () => {
  it('ends after half an hour without use, and each page begins it anew', async () => {
    const visitor = await signIn();
    await atTime(Date.now() + 20 * MINUTE_MS, () => visitor.open('/ops'));
    await atTime(Date.now() + 45 * MINUTE_MS, () => visitor.open('/ops'));
    expect(isSignIn(visitor)).toBe(false);
    await atTime(Date.now() + 76 * MINUTE_MS, () => visitor.open('/ops'));
    expect(isSignIn(visitor)).toBe(true);
  });

  it('ends twelve hours after signing in, however much it is used', async () => {
    const start = Date.now();
    const visitor = await signIn();
    for (let minutes = 25; minutes < 12 * 60; minutes += 25) {
      await atTime(start + minutes * MINUTE_MS, () => visitor.open('/ops'));
      expect([minutes, isSignIn(visitor)]).toEqual([minutes, false]);
    }
    await atTime(start + 12 * HOUR_MS + MINUTE_MS, () => visitor.open('/ops'));
    expect(isSignIn(visitor)).toBe(true);
  });

  it('ends as soon as its administrator is revoked, and then nothing can be done in it', async () => {
    const id = await makeAdmin('leaving');
    const visitor = await signIn(id, `${id}-secret`);
    expect(isSignIn(visitor)).toBe(false);
    await callAsAdmin('/admin/v1/client/revoke', { clientId: id });
    await visitor.post('/ops/outbox/replay-all', { property: 'demo' });
    expect([visitor.page.status, isSignIn(visitor)]).toEqual([401, true]);
    await visitor.open('/ops');
    expect(isSignIn(visitor)).toBe(true);
  });

  it.each([
    ['changed', (value: string) => `${value.slice(0, -3)}${value.endsWith('AAA') ? 'BBB' : 'AAA'}`],
    ['cut off', (value: string) => value.slice(0, -20)],
    ['made up', () => 'local-1.AAAA'],
    ['empty', () => ''],
  ])('whose cookie is %s is none', async (_how, change) => {
    const [name = '', value = ''] = ((await sessionCookie()).split(';')[0] ?? '').split('=');
    const open = async (Cookie: string) => (await http('/ops', { headers: { Cookie } })).text();
    expect(await open(`${name}=${value}`)).toContain('Signed in as');
    expect(await open(`${name}=${change(value)}`)).not.toContain('Signed in as');
  });

  it('cannot be had with the cookie of a guest', async () => {
    await makeBooking('OPS-VISIT');
    const { json } = await call('/booking/v1/get-url', { reference: 'OPS-VISIT' });
    const link = json.url.replace('http://localhost', '');
    const opened = await http(link, { redirect: 'manual' });
    const value = /^visit=([^;]*)/.exec(opened.headers.get('Set-Cookie') ?? '')?.[1];
    const answer = await http('/ops', { headers: { Cookie: `ops=${value}` } });
    expect([value?.length !== 0, (await answer.text()).includes('Signed in as')]).toEqual([
      true,
      false,
    ]);
  });
});

describe('one session', () => {
  it('of an administrator’s client opens the console too, with the pages of all properties beside it', async () => {
    const visitor = await signIn();
    expect(visitor.page.html).toMatch(/<nav aria-label="All properties">.*href="\/ops\/failed"/s);
    expect(visitor.page.html).toContain('href="/ops" aria-current="page"');
    await visitor.open('/console/property?property=demo');
    expect(visitor.page.status).toBe(200);
    expect(visitor.page.html).toContain('Signed in as <bdi>admin</bdi>');
    expect(visitor.page.html).toMatch(/<a href="\/ops">\s*Operations/);
    // A client is no person: it has no sign-in of one.
    expect((await visitor.open('/console/me')).status).toBe(404);
    expect((await visitor.post('/console/me/add-passkey', { credential: '{}' })).status).toBe(404);
    await visitor.post('/console/sign-out', {});
    for (const path of ['/console', '/ops'])
      expect((await visitor.open(path)).html).not.toContain('admin</bdi>');
  });

  it('of an administrator’s client ends in the console as it does here', async () => {
    const id = await makeAdmin('console-admin');
    const visitor = await signIn(id, `${id}-secret`);
    await atTime(Date.now() + 20 * MINUTE_MS, () => visitor.open('/console'));
    await atTime(Date.now() + 45 * MINUTE_MS, () => visitor.open('/ops'));
    expect(isSignIn(visitor)).toBe(false);
    await callAsAdmin('/admin/v1/client/revoke', { clientId: id });
    expect((await visitor.open('/console')).html).toContain('E-mail address');
  });

  it('of an administrator opens this page, and what is done here is theirs', async () => {
    await putUser({ email: 'olga@hotel.com', name: 'Olga Berg', role: 'admin' });
    const olga = await signedIn('olga@hotel.com');
    expect(olga.page.html).toMatch(/<a href="\/ops">\s*Operations/);
    await olga.open('/ops');
    expect(olga.page.html).toContain('Last 24 hours');
    expect(olga.page.html).toContain('<bdi>Olga Berg</bdi>');
    await olga.open('/ops/failed');
    expect([olga.page.status, olga.page.path]).toEqual([200, '/ops/failed']);
    await olga.post('/ops/outbox/replay-all', { property: 'nowhere' });
    expect(olga.page.status).toBe(404);
    await callAsAdmin('/admin/v1/user/end-sessions', { email: 'olga@hotel.com' });
    await olga.open('/ops');
    expect(isSignIn(olga)).toBe(true);
  });

  it('of anyone else does not', async () => {
    for (const [email, more] of [
      ['manager@demo.localhost', null],
      ['of-portfolio@hotel.com', { role: 'admin', portfolio: 'default' }],
    ] as const) {
      if (more) await putUser({ email, ...more });
      const person = await signedIn(email);
      expect(person.page.html).not.toContain('href="/ops"');
      for (const path of ['/ops', '/ops/failed', '/ops/outbox/dismiss'])
        expect([email, path, (await person.open(path)).status]).toEqual([email, path, 403]);
      await person.post('/ops/outbox/replay-all', { property: 'demo' });
      expect(person.page.status).toBe(403);
    }
  });

  it('begins by e-mail on this page too, and leads back to it', async () => {
    await putUser({ email: 'nina@hotel.com', name: 'Nina Berg', role: 'admin' });
    const nina = new Guest();
    await nina.open('/ops/disputes');
    await nina.post('/console/sign-in', { email: 'nina@hotel.com', next: '/ops/disputes' });
    await nina.open(
      await eventually(
        async () => (await linksTo('nina@hotel.com'))[0] ?? Promise.reject(new Error('no link')),
      ),
    );
    await nina.submit();
    expect([nina.page.status, nina.page.path]).toEqual([200, '/ops/disputes']);
  });
});

describe('outside local mode', () => {
  const KEYRING = `k1:${btoa('0123456789abcdef0123456789abcdef')}`;
  const { LOCAL_MODE: _local, ...bindings } = testEnv;
  const deployed = {
    ...bindings,
    GATEWAY: 'sandbox',
    PUBLIC_BASE_URL: 'https://pay.hotel',
    KEYRING,
  };
  const local = { ...bindings, GATEWAY: 'sandbox', KEYRING, LOCAL_MODE: 'true' };

  async function ask(env: Env, path: string, init: RequestInit = {}, origin = 'https://pay.hotel') {
    const context = { waitUntil: () => undefined, passThroughOnException: () => undefined };
    return worker.fetch(
      new Request(`${origin}${path}`, {
        redirect: 'manual',
        ...init,
      }) as Request<unknown, IncomingRequestCfProperties>,
      env,
      context as unknown as ExecutionContext,
    );
  }

  const form = (clientId: string, clientSecret: string): RequestInit => ({
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams({ clientId, clientSecret }),
  });

  it('the seeded administrator is refused, also with a session from before', async () => {
    const seed = form(seeded.admin.id, seeded.admin.secret);
    expect((await ask(deployed, '/ops/sign-in', seed)).status).toBe(401);
    const signedIn = await ask(local, '/ops/sign-in', seed, 'http://localhost');
    expect(signedIn.status).toBe(303);
    const cookie = signedIn.headers.get('Set-Cookie')?.split(';')[0] ?? '';
    const shown = await ask(local, '/ops', { headers: { Cookie: cookie } }, 'http://localhost');
    expect(await shown.text()).toContain('Signed in as');
    const renamed = await ask(deployed, '/ops', { headers: { Cookie: `__Secure-${cookie}` } });
    expect(await renamed.text()).not.toContain('Signed in as');
  });

  it('the cookie is taken and sent by TLS alone', async () => {
    const id = await makeAdmin('deployed-admin');
    const signedIn = await ask(deployed, '/ops/sign-in', form(id, `${id}-secret`));
    expect(signedIn.status).toBe(303);
    const cookie = signedIn.headers.get('Set-Cookie') ?? '';
    expect(cookie).toMatch(/^__Secure-ops=.*; Secure/);
    const headers = { Cookie: cookie.split(';')[0] ?? '' };
    const shown = await ask(deployed, '/ops', { headers });
    expect(await shown.text()).toContain(`Signed in as <bdi>${id}</bdi>`);
  });

  it('whoever asks too often is told so, by address', async () => {
    const keys: string[] = [];
    const limit = async ({ key }: RateLimitOptions) => {
      keys.push(key);
      return { success: false };
    };
    const busy = { ...deployed, CLIENT_RATE_LIMIT: { limit } };
    const answer = await ask(busy, '/ops', { headers: { 'CF-Connecting-IP': '192.0.2.7' } });
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([429, '10']);
    expect(keys).toEqual(['ops:192.0.2.7']);
  });
});

const OWN_SCRIPT = '<script src="/ops/ops.js" defer=""></script>';

describe('every page of operations', () => {
  it('is kept by nobody, shown in no frame, and runs nothing', async () => {
    for (const { page } of [await signIn(), await signIn('admin', 'wrong')]) {
      const policy = page.headers.get('Content-Security-Policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      // The overview runs its own script alone, which shows it anew.
      expect(policy.replace("script-src 'self'; ", '')).not.toMatch(/unsafe|script-src/);
      expect(page.headers.get('Cache-Control')).toBe('no-store');
      expect(page.headers.get('Referrer-Policy')).toBe('no-referrer');
      expect(page.html.replace(OWN_SCRIPT, '')).not.toMatch(/ style=| on\w+=|<script|javascript:/);
    }
  });

  it.each([
    [{ Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }],
    [{ Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }],
    [{ Origin: 'https://evil.localhost', 'Sec-Fetch-Site': 'same-site' }],
  ])('refuses a form from elsewhere: %o', async (headers) => {
    const visitor = await signIn();
    for (const path of ['/ops/sign-in', '/ops/sign-out', '/ops/outbox/replay-all']) {
      await visitor.post(path, { property: 'demo' }, headers);
      expect([path, visitor.page.status]).toEqual([path, 403]);
    }
    await visitor.open('/ops');
    expect(isSignIn(visitor)).toBe(false);
  });

  it.each([
    ['application/json', '{}', 415],
    ['application/x-www-form-urlencoded', 'x'.repeat(40_000), 413],
  ])('takes nothing but a form of reasonable size: %s', async (type, body, status) => {
    const headers = { 'Content-Type': type, 'Sec-Fetch-Site': 'same-origin' };
    const answer = await http('/ops/sign-in', { method: 'POST', headers, body });
    expect(answer.status).toBe(status);
    await answer.body?.cancel();
  });

  it('is a page also where the database does not answer', async () => {
    const visitor = await signIn();
    const { DB } = testEnv;
    const prototype = Object.getPrototypeOf(DB) as D1Database;
    const batch = prototype.batch;
    prototype.batch = () => Promise.reject(new Error('D1_ERROR: Network connection lost.'));
    try {
      await visitor.open('/ops');
    } finally {
      prototype.batch = batch;
    }
    expect(visitor.page.status).toBe(503);
    expect(visitor.page.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
  });

  it('is found from any address below it, and its style is there', async () => {
    expect((await (await signIn()).open('/ops/nothing')).path).toBe('/ops');
    const style = await http('/ops/ops.css');
    expect([style.status, style.headers.get('Content-Type')]).toEqual([
      200,
      expect.stringContaining('text/css'),
    ]);
    expect(await style.text()).toContain(':root');
  });
});

describe('the overview', () => {
  const NASTY = `"><script>alert('1')</script>`;
  /** Ahead of the real time, so that no alarm finds out what is not known. */
  const T = Date.now() + DAY_MS;
  let html: string;
  let unknownId: number;

  beforeAll(async () => {
    await freshDatabase();
    html = await atTime(T, busyDay);
  });

  async function busyDay(): Promise<string> {
    const empty = await signIn();
    expect(empty.page.html).toContain('No charge was accepted.');
    const pay = (reference: string, amount: number) =>
      call('/payment/v1/create', { reference, amount });
    await makeBooking('OPS-1', GOOD);
    await pay('OPS-1', 150);
    await pay('OPS-1', 50);
    await makeBooking('OPS-2', INSUFFICIENT_FUNDS);
    await pay('OPS-2', 10);
    await makeBooking(NASTY, NEVER_ARRIVES);
    unknownId = (await pay(NASTY, 20)).json.transaction.id;
    const schedule = (hours: number, amount: number) =>
      call('/payment/v1/schedule', {
        reference: 'OPS-1',
        amount,
        time: new Date(T + hours * HOUR_MS).toISOString(),
      });
    await schedule(2, 100);
    await schedule(3, 200);
    await schedule(30, 400);
    await makeBooking('OPS-3', '4000000000005126');
    await pay('OPS-3', 30);
    const yen = await makeProperty('tokyo', { currency: 'JPY' });
    await makeBooking('OPS-4', GOOD, { token: yen });
    await call('/payment/v1/create', { reference: 'OPS-4', amount: 5_000 }, { token: yen });
    await callAsAdmin('/admin/v1/export/run', { variant: 'applicationConsole' });
    await sweepSandboxDisbursements(testEnv, T);
    return (await signIn()).page.html;
  }

  it('shows what was accepted by currency, and what was declined by code', () => {
    // 150, 50 and 30 with a card fee of 3 % of the whole.
    expect(html).toContain('>Accepted by hour in AUD: AUD\u00a0237.12 in all</title>');
    expect(html).toContain('>Accepted by hour in JPY: JPY\u00a05,000 in all</title>');
    expect(html).toContain('>Declined by hour: 1 in all</title>');
    expect(html).toMatch(/insufficient_funds<\/th><td class="number" data-name="Number">1</);
  });

  it('draws a bar for each hour that has something, and says the same in a table', () => {
    // Accepted in two currencies, declined, and failed: nothing.
    expect(html.match(/<path class="bar(?: bad)?" d="M/g)).toHaveLength(3);
    const [, table = ''] = html.split('Accepted, declined and failed by hour, UTC</caption>');
    const rows = table.split('</table>')[0]?.match(/<tr>/g);
    expect(rows).toHaveLength(1 + 24);
    expect(html).toMatch(/The highest is AUD\u00a0237\.12: \d\d:00\.<\/desc>/);
  });

  it('shows an operation whose outcome is not known', () => {
    const [, open = ''] = html.split('id="unknown"');
    const row = open.split('</section>')[0] ?? '';
    expect(row).toContain(`<td data-name="Id">${unknownId}</td>`);
    expect(row).toContain('>Payment</td>');
    expect(row.match(/<time /g)).toHaveLength(2);
  });

  it('escapes what others have named', () => {
    expect(html.replace(OWN_SCRIPT, '')).not.toContain('<script');
    expect(html).toContain('&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;');
  });

  it('shows the schedules of a day, and what they come to', () => {
    const [, after = ''] = html.split('id="upcoming"');
    const upcoming = after.split('id="warned"')[0] ?? '';
    expect(upcoming).toContain('2 charges, AUD\u00a0309.28');
    expect(upcoming).toContain('AUD\u00a0103.09');
    expect(upcoming).not.toContain('AUD\u00a0412.37');
  });

  it('shows what waits for a PMS, export runs and disbursements', () => {
    expect(html).toMatch(
      /<th scope="row">demo<\/th><td class="number" data-name="Undelivered">\d+<\/td>/,
    );
    expect(html).toContain('applicationConsole');
    expect(html).toMatch(/<progress value="\d+" max="\d+"/);
    expect(html).toMatch(
      /<th scope="row"><a href="\/console\/disbursement\?property=demo&amp;id=(sandbox-demo-\d{4}-\d\d-\d\d)"><bdi>\1<\/bdi><\/a><\/th>/,
    );
  });

  it('names no guest and no card', () => {
    for (const secret of [
      'Nguyen',
      'guest@hotel.com',
      'XXXX-',
      GOOD,
      INSUFFICIENT_FUNDS,
      NEVER_ARRIVES,
    ]) {
      expect(html).not.toContain(secret);
    }
  });

  it('lets others have a turn between two reads, after that of the session, and reads few rows', async () => {
    const { d1, rowsRead } = await atTime(T, async () => {
      const visitor = await signIn();
      return used(() => visitor.open('/ops'));
    });
    expect(d1).toBeGreaterThan(0);
    expect(d1).toBeLessThanOrEqual(3);
    expect(rowsRead).toBeLessThan(300);
  });

  it('begins with what needs somebody, and folds what is empty', () => {
    const [, verdict = ''] = /class="notice bad" role="alert">(.*?)<\/div>/s.exec(html) ?? [];
    expect(verdict).toMatch(/^<p>1 thing needs somebody:<\/p>/);
    expect(verdict).toContain('<a href="#unknown">1 outcome is not known</a>');
    expect(html.indexOf('class="notice')).toBeLessThan(html.indexOf('<section'));
    expect(html).toMatch(
      /Nothing to do in \d+ parts<\/summary>.*Every endpoint gets its events\./s,
    );
    expect(html).not.toContain('id="endpoints"');
  });

  it('counts no outcome of hours to come, as of a test clock that is ahead', async () => {
    const visitor = await atTime(T - 3 * HOUR_MS, () => signIn());
    const { html: earlier } = visitor.page;
    expect(earlier).toContain('No charge was accepted.');
    expect(earlier).toContain('>Declined by hour: 0 in all</title>');
    expect(earlier).not.toContain('Banks approved');
    expect(earlier).not.toContain('insufficient_funds</th>');
  });

  it('leaves out what is older than the hours that it shows', async () => {
    const visitor = await atTime(T + 25 * HOUR_MS, () => signIn());
    expect(visitor.page.html).toContain('No charge was accepted.');
    expect(visitor.page.html).toContain(`<td data-name="Id">${unknownId}</td>`);
  });
});

describe('a dead message', () => {
  /** What a PMS may say of a message. */
  const WORDS = 'Guest Nguyen (guest@hotel.com) exists twice';
  /** Ahead of the real time, so that no alarm rings but when the test lets it. */
  let T = Date.now() + 20 * DAY_MS;
  let made = 0;
  let pms: PlayedPms;
  let property: string;
  let visitor: Guest;

  async function messageIds(status: string): Promise<string[]> {
    const { json } = await callAsAdmin('/admin/v1/outbox/list', { property, status });
    return json.messages.map(({ messageId }) => messageId);
  }

  /** Two bookings whose first message was refused until it was given up; the second message waits behind. */
  async function prepare(): Promise<void> {
    pms?.leave();
    made += 1;
    T += 10 * DAY_MS;
    property = `ops-hotel-${made}`;
    pms = new PlayedPms(property);
    dispatchersAt(T);
    pms.behave = (it) => confirming(it, { Status: 'Error', ErrorMessage: WORDS });
    await atTime(T, async () => {
      const token = await makeProperty(property, { pms: pms.settings });
      for (const reference of ['DEAD-1', 'DEAD-2']) {
        for (const lastName of ['First', 'Second']) {
          const body = bookingOf(reference, { lastName });
          await call('/booking/v1/create/manage-payments', body, { token });
        }
      }
    });
    await dispatchUntil(pms.url, T, T + 6 * DAY_MS);
    pms.behave = (it) => confirming(it);
    pms.delivered.length = 0;
    T += 7 * DAY_MS;
    dispatchersAt(T);
    visitor = await atTime(T, () => signIn());
  }

  const post = (path: string, form: Record<string, string>) =>
    atTime(T, () => visitor.post(`/ops/outbox/${path}`, form));
  const dispatch = () => dispatchUntil(pms.url, T, T + HOUR_MS);

  afterAll(() => pms?.leave());

  it('is shown with what went wrong, without the words of the PMS, and what waits behind it is counted', async () => {
    await prepare();
    const [first = '', second = ''] = await messageIds('Dead');
    const { html } = visitor.page;
    for (const messageId of [first, second]) {
      expect(html).toContain(`<td data-name="Id">${messageId}</td>`);
      expect(html.split(`name="messageId" value="${messageId}"`)).toHaveLength(3);
    }
    expect(html).toContain('<bdi>Status is not Success</bdi>');
    expect(html).not.toMatch(/Nguyen|guest@hotel.com|exists twice/);
    const { json } = await callAsAdmin('/admin/v1/outbox/list', { property, status: 'Dead' });
    expect(json.messages[0]?.lastError).toBe(`Status is not Success: ${WORDS}`);
    expect(html).toContain(
      `${property}</th><td class="number" data-name="Undelivered">4</td><td class="number" data-name="Failed for good">2</td>`,
    );
    expect(html).toMatch(/\d+ undelivered, 2 of them failed for good, at 2 properties\./);
  });

  it('has its cause beside its property: the words of the PMS, where it says them of everything', async () => {
    await prepare();
    expect(visitor.page.html).toContain('data-name="Cause"><bdi>Status is not Success</bdi>');
    await testEnv.DB.prepare(
      `INSERT INTO outbox (property_id, booking_reference, message_id, message_type, payload, status, last_error, created_at_ms)
       SELECT property_id, 'ALSO-' || message_id, 'x' || message_id, message_type, payload, 'Dead', last_error, created_at_ms
       FROM outbox WHERE property_id = ? AND status = 'Dead'`,
    )
      .bind(property)
      .run();
    await testEnv.DB.prepare('UPDATE outbox SET last_error = ? WHERE property_id = ?')
      .bind('Status is not Success: Authentication failed', property)
      .run();
    await atTime(T, () => visitor.open('/ops'));
    const { html } = visitor.page;
    expect(html).toContain('<bdi>Status is not Success: Authentication failed</bdi>');
    // Once, and not again beside each message.
    expect(html.split('<bdi>Status is not Success: Auth')).toHaveLength(2);
    expect(/id="outbox".*?<\/section>/s.exec(html)?.[0]).not.toContain('data-name="Error"');
    expect(html).toMatch(
      new RegExp(
        `${property}: \\d messages to the PMS are undelivered since .*: Status is not Success: Auth`,
      ),
    );
  });

  it('is sent again at once when it is replayed', async () => {
    await prepare();
    const [messageId = ''] = await messageIds('Dead');
    await post('replay', { messageId });
    expect(visitor.page.html).toContain('1 message will be sent again.');
    await dispatch();
    expect(pms.delivered.map(({ json }) => json.BookingData.Guest.LastName)).toEqual([
      'First',
      'Second',
    ]);
    expect(await messageIds('Dead')).toHaveLength(1);
  });

  it('gives way when it is dismissed, which is asked first', async () => {
    await prepare();
    const [messageId = ''] = await messageIds('Dead');
    const question = `/ops/outbox/dismiss?messageId=${messageId}`;
    const { d1 } = await used(() => atTime(T, () => visitor.open(question)));
    expect(d1).toBeLessThanOrEqual(2);
    expect(visitor.page.html).toContain('This is final.');
    expect(visitor.page.html).toContain('<bdi>DEAD-1</bdi>');
    expect(await messageIds('Dead')).toHaveLength(2);
    await post('dismiss', { messageId });
    expect(visitor.page.html).toContain('1 message dismissed.');
    await dispatch();
    expect(pms.delivered.map(({ json }) => json.BookingData.Guest.LastName)).toEqual(['Second']);
    expect(await messageIds('Dismissed')).toEqual([messageId]);
    await post('replay', { messageId });
    expect(visitor.page.status).toBe(409);
    expect(visitor.page.html).toContain('The message is Dismissed.');
    // Nothing is asked about what is settled, or does not exist.
    for (const address of [question, '/ops/outbox/dismiss']) {
      expect((await atTime(T, () => visitor.open(address))).path).toBe('/ops');
    }
  });

  it('is sent again with all of its property', async () => {
    await prepare();
    await post('replay-all', { property });
    expect(visitor.page.html).toContain('2 messages will be sent again.');
    await dispatch();
    expect(pms.delivered).toHaveLength(4);
    expect(visitor.page.html).not.toContain(`name="property" value="${property}"`);
    expect(await messageIds('Dead')).toEqual([]);
  });

  it('that there is not is told as such', async () => {
    await prepare();
    for (const [path, form] of [
      ['replay', { messageId: 'nothing' }],
      ['dismiss', {}],
      ['replay-all', { property: 'nowhere' }],
    ] as const) {
      await post(path, form);
      expect([path, visitor.page.status]).toEqual([path, 404]);
      expect(visitor.page.html).toContain('role="alert"');
    }
    expect(await messageIds('Dead')).toHaveLength(2);
  });

  it('is left alone by whoever has not signed in', async () => {
    await prepare();
    const stranger = new Guest();
    await stranger.post('/ops/outbox/replay-all', { property });
    expect([stranger.page.status, isSignIn(stranger)]).toEqual([401, true]);
    const [messageId = ''] = await messageIds('Dead');
    await stranger.open(`/ops/outbox/dismiss?messageId=${messageId}`);
    expect(isSignIn(stranger)).toBe(true);
    expect(await messageIds('Dead')).toHaveLength(2);
  });
});
