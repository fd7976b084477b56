import { z } from '@hono/zod-openapi';
import { ok } from '../../core/result.ts';
import { listEndpointsOf } from '../../events/endpoints/actions.ts';
import { endpointView } from '../../events/endpoints/views.ts';
import { identifier } from '../../http/fields.ts';
import { cursorAfter, pageFields, partOf } from '../../http/listFields.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { endpointsAnswer } from '../events/schemas.ts';

/** The administrator's list of a property's endpoints for events (interface: List a property's endpoints). */
export function registerEndpointList(api: Api): void {
  adminOperation(
    api,
    {
      path: '/admin/v1/webhook/list',
      summary: "List a property's endpoints for events, the oldest first",
      body: () => z.object({ property: identifier, ...pageFields }),
      answer: endpointsAnswer,
      problems: ['property_not_found'],
    },
    async ({ c, body }) => {
      const { property } = body;
      const part = partOf('endpoints', property, body);
      if (!part.ok) return part;
      const listed = await listEndpointsOf(c.get('database'), property, part.value);
      if (!listed.ok) return listed;
      const nextCursor = cursorAfter('endpoints', property, listed.value);
      return ok({ success: true, endpoints: listed.value.rows.map(endpointView), nextCursor });
    },
  );
}
