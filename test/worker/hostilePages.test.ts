/**
 * Every page and form with cookies, queries and bodies that nobody means: none is a fault of this service, none leads to
 * another site, and none shows what was sent as markup.
 */
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { http, testEnv } from '../support/api.ts';
import { makeExisting } from '../support/existing.ts';
import { howMany, someOf } from '../support/long.ts';
import { undocumented } from '../support/protection.ts';
import type { Existing } from '../support/samples.ts';
import { formOf } from '../support/samples.ts';
import { story } from '../support/story.ts';
import { changed, changes, headerValue, queries } from '../support/strange.ts';
import { type ReadAnswer, readAnswer } from '../support/strangeAnswers.ts';
import { type Written, writers } from '../support/strangeBodies.ts';
import { beginSessions, type PageSessions, signIn } from '../support/strangePages.ts';
import { methods, otherWriting } from '../support/strangePaths.ts';

story({ silent: ['pms'] });

const { FUZZ_REQUESTS } = testEnv as typeof testEnv & { readonly FUZZ_REQUESTS?: string };

/** How many requests each page and form gets. */
const REQUESTS = Number(FUZZ_REQUESTS || howMany.strangeRequests);

const MARKUP = '<script>alert(1)</script>';

let existing: Existing;
let sessions: PageSessions;

beforeAll(async () => {
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('out of reach'));
  existing = await makeExisting();
  sessions = await beginSessions(existing);
});

/** What is wrong with a page; null when nothing is. */
function fault(method: string, { status, headers, text }: ReadAnswer): string | null {
  if (status >= 500) return `${status} ${text}`;
  const location = headers.get('Location');
  if (location !== null && !/^\/(?:guest\/v1|ops|console|bank\/v1)(?=[/?]|$)/.test(location)) {
    return `leads to ${location}`;
  }
  if (headers.get('X-Content-Type-Options') !== 'nosniff') return 'may be sniffed';
  if (method === 'HEAD' && text !== '') return 'HEAD has a body';
  const isPage = headers.get('Content-Type')?.startsWith('text/html') ?? false;
  if (!isPage) return null;
  if (text.includes(MARKUP)) return `shows markup: ${text}`;
  return headers.has('Content-Security-Policy') ? null : 'has no policy';
}

/** The session that a route's own pages have. */
function sessionOf(path: string) {
  if (path.startsWith('/guest/v1/card')) return sessions.card;
  return path.startsWith('/ops') ? sessions.ops : sessions.payments;
}

/** A path of the route: with a session's own home, or with anything for its parameters. */
function pathsOf(pattern: string): fc.Arbitrary<string> {
  const piece = fc.oneof(
    fc.constantFrom('%', '%00', '%ff', '..%2f..%2f', 'x', '-1', '1e9', MARKUP, '*'),
    fc.string({ maxLength: 12 }),
  );
  const own = sessionOf(pattern).home.split('/').at(-1) ?? '';
  return fc
    .tuple(fc.oneof({ weight: 4, arbitrary: fc.constant(own) }, piece), piece)
    .map(([visit, other]) =>
      pattern
        .replace(':visit', () => encodeURI(visit))
        .replace(/:\w+|\*/, () => encodeURI(other).replaceAll('?', '')),
    )
    .chain((path) => fc.oneof({ weight: 4, arbitrary: fc.constant(path) }, otherWriting(path)));
}

/** The right cookie mostly; else another session's, or none that this service has sealed. */
function cookies(path: string): fc.Arbitrary<string> {
  const { payments, card, ops } = sessions;
  const right = sessionOf(path).cookie;
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(right) },
    { weight: 1, arbitrary: fc.constantFrom(payments.cookie, card.cookie, ops.cookie) },
    { weight: 1, arbitrary: headerValue },
    { weight: 1, arbitrary: headerValue.map((value) => `visit=${value}; ops=${value}`) },
    { weight: 1, arbitrary: fc.nat(200).map((at) => right.slice(0, at)) },
    { weight: 1, arbitrary: fc.constantFrom(`${right}; ${right}x`, 'visit=%', 'visit=; =;;') },
  );
}

/** Whose site sent a form. */
const sites = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constant<Record<string, string>>({ 'Sec-Fetch-Site': 'same-origin' }),
  },
  { weight: 1, arbitrary: headerValue.map((Origin) => ({ Origin })) },
  { weight: 1, arbitrary: headerValue.map((site) => ({ 'Sec-Fetch-Site': site })) },
);

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** Forms that are written as no browser would. */
const raw = fc.constantFrom(
  '',
  '&&&=',
  '%',
  'attempt=%ff%fe&card=%00',
  'amount=1&amount=2&amount[]=3',
  '__proto__=1&constructor=2&toString=3',
  `reason=${'x'.repeat(30_000)}`,
  `reason=${'x'.repeat(40_000)}`,
  'a=1&'.repeat(4_000),
);

function encoded(fields: unknown): string {
  const pairs = fields !== null && typeof fields === 'object' ? Object.entries(fields) : [];
  return new URLSearchParams(
    pairs.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  ).toString();
}

const routes = Object.keys(undocumented).map((route) => {
  const [method = '', pattern = ''] = route.split(' ');
  return { route, method, pattern };
});

describe.each(someOf(routes, 4))('$route', ({ method, pattern }) => {
  it('is never at fault, and shows and follows nothing that is not its own', async () => {
    // Another route may have ended the session.
    sessions = { ...sessions, ops: await signIn() };
    const known = Object.keys(formOf(existing));
    const request = fc.record({
      path: pathsOf(pattern),
      query: fc.oneof(
        queries([...known, 'added', 'declined', 'replayed', 'setup_intent', 'file']),
        fc.constantFrom(...sessions.links.map((link) => link.slice(link.indexOf('?')))),
        fc.constantFrom(`?${encoded(formOf(existing))}`),
      ),
      cookie: cookies(pattern),
      site: sites,
      several: fc.array(changes, { maxLength: 2 }),
      text: fc.option(raw, { freq: 6 }),
      write: writers,
      accept: fc.option(headerValue, { freq: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ path, query, cookie, site, accept, ...sent }) => {
        const form = { ...formOf(existing), clientId: MARKUP, reason: MARKUP };
        const text = sent.text ?? encoded(changed(form, sent.several));
        const written: Partial<Written> = method === 'POST' ? await sent.write(text) : {};
        const headers = new Headers({ Cookie: cookie, ...site, ...FORM, ...written.headers });
        if (accept !== null) headers.set('Accept', accept);
        const { body = null } = written;
        const answer = await http(`${path}${query}`, { method, headers, body, redirect: 'manual' });
        expect(fault(method, await readAnswer(answer)), `${path}${query}`).toBeNull();
      }),
      { numRuns: REQUESTS, endOnFailure: true },
    );
  });
});

/** Forms with a file are read for who is signed in at the property that their address names. */
const UPLOADS: readonly string[] = ['/console/bank-statement', '/console/pms-ledger'];

/** Forms that whoever knows their address may send; at an unknown one, nothing is read. */
const forms = routes.filter(
  ({ method, pattern }) =>
    method === 'POST' && !/:(?:step|secret)/.test(pattern) && !UPLOADS.includes(pattern),
);

it.each(forms)('takes a form and nothing else: $route', async ({ method, pattern }) => {
  const { cookie, home } = sessionOf(pattern);
  const path = pattern.replace(':visit', home.split('/').at(-1) ?? '').replace(/:\w+/, '1');
  const headers = {
    Cookie: cookie,
    'Content-Type': 'application/json',
    'Sec-Fetch-Site': 'same-origin',
  };
  const answer = await http(path, { method, headers, body: '{}', redirect: 'manual' });
  expect(answer.status).toBe(415);
  await answer.body?.cancel();
});

it('no page is at fault for any method', async () => {
  const request = fc.constantFrom(...routes).chain(({ pattern }) =>
    fc.record({
      method: fc.constantFrom(...methods),
      path: pathsOf(pattern),
      cookie: cookies(pattern),
    }),
  );
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, cookie }) => {
      const headers = { Cookie: cookie };
      const answer = await readAnswer(await http(path, { method, headers, redirect: 'manual' }));
      expect(fault(method, answer), `${method} ${path}`).toBeNull();
    }),
    { numRuns: REQUESTS * 10, endOnFailure: true },
  );
});

it.each(['/OPS/Ops.css', '/Guest/guest.CSS', '/Docs/Docs.js', '/docs/DOCS.css'])(
  'a file is found in any case: %s',
  async (path) => {
    const { status, headers } = await http(path);
    expect([status, headers.get('Content-Type')]).toEqual([
      200,
      expect.stringMatching(/^text\/(?:css|javascript)/),
    ]);
  },
);
