import { type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Scope } from '../clients/scopes.ts';
import { type Failure, type FailureCode, fieldFailure } from '../core/failure.ts';
import { madeOnce } from '../core/made.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { Answered, CallerKey } from '../idempotency/actions.ts';
import type { IdempotentOperation } from '../idempotency/store.ts';
import { noProperty, requireScope } from './access.ts';
import type { AppContext, AppEnv, CallerProperty } from './context.ts';
import { fieldFaults } from './faults.ts';
import { readIdempotencyKey } from './idempotencyKey.ts';
import { BODY_LIMIT_BYTES, readJson } from './json.ts';
import { problemResponse, problemSchema } from './problem.ts';
import { problemResponses } from './responses.ts';

export type Api = OpenAPIHono<AppEnv>;

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
    if (property === null) return err(noProperty());
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
    return madeOnce(made, name, () => make(terms));
  };
}

async function readRequest<Body extends object>(
  c: AppContext,
  description: Description<Body>,
  schemaFor: Description<Body>['body'],
): Promise<Result<OperationRequest<Body>, Failure>> {
  const read = await readJson(c, BODY_LIMIT_BYTES);
  if (!read.ok) return read;
  const { value: json } = read.value;
  const key = description.idempotent
    ? readIdempotencyKey(c.req.header('Idempotency-Key'))
    : ok(null);
  if (!key.ok) return key;
  const exponent = c.get('caller').property?.exponent ?? 2;
  const terms = { exponent, local: c.get('config').local, pastTimes: false };
  const parsed = schemaFor(terms).safeParse(json);
  const keyFor = (body: object): CallerKey | null =>
    description.idempotent && key.value !== null
      ? {
          operation: description.idempotent,
          key: key.value,
          request: Object.fromEntries(Object.entries(body)),
        }
      : null;
  if (parsed.success) return ok({ c, body: parsed.data, callerKey: keyFor(parsed.data) });
  const faults = fieldFaults(json, parsed.error);
  const refusal = fieldFailure(faults);
  if (key.value === null || faults.some(({ code }) => code !== 'time_in_past')) return err(refusal);
  // Only its time has passed: sent again under its key, it gets its first answer (decisions: section 4).
  const late = schemaFor({ ...terms, pastTimes: true }).safeParse(json);
  const lateKey = late.success ? keyFor(late.data) : null;
  return late.success && lateKey !== null
    ? ok({ c, body: late.data, callerKey: { ...lateKey, tooLate: refusal } })
    : err(refusal);
}

function reply(c: AppContext, handled: Handled): Response {
  const { answer, requestId, replayed } =
    'answer' in handled
      ? handled
      : { answer: handled, requestId: c.get('requestId'), replayed: false };
  if (replayed) c.header('Idempotency-Replayed', 'true');
  return answer.ok ? c.json(answer.value, 200) : problemResponse(c, answer.error, { requestId });
}

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
      ...problemResponses(description.problems ?? [], problemSchema),
    },
  });
}

const idempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .optional()
    .describe('The same key with the same body gets the first answer again.'),
});
