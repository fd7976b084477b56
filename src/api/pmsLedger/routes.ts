import { z } from '@hono/zod-openapi';
import { andThen, ok } from '../../core/result.ts';
import { flag, uuid } from '../../http/fields.ts';
import { LARGE_BODY_LIMIT_BYTES } from '../../http/json.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import { onceBeside } from '../../operation/idempotency.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { compareLedger } from '../../pms/ledger/compare.ts';
import { repairLedger } from '../../pms/ledger/repair.ts';
import { reportSchema, reportView } from '../../pms/ledger/views.ts';
import { notifyAfterChange } from '../../pms/outbox/stub.ts';
import { archiveWork, keyWork, operatorOf } from '../calls.ts';
import { ledgerReport } from './schemas.ts';

/** The operations on the PMS's ledger (pms: The PMS's ledger). */
export function registerPmsLedger(api: Api): void {
  propertyOperation(api, {
    path: '/pms-ledger/v1/compare',
    summary: "Compare the PMS's ledger of a span with what the PMS was sent",
    scope: 'payments',
    limitBytes: LARGE_BODY_LIMIT_BYTES,
    body: ({ exponent }) => ledgerReport(exponent),
    answer: { report: reportSchema.describe('what was found') },
    handle: async ({ c, body, property }) => {
      const work = { ...archiveWork(c), property, nowMs: propertyNow(property) };
      const made = await compareLedger(work, body);
      return andThen(made, (report) => ok({ report: reportView(report, property.exponent) }));
    },
  });

  propertyOperation(api, {
    path: '/pms-ledger/v1/repair',
    summary: 'Send the messages again that the PMS lacks',
    scope: 'payments',
    idempotent: 'repair-ledger',
    body: z.object({
      reportId: uuid.describe('of a comparison'),
      dryRun: flag('whether to count them only'),
    }),
    answer: { replayed: z.int().describe('how many messages') },
    problems: ['report_not_found'],
    handle: (request) => {
      const { c, body, callerKey, perform, property } = request;
      const { dryRun = false, reportId } = body;
      const work = {
        ...archiveWork(c),
        propertyId: property.id,
        by: operatorOf(c),
        nowMs: propertyNow(property),
        bringBack: async (reference: string) =>
          (await perform(reference, 'requireBooking', null)).answer,
      };
      return onceBeside(keyWork(request), dryRun ? null : callerKey, async () => {
        const repaired = await repairLedger(work, reportId, dryRun);
        if (repaired.ok && !dryRun) {
          c.executionCtx.waitUntil(notifyAfterChange(c.env, c.get('trace'), repaired.value));
        }
        return andThen(repaired, ({ count }) => ok({ replayed: count }));
      });
    },
  });
}
