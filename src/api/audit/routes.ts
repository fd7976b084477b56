import { z } from '@hono/zod-openapi';
import { ok } from '../../core/result.ts';
import { code, reference } from '../../http/fields.ts';
import { cursorAfter, pageFields, partOf } from '../../http/listFields.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { listAudit, listChanges } from '../../records/audit/actions.ts';
import { auditPageSchema } from '../../records/audit/views.ts';

/**
 * `POST /admin/v1/audit/list`: every state change of a booking and its payments, oldest first; without `reference`, every
 * change of the property's settings and people.
 */
export function registerAudit(api: Api): void {
  adminOperation(
    api,
    {
      path: '/admin/v1/audit/list',
      summary: 'The audit trail of a booking, or of the settings and people of a property',
      body: () =>
        z.object({
          property: code(64),
          reference: reference
            .optional()
            .describe("this booking's; without it, settings, people and clients"),
          ...pageFields,
        }),
      answer: z.object({ success: z.literal(true), ...auditPageSchema.shape }),
      problems: ['property_not_found', 'booking_not_found'],
    },
    async ({ c, body }) => {
      const { property, reference: ofBooking } = body;
      const part = partOf('audit', property, body);
      if (!part.ok) return part;
      const page = await (ofBooking === undefined
        ? listChanges(c.get('database'), property, part.value)
        : listAudit(c.get('database'), property, ofBooking, part.value));
      if (!page.ok) return page;
      const nextCursor = cursorAfter('audit', property, page.value);
      return ok({ success: true, entries: [...page.value.rows], nextCursor });
    },
  );
}
