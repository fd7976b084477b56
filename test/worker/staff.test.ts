import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { describe, expect, it, vi } from 'vitest';
import { seeded } from '../../scripts/seed.ts';
import { createApp } from '../../src/app.ts';
import worker from '../../src/index.ts';
import type { Env } from '../../src/platform/env.ts';
import { accessEmail } from '../../src/records/staff/accessToken.ts';
import { callAsAdmin, makeProperty, testEnv } from '../support/api.ts';
import { deployedEnv } from '../support/deployedEnv.ts';
import { eventually } from '../support/eventually.ts';
import { Guest } from '../support/guest.ts';
import { mailbox } from '../support/mailbox.ts';
import { askForLink, linksTo, putUser, signedIn, signInLink } from '../support/staff.ts';
import { story } from '../support/story.ts';

story();

const MINUTE = 60_000;

const END_SESSIONS = '/admin/v1/user/end-sessions';

/** The events of log lines. */
const logged = (spy: { mock: { calls: unknown[][] } }) =>
  spy.mock.calls.map(([line]) => /"event":"(\w+)"/.exec(String(line))?.[1]);

const isSignIn = ({ page }: Guest) => page.html.includes('We e-mail you a link');

describe('people of the staff', () => {
  it('are created and changed by their e-mail address, in any case', async () => {
    const made = await putUser({ email: 'Kim@Hotel.com', property: 'demo' });
    expect(made).toMatchObject({
      status: 200,
      json: {
        success: true,
        user: {
          userId: expect.any(String),
          email: 'kim@hotel.com',
          name: 'Kim Lee',
          role: 'cashier',
          property: 'demo',
          portfolio: null,
          active: true,
        },
      },
    });
    const changed = await putUser({ email: 'kim@hotel.com', role: 'manager', active: false });
    expect(changed.json.user).toEqual({ ...made.json.user, role: 'manager', active: false });
    const moved = await putUser({ email: 'kim@hotel.com', portfolio: 'coast' });
    expect(moved.json.user).toMatchObject({ property: null, portfolio: 'coast', active: false });
  });

  it.each([
    ['without a place', { role: 'viewer' }, ['property']],
    ['with two places', { property: 'demo', portfolio: 'coast' }, ['portfolio']],
    ['with another role', { property: 'demo', role: 'owner' }, ['role']],
    ['without a name', { property: 'demo', name: '' }, ['name']],
    ['without an address', { property: 'demo', email: 'desk' }, ['email']],
  ])('are refused %s', async (_, user, fields) => {
    const { json, status } = await putUser({ email: 'new@hotel.com', ...user });
    expect([status, json.code]).toEqual([422, 'validation_failed']);
    expect(json.errors.map(({ field }) => field)).toEqual(fields);
    const { json: list } = await callAsAdmin('/admin/v1/user/list', {});
    expect(JSON.stringify(list)).not.toContain('new@hotel.com');
  });

  it('need a property that exists; admins need none', async () => {
    const unknown = await putUser({ email: 'new@hotel.com', property: 'nowhere' });
    expect([unknown.status, unknown.json.code]).toEqual([404, 'property_not_found']);
    const admin = await putUser({ email: 'owner@hotel.com', role: 'admin' });
    expect(admin.json.user).toMatchObject({ role: 'admin', property: null, portfolio: null });
  });

  it('are listed newest first, page by page, of one property or portfolio', async () => {
    await makeProperty('listed');
    for (const name of ['a', 'b', 'c']) {
      await putUser({ email: `${name}@listed.com`, property: 'listed' });
    }
    const first = await callAsAdmin('/admin/v1/user/list', { property: 'listed', limit: 2 });
    const { nextCursor: cursor } = first.json;
    const next = await callAsAdmin('/admin/v1/user/list', { property: 'listed', limit: 2, cursor });
    const emails = [first, next].map(({ json }) => json.users.map(({ email }) => email));
    expect(emails).toEqual([['c@listed.com', 'b@listed.com'], ['a@listed.com']]);
    expect(next.json.nextCursor).toBeNull();
  });
});

describe('signing in by mail', () => {
  it('takes a link and one press, and leads to the one property of the person', async () => {
    const link = await signInLink(seeded.manager.email);
    const person = new Guest();
    await person.open(link);
    expect(person.page.html).toContain('Sign in as <bdi>Demo Manager</bdi>?');
    await person.submit();
    expect(person.page).toMatchObject({ status: 200, path: '/console/property?property=demo' });
    expect(person.page.html).toContain('<bdi>Demo Manager</bdi> (manager)');
    expect(person.page.html).toContain('href="/console/property?property=demo"');
    expect(person.page.html).not.toContain('property=listed');
  });

  it('works once: opening the link does not use it up, the press does', async () => {
    const link = await signInLink(seeded.desk.email);
    const first = new Guest();
    await first.open(link);
    const second = new Guest();
    await second.open(link);
    await first.submit();
    await second.submit();
    expect([first.page.status, second.page.status]).toEqual([200, 401]);
    await second.open(link);
    expect([second.page.status, isSignIn(second)]).toEqual([401, true]);
  });

  it('is in the log with the person, and so is a link that is refused', async () => {
    const warned = vi.spyOn(console, 'warn');
    const link = await signInLink(seeded.desk.email);
    for (const visitor of [new Guest(), new Guest()]) {
      await visitor.post(new URL(link).pathname, {});
    }
    expect(logged(warned)).toEqual(['console_signed_in', 'console_sign_in_refused']);
  });

  it('works for 15 minutes', async () => {
    const link = await signInLink(seeded.desk.email);
    const late = new Guest();
    await late.open(link);
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 15 * MINUTE);
    await late.submit();
    expect([late.page.status, isSignIn(late)]).toEqual([401, true]);
  });

  it('says the same to anybody who asks, and mails nobody else', async () => {
    await putUser({ email: 'gone@hotel.com', property: 'demo', active: false });
    const pages: string[] = [];
    await signInLink(seeded.manager.email);
    const before = (await mailbox()).length;
    for (const email of ['nobody@hotel.com', 'gone@hotel.com']) {
      pages.push((await askForLink(email)).page.html.replaceAll(email, 'the address'));
    }
    // The mail of someone who gets one comes after the others were asked for.
    await signInLink('DESK@demo.localhost', seeded.desk.email);
    expect(new Set(pages).size).toBe(1);
    expect(await mailbox()).toHaveLength(before + 1);
  });

  it('sends five links in an hour to one person, then the newest again every 15 minutes', async () => {
    for (const email of ['often@hotel.com', 'next@hotel.com']) {
      await putUser({ email, property: 'demo' });
    }
    const warned = vi.spyOn(console, 'warn');
    for (let asked = 0; asked < 5; asked += 1) await signInLink('often@hotel.com');
    expect(logged(warned)).not.toContain('console_sign_in_limited');
    const [newest, ...older] = await linksTo('often@hotel.com');
    expect(await signInLink('often@hotel.com')).toBe(newest);
    await askForLink('often@hotel.com');
    // The mail of someone who gets one comes after.
    await signInLink('next@hotel.com');
    expect(await linksTo('often@hotel.com')).toEqual([newest, newest, ...older]);
    expect(logged(warned).filter((event) => event === 'console_sign_in_limited')).toHaveLength(2);
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 16 * MINUTE);
    const person = new Guest();
    await person.open(String(newest));
    expect(person.page.status).toBe(401);
    expect(await signInLink('often@hotel.com')).toBe(newest);
    await person.open(String(newest));
    await person.submit();
    expect(person.page).toMatchObject({ status: 200, path: '/console/property?property=demo' });
  });

  it('sends another link to someone who used all five', async () => {
    const email = 'used@hotel.com';
    await putUser({ email, property: 'demo' });
    for (let asked = 0; asked < 5; asked += 1) await signedIn(email);
    expect(isSignIn(await signedIn(email))).toBe(false);
  });

  it('says so where no mail can be sent', async () => {
    const env = deployedEnv();
    const warned = vi.spyOn(console, 'warn');
    const answer = await createApp().fetch(
      new Request('https://pay.hotel.com/console/sign-in', {
        method: 'POST',
        headers: { Origin: 'https://pay.hotel.com' },
        body: new URLSearchParams({ email: 'nobody@hotel.com' }),
      }),
      env,
    );
    expect([answer.status, await answer.text()]).toEqual([
      503,
      expect.stringContaining('not configured'),
    ]);
    expect(logged(warned)).toContain('console_sign_in_not_configured');
  });

  it('asks again for what is no address', async () => {
    const visitor = await askForLink('desk');
    expect([visitor.page.status, isSignIn(visitor)]).toEqual([422, true]);
    expect(visitor.page.html).toContain('Enter an e-mail address');
  });
});

describe('a session', () => {
  it('ends for good by signing out: a copy of its cookie opens nothing', async () => {
    const person = await signedIn();
    const copy = person.copy();
    await person.post('/console/sign-out', {});
    expect(isSignIn(person)).toBe(true);
    await copy.open('/console');
    expect(isSignIn(copy)).toBe(true);
  });

  it('ends at once for someone who is no longer active, and shows a new role at once', async () => {
    await putUser({ email: 'leaving@hotel.com', property: 'demo' });
    const person = await signedIn('leaving@hotel.com');
    await putUser({ email: 'leaving@hotel.com', role: 'viewer' });
    await person.open('/console');
    expect(person.page.html).toContain('(viewer)');
    await putUser({ email: 'leaving@hotel.com', active: false });
    await person.open('/console');
    expect(isSignIn(person)).toBe(true);
  });

  it('of someone who was switched off does not begin again with them', async () => {
    const email = 'back@hotel.com';
    await putUser({ email, property: 'demo' });
    const person = await signedIn(email);
    const copy = person.copy();
    const link = await signInLink(email);
    await putUser({ email, active: false });
    await putUser({ email, active: true });
    await copy.open('/console');
    expect(isSignIn(copy)).toBe(true);
    const visitor = new Guest();
    await visitor.open(link);
    expect([visitor.page.status, isSignIn(visitor)]).toEqual([401, true]);
    expect(isSignIn(await signedIn(email))).toBe(false);
  });

  it('ends by an administrator’s word on every device, and the person may begin another', async () => {
    const email = 'lost-phone@hotel.com';
    const made = await putUser({ email, property: 'demo' });
    const [phone, desk] = [await signedIn(email), await signedIn(email)];
    const ended = await callAsAdmin(END_SESSIONS, { email: 'Lost-Phone@hotel.com' });
    expect([ended.status, ended.json]).toEqual([200, { success: true, user: made.json.user }]);
    for (const device of [phone, desk]) {
      await device.open('/console');
      expect(isSignIn(device)).toBe(true);
    }
    expect(isSignIn(await signedIn(email))).toBe(false);
    const unknown = await callAsAdmin(END_SESSIONS, { email: 'nobody@hotel.com' });
    expect([unknown.status, unknown.json.code]).toEqual([404, 'user_not_found']);
  });

  it('ends by signing out of a browser whose person was switched off', async () => {
    const email = 'off@hotel.com';
    await putUser({ email, property: 'demo' });
    const person = await signedIn(email);
    const copy = person.copy();
    await testEnv.DB.prepare('UPDATE users SET active = 0 WHERE email = ?').bind(email).run();
    await person.post('/console/sign-out', {});
    await testEnv.DB.prepare('UPDATE users SET active = 1 WHERE email = ?').bind(email).run();
    await copy.open('/console');
    expect(isSignIn(copy)).toBe(true);
  });

  it('lasts a shift of twelve hours, used or not, and says then that it is over', async () => {
    const person = await signedIn();
    const startMs = Date.now();
    const now = vi.spyOn(Date, 'now');
    for (const minutes of [31, 5 * 60, 12 * 60 - 1]) {
      now.mockReturnValue(startMs + minutes * MINUTE);
      await person.open('/console');
      expect([minutes, isSignIn(person)]).toEqual([minutes, false]);
    }
    now.mockReturnValue(startMs + 12 * 60 * MINUTE);
    await person.open('/console');
    expect(isSignIn(person)).toBe(true);
    expect(person.page.html).toContain('You were signed out');
    const visitor = new Guest();
    await visitor.open('/console');
    expect(visitor.page.html).not.toContain('You were signed out');
  });
});

describe('a session of somebody with a passkey', () => {
  it('is locked after half an hour without use, and signing in takes its place', async () => {
    await putUser({ email: 'lock@hotel.com', property: 'demo' });
    const person = await signedIn('lock@hotel.com');
    await givePasskey('lock@hotel.com', 'lock-1');
    const startMs = Date.now();
    const now = vi.spyOn(Date, 'now');
    for (const [minutes, isOut] of [
      [29, false],
      [58, false],
      [88, true],
      [89, true],
    ] as const) {
      now.mockReturnValue(startMs + minutes * MINUTE);
      await person.open('/console');
      expect([minutes, isSignIn(person)]).toEqual([minutes, isOut]);
    }
    now.mockRestore();
    await person.open(await signInLink('lock@hotel.com'));
    await person.submit();
    await person.open('/console/me');
    expect(person.page.html.match(/<bdi>Unknown device/g)).toHaveLength(1);
    await person.post('/console/me/remove-passkey', { id: 'lock-1' });
  });

  it('has its passkeys in the audit trail, with who took one away', async () => {
    const email = 'trail@hotel.com';
    await makeProperty('trail');
    await putUser({ email, property: 'trail' });
    await givePasskey(email, 'trail-1');
    const person = await signedIn(email);
    for (let presses = 0; presses < 2; presses += 1) {
      await person.post('/console/me/remove-passkey', { id: 'trail-1' });
    }
    const { json } = await callAsAdmin('/admin/v1/audit/list', { property: 'trail' });
    expect(json.entries.filter(({ detail }) => detail === 'passkey')).toMatchObject([
      { subject: `user ${email}`, actorName: 'Kim Lee', from: 'Chrome on Linux', to: 'none' },
    ]);
  });
});

/** Gives a person a passkey, as if their device had made it. */
async function givePasskey(email: string, id: string): Promise<void> {
  await testEnv.DB.prepare(
    `INSERT INTO passkeys (id, user_id, public_key, counter, device, created_at_ms)
     SELECT ?, id, '', 0, 'Chrome on Linux', 1 FROM users WHERE email = ?`,
  )
    .bind(id, email)
    .run();
}

describe('the page about one’s own sign-in', () => {
  const chrome = { 'User-Agent': 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0' };

  /** A person with two sessions, the later of them with a name. */
  async function twice(email: string) {
    await putUser({ email, property: 'demo' });
    const phone = await signedIn(email);
    const desk = new Guest();
    await desk.post(new URL(await signInLink(email)).pathname, {}, chrome);
    return { phone, desk };
  }

  it('lists the sessions, and ends another one', async () => {
    const { desk, phone } = await twice('two@hotel.com');
    await desk.open('/console/me');
    expect(desk.page.html).toMatch(
      /Chrome on Windows<\/bdi>.*\(this one\).*Unknown device<\/bdi>/s,
    );
    const ids = [...desk.page.html.matchAll(/name="id" value="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toHaveLength(2);
    await desk.post('/console/me/end', { id: String(ids[1]) });
    expect(desk.page.path).toBe('/console/me');
    expect(desk.page.html).not.toContain('Unknown device');
    await phone.open('/console/me');
    expect(isSignIn(phone)).toBe(true);
  });

  it('ends no session of somebody else', async () => {
    const { phone } = await twice('mine@hotel.com');
    const { desk: other } = await twice('theirs@hotel.com');
    await phone.open('/console/me');
    const [, id = ''] = /name="id" value="([^"]+)"/.exec(phone.page.html) ?? [];
    await other.post('/console/me/end', { id });
    await phone.open('/console/me');
    expect(phone.page.html.match(/name="id"/g)).toHaveLength(2);
  });

  it('notes when a session was seen, at most every five minutes', async () => {
    const { desk } = await twice('seen@hotel.com');
    const seen = () =>
      testEnv.DB.prepare(
        "SELECT max(seen_at_ms) AS at FROM staff_sessions WHERE user_id = (SELECT id FROM users WHERE email = 'seen@hotel.com')",
      ).first<number>('at');
    const before = await seen();
    const startMs = Date.now();
    const now = vi.spyOn(Date, 'now').mockReturnValue(startMs + 4 * MINUTE);
    await desk.open('/console/me');
    now.mockReturnValue(startMs + 6 * MINUTE);
    await desk.open('/console/me');
    await eventually(async () => expect(await seen()).toBe(startMs + 6 * MINUTE));
    expect(before).toBeLessThanOrEqual(startMs);
  });

  it('takes no passkey of a form that nobody asked for, nor signs anybody in by one', async () => {
    const person = await signedIn();
    const warned = vi.spyOn(console, 'warn');
    await person.open('/console/me');
    const [, question = ''] = /name="question" value="([^"]+)"/.exec(person.page.html) ?? [];
    const made = { id: 'AA', rawId: 'AA', type: 'public-key', clientExtensionResults: {} };
    const response = {
      clientDataJSON: 'e30',
      attestationObject: 'oA',
      authenticatorData: 'AA',
      signature: 'AA',
    };
    for (const credential of ['', '{}', JSON.stringify({ ...made, response })]) {
      await person.post('/console/me/add-passkey', { question, credential });
      expect(person.page.status).toBe(422);
      const visitor = new Guest();
      await visitor.post('/console/passkey', { question, credential });
      expect([visitor.page.status, isSignIn(visitor)]).toEqual([401, true]);
    }
    expect(new Set(logged(warned))).toEqual(new Set(['console_passkey_refused']));
    expect(await testEnv.DB.prepare('SELECT count(*) AS n FROM passkeys').first('n')).toBe(0);
  });
});

describe('signing in again', () => {
  const page = '/console/booking?property=demo&reference=A%26B';

  it('leads to the page that was asked for, also through the mail', async () => {
    const person = new Guest();
    await person.open(page);
    expect(isSignIn(person)).toBe(true);
    await person.submit({ email: seeded.desk.email });
    expect(person.page.html).toContain(`If ${seeded.desk.email} has an account`);
    expect(person.page.html).toContain('href="/dev/mailbox"');
    const link = await eventually(async () => {
      const [newest] = await linksTo(seeded.desk.email);
      if (!newest?.includes('?next=')) throw new Error('no link came');
      return newest;
    });
    await person.open(link);
    await person.submit();
    expect(person.page.path).toBe(page);
  });

  it.each([
    'https://evil.com/console',
    '//evil.com/console',
    '/\\evil.com/console',
    '/console/../ops',
    '/consolex',
    `/console/${'x'.repeat(2_000)}`,
  ])('leads to no page elsewhere: %s', async (next) => {
    const email = `${crypto.randomUUID()}@hotel.com`;
    await putUser({ email, property: 'demo' });
    const person = new Guest();
    const link = new URL(await signInLink(email));
    await person.open(`${link.pathname}?${new URLSearchParams({ next }).toString()}`);
    await person.submit();
    expect(person.page.path).toBe('/console/property?property=demo');
  });
});

describe('Cloudflare Access', () => {
  const team = new URL('https://hotel.cloudflareaccess.com');
  const access = { team, audience: 'console-tag', isOnlyWay: false };

  /** Plays the team's keys, and signs as the team does unless told otherwise. */
  async function playTeam() {
    const { privateKey, publicKey } = await generateKeyPair('RS256');
    const { privateKey: foreign } = await generateKeyPair('RS256');
    const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256' }] };
    const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation((input) => {
      const isCerts = String(input instanceof Request ? input.url : input).endsWith(CERTS);
      return Promise.resolve(isCerts ? Response.json(keys) : new Response(null, { status: 404 }));
    });
    const sign = (claims: JWTPayload, isForged = false) =>
      new SignJWT({ email: 'Manager@Demo.localhost', ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'one' })
        .sign(isForged ? foreign : privateKey);
    return { fetched, sign };
  }

  const CERTS = '.cloudflareaccess.com/cdn-cgi/access/certs';
  const good = () => ({ iss: team.origin, aud: [access.audience], exp: Date.now() / 1_000 + 60 });

  it('vouches for an address by a token of the team for this application', async () => {
    const { fetched, sign } = await playTeam();
    const token = await sign(good());
    expect(await accessEmail(access, token)).toBe('manager@demo.localhost');
    expect(await accessEmail(access, token)).toBe('manager@demo.localhost');
    expect(fetched).toHaveBeenCalledTimes(1);
    for (const wrong of [
      await sign({ ...good(), aud: ['another'] }),
      await sign({ ...good(), iss: 'https://other.cloudflareaccess.com' }),
      await sign({ ...good(), exp: Date.now() / 1_000 - 60 }),
      await sign({ ...good(), email: 7 }),
      await sign(good(), true),
      'no-token',
    ]) {
      expect(await accessEmail(access, wrong)).toBeNull();
    }
  });

  /** A request as the deployment gets it that has these settings besides. */
  async function ask(settings: Partial<Env>, path: string, init: RequestInit = {}) {
    const context = { waitUntil: () => undefined, passThroughOnException: () => undefined };
    const request = new Request(`http://localhost${path}`, { redirect: 'manual', ...init });
    return worker.fetch(
      request as Request<unknown, IncomingRequestCfProperties>,
      { ...testEnv, ACCESS_TEAM: team.origin, ACCESS_AUDIENCE: access.audience, ...settings },
      context as unknown as ExecutionContext,
    );
  }

  const formOf = (fields: Record<string, string>, headers: Record<string, string> = {}) => ({
    method: 'POST',
    headers: { Origin: 'http://localhost', ...headers },
    body: new URLSearchParams(fields),
  });

  it('as the only way in lets nobody in by a link or a cookie', async () => {
    // Another team: the keys of one are kept.
    const only = { ACCESS_ONLY: 'true', ACCESS_TEAM: 'https://only.cloudflareaccess.com' };
    const link = new URL(await signInLink(seeded.manager.email)).pathname;
    const { sign } = await playTeam();
    const entered = await ask({}, link, formOf({}));
    expect(entered.status).toBe(303);
    const [cookie = ''] = (entered.headers.get('Set-Cookie') ?? '').split(';');
    expect(
      await (await ask({}, '/console/property?property=demo', { headers: { cookie } })).text(),
    ).toContain('(manager)');
    const before = (await mailbox()).length;
    for (const [path, init] of [
      ['/console', { headers: { cookie } }],
      [link, {}],
      [link, formOf({})],
      ['/console/sign-in', formOf({ email: seeded.manager.email })],
    ] as const) {
      const page = await (await ask(only, path, init)).text();
      expect([path, page]).toEqual([path, expect.stringContaining('(Cloudflare Access) only')]);
    }
    expect(await mailbox()).toHaveLength(before);
    const headers = { 'Cf-Access-Jwt-Assertion': await sign({ ...good(), iss: only.ACCESS_TEAM }) };
    // A client's secret opens the operations page, whomever Access vouches for, and not the console.
    const { id: clientId, secret: clientSecret } = seeded.admin;
    const byClient = await ask(only, '/ops/sign-in', formOf({ clientId, clientSecret }));
    const [ofOps = '', ofConsole = ''] = byClient.headers
      .getSetCookie()
      .map((one) => one.split(';')[0]);
    for (const more of [{}, headers]) {
      const page = await ask(only, '/ops', { headers: { cookie: ofOps, ...more } });
      expect(await page.text()).toContain('Signed in as <bdi>admin</bdi>');
    }
    const shut = await ask(only, '/console', { headers: { cookie: ofConsole } });
    expect(await shut.text()).toContain('(Cloudflare Access) only');
    const opened = await ask(only, '/console/property?property=demo', { headers });
    expect(await opened.text()).toContain('(manager)');
  });

  it('does not keep the session of a cookie open that signs out while it vouches', async () => {
    const link = new URL(await signInLink(seeded.desk.email)).pathname;
    const { sign } = await playTeam();
    const entered = await ask({}, link, formOf({}));
    const [cookie = ''] = (entered.headers.get('Set-Cookie') ?? '').split(';');
    const vouched = { cookie, 'Cf-Access-Jwt-Assertion': await sign(good()) };
    await ask({}, '/console/sign-out', formOf({}, vouched));
    const copy = await (await ask({}, '/console', { headers: { cookie } })).text();
    expect(copy).toContain('We e-mail you a link');
  });

  it('signs nobody in where it is not set up', async () => {
    expect(testEnv).not.toHaveProperty('ACCESS_TEAM');
    const visitor = new Guest();
    await visitor.open('/console', { 'Cf-Access-Jwt-Assertion': 'x.y.z' });
    expect(isSignIn(visitor)).toBe(true);
  });
});
