/**
 * The worst forms that fit into a request, at every field, list and page: each is answered by bounded work, however long the
 * text, far the date or many the patterns. What does not end here holds up everybody else there.
 */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { adminToken, engineToken, http } from '../support/api.ts';
import { makeExisting } from '../support/existing.ts';
import type { Guest } from '../support/guest.ts';
import { someOf } from '../support/long.ts';
import { giveRooms } from '../support/rooms.ts';
import type { Existing } from '../support/samples.ts';
import { putUser, signedIn } from '../support/staff.ts';
import { story } from '../support/story.ts';
import { beginSessions, type PageSession, type PageSessions } from '../support/strangePages.ts';
import { readDocument } from '../support/textFields.ts';
import {
  addressOf,
  type WorstForm,
  worstConsolePages,
  worstDates,
  worstForms,
  worstLists,
  worstSpans,
  worstTexts,
} from '../support/worst.ts';

story({ silent: ['pms'] });

/** More round trips to D1 than any request of these has a reason for. */
const MOST_ROUND_TRIPS = 60;

/** More than any answer to these has to say. */
const MOST_CHARACTERS = 300_000;

let existing: Existing;
let manager: Guest;
let sessions: PageSessions;

beforeAll(async () => {
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('out of reach'));
  existing = await makeExisting();
  sessions = await beginSessions(existing);
  await giveRooms();
  await putUser({ email: 'manager@hotel.com', name: 'M', role: 'manager', property: 'demo' });
  manager = await signedIn('manager@hotel.com');
});

/** Sends a form as its page would, or asks for the page with its fields in the address. */
async function sendForm(worst: WorstForm) {
  const [, pattern = ''] = worst.route.split(' ');
  const { cookie, home } = sessionOf(pattern);
  const form = worst.form(existing);
  const { address, method } = addressOf(worst, form, existing, home.split('/').at(-1) ?? '');
  if (pattern.startsWith('/console')) {
    const page = await (method === 'POST'
      ? manager.post(address, form, {}, { follow: false })
      : manager.open(address));
    return workIn(page.status, page.headers, page.html);
  }
  const headers = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' };
  const init = method === 'POST' ? { method, body: new URLSearchParams(form) } : {};
  return workOf(await http(address, { ...init, headers, redirect: 'manual' }));
}

/** The session that a route's own pages have. */
function sessionOf(pattern: string): PageSession {
  if (pattern.startsWith('/guest/v1/card')) return sessions.card;
  return pattern.startsWith('/ops') ? sessions.ops : sessions.payments;
}

async function ask(path: string, body: unknown): Promise<Response> {
  const isAdmins = /^\/(?:admin|sandbox)\//.test(path);
  const token = isAdmins ? await adminToken() : await engineToken();
  return http(path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** What an answer took. */
async function workOf(answer: Response) {
  return workIn(answer.status, answer.headers, await answer.text());
}

function workIn(status: number, headers: Headers, { length }: string) {
  const [, trips = '0'] = /d1;desc="(\d+)"/.exec(headers.get('Server-Timing') ?? '') ?? [];
  return {
    isAnswer: status < 500 || status === 502,
    isBounded: Number(trips) <= MOST_ROUND_TRIPS && length <= MOST_CHARACTERS,
  };
}

const DONE = { isAnswer: true, isBounded: true };

const document = await readDocument();

const formRoutes = [...Map.groupBy(worstForms, ({ route }) => route)];

const requests = {
  'every day or time': someOf(worstDates(document), 4, 2),
  'every list, as long as a body': someOf(worstLists(document), 4, 2),
  'a field': someOf(worstTexts(document), 4, 2),
  'a span, or a list': worstSpans,
};

describe.each(Object.entries(requests))('%s', (_what, worst) => {
  it.each(worst)('$name', async ({ path, body }) => {
    expect(await workOf(await ask(path, body(existing)))).toEqual(DONE);
  });
});

describe('a page', () => {
  it.each(worstConsolePages)('of the console, %s', async (path) => {
    const [page = '', query = ''] = path.split('?');
    const { html, status } = await manager.open(`/console/${page}?property=demo&${query}`);
    expect([status < 500, html.length <= MOST_CHARACTERS]).toEqual([true, true]);
  });

  it.each(someOf(formRoutes, 4, 2))(
    'with the worst in each of its fields, %s',
    async (_route, forms) => {
      for (const worst of forms) {
        expect([worst.name, await sendForm(worst)]).toEqual([worst.name, DONE]);
      }
    },
  );

  it.each(['Accept-Language', 'Accept', 'Cookie'])('with a long %s', async (name) => {
    for (const text of ['a-'.repeat(5_000), 'a;q=0,'.repeat(2_000), '*,'.repeat(5_000)]) {
      const answer = await http('/', { headers: { [name]: text } });
      expect(await workOf(answer)).toEqual(DONE);
    }
  });
});
