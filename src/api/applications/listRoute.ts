import { z } from '@hono/zod-openapi';
import { ok } from '../../core/result.ts';
import { code, instant } from '../../http/fields.ts';
import {
  boundsInOrder,
  cursorAfter,
  listedDay,
  pageFields,
  placeIn,
  USUAL_LIMIT,
} from '../../http/listFields.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import { selectListedApplications } from '../../records/applications/listStore.ts';
import { applicationStatuses } from '../../records/applications/states.ts';
import { applicationSchema, applicationView } from '../../records/applications/views.ts';

const listBody = z
  .object({
    status: z.enum(applicationStatuses).optional(),
    arrivalFrom: listedDay.optional(),
    arrivalTo: listedDay.optional(),
    changedSince: instant.optional(),
    email: code(254).optional().openapi({ example: 'guest@hotel.com' }),
    ...pageFields,
  })
  .check(boundsInOrder('arrivalFrom', 'arrivalTo'));

const listAnswer = z.object({
  success: z.literal(true),
  applications: z.array(applicationSchema),
  nextCursor: z.string().nullable(),
});

/** The operation that lists applications (interface: List applications). */
export function registerApplicationList(api: Api): void {
  propertyOperation(
    api,
    {
      path: '/application/v1/list',
      summary: "List the property's applications, newest first",
      scope: 'applications',
      body: () => listBody,
      answer: listAnswer,
    },
    async ({ c, body, property }) => {
      const { changedSince: changedSinceMs, cursor, limit = USUAL_LIMIT, ...rest } = body;
      const after = placeIn('applications', property.id, cursor);
      if (!after.ok) return after;
      const filter = { ...rest, changedSinceMs, after: after.value };
      const database = c.get('database');
      const [rows] = await database.batch('d1.application.read', [
        selectListedApplications(database.queries, property.id, filter, limit + 1),
      ]);
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1) : undefined;
      const next = last ? { createdAtMs: last.createdAtMs, key: String(last.id) } : null;
      return ok({
        success: true,
        applications: page.map(applicationView),
        nextCursor: cursorAfter('applications', property.id, next),
      });
    },
  );
}
