import { ok } from '../../core/result.ts';
import { cursorAfter, partOf } from '../../http/listFields.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import { listProblems } from '../../money/recovery/problems.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { healthAnswer, healthBody } from './schemas.ts';

/** The operation that lists the charges whose card fails (interface: Card health). */
export function registerCardHealth(api: Api): void {
  propertyOperation(
    api,
    {
      path: '/card/v1/health',
      summary: 'List the charges whose card fails, or will have expired',
      scope: 'cards:read',
      body: () => healthBody,
      answer: healthAnswer,
      problems: ['booking_not_found'],
    },
    async ({ c, body, property }) => {
      const { reference, from: fromMs, to: toMs } = body;
      const { id } = property;
      const part = partOf('cardProblems', id, body);
      if (!part.ok) return part;
      const nowMs = propertyNow(property);
      const query = { reference, fromMs, toMs, nowMs };
      const listed = await listProblems(c.get('database'), id, query, part.value);
      if (!listed.ok) return listed;
      const { problems } = listed.value;
      const nextCursor = cursorAfter('cardProblems', id, listed.value);
      return ok({ success: true, problems, nextCursor });
    },
  );
}
