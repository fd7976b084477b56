import { ok } from '../../core/result.ts';
import { cursorAfter, placeIn, USUAL_LIMIT } from '../../http/listFields.ts';
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
      scope: 'payments',
      body: () => listBody,
      answer: listAnswer,
      problems: ['booking_not_found'],
    },
    async ({ c, body, property }) => {
      const { from: fromMs, to: beforeMs, limit = USUAL_LIMIT, reference, status } = body;
      const place = placeIn('disputes', property.id, body.cursor);
      if (!place.ok) return place;
      const after = place.value && { openedAtMs: place.value.createdAtMs, id: place.value.key };
      const filter = { reference, status, fromMs, beforeMs, after };
      const listed = await listDisputes(c.get('database'), property, filter, limit);
      if (!listed.ok) return listed;
      const { disputes, next } = listed.value;
      const last = next && { createdAtMs: next.openedAtMs, key: next.id };
      return ok({
        success: true,
        disputes,
        nextCursor: cursorAfter('disputes', property.id, last),
      });
    },
  );
}
