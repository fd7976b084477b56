import { ok } from '../../core/result.ts';
import { listDisbursements, readDisbursement } from '../../disbursements/actions.ts';
import { detailedView, disbursementView } from '../../disbursements/views.ts';
import { cursorAfter, placeIn, USUAL_LIMIT } from '../../http/listFields.ts';
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
      const { limit = USUAL_LIMIT, cursor, ...bounds } = body;
      const place = placeIn('disbursements', property.id, cursor);
      if (!place.ok) return place;
      const after = place.value && { effectiveAtMs: place.value.createdAtMs, id: place.value.key };
      const filter = { ...bounds, after };
      const listed = await listDisbursements(c.get('database'), property, filter, limit);
      if (!listed.ok) return listed;
      const { rows, next } = listed.value;
      const last = next && { createdAtMs: next.effectiveAtMs, key: next.id };
      return ok({
        success: true,
        disbursements: rows.map((row) => disbursementView(row, property.timeZone)),
        nextCursor: cursorAfter('disbursements', property.id, last),
      });
    },
  );
}
