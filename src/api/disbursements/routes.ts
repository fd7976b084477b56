import { z } from '@hono/zod-openapi';
import { andThen, ok } from '../../core/result.ts';
import { listDisbursements, readDisbursement } from '../../disbursements/actions.ts';
import {
  detailedDisbursementSchema,
  detailedView,
  disbursementSchema,
  disbursementStatusSchema,
  disbursementView,
  type ListedWithLine,
} from '../../disbursements/views.ts';
import { bound, code } from '../../http/fields.ts';
import { propertyList } from '../../http/listOperation.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import { shownPage } from '../../platform/db/page.ts';

/** A disbursement's identifier. Any other text is simply not found. */
const disbursementId = code(200).openapi({ example: 'sandbox-demo-2027-02-14' });

/** The disbursement operations (interface: Disbursements). */
export function registerDisbursements(api: Api): void {
  propertyOperation(api, {
    path: '/disbursement/v1/get-details',
    summary: 'Get a disbursement with its transactions',
    scope: 'disbursements:read',
    body: z.object({ disbursementId }),
    answer: { disbursement: detailedDisbursementSchema },
    problems: ['disbursement_not_found'],
    handle: async ({ c, body, property: { id, timeZone } }) => {
      const read = await readDisbursement(c.get('database'), id, body.disbursementId);
      return andThen(read, (found) => ok({ disbursement: detailedView(found, timeZone) }));
    },
  });

  // Bounds that are days are inclusive; of two instants, the later is exclusive.
  propertyList(api, {
    path: '/disbursement/v1/get-all',
    summary: "List the property's disbursements, newest first",
    scope: 'disbursements:read',
    list: 'disbursements',
    filter: {
      from: bound
        .optional()
        .describe('a date, `DD-MM-YYYY` or a time; by `timeEffective`, inclusive'),
      to: bound.optional().describe('a day is inclusive, a time exclusive'),
      status: disbursementStatusSchema.optional(),
    },
    member: 'disbursements',
    entries: z.array(disbursementSchema),
    read: async ({ c, body, property }, part) => {
      const listed = await listDisbursements(c.get('database'), property, body, part);
      const show = (one: ListedWithLine) => disbursementView(one, property.timeZone);
      return andThen(listed, (page) => ok(shownPage(page, show)));
    },
  });
}
