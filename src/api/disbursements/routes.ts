import { ok } from '../../core/result.ts';
import { listDisbursements, readDisbursement } from '../../disbursements/actions.ts';
import { detailedView, disbursementView } from '../../disbursements/views.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import { detailsAnswer, detailsBody, listAnswer, listBody } from './schemas.ts';

/** The disbursement operations (interface: Disbursements). */
export function registerDisbursements(api: Api): void {
  propertyOperation(
    api,
    {
      path: '/disbursement/v1/get-details',
      summary: 'Get a disbursement with its transactions',
      scope: 'disbursements',
      body: () => detailsBody,
      answer: detailsAnswer,
      problems: ['disbursement_not_found'],
    },
    async ({ c, body, property }) => {
      const { disbursementId } = body;
      const read = await readDisbursement(c.get('database'), property.id, disbursementId);
      if (!read.ok) return read;
      return ok({ success: true, disbursement: detailedView(read.value, property.timeZone) });
    },
  );

  propertyOperation(
    api,
    {
      path: '/disbursement/v1/get-all',
      summary: "List the property's disbursements, newest first",
      scope: 'disbursements',
      body: () => listBody,
      answer: listAnswer,
    },
    async ({ c, body, property }) => {
      const { limit = 100, ...filter } = body;
      const listed = await listDisbursements(c.get('database'), property, filter, limit);
      if (!listed.ok) return listed;
      const { rows, nextCursor } = listed.value;
      const disbursements = rows.map((row) => disbursementView(row, property.timeZone));
      return ok({ success: true, disbursements, nextCursor });
    },
  );
}
