import { ok } from '../../core/result.ts';
import { cursorAfter, partOf } from '../../http/listFields.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import { listDisputes } from '../../money/disputes/list.ts';
import { listAnswer, listBody } from './schemas.ts';

/** The operation that lists disputes (interface: List disputes). */
export function registerDisputes(api: Api): void {
  propertyOperation(
    api,
    {
      path: '/dispute/v1/list',
      summary: "List the disputes of the property's charges, newest first",
      scope: 'payments:read',
      body: () => listBody,
      answer: listAnswer,
      problems: ['booking_not_found'],
    },
    async ({ c, body, property }) => {
      const { from: fromMs, to: beforeMs, reference, status } = body;
      const part = partOf('disputes', property.id, body);
      if (!part.ok) return part;
      const filter = { reference, status, fromMs, beforeMs };
      const listed = await listDisputes(c.get('database'), property, filter, part.value);
      if (!listed.ok) return listed;
      const { disputes } = listed.value;
      const nextCursor = cursorAfter('disputes', property.id, listed.value);
      return ok({ success: true, disputes, nextCursor });
    },
  );
}
