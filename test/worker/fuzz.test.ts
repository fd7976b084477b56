/**
 * Every operation of the document with bodies, headers and queries that nobody means: none is a fault of this service
 * (500, 503, 504), and every answer is as the document says.
 */
import { type Schema, Validator } from '@cfworker/json-schema';
import * as fc from 'fast-check';
import { Stripe } from 'stripe';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PmsDispatcher } from '../../src/pms/outbox/object.ts';
import { adminToken, engineToken, freshDatabase, http, testEnv } from '../support/api.ts';
import { makeExisting } from '../support/existing.ts';
import { makeExport } from '../support/exports.ts';
import { howMany } from '../support/long.ts';
import { selectStripe, stripeConfig } from '../support/onStripe.ts';
import { giveRooms } from '../support/rooms.ts';
import { type Existing, samples } from '../support/samples.ts';
import { changed, changes, headerValue, queries, strange } from '../support/strange.ts';

interface Operation {
  readonly security?: Record<string, string[]>[];
  readonly parameters?: readonly { readonly name: string; readonly in: 'header' | 'query' }[];
  readonly responses: Record<string, { readonly content?: Record<string, { schema: Schema }> }>;
}

const document = (await (await http('/openapi.json')).json()) as {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: Schema;
};

const { FUZZ_REQUESTS } = testEnv as typeof testEnv & { readonly FUZZ_REQUESTS?: string };

/** How many requests each operation gets: `FUZZ_REQUESTS=300` makes it so many. */
const REQUESTS = Number(FUZZ_REQUESTS || howMany.strangeRequests);

/** What an answer would be whose fault it is that the request cannot be done: never the caller's. */
const OUR_FAULTS = [500, 503, 504];

const PMS = { Username: 'pms-user', Password: 'pms-pass' };

let existing: Existing;

beforeAll(async () => {
  vi.spyOn(PmsDispatcher.prototype, 'notify').mockResolvedValue();
  // No PMS and no acquirer but the embedded one: whatever would go out does not answer.
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('out of reach'));
  await freshDatabase();
  existing = await makeExisting();
  await giveRooms();
  await makeExport('propertySystem');
});

afterAll(() => vi.restoreAllMocks());

const validators = new Map<string, Validator>();

/** What is wrong with an answer by the document; null when nothing is. */
function fault(name: string, operation: Operation, status: number, type: string, body: unknown) {
  const described = operation.responses[String(status)];
  if (described && !described.content) return body === '' ? null : `${status} has a body`;
  const content = described?.content?.[type];
  if (!content) return `${status} ${type} is not described`;
  const key = `${name} ${status} ${type}`;
  const schema = { ...content.schema, components: document.components } as Schema;
  const validator = validators.get(key) ?? new Validator(schema, '2020-12', true);
  validators.set(key, validator);
  const { valid, errors } = validator.validate(body);
  return valid ? null : JSON.stringify(errors.slice(-2));
}

/** One request: what it adds to the operation's own address, and what it is sent with. */
interface Asked {
  readonly query?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | null;
}

/** Asks an operation again and again, and looks at each answer. */
async function askStrangely(
  method: string,
  path: string,
  requests: fc.Arbitrary<Asked | Promise<Asked>>,
): Promise<void> {
  const operation = document.paths[path]?.[method.toLowerCase()] as Operation;
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const { query = '', headers, body = null } = await request;
      const response = await http(`${path}${query}`, { method, headers, body });
      const type = response.headers.get('Content-Type')?.split(';')[0] ?? '';
      const text = new TextDecoder().decode(await response.arrayBuffer());
      const isJson = ['application/json', 'application/problem+json'].includes(type);
      const answer: unknown = isJson ? JSON.parse(text) : text;
      expect(OUR_FAULTS, text).not.toContain(response.status);
      expect(fault(path, operation, response.status, type, answer), text).toBeNull();
    }),
    { numRuns: REQUESTS, endOnFailure: true },
  );
}

const guarded = Object.entries(document.paths).flatMap(([path, { post }]) => {
  const scope = post?.security?.[0]?.['oauth2']?.[0];
  return post && scope ? [{ path, operation: post, scope }] : [];
});

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
    const own = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const declared = (operation.parameters ?? []).map(({ name }) => name);
    const isMessage = samples[path]?.body(existing)['MessageType'] !== undefined;
    const request = fc.record({
      several: fc.array(changes, { minLength: 1, maxLength: 3 }),
      headers: strangeHeaders(['Accept', 'If-None-Match', 'Range', ...declared, ...declared]),
      query: queries(['reference', 'token']),
      authentication: fc.option(isMessage ? authentications : fc.constant(null), { freq: 3 }),
    });
    await askStrangely(
      'POST',
      path,
      request.map(({ several, headers, query, authentication }) => {
        const body = changed(samples[path]?.body(existing) ?? {}, several);
        const inBody = isMessage && authentication !== null && body !== null;
        const { Authorization: _, ...withoutToken } = own;
        return {
          query,
          headers: { ...headers, ...(inBody ? withoutToken : own) },
          body:
            JSON.stringify(
              inBody && typeof body === 'object'
                ? { ...body, Authentication: authentication }
                : body,
            ) ?? '',
        };
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
      })
      .map(({ several, inBody, headers, query }) => {
        const { client_id: _id, client_secret: _secret, ...bare } = right;
        const body = changed(inBody ? right : bare, several);
        const asForm = headers['Content-Type'] === types[1];
        const { Authorization, ...rest } = headers;
        return {
          query,
          headers: Authorization === '' ? rest : headers,
          body: asForm
            ? new URLSearchParams(
                Object.entries(body ?? {}).map(([name, value]) => [name, String(value)]),
              ).toString()
            : (JSON.stringify(body) ?? ''),
        };
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
      body: fc
        .array(changes, { maxLength: 3 })
        .map((several) => JSON.stringify(changed({ ...event, data: { object: about } }, several))),
    });
    return fc.oneof(signed, others);
  },

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
        arbitrary: queries(['propertySystem', 'applicationConsole', 'date']),
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
      query: queries(['propertySystem', 'applicationConsole', 'date']),
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

it('leaves out no operation of the document', () => {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const asked = [...guarded.map(({ path }) => `POST ${path}`), ...Object.keys(others)];
  expect(all.toSorted()).toEqual(asked.toSorted());
});
