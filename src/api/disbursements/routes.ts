import { ok } from '../../core/result.ts';
import { listDisbursements, readDisbursement } from '../../disbursements/actions.ts';
import { detailedView, disbursementView } from '../../disbursements/views.ts';
import { cursorAfter, partOf } from '../../http/listFields.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import { detailsAnswer, detailsBody, listAnswer, listBody } from './schemas.ts';

/** The disbursement operations (interface: Disbursements). */
export function registerDisbursements(api: Api): void {
  propertyOperation(
    api,
    {
      path: '/disbursement/v1/get-details',
      summary: 'Get a disbursement with its transactions',
      scope: 'disbursements:read',
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
      scope: 'disbursements:read',
      body: () => listBody,
      answer: listAnswer,
    },
    async ({ c, body, property }) => {
      const part = partOf('disbursements', property.id, body);
      if (!part.ok) return part;
      const listed = await listDisbursements(c.get('database'), property, body, part.value);
      if (!listed.ok) return listed;
      return ok({
        success: true,
        disbursements: listed.value.rows.map((row) => disbursementView(row, property.timeZone)),
        nextCursor: cursorAfter('disbursements', property.id, listed.value),
      });
    },
  );
}
