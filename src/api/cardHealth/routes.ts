import { z } from '@hono/zod-openapi';
import { andThen, ok } from '../../core/result.ts';
import { instant, reference } from '../../http/fields.ts';
import { propertyList } from '../../http/listOperation.ts';
import type { Api } from '../../http/operation.ts';
import { listProblems, problemSchema } from '../../money/recovery/problems.ts';
import { propertyNow } from '../../platform/propertyNow.ts';

/** The operation that lists the charges whose card fails (interface: Card health). */
export function registerCardHealth(api: Api): void {
  propertyList(api, {
    path: '/card/v1/health',
    summary: 'List the charges whose card fails, or will have expired',
    scope: 'cards:read',
    list: 'cardProblems',
    filter: {
      reference: reference.optional().describe("only this booking's"),
      from: instant.optional().describe('by the time of the charge'),
      to: instant.optional().describe('by the time of the charge, exclusive'),
    },
    inOrder: ['from', 'to'],
    member: 'problems',
    entries: z.array(problemSchema),
    problems: ['booking_not_found'],
    read: async ({ c, body, property }, part) => {
      const { reference: ofBooking, from: fromMs, to: toMs } = body;
      const query = { reference: ofBooking, fromMs, toMs, nowMs: propertyNow(property) };
      const listed = await listProblems(c.get('database'), property.id, query, part);
      return andThen(listed, ({ problems, next }) => ok({ rows: problems, next }));
    },
  });
}
