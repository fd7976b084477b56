/** Every route of the app is an operation of the document or stands in a list, and is protected as the list says. */
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { engineToken, http } from '../support/api.ts';
import { deployedEnv } from '../support/deployedEnv.ts';
import { selectStripe } from '../support/onStripe.ts';
import { type Protection, undocumented, withoutToken } from '../support/protection.ts';
import { allRoutes, documentedOperations, guards, sampleOf } from '../support/routes.ts';
import { story } from '../support/story.ts';

story();

const operations = await documentedOperations();

/** Sends a form, or asks for a page, as the service's own pages would. */
function ask(route: string, headers: Record<string, string> = {}): Promise<Response> {
  const { method, path } = sampleOf(route);
  return http(path, {
    method,
    redirect: 'manual',
    headers: { 'Sec-Fetch-Site': 'same-origin', ...headers },
    ...(method === 'POST' && { body: new URLSearchParams({ messageId: 'x', property: 'demo' }) }),
  });
}

/** Round trips to D1 and calls of objects that an answer took. */
function storesAsked({ headers }: Response): number {
  const timing = headers.get('Server-Timing') ?? '';
  const asked = [...timing.matchAll(/(?:d1|object|gateway);desc="(\d+)"/g)];
  expect(asked).toHaveLength(3);
  return asked.reduce((sum, [, calls]) => sum + Number(calls), 0);
}

/** Refused, with nothing kept in the browser and no store looked at. */
async function expectRefused(answer: Response, status: number, words: string): Promise<void> {
  expect(answer.status).toBe(status);
  expect(answer.headers.getSetCookie()).toEqual([]);
  expect(storesAsked(answer)).toBe(0);
  expect(await answer.text()).toContain(words);
}

const proofs: Readonly<Record<Protection, (route: string) => Promise<void>>> = {
  'client secret': async (route) => {
    const answer = await ask(route, { 'Content-Type': 'application/x-www-form-urlencoded' });
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect([400, 401]).toContain(answer.status);
    expect(await answer.text()).not.toContain('access_token');
  },
  basic: async (route) => {
    for (const authorization of [null, `Bearer ${await engineToken()}`]) {
      const answer = await ask(
        route,
        authorization === null ? {} : { Authorization: authorization },
      );
      expect(answer.headers.get('WWW-Authenticate')).toMatch(/^Basic /);
      await expectRefused(answer, 401, 'unauthorized');
    }
    const wrong = await ask(route, { Authorization: `Basic ${btoa('analyst:wrong')}` });
    expect(wrong.status).toBe(401);
  },
  signature: async (route) => {
    await expectRefused(await ask(route), 404, 'not_found');
    selectStripe();
    await expectRefused(await ask(route), 400, 'invalid_request');
    const forged = {
      'Stripe-Signature': `t=${Math.floor(Date.now() / 1_000)},v1=${'0'.repeat(64)}`,
    };
    await expectRefused(await ask(route, forged), 400, 'invalid_request');
  },
  link: async (route) => {
    await expectRefused(await ask(route), 404, 'This link doesn&#39;t work');
  },
  'secret address': async (route) => {
    await expectRefused(await ask(route), 404, 'There is no such page');
    const { method, path } = sampleOf(route);
    const guessed = path.replace(/[^/]+$/, '0'.repeat(48));
    const answer = await http(guessed, { method, headers: { 'Sec-Fetch-Site': 'same-origin' } });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([404, []]);
  },
  visit: async (route) => {
    await expectRefused(await ask(route), 401, 'Your session has timed out');
    await expectRefused(
      await ask(route, { Cookie: 'visit=local-1.AAAA' }),
      401,
      'session has timed out',
    );
  },
  session: async (route) => {
    const status = route.startsWith('GET') ? 200 : 401;
    for (const cookie of ['', 'ops=local-1.AAAA']) {
      const answer = await ask(route, { Cookie: cookie });
      await expectRefused(answer, status, 'Client secret');
    }
  },
  'desk session': async (route) => {
    const status = route.startsWith('GET') ? 200 : 401;
    for (const cookie of ['', 'console=local-1.AAAA']) {
      const answer = await ask(route, { Cookie: cookie });
      await expectRefused(answer, status, 'We e-mail you a link');
    }
  },
  'mailed secret': async (route) => {
    const answer = await ask(route);
    expect([401, 422]).toContain(answer.status);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await answer.text()).toContain('We e-mail you a link');
  },
  'leads away': async (route) => {
    const answer = await ask(route);
    const home = ['/console', '/ops'].find((path) => route.includes(path)) ?? '/guest/v1/';
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, home]);
    expect(storesAsked(answer)).toBe(0);
  },
  'local only': async (route) => {
    const env = deployedEnv();
    const { method, path } = sampleOf(route);
    const request = new Request(`https://pay.hotel.com${path}`, { method });
    await expectRefused(await createApp().fetch(request, env), 404, 'not_found');
  },
  public: async (route) => {
    const answer = await ask(route === 'GET /export/schema' ? `${route}?propertySystem=1` : route);
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(storesAsked(answer)).toBe(0);
    await answer.body?.cancel();
  },
  state: async (route) => {
    const told = (await (await ask(route)).json()) as Record<string, unknown>;
    for (const word of Object.values(told)) expect(String(word)).toMatch(/^[a-z ]{1,20}$/);
  },
};

describe('every route', () => {
  it('is an operation of the document or stands in the list', () => {
    const known = [...operations.keys(), ...Object.keys(undocumented), ...guards];
    expect(allRoutes().toSorted()).toEqual(known.toSorted());
  });

  it('without an access token stands in the list, too', () => {
    const open = [...operations].filter(([, scope]) => scope === undefined).map(([name]) => name);
    expect(open.toSorted()).toEqual(Object.keys(withoutToken).toSorted());
  });
});

describe('without credentials', () => {
  it.each(Object.entries({ ...withoutToken, ...undocumented }))('%s is: %s', (route, protection) =>
    proofs[protection](route),
  );
});

describe('a form of another site', () => {
  it.each(Object.keys(undocumented).filter((route) => route.startsWith('POST')))(
    'is not taken by %s',
    async (route) => {
      for (const headers of [
        { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://other.com' },
        { 'Sec-Fetch-Site': 'same-site', Origin: 'http://other.localhost' },
      ]) {
        await expectRefused(await ask(route, headers), 403, 'Nothing was changed');
      }
    },
  );
});
