/**
 * Every operation of the document with bodies, headers, queries, paths and methods that nobody means: none is a fault of
 * this service (500, 503, 504), and every answer is as the document says.
 */
import * as fc from 'fast-check';
import { Stripe } from 'stripe';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { adminToken, engineToken, http, testEnv } from '../support/api.ts';
import { bodyWith } from '../support/bodyFields.ts';
import { makeExisting } from '../support/existing.ts';
import { makeExport } from '../support/exports.ts';
import { howMany, someOf } from '../support/long.ts';
import { selectStripe, stripeConfig } from '../support/onStripe.ts';
import { giveRooms } from '../support/rooms.ts';
import { type Existing, samples } from '../support/samples.ts';
import { story } from '../support/story.ts';
import { changed, changes, headerValue, queries, strange } from '../support/strange.ts';
import {
  DocumentChecker,
  type ReadAnswer,
  readAnswer,
  servedDocument,
} from '../support/strangeAnswers.ts';
import { type Written, writers } from '../support/strangeBodies.ts';
import { meaningOf, methods, otherWriting, wrongPath } from '../support/strangePaths.ts';
import { allOtherFields, allTextFields } from '../support/textFields.ts';

story({ silent: ['pms'] });

const document = await servedDocument();

const checker = new DocumentChecker(document);

const { FUZZ_REQUESTS } = testEnv as typeof testEnv & { readonly FUZZ_REQUESTS?: string };

/** How many requests each operation gets: `FUZZ_REQUESTS=300` makes it so many. */
const REQUESTS = Number(FUZZ_REQUESTS || howMany.strangeRequests);

const PMS = { Username: 'pms-user', Password: 'pms-pass' };

let existing: Existing;

beforeAll(async () => {
  // No PMS and no acquirer but the embedded one: whatever would go out does not answer.
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('out of reach'));
  existing = await makeExisting();
  await giveRooms();
  await makeExport('propertySystem');
});

/** One request: how it writes the operation's address, what it adds to it, and what it is sent with. */
interface Asked {
  readonly written?: string;
  readonly query?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: BodyInit | null;
}

/** Asks an operation again and again, and looks at each answer. */
async function askStrangely(
  method: string,
  path: string,
  requests: fc.Arbitrary<Asked | Promise<Asked>>,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const { written = path, query = '', headers, body = null } = await request;
      const answer = await readAnswer(
        await http(`${written}${query}`, { method, headers: headersOf(headers), body }),
      );
      expect(checker.fault(method, path, answer), answer.text).toBeNull();
    }),
    { numRuns: REQUESTS, endOnFailure: true },
  );
}

/** An empty content type is none. */
function headersOf(headers: Readonly<Record<string, string>>): Headers {
  const made = new Headers(headers);
  if (made.get('Content-Type') === '') made.delete('Content-Type');
  return made;
}

/** A text as it is written, with what its writer says of it. */
async function bodyOf(
  written: Written | Promise<Written>,
  headers: Readonly<Record<string, string>>,
): Promise<Pick<Asked, 'headers' | 'body'>> {
  const { body, headers: said } = await written;
  return { body, headers: { ...headers, ...said } };
}

const guarded = Object.entries(document.paths).flatMap(([path, { post }]) => {
  const scope = post?.security?.[0]?.['oauth2']?.[0];
  return post && scope ? [{ path, operation: post, scope }] : [];
});

/** Headers that a proxy or a browser might add, beside those that operations know. */
const HEADERS = [
  'Accept',
  'Accept-Encoding',
  'CF-Connecting-IP',
  'Cookie',
  'If-None-Match',
  'Origin',
  'Range',
  'X-Forwarded-Host',
  'X-HTTP-Method-Override',
];

/** Strange values for some of these headers. */
function strangeHeaders(names: readonly string[]): fc.Arbitrary<Record<string, string>> {
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.dictionary(fc.constantFrom(...names), headerValue, { maxKeys: 3 }) },
  );
}

/** Credentials of a PMS in a body, right or not. */
const authentications: fc.Arbitrary<unknown> = fc.oneof(
  fc.constant(PMS),
  strange,
  fc.tuple(strange, strange).map(([Username, Password]) => ({ Username, Password })),
  strange.map((Password) => ({ ...PMS, Password })),
);

describe.each(guarded)('$path', ({ path, operation, scope }) => {
  it('answers whatever it is sent as the document says, and is never at fault', async () => {
    const token = scope === 'admin' ? await adminToken() : await engineToken();
    const declared = (operation.parameters ?? []).map(({ name }) => name);
    const isMessage = samples[path]?.body(existing)['MessageType'] !== undefined;
    const request = fc.record({
      several: fc.array(changes, { maxLength: 3 }),
      write: writers,
      written: fc.oneof({ weight: 3, arbitrary: fc.constant(path) }, otherWriting(path)),
      headers: strangeHeaders([...HEADERS, ...declared, ...declared, ...declared]),
      token: fc.oneof({ weight: 12, arbitrary: fc.constant(token) }, headerValue),
      query: queries(['reference', 'token']),
      authentication: fc.option(isMessage ? authentications : fc.constant(null), { freq: 3 }),
    });
    await askStrangely(
      'POST',
      path,
      request.map(async ({ several, write, written, headers, query, authentication, ...rest }) => {
        const body = changed(samples[path]?.body(existing) ?? {}, several);
        const inBody = isMessage && authentication !== null && body !== null;
        const own = {
          'Content-Type': 'application/json',
          ...(!inBody && { Authorization: `Bearer ${rest.token}` }),
        };
        const json = JSON.stringify(
          inBody && typeof body === 'object' ? { ...body, Authentication: authentication } : body,
        );
        return { query, written, ...(await bodyOf(write(json ?? ''), { ...headers, ...own })) };
      }),
    );
  });
});

/** What the operations without an access token are asked. */
const others: Readonly<Record<string, () => fc.Arbitrary<Asked | Promise<Asked>>>> = {
  'POST /auth/v1/token': () => {
    const right = {
      grant_type: 'client_credentials',
      client_id: 'demo-engine',
      client_secret: 'demo-secret',
      scope: 'payments',
    };
    const basic = `Basic ${btoa('demo-engine:demo-secret')}`;
    const types = ['application/json', 'application/x-www-form-urlencoded'];
    return fc
      .record({
        several: fc.array(changes, { maxLength: 2 }),
        // Credentials that come in two ways are looked at no further.
        inBody: fc.boolean(),
        headers: fc.record({
          'Content-Type': fc.oneof(
            { weight: 4, arbitrary: fc.constantFrom(...types) },
            { weight: 1, arbitrary: headerValue },
          ),
          Authorization: fc.oneof(
            fc.constantFrom('', basic, 'Basic', `Basic ${btoa('\u00ff:\u0000%')}`, 'Bearer x'),
            headerValue.map((value) => `Basic ${btoa(value)}`),
            headerValue,
          ),
        }),
        query: queries(Object.keys(right)),
        write: writers,
      })
      .map(async ({ several, inBody, headers, query, write }) => {
        const { client_id: _id, client_secret: _secret, ...bare } = right;
        const body = changed(inBody ? right : bare, several);
        const asForm = headers['Content-Type'] === types[1];
        const { Authorization, ...rest } = headers;
        const text = asForm
          ? new URLSearchParams(
              Object.entries(body ?? {}).map(([name, value]) => [name, String(value)]),
            ).toString()
          : (JSON.stringify(body) ?? '');
        const all = Authorization === '' ? rest : headers;
        return { query, ...(await bodyOf(write(text), all)) };
      });
  },

  'POST /gateway/v1/stripe': () => {
    selectStripe();
    const [secret = ''] = stripeConfig.webhookSecrets;
    const { webhooks } = new Stripe('sk_test_1');
    const event = { id: 'evt_1', object: 'event', created: 1 };
    const about = { id: 'pi_1', metadata: { property: 'demo', booking: 'EXISTING-1' } };
    const forged = fc.oneof(
      headerValue,
      headerValue.map((value) => `t=${value},v1=${value}`),
    );
    // What Stripe has signed is an event, whatever it may be about; what others send is anything.
    const signed = fc
      .record({
        type: fc.constantFrom(
          'payment_intent.succeeded',
          'refund.updated',
          'charge.dispute.created',
          'payout.paid',
          'x.y',
        ),
        account: fc.option(fc.string(), { nil: undefined }),
        several: fc.array(changes, { maxLength: 3 }),
      })
      .map(async ({ several, ...rest }) => {
        const object = changed(about, several);
        const data = { object: object !== null && typeof object === 'object' ? object : {} };
        const payload = JSON.stringify({ ...event, ...rest, data });
        const signature = await webhooks.generateTestHeaderStringAsync({
          payload,
          timestamp: Math.floor(Date.now() / 1_000),
          secret,
          cryptoProvider: Stripe.createSubtleCryptoProvider(),
        });
        return { headers: { 'Stripe-Signature': signature }, body: payload };
      });
    const others = fc.record({
      query: queries(['x']),
      headers: forged.map((signature) => ({ 'Stripe-Signature': signature })),
      several: fc.array(changes, { maxLength: 3 }),
      write: writers,
    });
    return fc.oneof(
      signed,
      others.map(async ({ query, headers, several, write }) => {
        const json = JSON.stringify(changed({ ...event, data: { object: about } }, several));
        return { query, ...(await bodyOf(write(json ?? ''), headers)) };
      }),
    );
  },

  'GET /dispute/v1/evidence.pdf': () =>
    fc
      .record({
        query: fc.oneof(
          fc.constant(`?disputeId=${existing.disputeId}`),
          queries(['disputeId', 'reference']),
        ),
        headers: strangeHeaders(['Accept', 'Range', 'If-None-Match']),
        strange: fc.option(headerValue, { freq: 3 }),
      })
      .map(async ({ query, headers, strange: token }) => ({
        query,
        headers: { ...headers, Authorization: `Bearer ${token ?? (await engineToken())}` },
      })),

  'GET /export': () => {
    const right = `Basic ${btoa('analyst:analyst-secret')}`;
    const ranges = ['bytes=0-1', 'bytes=-1', 'bytes=-0', 'bytes=9999999-', 'bytes=1-0', 'bytes='];
    const header = fc.oneof(headerValue, fc.constantFrom('*', 'W/"x"', '"x", "y"', ...ranges));
    const names = fc.constantFrom(
      'If-Range',
      'If-None-Match',
      'If-Modified-Since',
      'Cache-Control',
    );
    const headers = fc.oneof(
      fc.dictionary(names, header, { maxKeys: 3 }),
      fc.oneof(headerValue, fc.constantFrom(...ranges)).map((Range) => ({ Range })),
    );
    const query = fc.oneof(
      { weight: 3, arbitrary: fc.constant('?propertySystem=1') },
      {
        weight: 1,
        arbitrary: queries(['propertySystem', 'applicationConsole', 'ledger', 'date']),
      },
    );
    const authorization = fc.oneof(
      { weight: 4, arbitrary: fc.constant(right) },
      { weight: 1, arbitrary: headerValue },
      { weight: 1, arbitrary: headerValue.map((value) => `Basic ${btoa(value)}`) },
    );
    return fc.record({ query, authorization, headers }).map(({ authorization, ...rest }) => ({
      ...rest,
      headers: { ...rest.headers, Authorization: authorization },
    }));
  },

  'GET /export/schema': () =>
    fc.record({
      query: queries(['propertySystem', 'applicationConsole', 'ledger', 'date']),
      headers: strangeHeaders(['Accept', 'Range', 'If-None-Match', 'Authorization']),
    }),

  'GET /health': () =>
    fc.record({
      query: queries(['x']),
      headers: strangeHeaders(['Accept', 'Range', 'If-None-Match', 'Authorization']),
    }),
};

describe.each(Object.entries(others))('%s', (name, requests) => {
  it('answers whatever it is sent as the document says, and is never at fault', async () => {
    const [method = '', path = ''] = name.split(' ');
    await askStrangely(method, path, requests());
  });
});

it.each([
  ['what is nested thousands of levels deep', '['.repeat(8_000) + ']'.repeat(8_000)],
  ['what makes no text', '{"toString":1,"valueOf":{},"constructor":null}'],
])('no field of any operation is at fault for %s', async (_name, json) => {
  const fields = [...(await allTextFields()), ...(await allOtherFields())];
  expect(fields.length).toBeGreaterThan(250);
  for (const field of someOf(fields)) {
    const body = JSON.stringify(bodyWith(field, '@', existing)).replace('"@"', json);
    const isAdmin = /^\/(?:admin|sandbox)\//.test(field.path);
    const token = await (isAdmin ? adminToken() : engineToken());
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await readAnswer(await http(field.path, { method: 'POST', headers, body }));
    const fault = checker.fault('POST', field.path, answer);
    expect(fault, `${field.path} ${field.at.join('.')}`).toBeNull();
  }
});

it('no operation of the document is left out', () => {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const asked = [...guarded.map(({ path }) => `POST ${path}`), ...Object.keys(others)];
  expect(all.toSorted()).toEqual(asked.toSorted());
});

/** What is wrong with the answer to a request that may mean an operation, or none; null when nothing is. */
async function faultNear(written: string, method: string): Promise<string | null> {
  const headers = { Authorization: `Bearer ${await engineToken()}` };
  const body = ['GET', 'HEAD'].includes(method) ? null : '{}';
  const answer = await readAnswer(await http(written, { method, headers, body }));
  const meant = { path: meaningOf(written), method: method === 'HEAD' ? 'GET' : method };
  if (document.paths[meant.path]?.[meant.method.toLowerCase()] === undefined) {
    return checker.problemFault(answer, method);
  }
  return method === 'HEAD' ? headFault(answer) : checker.fault(method, meant.path, answer);
}

function headFault({ status, text }: ReadAnswer): string | null {
  return status < 500 && text === '' ? null : `HEAD is ${status} with ${text.length} bytes`;
}

describe.each(someOf(Object.keys(document.paths), 4))('near %s', (path) => {
  it('is nothing that another path or method means', async () => {
    const strayed = fc.oneof(
      fc.record({ method: fc.constant('POST'), written: wrongPath(path) }),
      fc.record({ method: fc.constantFrom(...methods), written: otherWriting(path) }),
    );
    await fc.assert(
      fc.asyncProperty(strayed, async ({ method, written }) => {
        const fault = await faultNear(written, method);
        expect(fault, `${method} ${written}`).toBeNull();
      }),
      { numRuns: REQUESTS, endOnFailure: true },
    );
  });
});
