import { z } from '@hono/zod-openapi';
import { ok } from '../../core/result.ts';
import { email } from '../../http/fields.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { liftSuppression } from '../../platform/mail/suppression.ts';

/** The administrator's operation on addresses that bounced (interface: Lift a suppression). */
export function registerMails(api: Api): void {
  adminOperation(
    api,
    {
      path: '/admin/v1/mail/lift-suppression',
      summary: 'Let an address that bounced get mail again',
      body: () => z.object({ email }),
      answer: z.object({
        success: z.literal(true),
        lifted: z.boolean().describe('Whether the address got no mail before'),
      }),
      problems: [],
    },
    async ({ c, body }) =>
      ok({ success: true, lifted: await liftSuppression(c.get('database'), body.email) }),
  );
}
