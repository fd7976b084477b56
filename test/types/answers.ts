/**
 * Answers that must not compile. `npm run types` compiles this file and nothing runs it: each `@ts-expect-error` fails
 * the build as soon as the line below it compiles.
 */
import { z } from '@hono/zod-openapi';
import { messageHandler } from '../../src/api/pms/handler.ts';
import { failure } from '../../src/core/failure.ts';
import { andThen, err, ok, type Result } from '../../src/core/result.ts';
import { type Api, adminOperation, propertyOperation } from '../../src/http/operation.ts';
import type { Answered } from '../../src/operation/idempotency.ts';

declare const api: Api;
declare const earlier: Answered<{ count: number }>;
declare const other: Answered<{ sum: number }>;

const answer = {
  count: z.int(),
  list: z.array(z.object({ id: z.int() })).optional(),
};

const ofProperty = {
  path: '/types/v1/property',
  summary: '',
  scope: 'payments',
  body: () => z.object({}),
  answer,
} as const;

propertyOperation(api, { ...ofProperty, handle: async (_request) => ok({ count: 1 }) });
propertyOperation(api, {
  ...ofProperty,
  handle: async (_request) => err(failure('not_found', '')),
});
propertyOperation(api, { ...ofProperty, handle: async (_request) => earlier });
// @ts-expect-error A member of another type.
propertyOperation(api, { ...ofProperty, handle: async (_request) => ok({ count: 'one' }) });
// @ts-expect-error A missing member.
propertyOperation(api, { ...ofProperty, handle: async (_request) => ok({}) });
// @ts-expect-error A member too many.
propertyOperation(api, { ...ofProperty, handle: async (_request) => ok({ count: 1, sum: 1 }) });
propertyOperation(api, {
  ...ofProperty,
  handle: async (_request) =>
    // @ts-expect-error A member too many, further in.
    ok({ count: 1, list: [{ id: 1, name: '' }] }),
});
propertyOperation(api, {
  ...ofProperty,
  handle: async ({ body }) =>
    // @ts-expect-error A member too many, where only one way leads.
    'count' in body ? ok({ count: 1, sum: 1 }) : err(failure('not_found', '')),
});
// @ts-expect-error An object's answer of another shape.
propertyOperation(api, { ...ofProperty, handle: async (_request) => other });

const ofAdmin = {
  path: '/types/v1/admin',
  summary: '',
  body: () => z.object({}),
  answer,
} as const;

adminOperation(api, { ...ofAdmin, handle: async (_request) => ok({ count: 1 }) });
// @ts-expect-error A member of another type.
adminOperation(api, { ...ofAdmin, handle: async (_request) => ok({ count: null }) });
// @ts-expect-error A missing member.
adminOperation(api, { ...ofAdmin, handle: async (_request) => ok({ list: [] }) });
// @ts-expect-error A member too many.
adminOperation(api, { ...ofAdmin, handle: async (_request) => ok({ count: 1, sum: 1 }) });

declare const counting: Result<number>;

adminOperation(api, {
  ...ofAdmin,
  handle: async (_request) => andThen(counting, (count) => ok({ count })),
});
adminOperation(api, {
  ...ofAdmin,
  // @ts-expect-error A member too many, of a changed value.
  handle: async (_request) => andThen(counting, (count) => ok({ count, sum: 1 })),
});
adminOperation(api, { ...ofAdmin, answer: {}, handle: async (_request) => ok(null) });
// @ts-expect-error A member where the answer has none of its own.
adminOperation(api, { ...ofAdmin, answer: {}, handle: async (_request) => ok({ count: 1 }) });

const ofMessage = {
  type: 'Count',
  scope: 'inventory',
  members: () => z.object({}),
} as const;

const counted = { ...ofMessage, answer: { Count: z.int() } };

messageHandler({ ...counted, handle: async (_context) => ok({ Count: 1 }) });
// @ts-expect-error A member of another type.
messageHandler({ ...counted, handle: async (_context) => ok({ Count: '1' }) });
// @ts-expect-error A missing member.
messageHandler({ ...counted, handle: async (_context) => ok({}) });
// @ts-expect-error A member too many.
messageHandler({ ...counted, handle: async (_context) => ok({ Count: 1, Sum: 1 }) });

messageHandler({ ...ofMessage, answer: {}, handle: async (_context) => ok({}) });
// @ts-expect-error A member where the reply has none of its own.
messageHandler({ ...ofMessage, answer: {}, handle: async (_context) => ok({ Count: 1 }) });

/** What no description checks is checked where it is made. */
export function unnamed(): Result<{ count: number }> {
  // @ts-expect-error A value that no type is given to.
  const made: Result<{ count: number }> = ok({ total: 1 });
  return made;
}

// @ts-expect-error A problem's member that no problem has.
failure('card_declined', '', { declinedCode: 'lost_card' });
// @ts-expect-error A recorded transaction without its status.
failure('outcome_unknown', '', { transaction: { id: 1 } });
