import { z } from '@hono/zod-openapi';
import { instant, reference } from '../../http/fields.ts';
import { propertyList } from '../../http/listOperation.ts';
import type { Api } from '../../http/operation.ts';
import { listDisputes } from '../../money/disputes/list.ts';
import { disputeSchema, disputeStatusSchema } from '../../money/disputes/views.ts';

/** The operation that lists disputes (interface: List disputes). */
export function registerDisputes(api: Api): void {
  propertyList(api, {
    path: '/dispute/v1/list',
    summary: "List the disputes of the property's charges, newest first",
    scope: 'payments:read',
    list: 'disputes',
    filter: {
      reference: reference.optional().describe('the disputes of this booking'),
      status: disputeStatusSchema.optional(),
      from: instant.optional().describe('by `openedAt`, inclusive'),
      to: instant.optional().describe('by `openedAt`, exclusive'),
    },
    inOrder: ['from', 'to'],
    member: 'disputes',
    entries: z.array(disputeSchema),
    problems: ['booking_not_found'],
    read: ({ c, body, property }, part) => {
      const filter = { ...body, fromMs: body.from, beforeMs: body.to };
      return listDisputes(c.get('database'), property, filter, part);
    },
  });
}
