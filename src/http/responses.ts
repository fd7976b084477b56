import type { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { FailureCode } from '../core/failure.ts';
import { problemSchema, statusOf } from './problem.ts';

/** The service's own problems, which any request can have. */
const SERVER_PROBLEMS: readonly FailureCode[] = ['internal_error', 'busy', 'not_configured'];

/** The problems that every operation can have. */
const COMMON_PROBLEMS: readonly FailureCode[] = [
  'malformed_json',
  'invalid_request',
  'unauthorized',
  'insufficient_scope',
  'body_too_large',
  'unsupported_media_type',
  'validation_failed',
  'rate_limited',
  'outcome_unknown',
  ...SERVER_PROBLEMS,
];

export function jsonBody(schema: z.ZodType) {
  return { required: true, content: { 'application/json': { schema } } };
}

/** An answer of JSON, for the OpenAPI document. */
export function jsonAnswer(schema: z.ZodType, description = 'Done') {
  return { description, content: { 'application/json': { schema } } };
}

/** The OpenAPI responses of an operation's problems: the common ones and its own. */
export function problemResponses(own: readonly FailureCode[], schema?: z.ZodType) {
  return responsesFor([...COMMON_PROBLEMS, ...own], schema);
}

/** The OpenAPI responses of the service's own problems, for operations that list no others. */
export function serverProblemResponses() {
  return responsesFor(SERVER_PROBLEMS, PROBLEM);
}

/** The schema of problems by its name, for documents that hold it already. */
const PROBLEM = { $ref: '#/components/schemas/Problem' };

/** The OpenAPI responses of exactly these problems, grouped by status. */
export function responsesFor(
  codes: readonly FailureCode[],
  schema: z.ZodType | typeof PROBLEM = problemSchema,
) {
  const content = { 'application/problem+json': { schema } };
  const byStatus = [...Map.groupBy(new Set(codes), statusOf)];
  return Object.fromEntries(
    byStatus.map(([status, grouped]) => [status, { description: grouped.join(', '), content }]),
  );
}

/** Answers with a PDF that a browser shows, and nobody on the way keeps. */
export function pdfResponse(c: Context, pdf: Uint8Array): Response {
  return c.body(pdf as Uint8Array<ArrayBuffer>, 200, {
    'Content-Type': 'application/pdf',
    'Content-Disposition': 'inline; filename="evidence.pdf"',
    'Cache-Control': 'no-store',
  });
}
