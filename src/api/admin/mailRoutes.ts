import { z } from '@hono/zod-openapi';
import { ok } from '../../core/result.ts';
import { email, identifier, reference } from '../../http/fields.ts';
import { cursorAfter, nextPage, pageFields, partOf } from '../../http/listFields.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { listMails } from '../../mails/list.ts';
import { mailSchema, mailStatusSchema } from '../../mails/views.ts';
import { liftSuppression } from '../../platform/mail/suppression.ts';

/** The administrator's operations on mails (interface: List mails). */
export function registerMails(api: Api): void {
  adminOperation(
    api,
    {
      path: '/admin/v1/mail/list',
      summary: "List a property's mails, newest first: what came of them, not what they say",
      body: () =>
        z.object({
          property: identifier,
          reference: reference.optional().describe("only this booking's"),
          status: mailStatusSchema.optional().describe('only these'),
          ...pageFields,
        }),
      answer: z.object({
        success: z.literal(true),
        mails: z.array(mailSchema),
        nextCursor: nextPage,
      }),
      problems: ['property_not_found'],
    },
    async ({ c, body }) => {
      const { property } = body;
      const part = partOf('mails', property, body);
      if (!part.ok) return part;
      const listed = await listMails(c.get('database'), property, body, part.value);
      if (!listed.ok) return listed;
      const { mails } = listed.value;
      return ok({ success: true, mails, nextCursor: cursorAfter('mails', property, listed.value) });
    },
  );

  adminOperation(
    api,
    {
      path: '/admin/v1/mail/lift-suppression',
      summary: 'Let an address that bounced get mail again',
      body: () => z.object({ email }),
      answer: z.object({
        success: z.literal(true),
        lifted: z.boolean().describe('whether the address got no mail before'),
      }),
      problems: [],
    },
    async ({ c, body }) =>
      ok({ success: true, lifted: await liftSuppression(c.get('database'), body.email) }),
  );
}
