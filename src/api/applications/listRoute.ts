import { z } from '@hono/zod-openapi';
import { ok } from '../../core/result.ts';
import { code, instant } from '../../http/fields.ts';
import {
  boundsInOrder,
  cursorAfter,
  listedDay,
  nextPage,
  pageFields,
  partOf,
} from '../../http/listFields.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import { pageOf } from '../../platform/db/page.ts';
import { selectListedApplications } from '../../records/applications/listStore.ts';
import { applicationStatuses } from '../../records/applications/states.ts';
import { applicationSchema, applicationView } from '../../records/applications/views.ts';

const listBody = z
  .object({
    status: z.enum(applicationStatuses).optional(),
    arrivalFrom: listedDay.optional().describe('`DD-MM-YYYY` or `YYYY-MM-DD`, inclusive'),
    arrivalTo: listedDay.optional().describe('`DD-MM-YYYY` or `YYYY-MM-DD`, inclusive'),
    changedSince: instant.optional().describe('made or changed at this time or later'),
    email: code(254)
      .optional()
      .openapi({ example: 'guest@hotel.com' })
      .describe('the whole address; case does not matter'),
    ...pageFields,
  })
  .check(boundsInOrder('arrivalFrom', 'arrivalTo'));

const listAnswer = z.object({
  success: z.literal(true),
  applications: z.array(applicationSchema),
  nextCursor: nextPage,
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
      const { changedSince: changedSinceMs, ...rest } = body;
      const part = partOf('applications', property.id, body);
      if (!part.ok) return part;
      const filter = { ...rest, changedSinceMs };
      const database = c.get('database');
      const [rows] = await database.batch('d1.application.read', [
        selectListedApplications(database.queries, property.id, filter, part.value),
      ]);
      const page = pageOf(rows, body.limit, (row) => [row.createdAtMs, row.id]);
      return ok({
        success: true,
        applications: page.rows.map(applicationView),
        nextCursor: cursorAfter('applications', property.id, page),
      });
    },
  );
}
