import { z } from '@hono/zod-openapi';
import { andThen, ok } from '../../core/result.ts';
import { code, description, instant, uuid } from '../../http/fields.ts';
import { EVERY_PROPERTY } from '../../http/listFields.ts';
import { adminList } from '../../http/listOperation.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { acceptException, listExceptions, reconcileSpan } from '../../reconciliation/actions.ts';
import { exceptionSchema, exceptionView } from '../../reconciliation/views.ts';
import { reconciliationWork } from '../../reconciliation/work.ts';
import { exceptions as exceptionTable } from '../../schema/reconciliationTables.ts';
import { operatorOf } from '../calls.ts';

/** The administrator's operations on differences from the acquirer's records (interface: Reconciliation). */
export function registerReconciliation(api: Api): void {
  adminList(api, {
    path: '/admin/v1/reconciliation/list',
    summary: "List the differences between the acquirer's records and ours, newest first",
    list: 'differences',
    ownerOf: ({ property = EVERY_PROPERTY }) => property,
    filter: {
      property: code(64).optional().describe('only its exceptions'),
      status: z.enum(exceptionTable.status.enumValues).optional().describe('only these'),
    },
    member: 'exceptions',
    entries: z.array(exceptionSchema),
    problems: ['property_not_found'],
    read: ({ c, body }, part) => listExceptions(c.get('database'), body, part),
  });

  adminOperation(api, {
    path: '/admin/v1/reconciliation/run',
    summary: "Compare a property's movements of a span with the acquirer's, and correct ours",
    body: z.object({
      property: code(64).describe('the one to compare'),
      from: instant.describe('at most 31 days before `to`'),
      to: instant.describe('exclusive'),
    }),
    answer: {
      compared: z.int().describe('movements of the acquirer that were looked at'),
      corrected: z.int().describe('corrections that were made'),
      exceptions: z.int().describe('how many are new'),
    },
    problems: ['property_not_found'],
    handle: async ({ c, body }) => {
      const { from: fromMs, property, to: toMs } = body;
      const { config, database, requestId, trace } = c.var;
      const work = { ...reconciliationWork(c.env, config, trace, requestId), database };
      return reconcileSpan(work, { property, fromMs, toMs });
    },
  });

  adminOperation(api, {
    path: '/admin/v1/reconciliation/accept',
    summary: 'Accept a difference for good, with a reason',
    body: z.object({
      exceptionId: uuid.describe('of the list'),
      reason: description.min(1).describe('kept in the audit trail'),
    }),
    answer: { exception: exceptionSchema },
    problems: ['exception_not_found', 'invalid_state'],
    handle: async ({ c, body: { exceptionId, reason } }) => {
      const by = operatorOf(c);
      const work = { database: c.get('database'), env: c.env, trace: c.get('trace') };
      const accepted = await acceptException(work, exceptionId, reason, by, Date.now());
      return andThen(accepted, (exception) => ok({ exception: exceptionView(exception) }));
    },
  });
}
