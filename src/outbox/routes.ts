import { z } from '@hono/zod-openapi';
import type { Failure } from '../core/failure.ts';
import { ok, type Result } from '../core/result.ts';
import type { AppContext } from '../http/context.ts';
import { pageLimit, reference, text } from '../http/fields.ts';
import { type Api, adminOperation } from '../http/operation.ts';
import { type Changed, dismiss, listMessages, type Mender, replay } from './actions.ts';
import { pokeAfterChange } from './stub.ts';

const status = z.enum(['Pending', 'Confirmed', 'Dead', 'Dismissed']);

const messageId = z.uuid();

const page = z.object({
  success: z.literal(true),
  messages: z.array(
    z.object({
      messageId: z.string(),
      messageType: z.string(),
      property: z.string(),
      reference: z.string(),
      status,
      attempts: z.int(),
      nextAttemptAt: z.string().nullable(),
      lastError: z.string().nullable(),
      createdAt: z.string(),
    }),
  ),
  nextCursor: z.string().nullable(),
});

/** Messages to PMSs as an administrator sees and mends them (decisions: section 13). */
export function registerOutbox(api: Api): void {
  adminOperation(
    api,
    {
      path: '/admin/v1/outbox/list',
      summary: 'Messages to PMSs, oldest first',
      body: () =>
        z.object({
          property: text(64).optional(),
          reference: reference.optional(),
          status: status.optional(),
          limit: pageLimit.optional(),
          cursor: messageId.optional(),
        }),
      answer: page,
      problems: ['property_not_found'],
    },
    async ({ c, body }) => {
      const { limit = 100, cursor: afterMessageId, ...of } = body;
      const listed = await listMessages(c.get('database'), { ...of, afterMessageId }, limit);
      return listed.ok ? ok({ success: true, ...listed.value }) : listed;
    },
  );

  adminOperation(
    api,
    {
      path: '/admin/v1/outbox/replay',
      summary: 'Send a message again, or every dead one of a property',
      body: () =>
        z.union([
          z.object({ messageId }),
          z.object({ property: text(64), status: z.literal('Dead') }),
        ]),
      answer: z.object({ success: z.literal(true), replayed: z.int() }),
      problems: ['message_not_found', 'property_not_found', 'invalid_state'],
    },
    async ({ c, body }) => {
      const changed = await replay(c.get('database'), body, mender(c), Date.now());
      return announced(c, changed, (replayed) => ({ success: true, replayed }));
    },
  );

  adminOperation(
    api,
    {
      path: '/admin/v1/outbox/dismiss',
      summary: 'Give a message up, so that the later ones of its booking go out',
      body: () => z.object({ messageId }),
      answer: z.object({ success: z.literal(true) }),
      problems: ['message_not_found', 'invalid_state'],
    },
    async ({ c, body }) => {
      const changed = await dismiss(c.get('database'), body.messageId, mender(c), Date.now());
      return announced(c, changed, () => ({ success: true }));
    },
  );
}

function mender(c: AppContext): Mender {
  return { clientId: c.get('caller').clientId, requestId: c.get('requestId') };
}

/** Tells the dispatcher beside the answer. */
function announced(
  c: AppContext,
  changed: Result<Changed, Failure>,
  answer: (count: number) => object,
): Result<object, Failure> {
  if (!changed.ok) return changed;
  c.executionCtx.waitUntil(pokeAfterChange(c.env, c.get('crossings'), changed.value));
  return ok(answer(changed.value.count));
}
