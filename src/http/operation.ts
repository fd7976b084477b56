import type { OpenAPIHono } from '@hono/zod-openapi';
import { z } from 'zod';
import type { AnswerOf, CommandOf, OperationName } from '../booking/operations.ts';
import { callBooking } from '../booking/stub.ts';
import { type FailureCode, fieldFailure, fieldIssue } from '../core/failure.ts';
import { clockOf } from '../core/propertyClock.ts';
import { andThen, err, ok, type Result } from '../core/result.ts';
import type { Answered } from '../operation/idempotency.ts';
import type { IdempotentOperation } from '../operation/idempotencyStore.ts';
import { type Scope, scopesThatAllow } from '../records/clients/rules/scopes.ts';
import { readProperty } from '../records/properties/read.ts';
import { propertyNotFound } from '../records/properties/rules.ts';
import { callerProperty, noProperty, requireScope, workAt } from './access.ts';
import type { AppContext, AppEnv, CallerProperty } from './context.ts';
import { orFromArchive } from './fromArchive.ts';
import { problemResponse } from './problem.ts';
import {
  type BodySchema,
  memoizeSchema,
  type OperationRequest,
  REAL,
  readRequest,
  type SchemaParameters,
} from './readRequest.ts';
import { jsonAnswer, jsonBody, problemResponses } from './responses.ts';

export type Api = OpenAPIHono<AppEnv>;

/** An operation: its path, input and answer, from which the OpenAPI document comes, and what carries it out. */
export interface Operation<Request, Body extends object, Answer extends z.ZodRawShape> {
  readonly path: `/${string}`;
  readonly summary: string;
  /** The least scope that allows it. One that ends in `:read` is for what neither moves money nor makes a secret. */
  readonly scope: Scope;
  readonly body: BodySchema<Body>;
  /** The size limit of its body, if it is not the usual one. */
  readonly limitBytes?: number;
  /** The members of the answer beside `success`. The handler's answer must have their types. */
  readonly answer: Answer;
  /** The problems that only this operation has, in addition to the common ones. */
  readonly problems?: readonly FailureCode[];
  /** Set if the operation honours `Idempotency-Key`. */
  readonly idempotent?: IdempotentOperation;
  /** Carries out a request. The schema alone determines the answer's type: a handler cannot add members. */
  readonly handle: (request: Request) => Promise<Handled<Members<NoInfer<Answer>>>>;
}

/** An operation's answer without `success`, or a failure. */
type Handled<Answer> = Result<Answer> | Answered<Answer>;

/** The members of an answer; null for none. */
type Members<Answer extends z.ZodRawShape> = keyof Answer extends never
  ? null
  : z.infer<z.ZodObject<Answer>>;

export type PropertyRequest<Body> = OperationRequest<Body> & {
  readonly property: CallerProperty;
  readonly perform: Perform;
};

/** Has the object of one of the property's bookings do an operation. */
type Perform = <N extends OperationName>(
  reference: string,
  name: N,
  command: CommandOf<N>,
) => Promise<Answered<AnswerOf<N>>>;

/** Registers an operation for clients of a property. */
export function propertyOperation<Body extends object, Answer extends z.ZodRawShape>(
  api: Api,
  operation: Operation<PropertyRequest<Body>, Body, Answer>,
): void {
  const handle = async (request: OperationRequest<Body>) => {
    const { property } = request.c.get('caller');
    return property === null ? err(noProperty()) : operation.handle(atProperty(request, property));
  };
  register(api, { ...operation, handle });
}

function atProperty<Body>(
  request: OperationRequest<Body>,
  property: CallerProperty,
): PropertyRequest<Body> {
  const { c } = request;
  const { requestId, trace } = c.var;
  const actor = c.get('caller').clientId;
  const context = { propertyId: property.id, requestId, actor, clock: clockOf(property) };
  const perform: Perform = (reference, name, command) =>
    callBooking({ env: c.env, trace }, { ...context, reference }, name, command);
  return { ...request, property, perform };
}

/**
 * Registers an operation for clients of a property, and for administrators, who name the property in the body. A client
 * may name its own; any other is as if it did not exist.
 */
export function anyPropertyOperation<
  Body extends { readonly property?: string | undefined },
  Answer extends z.ZodRawShape,
>(api: Api, operation: Operation<PropertyRequest<Body>, Body, Answer>): void {
  const handle = async (request: OperationRequest<Body>) => {
    const property = await propertyOf(request);
    return property.ok ? operation.handle(atProperty(request, property.value)) : property;
  };
  const { problems = [] } = operation;
  const named = [...problems, 'property_not_found'] as const;
  register(api, { ...operation, problems: named, handle }, ['admin']);
}

async function propertyOf({
  c,
  body,
}: OperationRequest<{ readonly property?: string | undefined }>): Promise<Result<CallerProperty>> {
  const { property: own } = c.get('caller');
  const { property: named } = body;
  if (own) return named === undefined || named === own.id ? ok(own) : err(propertyNotFound());
  if (named === undefined) {
    return err(fieldFailure([fieldIssue('property', 'required', 'Name the property.')]));
  }
  workAt(c, named);
  const found = await readProperty(c.get('database'), named);
  return andThen(found, (row) => ok(callerProperty(row)));
}

/**
 * Registers an operation for administrators, whose clients have no property. Where its body names one, it works with the
 * database where that lives.
 */
export function adminOperation<Body extends object, Answer extends z.ZodRawShape>(
  api: Api,
  operation: Omit<Operation<OperationRequest<Body>, Body, Answer>, 'scope'>,
): void {
  const handle = (request: OperationRequest<Body>) => {
    const { property }: { property?: unknown } = request.body;
    if (typeof property === 'string') workAt(request.c, property);
    return operation.handle(request);
  };
  register(api, { ...operation, scope: 'admin', handle });
}

/** Registers an operation with its access check, rate limit, validation and OpenAPI entry. */
function register<Body extends object, Answer extends z.ZodRawShape>(
  api: Api,
  operation: Operation<OperationRequest<Body>, Body, Answer>,
  alsoAllowed: readonly Scope[] = [],
): void {
  const schemaFor = memoizeSchema(operation.body);
  addToOpenApi(api, operation, schemaFor);
  api.post(operation.path, requireScope(operation.scope, ...alsoAllowed), async (c) => {
    const { idempotent = null, limitBytes } = operation;
    const request = await readRequest(c, schemaFor, idempotent, limitBytes);
    return reply(
      c,
      request.ok
        ? await orFromArchive(c, request.value.body, () => operation.handle(request.value))
        : request,
    );
  });
}

function reply(c: AppContext, handled: Handled<object | null>): Response {
  const { answer, requestId, replayed } =
    'answer' in handled
      ? handled
      : { answer: handled, requestId: c.get('requestId'), replayed: false };
  if (replayed) c.header('Idempotency-Replayed', 'true');
  if (!answer.ok) return problemResponse(c, answer.error, { requestId });
  return c.json({ success: true, ...answer.value }, 200);
}

function addToOpenApi(
  api: Api,
  definition: Omit<Operation<never, object, z.ZodRawShape>, 'body' | 'handle'>,
  schemaFor: (parameters: SchemaParameters) => z.ZodType,
): void {
  api.openAPIRegistry.registerPath({
    method: 'post',
    path: definition.path,
    summary: definition.summary,
    tags: [definition.path.split('/')[1] ?? ''],
    security: scopesThatAllow(definition.scope).map((scope) => ({ oauth2: [scope] })),
    request: {
      ...(definition.idempotent && { headers: idempotencyHeader }),
      body: jsonBody(schemaFor({ exponent: 2, local: false, times: REAL })),
    },
    responses: {
      200: jsonAnswer(z.object({ success: z.literal(true), ...definition.answer })),
      ...problemResponses(definition.problems ?? []),
    },
  });
}

const idempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .optional()
    .describe('Sending the same key with the same body again returns the first answer.')
    .openapi({ minLength: 1, maxLength: 257 }),
});
