import { ok } from '../../core/result.ts';
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
      scope: 'cards',
      body: () => healthBody,
      answer: healthAnswer,
      problems: ['booking_not_found'],
    },
    async ({ c, body, property }) => {
      const { reference, from: fromMs, to: toMs } = body;
      const { id, timeZone } = property;
      const listed = await listProblems(
        c.get('database'),
        { id, timeZone, nowMs: propertyNow(property) },
        { reference, fromMs, toMs },
      );
      return listed.ok ? ok({ success: true, problems: listed.value }) : listed;
    },
  );
}
