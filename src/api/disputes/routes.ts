import { ok } from '../../core/result.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import { listDisputes } from '../../money/disputes/list.ts';
import { cursorAfter, listAnswer, listBody } from './schemas.ts';

/** The operation that lists disputes (interface: List disputes). */
export function registerDisputes(api: Api): void {
  propertyOperation(
    api,
    {
      path: '/dispute/v1/list',
      summary: "List the disputes of the property's charges, newest first",
      scope: 'payments',
      body: () => listBody,
      answer: listAnswer,
      problems: ['booking_not_found'],
    },
    async ({ c, body, property }) => {
      const { from: fromMs, to: beforeMs, cursor: after, limit = 100, reference, status } = body;
      const filter = { reference, status, fromMs, beforeMs, after };
      const listed = await listDisputes(c.get('database'), property, filter, limit);
      if (!listed.ok) return listed;
      const { disputes, next } = listed.value;
      return ok({ success: true, disputes, nextCursor: next && cursorAfter(next) });
    },
  );
}
