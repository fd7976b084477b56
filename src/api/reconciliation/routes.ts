import { ok } from '../../core/result.ts';
import { cursorAfter, partOf } from '../../http/listFields.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { acceptException, listExceptions, reconcileSpan } from '../../reconciliation/actions.ts';
import { exceptionView } from '../../reconciliation/views.ts';
import { reconciliationWork } from '../../reconciliation/work.ts';
import { acceptAnswer, acceptBody, listAnswer, listBody, runAnswer, runBody } from './schemas.ts';

/** The administrator's operations on differences from the acquirer's records (interface: Reconciliation). */
export function registerReconciliation(api: Api): void {
  adminOperation(
    api,
    {
      path: '/admin/v1/reconciliation/list',
      summary: "List the differences between the acquirer's records and ours, newest first",
      body: () => listBody,
      answer: listAnswer,
      problems: ['property_not_found'],
    },
    async ({ c, body }) => {
      const part = partOf('differences', body.property ?? '', body);
      if (!part.ok) return part;
      const listed = await listExceptions(c.get('database'), body, part.value);
      if (!listed.ok) return listed;
      const nextCursor = cursorAfter('differences', body.property ?? '', listed.value);
      return ok({ success: true, exceptions: listed.value.rows.map(exceptionView), nextCursor });
    },
  );

  adminOperation(
    api,
    {
      path: '/admin/v1/reconciliation/run',
      summary: "Compare a property's movements of a span with the acquirer's, and correct ours",
      body: () => runBody,
      answer: runAnswer,
      problems: ['property_not_found'],
    },
    async ({ c, body }) => {
      const { from: fromMs, property, to: toMs } = body;
      const work = reconciliationWork(c.env, c.get('config'), c.get('trace'), c.get('requestId'));
      const run = await reconcileSpan(work, { property, fromMs, toMs });
      if (!run.ok) return run;
      const { compared, corrected, exceptions } = run.value;
      return ok({ success: true, compared, corrected, exceptions });
    },
  );

  adminOperation(
    api,
    {
      path: '/admin/v1/reconciliation/accept',
      summary: 'Accept a difference for good, with a reason',
      body: () => acceptBody,
      answer: acceptAnswer,
      problems: ['exception_not_found', 'invalid_state'],
    },
    async ({ c, body }) => {
      const by = { clientId: c.get('caller').clientId, requestId: c.get('requestId') };
      const { exceptionId, reason } = body;
      const accepted = await acceptException(
        c.get('database'),
        exceptionId,
        reason,
        by,
        Date.now(),
      );
      return accepted.ok
        ? ok({ success: true, exception: exceptionView(accepted.value) })
        : accepted;
    },
  );
}
