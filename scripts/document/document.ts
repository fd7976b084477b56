import recorded from '../../examples/recorded.json' with { type: 'json' };
import requests from '../../examples/requests.json' with { type: 'json' };
import { BASE_URL } from '../../src/api/openApi/blanks.ts';
import { createApp } from '../../src/app.ts';
import { chargeId, rawCost, reference, writtenAmount } from '../../src/http/fields.ts';
import type { OpenApiDocument, Operation } from '../../src/http/openApiDocument.ts';
import type { Api } from '../../src/http/operation.ts';
import { serverProblemResponses } from '../../src/http/responses.ts';
import type { scopes } from '../../src/records/clients/rules/scopes.ts';
import { portable } from './portable.ts';
import { registerWebhooks } from './webhooks.ts';

/** The groups of operations, in the order of the page. */
const TAGS = {
  auth: 'Access tokens.',
  booking: 'Bookings of the property, and the address of the page where their guests pay.',
  payment: 'Cards, charges, schedules and pre-authorizations.',
  'payment-plan': 'Payment plans, which say what of a booking is charged when.',
  refund: 'Refunds.',
  card: 'Cards that fail, or will.',
  dispute: 'Disputes of charges by cardholders.',
  application: 'Applications for a stay, and their states.',
  disbursement: 'What the acquirer paid out.',
  'bank-statement': 'What the bank says, compared with what was paid out.',
  webhook: 'Endpoints that events are delivered to.',
  event: 'What happened, in order.',
  'pms-ledger': 'What a property management system has booked, compared with what it was sent.',
  messages: 'Messages from and to a property management system.',
  exports: 'Daily files for analysts.',
  admin: 'For administrators of the deployment.',
  sandbox: 'The embedded acquirer of a test deployment.',
  gateway: 'For the acquirer.',
  operations: 'Whether the service works.',
} as const;

const SCOPES = {
  bookings: 'Make, change and read bookings',
  'bookings:read': 'Read bookings',
  payments: 'Charge, hold, schedule and refund',
  'payments:read': 'Read payments, balances, quotes and disputes',
  cards: 'Tokenize cards and ask guests for them',
  'cards:read': 'Read how cards stand',
  inventory: 'Availability, rates and restrictions',
  applications: 'Make, change and read applications',
  disbursements: 'Read disbursements',
  'disbursements:read': 'Read disbursements',
  events: 'List events, and have them delivered',
  admin: 'Administer the deployment',
} as const satisfies Record<(typeof scopes)[number], string>;

/** The OpenAPI document, with blanks for where and when it is served (`src/api/openApi/blanks.ts`). */
export function makeDocument(): OpenApiDocument {
  const api = createApp();
  registerFields(api);
  registerSecurity(api);
  registerWebhooks(api);
  const made = api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Bookings and payments',
      version: '0.2.0',
      description:
        'Links a booking engine to a property management system: bookings, cards, charges. ' +
        'Every answer has `success`. Every failure is `application/problem+json`.',
      contact: { name: 'The operator of this service', url: BASE_URL },
      license: { name: 'Proprietary', url: BASE_URL },
    },
    servers: [{ url: BASE_URL }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [{ oauth2: [] }],
  });
  // A copy: the registry keeps the parts that it made.
  const document = portable(JSON.parse(JSON.stringify(made))) as OpenApiDocument;
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      complete(operation, method, path);
    }
  }
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    if (post) showMessage(type, post);
  }
  document.components.headers = headers;
  return document;
}

/** Fields that many operations take. They come first, so that none of these makes its own meaning theirs. */
function registerFields({ openAPIRegistry }: Api): void {
  openAPIRegistry.register('Reference', reference);
  openAPIRegistry.register('ChargeId', chargeId);
  openAPIRegistry.register('Amount', writtenAmount);
  openAPIRegistry.register('Cost', rawCost);
}

function registerSecurity(api: Api): void {
  api.openAPIRegistry.registerComponent('securitySchemes', 'oauth2', {
    type: 'oauth2',
    description: 'OAuth 2.0 client credentials. Tokens are sent as `Authorization: Bearer`.',
    flows: { clientCredentials: { tokenUrl: '/auth/v1/token', scopes: SCOPES } },
  });
  api.openAPIRegistry.registerComponent('securitySchemes', 'basic', {
    type: 'http',
    scheme: 'basic',
    description: 'An export user from POST /admin/v1/export-user/create.',
  });
}

/** The examples by their operations, types of events or types of messages. */
type Examples = Readonly<Record<string, unknown>>;

/** What a service answered and sent: of each operation, type of event and type of message to a PMS, one. */
const { answers, events, messages }: Recorded = recorded;

interface Recorded {
  readonly answers: Examples;
  readonly events: Examples;
  readonly messages: Readonly<Record<string, { message: unknown; reply: unknown } | undefined>>;
}

/** Of each operation that takes a body, one. */
const exampleRequests: Examples = requests;

/** Adds what every operation has: its id, a description, the service's own problems, headers and examples. */
function complete(operation: Operation, method: string, path: string): void {
  operation.operationId = operationId(method, path);
  operation.description = descriptionOf(operation);
  const problems = JSON.parse(JSON.stringify(serverProblemResponses())) as Operation['responses'];
  operation.responses = { ...problems, ...operation.responses };
  const isIdempotent = (operation.parameters ?? []).some(({ name }) => name === 'Idempotency-Key');
  for (const [status, response] of Object.entries(operation.responses)) {
    response.headers = headersOf(path, status, isIdempotent);
    const media = response.content?.['application/json'];
    if (status === '200' && media) media.example = answers[path];
  }
  const example = exampleRequests[path];
  if (example === undefined) return;
  for (const media of Object.values(operation.requestBody?.content ?? {})) media.example = example;
}

/** Adds the example of an event, or those of a message to a PMS and its reply. */
function showMessage(type: string, { requestBody, responses }: Operation): void {
  const { message, reply } = messages[type] ?? { message: events[type], reply: undefined };
  const sent = requestBody?.content?.['application/json'];
  const answered = responses['200']?.content?.['application/json'];
  if (sent) sent.example = message;
  if (answered) answered.example = reply;
}

/** `POST /booking/v1/get-details` is `bookingGetDetails`; `GET /health` is `getHealth`. */
function operationId(method: string, path: string): string {
  const words = path.split(/[/.-]/).filter((word) => word !== '' && word !== 'v1');
  return [...(method === 'get' ? ['get'] : []), ...words]
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');
}

function descriptionOf({ summary = '', description, security, parameters }: Operation): string {
  const scopes = (security ?? []).flatMap(({ oauth2 = [] }) => oauth2.map((one) => `\`${one}\``));
  const honoursKey = (parameters ?? []).some(({ name }) => name === 'Idempotency-Key');
  return [
    description ?? `${summary}.`,
    ...(scopes.length === 0 ? [] : [`Needs the scope ${scopes.join(' or ')}.`]),
    ...(honoursKey ? ['Honours `Idempotency-Key`.'] : []),
  ].join(' ');
}

const text = (description: string, example: string) => ({
  description,
  schema: { type: 'string' as const },
  example,
});

/** The headers of answers (interface: Headers of every answer). */
const headers = {
  'X-Request-Id': text(
    'The id of the request, also in the logs.',
    '01998f00-0000-7000-8000-000000000000',
  ),
  'RateLimit-Policy': text(
    'How many requests a client may send in how many seconds.',
    '"client";q=1000;w=10',
  ),
  'Server-Timing': text(
    'Calls and milliseconds of the database, the gateway and objects, and the total.',
    'd1;desc="2";dur=4, total;dur=9',
  ),
  'Retry-After': text('The seconds after which to try again.', '2'),
  'Idempotency-Replayed': text('`true` when this is the first answer to the same key.', 'true'),
  'WWW-Authenticate': text('How to authenticate.', 'Bearer'),
  ETag: text('The version of the file.', '"5f2b"'),
  'Last-Modified': text('When the file was made.', 'Sun, 14 Feb 2027 01:00:00 GMT'),
  'Repr-Digest': text('The SHA-256 digest of the whole file.', 'sha-256=:AAAA:'),
  'Content-Range': text('The part of the file.', 'bytes 0-99/1000'),
} as const;

type HeaderName = keyof typeof headers;

const ALWAYS: readonly HeaderName[] = ['X-Request-Id', 'RateLimit-Policy', 'Server-Timing'];
const OF_FILES: readonly HeaderName[] = ['ETag', 'Last-Modified', 'Repr-Digest'];

/** The headers that an answer of an operation has, as references to the components. */
function headersOf(
  path: string,
  status: string,
  isIdempotent: boolean,
): Record<string, { $ref: string }> {
  const names = [...ALWAYS];
  if (['429', '502', '503'].includes(status)) names.push('Retry-After');
  if (['401', '403'].includes(status)) names.push('WWW-Authenticate');
  if (isIdempotent && !['400', '401', '403', '413', '415', '429', '500'].includes(status)) {
    names.push('Idempotency-Replayed');
  }
  if (path === '/export' && ['200', '206', '304'].includes(status)) names.push(...OF_FILES);
  if (path === '/export' && ['206', '416'].includes(status)) names.push('Content-Range');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
