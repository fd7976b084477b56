import { z } from '@hono/zod-openapi';
import { andThen, ok } from '../../core/result.ts';
import type { AppContext } from '../../http/context.ts';
import { code, reference, uuid } from '../../http/fields.ts';
import { EVERY_PROPERTY } from '../../http/listFields.ts';
import { adminList } from '../../http/listOperation.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { shownPage } from '../../platform/db/page.ts';
import { changeMessages, listMessages } from '../../pms/outbox/actions.ts';
import { notifyAfterChange } from '../../pms/outbox/stub.ts';
import { messageSchema, messageStatusSchema, messageView } from '../../pms/outbox/views.ts';
import { operatorOf } from '../calls.ts';

/** The administrator's operations on messages to PMSs (interface: Administration). */
export function registerOutbox(api: Api): void {
  adminList(api, {
    path: '/admin/v1/outbox/list',
    summary: 'List messages to PMSs, oldest first',
    list: 'outbox',
    ownerOf: ({ property = EVERY_PROPERTY }) => property,
    filter: {
      property: code(64).optional().describe('only its messages'),
      reference: reference.optional().describe("only this booking's"),
      status: messageStatusSchema.optional().describe('only these'),
    },
    member: 'messages',
    entries: z.array(messageSchema).describe('the oldest first'),
    problems: ['property_not_found'],
    read: async ({ c, body }, part) => {
      const listed = await listMessages(c.get('database'), body, part);
      return andThen(listed, (page) => ok(shownPage(page, messageView)));
    },
  });

  adminOperation(api, {
    path: '/admin/v1/outbox/replay',
    summary: 'Retry one dead message, or all dead messages of a property',
    body: z.union([
      z.object({ messageId: uuid }),
      z.object({ property: code(64), status: z.literal('Dead') }),
    ]),
    answer: { replayed: z.int().describe('how many messages') },
    problems: ['message_not_found', 'property_not_found', 'invalid_state'],
    handle: async ({ c, body }) =>
      andThen(await change(c, body, 'Pending'), ({ count }) => ok({ replayed: count })),
  });

  adminOperation(api, {
    path: '/admin/v1/outbox/dismiss',
    summary: 'Discard a message, so that the later messages of its booking go out',
    body: z.object({ messageId: uuid }),
    answer: {},
    problems: ['message_not_found', 'invalid_state'],
    handle: async ({ c, body }) => andThen(await change(c, body, 'Dismissed'), () => ok(null)),
  });
}

async function change(
  c: AppContext,
  which: Parameters<typeof changeMessages>[1],
  to: 'Pending' | 'Dismissed',
) {
  const changed = await changeMessages(c.get('database'), which, to, operatorOf(c), Date.now());
  if (changed.ok) {
    c.executionCtx.waitUntil(notifyAfterChange(c.env, c.get('trace'), changed.value));
  }
  return changed;
}
