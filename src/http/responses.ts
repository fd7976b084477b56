import type { z } from '@hono/zod-openapi';
import type { FailureCode } from '../core/failure.ts';
import { statusOf } from './problem.ts';

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

/** What the OpenAPI document says of an operation's problems: the common ones, and those of its own. */
export function problemResponses(own: readonly FailureCode[], schema: z.ZodType) {
  const statuses = new Map<number, FailureCode[]>();
  for (const code of new Set([...COMMON_PROBLEMS, ...own])) {
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
