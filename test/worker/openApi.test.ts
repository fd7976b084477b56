/** The OpenAPI document is portable, and its examples are requests that the service takes. */
import { type Schema, Validator } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';
import page from '../../docs/interface.md?raw';
import project from '../../package.json' with { type: 'json' };
import { eventTypes } from '../../src/records/history/rules/eventTypes.ts';
import { adminToken, atTime, call, engineToken, http } from '../support/api.ts';

interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Operation {
  readonly operationId?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly schema: object;
  }[];
  readonly security?: readonly Record<string, readonly string[]>[];
  readonly requestBody?: { readonly content: Record<string, Media> };
  readonly responses: Record<
    string,
    { readonly headers?: Record<string, unknown>; readonly content?: Record<string, Media> }
  >;
}

interface Document {
  readonly info: { readonly version: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly webhooks: Record<string, { readonly post: Operation }>;
  readonly components: {
    readonly schemas: Record<
      string,
      { readonly type?: unknown; readonly properties?: Record<string, object> }
    >;
    readonly securitySchemes: Record<string, { readonly flows?: object }>;
  };
}

async function served(): Promise<Document> {
  return (await http('/openapi.json')).json();
}

const document = await served();

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
);

describe('every operation', () => {
  it('has an id of its own, a declared tag and a description', () => {
    const ids = operations.map(({ operation }) => operation.operationId ?? '');
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]*$/);
    const tags = document.tags.map(({ name }) => name);
    for (const { operation, path } of operations) {
      expect(operation.tags, path).toHaveLength(1);
      expect(tags).toContain(operation.tags?.[0]);
      expect(operation.description, path).toMatch(/.{10}/);
    }
  });

  it('stands in the table of docs/interface.md with its scope', () => {
    const rows = page.matchAll(/^\| \[`(?:GET|POST) (\S+)`\]\(\S+\) \| `([\w:]+)` \|$/gm);
    const shown = [...rows].map(([, path, scope]) => `${path} ${scope}`);
    const own = operations
      .filter(({ operation }) => operation.tags?.[0] !== 'messages')
      .flatMap(({ operation, path }) =>
        (operation.security?.at(-1)?.['oauth2'] ?? []).map((scope) => `${path} ${scope}`),
      );
    expect(shown.toSorted()).toEqual(own.toSorted());
  });

  it('names the headers of its answers', () => {
    for (const { operation, path } of operations) {
      for (const [status, { headers }] of Object.entries(operation.responses)) {
        expect(Object.keys(headers ?? {}), `${path} ${status}`).toContain('X-Request-Id');
      }
    }
    const create = document.paths['/payment/v1/create']?.['post']?.responses;
    expect(create?.['200']?.headers).toHaveProperty('Idempotency-Replayed');
    expect(create?.['429']?.headers).toHaveProperty('Retry-After');
    expect(document.paths['/export']?.['get']?.responses['200']?.headers).toHaveProperty('ETag');
  });

  it('that takes a body shows one, and every answer fits its schema', () => {
    for (const { operation, path } of operations) {
      for (const media of Object.values(operation.requestBody?.content ?? {})) {
        expect(media.example, path).toBeDefined();
      }
      const { schema, example } = operation.responses['200']?.content?.['application/json'] ?? {};
      if (!schema) continue;
      const whole = { ...(schema as object), components: document.components } as Schema;
      const { valid, errors } = new Validator(whole, '2020-12').validate(example);
      expect(valid, `${path} ${JSON.stringify(errors.slice(-1))}`).toBe(true);
    }
  });
});

interface JsonSchema {
  readonly $ref?: string;
  readonly type?: unknown;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

/** Every schema of the document, within others too, and where it stands. */
function allSchemas(): { readonly at: string; readonly schema: JsonSchema }[] {
  const found: { at: string; schema: JsonSchema }[] = [];
  const look = (at: string, schema: JsonSchema): void => {
    found.push({ at, schema });
    for (const [name, of] of Object.entries(schema.properties ?? {})) look(`${at}.${name}`, of);
    if (schema.items) look(`${at}[]`, schema.items);
    for (const kinds of [schema.anyOf, schema.oneOf, schema.allOf]) {
      for (const kind of kinds ?? []) look(at, kind);
    }
  };
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    look(name, schema);
  }
  const posts = Object.entries({ ...document.paths, ...document.webhooks });
  for (const [path, methods] of posts) {
    for (const { requestBody, responses } of Object.values(methods as Record<string, Operation>)) {
      const contents = [
        requestBody?.content,
        ...Object.values(responses).map((one) => one.content),
      ];
      for (const media of contents.flatMap((content) => Object.values(content ?? {}))) {
        look(path, media.schema as JsonSchema);
      }
    }
  }
  return found;
}

describe('the document', () => {
  it('has patterns that every engine of regular expressions reads', () => {
    const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
      (match) => JSON.parse(match[1] ?? '""') as string,
    );
    expect(patterns.length).toBeGreaterThan(10);
    for (const pattern of patterns) {
      expect(pattern).not.toMatch(/\\[pPkbB]|\(\?(?!:)|\\u\{/);
      expect(() => new RegExp(pattern)).not.toThrow();
    }
  });

  it('lists every status of a message from a PMS', () => {
    const responses = document.paths['/pms/v1/message']?.['post']?.responses ?? {};
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '404', '409', '413']));
  });

  it('names its server, the scopes of tokens, the messages to a PMS, and the events', () => {
    expect(document.servers[0]?.url).toMatch(/^https?:\/\/[^/]+$/);
    expect(document.components.securitySchemes['oauth2']?.flows).toHaveProperty(
      'clientCredentials.scopes.payments',
    );
    expect(Object.keys(document.webhooks).toSorted()).toEqual([
      'GetPropertyInfo',
      'Ping',
      'PushBooking',
      'PushCancellation',
      'PushModification',
      'PushTransaction',
      ...eventTypes.toSorted(),
    ]);
    expect(document.components.schemas['Card']?.type).toBe('object');
  });
});

describe('a schema', () => {
  it('of an object names its members, wherever it stands', () => {
    const bare: string[] = [];
    const look = (value: unknown, at: string): void => {
      if (value === null || typeof value !== 'object') return;
      const { type, properties, additionalProperties } = value as Record<string, unknown>;
      const isObject = [type].flat().includes('object');
      if (isObject && !properties && !additionalProperties) bare.push(at);
      for (const [name, of] of Object.entries(value)) {
        if (!['example', 'examples'].includes(name)) look(of, `${at}/${name}`);
      }
    };
    look(
      { paths: document.paths, webhooks: document.webhooks, ...document.components.schemas },
      '',
    );
    // An event is whatever Stripe sends.
    expect(bare.filter((at) => !at.startsWith('/paths//gateway/v1/stripe/'))).toEqual([]);
  });

  it('is of one type, or of several kinds with their own bounds, or null', () => {
    const mixed = allSchemas().filter(({ schema: { type } }) => {
      const types = [type ?? []].flat();
      return types.filter((one) => one !== 'null').length > 1;
    });
    expect(mixed.map(({ at }) => at)).toEqual([]);
  });

  it('says what each of its members means', () => {
    const named = new Map(
      Object.entries(document.components.schemas).map(([name, schema]) => [
        `#/components/schemas/${name}`,
        schema as JsonSchema,
      ]),
    );
    const bare = allSchemas().flatMap(({ at, schema }) =>
      Object.entries(schema.properties ?? {})
        .filter(([, { description, $ref = '' }]) => !(description ?? named.get($ref)?.description))
        .map(([name]) => `${at} ${name}`),
    );
    expect(bare).toEqual([]);
    const parameters = operations.flatMap(({ operation }) => operation.parameters ?? []);
    expect(parameters.filter(({ description }) => !description)).toEqual([]);
  });

  it('says it in few words', () => {
    const long = allSchemas().flatMap(({ at, schema: { description = '' } }) =>
      description.split(/\s+/).length > 16 ? [`${at}: ${description}`] : [],
    );
    expect(long).toEqual([]);
  });

  it('of a problem shows the whole transaction, and whole refunds', () => {
    expect(document.components.schemas['Problem']?.properties).toMatchObject({
      transaction: { $ref: '#/components/schemas/Transaction' },
      refunds: {
        items: {
          anyOf: [
            { $ref: '#/components/schemas/Refund' },
            { $ref: '#/components/schemas/ListedRefund' },
          ],
        },
      },
    });
  });

  it('of what lists and messages hold has a name', () => {
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining([
        'AuditEntry',
        'Disbursement',
        'DisbursementItem',
        'Dispute',
        'ExportRun',
        'ListedBooking',
        'ListedTransaction',
        'OutboxMessage',
        'PropertyData',
        'RoomNight',
        'PmsBookingData',
        'PmsCancellationData',
        'PmsCredentials',
        'PmsGuest',
        'PmsRoomStay',
        'PmsTransactionData',
      ]),
    );
  });
});

/** The schemas of the members of an operation's body. */
function membersOf(path: string): Record<string, Record<string, unknown>> {
  const media = document.paths[path]?.['post']?.requestBody?.content['application/json'];
  const body = media?.schema as { properties: Record<string, Record<string, unknown>> } | undefined;
  return body?.properties ?? {};
}

describe('a member of a body', () => {
  it('may be null exactly where the service takes null', async () => {
    const path = '/application/v1/update';
    const made = await call('/application/v1/create', {
      email: 'null@hotel.com',
      arrival: '2027-02-14',
      departure: '2027-02-24',
    });
    const { applicationNumber } = made.json.application;
    const members = membersOf(path);
    const names = Object.keys(members).filter((name) => name !== 'applicationNumber');
    const taken: [string, boolean][] = [];
    for (const name of names) {
      const { status } = await call(path, { applicationNumber, [name]: null });
      taken.push([name, status === 200]);
    }
    const documented = names.map((name) => {
      const { type, anyOf } = members[name] ?? {};
      return [name, JSON.stringify([type, anyOf]).includes('"null"')];
    });
    expect(documented).toEqual(taken);
  });

  it.each([
    ['/application/v1/create', 'arrival', { format: 'date' }],
    ['/booking/v1/create/manage-payments', 'arrival', { pattern: '^\\d{2}-\\d{2}-\\d{4}$' }],
    ['/booking/v1/list', 'changedSince', { format: 'date-time' }],
    ['/payment/v1/schedule', 'time', { format: 'date-time' }],
    [
      '/payment/v1/create',
      'amount',
      {
        anyOf: [
          { type: 'number', exclusiveMinimum: 0, maximum: 99_999_999_999 },
          { type: 'string', pattern: '^[+-]?\\d{1,20}(\\.\\d{1,20})?$' },
        ],
      },
    ],
    [
      '/booking/v1/create/manage-payments',
      'totalCost',
      {
        anyOf: [
          { type: 'number', minimum: 0, maximum: 99_999_999_999 },
          { type: 'string', pattern: '^[+-]?\\d{1,20}(\\.\\d{1,20})?$' },
        ],
      },
    ],
    ['/booking/v1/list', 'cursor', { minLength: 1, maxLength: 1_000 }],
  ])('%s %s has its form and bounds', (path, name, form) => {
    const { $ref = '', ...own } = membersOf(path)[name] ?? {};
    const named = document.components.schemas[String($ref).split('/').at(-1) ?? ''];
    expect({ ...named, ...own }).toMatchObject(form);
  });

  it('has no bound that the service does not keep', async () => {
    expect(membersOf('/ping/v1')['TimeStamp']).not.toHaveProperty('maxLength');
    const long = { MessageType: 'Ping', MessageID: 'm', TimeStamp: 'x'.repeat(101) };
    expect((await call('/ping/v1', long)).status).toBe(200);
    const { parameters = [] } = document.paths['/export/schema']?.['get'] ?? {};
    expect(parameters.map(({ name, schema }) => [name, schema])).toEqual([
      ['propertySystem', expect.not.objectContaining({ enum: expect.anything() })],
      ['applicationConsole', expect.not.objectContaining({ enum: expect.anything() })],
      ['ledger', expect.not.objectContaining({ enum: expect.anything() })],
    ]);
    const [key] = document.paths['/payment/v1/create']?.['post']?.parameters ?? [];
    expect(key?.schema).toMatchObject({ minLength: 1, maxLength: 257 });
  });
});

describe('the example of an answer', () => {
  const exampleOf = (path: string) =>
    document.paths[path]?.['post']?.responses['200']?.content?.['application/json']?.example;

  it('is one to the example of the request', () => {
    expect(exampleOf('/payment/v1/balance')).toMatchObject({
      balance: { bookingReference: 'EXAMPLE-1001', totalCost: 600, paid: 150, due: 450 },
    });
    expect(exampleOf('/payment/v1/create')).toMatchObject({
      transaction: {
        amount: 154.64,
        type: 'PaymentDeposit',
        timeStamp: expect.stringMatching(/^2027-02-10 09:00:\d\d$/),
      },
    });
  });

  it('has the days of a booking as answers have them, and words where words are', () => {
    expect(exampleOf('/booking/v1/get-details')).toMatchObject({
      booking: { arrival: '12-03-2027', departure: '15-03-2027' },
    });
    expect(exampleOf('/dispute/v1/list')).toMatchObject({ disputes: [{ reason: 'general' }] });
    // A member may have that name, but no example is just that word.
    const shown = JSON.stringify(document, (key, value) => (key === 'required' ? [] : value));
    expect(shown).not.toMatch(/"text"(?!:)/);
  });
});

describe('an event', () => {
  it('is of one of several kinds, which its type names', () => {
    const { schemas } = document.components;
    const { oneOf = [], discriminator } = schemas['EventDelivery'] as {
      oneOf?: { $ref: string }[];
      discriminator?: { propertyName: string; mapping: Record<string, string> };
    };
    expect(discriminator?.propertyName).toBe('type');
    expect(Object.keys(discriminator?.mapping ?? {})).toEqual(eventTypes);
    expect(new Set(Object.values(discriminator?.mapping ?? {}))).toEqual(
      new Set(oneOf.map(({ $ref }) => $ref)),
    );
    expect(schemas['TransactionEvent']).toMatchObject({
      properties: { data: { required: ['property', 'reference', 'sequence', 'transaction'] } },
    });
  });

  it.each(eventTypes)('%s is among the webhooks, with an example that fits', (type) => {
    const { post } = document.webhooks[type] ?? {};
    const { schema, example } = post?.requestBody?.content['application/json'] ?? {};
    expect(example).toMatchObject({ type });
    const whole = { ...(schema as object), components: document.components } as Schema;
    const { valid, errors } = new Validator(whole, '2020-12').validate(example);
    expect(valid, `${type} ${JSON.stringify(errors.slice(-1))}`).toBe(true);
    const headers = (post?.parameters ?? []).map(({ name }) => name);
    expect(headers).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
  });
});

describe('a message to a PMS', () => {
  const toPms = Object.entries(document.webhooks).filter(([type]) => !type.includes('.'));

  it.each(toPms)('%s has examples that fit', (type, { post }) => {
    const { schema, example } = post.requestBody?.content['application/json'] ?? {};
    const answer = post.responses['200']?.content?.['application/json'];
    expect(example).toMatchObject({ MessageType: type });
    expect(answer?.example).toMatchObject({ Status: 'Success' });
    for (const [of, shown] of [
      [schema, example],
      [answer?.schema, answer?.example],
    ]) {
      const whole = { ...(of as object), components: document.components } as Schema;
      const { valid, errors } = new Validator(whole, '2020-12').validate(shown);
      expect(valid, `${type} ${JSON.stringify(errors.slice(-1))}`).toBe(true);
    }
  });
});

describe('the example of', () => {
  const withBody = operations.filter(
    ({ operation, path }) => operation.security?.[0]?.['oauth2'] && path !== '/auth/v1/token',
  );

  it.each(withBody)('$path is taken as it stands, also a year from now', async ({ path }) => {
    await expectTaken(path, document);
    await atTime(Date.now() + 366 * 86_400_000, async () => expectTaken(path, await served()));
  });
});

async function expectTaken(path: string, { paths }: Document): Promise<void> {
  const operation = paths[path]?.['post'];
  const isAdmin = operation?.security?.[0]?.['oauth2']?.[0] === 'admin';
  const answer = await http(path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${await (isAdmin ? adminToken() : engineToken())}` },
    body: JSON.stringify(operation?.requestBody?.content['application/json']?.example),
  });
  const text = await answer.text();
  expect([400, 401, 403, 415, 500], text).not.toContain(answer.status);
  // What is wrong with fields of the request itself; a code that the property does not have is not.
  if (answer.status === 422)
    expect(text).toMatch(/unknown_code|unknown_room|no_card|invalid_code|quote_invalid/);
}

it('the examples of a booking, its card and its payments follow each other', async () => {
  const inOrder = [
    '/booking/v1/create/manage-payments',
    '/payment/v1/tokenize',
    '/payment/v1/quote',
    '/payment/v1/create',
    '/payment/v1/schedule',
    '/payment/v1/transaction',
    '/payment/v1/balance',
    '/card/v1/health',
    '/card/v1/virtual/list',
    '/booking/v1/get-details',
    '/booking/v1/get-url',
    '/payment/v1/cancel-schedules',
  ];
  const statuses: [string, number][] = [];
  for (const path of inOrder) {
    const media = document.paths[path]?.['post']?.requestBody?.content?.['application/json'];
    statuses.push([path, (await call(path, media?.example)).status]);
  }
  expect(statuses).toEqual(inOrder.map((path) => [path, 200]));
});

it('the document is asked for again for nothing while it is the same', async () => {
  const first = await http('/openapi.json');
  const etag = first.headers.get('ETag') ?? '';
  expect([etag.length > 10, first.headers.get('Cache-Control')]).toEqual([true, 'no-cache']);
  const again = await http('/openapi.json', { headers: { 'If-None-Match': etag } });
  expect([again.status, await again.text()]).toEqual([304, '']);
});

it('the document has the version of the project', () => {
  expect(document.info.version).toBe(project.version);
});
