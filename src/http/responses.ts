import type { z } from '@hono/zod-openapi';
import type { FailureCode } from '../core/failure.ts';
import { statusOf } from './problem.ts';

/** Problems for which the caller is not at fault: whatever is asked for can be answered with them. */
const INNER_PROBLEMS: readonly FailureCode[] = ['internal_error', 'busy', 'not_configured'];

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
  ...INNER_PROBLEMS,
];

/** What the OpenAPI document says of an operation's problems: the common ones, and those of its own. */
export function problemResponses(own: readonly FailureCode[], schema: z.ZodType) {
  return describeProblems([...COMMON_PROBLEMS, ...own], schema);
}

/** What it says of the problems that even an operation has which lists none. */
export function innerProblemResponses() {
  return describeProblems(INNER_PROBLEMS, { $ref: '#/components/schemas/Problem' });
}

/** What it says of exactly these problems. */
export function describeProblems<Schema>(codes: readonly FailureCode[], schema: Schema) {
  const statuses = new Map<number, FailureCode[]>();
  for (const code of new Set(codes)) {
    statuses.set(statusOf(code), [...(statuses.get(statusOf(code)) ?? []), code]);
  }
  return Object.fromEntries(
    [...statuses].map(([status, grouped]) => [
      status,
      {
        description: grouped.join(', '),
        content: { 'application/problem+json': { schema } },
      },
    ]),
  );
}
