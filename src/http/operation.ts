import { type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Scope } from '../clients/scopes.ts';
import { type Failure, type FailureCode, failure, fieldFailure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { Answered, CallerKey } from '../idempotency/actions.ts';
import type { IdempotentOperation } from '../idempotency/store.ts';
import { requireScope } from './access.ts';
import { readBody } from './body.ts';
import type { AppContext, AppEnv, CallerProperty } from './context.ts';
import { fieldFaults } from './faults.ts';
import { readIdempotencyKey } from './idempotencyKey.ts';
import { problemResponse, problemSchema, statusOf } from './problem.ts';

export type Api = OpenAPIHono<AppEnv>;

const KIBIBYTE = 1024;

/** How large a JSON body may be, unless an operation says otherwise. */
const BODY_LIMIT_BYTES = 64 * KIBIBYTE;

/** What a body's schema may depend on. */
export interface BodyTerms {
  /** Decimals of the caller's currency. */
  readonly exponent: number;
  /** Whether this is a developer's own machine. */
  readonly local: boolean;
  /** Whether times that should lie ahead may have passed: for a request that may have been answered before they did. */
  readonly pastTimes: boolean;
}

/** What one operation is called, takes and answers. The OpenAPI document is made from it. */
interface Description<Body extends object> {
  readonly path: `/${string}`;
  readonly summary: string;
  readonly scope: Scope;
  /** The body's schema, which may depend on where the service runs and in which currency the caller deals. */
  readonly body: (terms: BodyTerms) => z.ZodType<Body>;
  readonly answer: z.ZodType;
  /** The problems of its own, beside those that any operation can have. */
  readonly problems?: readonly FailureCode[];
  /** Set where an `Idempotency-Key` is honoured. */
  readonly idempotent?: IdempotentOperation;
}

/** A validated request. */
export interface OperationRequest<Body> {
  readonly c: AppContext;
  readonly body: Body;
  readonly callerKey: CallerKey | null;
}

/** An operation's answer: its whole body, or why there is none. */
export type Handled = Result<object, Failure> | Answered<object>;

/** An operation of a property's own client. */
export function propertyOperation<Body extends object>(
  api: Api,
  description: Description<Body>,
  handle: (
    request: OperationRequest<Body> & { readonly property: CallerProperty },
  ) => Promise<Handled>,
): void {
  register(api, description, async (request) => {
    const { property } = request.c.get('caller');
    if (property === null) {
      return err(failure('insufficient_scope', 'This client belongs to no property.'));
    }
    return handle({ ...request, property });
  });
}

/** An operation of an administrator, who belongs to no property. */
export function adminOperation<Body extends object>(
  api: Api,
  description: Omit<Description<Body>, 'scope'>,
  handle: (request: OperationRequest<Body>) => Promise<Handled>,
): void {
  register(api, { ...description, scope: 'admin' }, handle);
}

/** Registers an operation: every one is behind an access token, validated, limited and documented. */
function register<Body extends object>(
  api: Api,
  description: Description<Body>,
  handle: (request: OperationRequest<Body>) => Promise<Handled>,
): void {
  document(api, description);
  const schemaFor = remembered(description.body);
  api.post(description.path, requireScope(description.scope), async (c) => {
    const request = await readRequest(c, description, schemaFor);
    return reply(c, request.ok ? await handle(request.value) : request);
  });
}

/** Keeps each schema once made: there are as many as currencies have different decimals. */
function remembered<Body extends object>(
  make: Description<Body>['body'],
): Description<Body>['body'] {
  const made = new Map<string, z.ZodType<Body>>();
  return (terms) => {
    const name = `${terms.exponent} ${terms.local} ${terms.pastTimes}`;
    const schema = made.get(name) ?? make(terms);
    made.set(name, schema);
    return schema;
  };
}

async function readRequest<Body extends object>(
  c: AppContext,
  description: Description<Body>,
  schemaFor: Description<Body>['body'],
): Promise<Result<OperationRequest<Body>, Failure>> {
  const json = await readJson(c);
  if (!json.ok) return json;
  const key = description.idempotent
    ? readIdempotencyKey(c.req.header('Idempotency-Key'))
    : ok(null);
  if (!key.ok) return key;
  const exponent = c.get('caller').property?.exponent ?? 2;
  const terms = { exponent, local: c.get('config').local, pastTimes: false };
  const parsed = schemaFor(terms).safeParse(json.value);
  const keyFor = (body: object): CallerKey | null =>
    description.idempotent && key.value !== null
      ? {
          operation: description.idempotent,
          key: key.value,
          request: Object.fromEntries(Object.entries(body)),
        }
      : null;
  if (parsed.success) return ok({ c, body: parsed.data, callerKey: keyFor(parsed.data) });
  const faults = fieldFaults(json.value, parsed.error);
  const refusal = fieldFailure(faults);
  if (key.value === null || faults.some(({ code }) => code !== 'time_in_past')) return err(refusal);
  // Only its time has passed: sent again under its key, it gets its first answer (decisions: section 4).
  const late = schemaFor({ ...terms, pastTimes: true }).safeParse(json.value);
  const lateKey = late.success ? keyFor(late.data) : null;
  return late.success && lateKey !== null
    ? ok({ c, body: late.data, callerKey: { ...lateKey, tooLate: refusal } })
    : err(refusal);
}

/** Reads a JSON object; a body of another type, or none, is refused before anything else is looked at. */
async function readJson(c: AppContext): Promise<Result<object, Failure>> {
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(c.req.header('Content-Type') ?? '')) {
    return err(failure('unsupported_media_type', 'Send the body as application/json.'));
  }
  const body = await readBody(c, BODY_LIMIT_BYTES);
  if (body.kind === 'too-large') {
    return err(failure('body_too_large', `A body may have ${BODY_LIMIT_BYTES} bytes at most.`));
  }
  const value = body.kind === 'text' ? parseJson(body.text) : undefined;
  if (value === undefined) {
    return err(failure('malformed_json', 'The body is not well-formed JSON in UTF-8.'));
  }
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? ok(value)
    : err(failure('invalid_request', 'The body must be a JSON object.'));
}

/** The value of a JSON text; undefined, which JSON has not, when it is none. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function reply(c: AppContext, handled: Handled): Response {
  const { answer, requestId, replayed } =
    'answer' in handled
      ? handled
      : { answer: handled, requestId: c.get('requestId'), replayed: false };
  if (replayed) c.header('Idempotency-Replayed', 'true');
  return answer.ok ? c.json(answer.value, 200) : problemResponse(c, answer.error, { requestId });
}

/** Problems that every operation can have. */
const COMMON_PROBLEMS: readonly FailureCode[] = [
  'malformed_json',
  'invalid_request',
  'unauthorized',
  'insufficient_scope',
  'body_too_large',
  'unsupported_media_type',
  'validation_failed',
  'rate_limited',
  'internal_error',
  'busy',
];

function document<Body extends object>(api: Api, description: Description<Body>): void {
  api.openAPIRegistry.registerPath({
    method: 'post',
    path: description.path,
    summary: description.summary,
    tags: [description.path.split('/')[1] ?? ''],
    security: [{ bearer: [description.scope] }],
    request: {
      ...(description.idempotent && { headers: idempotencyHeader }),
      body: {
        required: true,
        content: {
          'application/json': {
            schema: description.body({ exponent: 2, local: false, pastTimes: false }),
          },
        },
      },
    },
    responses: {
      200: { description: 'Done', content: { 'application/json': { schema: description.answer } } },
      ...problemResponses([...COMMON_PROBLEMS, ...(description.problems ?? [])]),
    },
  });
}

const idempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .optional()
    .describe('The same key with the same body gets the first answer again.'),
});

function problemResponses(codes: readonly FailureCode[]) {
  const statuses = new Map<number, FailureCode[]>();
  for (const code of new Set(codes)) {
    statuses.set(statusOf(code), [...(statuses.get(statusOf(code)) ?? []), code]);
  }
  return Object.fromEntries(
    [...statuses].map(([status, grouped]) => [
      status,
      {
        description: grouped.join(', '),
        content: { 'application/problem+json': { schema: problemSchema } },
      },
    ]),
  );
}
