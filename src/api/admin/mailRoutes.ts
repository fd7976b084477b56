import { z } from '@hono/zod-openapi';
import { ok } from '../../core/result.ts';
import { email, identifier, reference } from '../../http/fields.ts';
import { adminList } from '../../http/listOperation.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { listMails } from '../../mails/list.ts';
import { mailSchema, mailStatusSchema } from '../../mails/views.ts';
import { liftSuppression } from '../../platform/mail/suppression.ts';

/** The administrator's operations on mails (interface: List mails). */
export function registerMails(api: Api): void {
  adminList(api, {
    path: '/admin/v1/mail/list',
    summary: "List a property's mails, newest first: what came of them, not what they say",
    list: 'mails',
    ownerOf: ({ property }) => property,
    filter: {
      property: identifier,
      reference: reference.optional().describe("only this booking's"),
      status: mailStatusSchema.optional().describe('only these'),
    },
    member: 'mails',
    entries: z.array(mailSchema),
    problems: ['property_not_found'],
    read: ({ c, body }, part) => listMails(c.get('database'), body.property, body, part),
  });

  adminOperation(api, {
    path: '/admin/v1/mail/lift-suppression',
    summary: 'Let an address that bounced get mail again',
    body: z.object({ email }),
    answer: { lifted: z.boolean().describe('whether the address got no mail before') },
    handle: async ({ c, body }) =>
      ok({ lifted: await liftSuppression(c.get('database'), body.email) }),
  });
}
