import { z } from '@hono/zod-openapi';
import { ok } from '../../core/result.ts';
import { code, cursor, cursorOf, pageLimit, reference } from '../../http/fields.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { listAudit } from '../../records/audit/actions.ts';
import { auditPageSchema } from '../../records/audit/views.ts';

/** `POST /admin/v1/audit/list`: every state change of a booking and its payments, oldest first. */
export function registerAudit(api: Api): void {
  adminOperation(
    api,
    {
      path: '/admin/v1/audit/list',
      summary: 'The audit trail of a booking',
      body: () =>
        z.object({
          property: code(64),
          reference,
          limit: pageLimit.optional(),
          cursor: cursor.optional(),
        }),
      answer: z.object({ success: z.literal(true), ...auditPageSchema.shape }),
      problems: ['property_not_found', 'booking_not_found'],
    },
    async ({ c, body }) => {
      const { property, limit = 100, cursor: afterId = 0 } = body;
      const page = await listAudit(c.get('database'), property, body.reference, afterId, limit);
      if (!page.ok) return page;
      const { entries, nextId } = page.value;
      return ok({ success: true, entries, nextCursor: nextId === null ? null : cursorOf(nextId) });
    },
  );
}
