import type { z } from '@hono/zod-openapi';
import { identifierHoldsCardNumber } from '../core/cardNumbers.ts';
import { type Failure, fieldFailure } from '../core/failure.ts';
import { getOrInsertComputed } from '../core/getOrInsertComputed.ts';
import { exponentOf } from '../core/money.ts';
import { isReal } from '../core/propertyClock.ts';
import { err, ok, type Result, refuse } from '../core/result.ts';
import type { CallerKey } from '../operation/idempotency.ts';
import type { IdempotentOperation } from '../operation/idempotencyStore.ts';
import { propertyNow } from '../platform/propertyNow.ts';
import type { AppContext } from './context.ts';
import { CARD_NUMBER, type TimeJudge } from './fields.ts';
import { fieldIssues } from './issues.ts';
import { BODY_LIMIT_BYTES, readJson } from './json.ts';

export interface SchemaParameters {
  /** The number of decimals of the caller's currency, or of the one that the body names. */
  readonly exponent: number;
  /** Whether the service runs on a developer's machine. */
  readonly local: boolean;
  readonly times: TimeJudge;
}

/** A body's schema, or what makes it, because it depends on the caller's currency, clock or place. */
export type BodySchema<Body extends object> = z.ZodType<Body> | SchemaFor<Body>;

type SchemaFor<Body extends object> = (parameters: SchemaParameters) => z.ZodType<Body>;

/** Real time, by which all clocks run that were never moved. */
export const REAL: TimeJudge = { now: () => Date.now(), pastTimes: false };

export interface OperationRequest<Body> {
  readonly c: AppContext;
  readonly body: Body;
  readonly callerKey: CallerKey | null;
}

/** Makes each schema once. Few exist: currencies differ only in their number of decimals, and hardly any clock is moved. */
export function memoizeSchema<Body extends object>(schema: BodySchema<Body>): SchemaFor<Body> {
  if (typeof schema !== 'function') return () => schema;
  const made = new Map<string, z.ZodType<Body>>();
  return (parameters) => {
    const { exponent, local, times } = parameters;
    if (times.now !== REAL.now) return schema(parameters);
    const name = `${exponent} ${local} ${times.pastTimes}`;
    return getOrInsertComputed(made, name, () => schema(parameters));
  };
}

/**
 * Reads and validates a request. `operation` is set if the operation honours `Idempotency-Key`. The first request with
 * a key may have come before its time passed. So if a past time is the only issue of a request with a key, the request
 * still reaches the operation: `callerKey.tooLate` is the failure to answer for a new key (interface: Idempotency).
 */
export async function readRequest<Body extends object>(
  c: AppContext,
  schemaFor: SchemaFor<Body>,
  operation: IdempotentOperation | null,
  limitBytes: number = BODY_LIMIT_BYTES,
): Promise<Result<OperationRequest<Body>>> {
  const json = await readJson(c, limitBytes);
  if (!json.ok) return json;
  const key = readIdempotencyKey(c.req.header('Idempotency-Key'));
  if (!key.ok) return key;
  const read = readFields(c, schemaFor, json.value.value);
  if (read.kind === 'invalid') return err(read.failure);
  const { body } = read;
  if (operation === null || key.value === null) {
    return read.kind === 'late' ? err(read.failure) : ok({ c, body, callerKey: null });
  }
  const request = Object.fromEntries(Object.entries(body));
  const tooLate = read.kind === 'late' && { tooLate: read.failure };
  return ok({ c, body, callerKey: { operation, key: key.value, request, ...tooLate } });
}

/** Reads an `Idempotency-Key` header, quoted or bare: 1 to 255 printable ASCII characters, or null without a header. */
export function readIdempotencyKey(header: string | undefined): Result<string | null> {
  if (header === undefined) return ok(null);
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header.trim())?.[1];
  const key = quoted === undefined ? header.trim() : quoted.replace(/\\(["\\])/g, '$1');
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    return refuse(
      'invalid_request',
      'Idempotency-Key must be 1 to 255 printable ASCII characters.',
    );
  }
  // The service stores keys, and never stores a card number.
  if (!identifierHoldsCardNumber(key)) return ok(key);
  const { error: message, params } = CARD_NUMBER;
  return err(fieldFailure([{ field: 'Idempotency-Key', code: params.code, message }]));
}

/** The most issues that an answer lists: more than a small body can have. */
const MOST_ISSUES = 1_000;

type ReadFields<Body> =
  | { readonly kind: 'valid'; readonly body: Body }
  /** Valid except for a future time that has passed. */
  | { readonly kind: 'late'; readonly body: Body; readonly failure: Failure }
  | { readonly kind: 'invalid'; readonly failure: Failure };

function readFields<Body extends object>(
  c: AppContext,
  schemaFor: SchemaFor<Body>,
  json: object,
): ReadFields<Body> {
  const { property } = c.get('caller');
  const exponent = property?.exponent ?? namedExponent(json) ?? 2;
  const parameters = { exponent, local: c.get('config').local };
  const now = property && !isReal(property) ? () => propertyNow(property) : REAL.now;
  const strict = schemaFor({ ...parameters, times: { now, pastTimes: false } }).safeParse(json);
  if (strict.success) return { kind: 'valid', body: strict.data };
  const issues = fieldIssues(json, strict.error).slice(0, MOST_ISSUES);
  const failure = fieldFailure(issues);
  if (issues.some(({ code }) => code !== 'time_in_past')) return { kind: 'invalid', failure };
  const lenient = schemaFor({ ...parameters, times: { now, pastTimes: true } }).safeParse(json);
  return lenient.success
    ? { kind: 'late', body: lenient.data, failure }
    : { kind: 'invalid', failure };
}

function namedExponent({ currency }: { readonly currency?: unknown }): number | null {
  return typeof currency === 'string' ? exponentOf(currency) : null;
}
