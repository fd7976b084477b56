import { z } from '@hono/zod-openapi';
import { callBooking } from '../../booking/stub.ts';
import { err } from '../../core/result.ts';
import { ACQUIRER_ID } from '../../gateways/acquirerId.ts';
import { chargeId, description, gatewayId } from '../../http/fields.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { findBookingOf } from '../../money/folio/list.ts';
import { transactionNotFound } from '../../money/payments/rules.ts';

/** `POST /admin/v1/operation/resolve`: manually sets an outcome that the gateway can no longer report. */
export function registerOperationResolve(api: Api): void {
  adminOperation(api, {
    path: '/admin/v1/operation/resolve',
    summary: 'Manually set the outcome of an operation that the gateway can no longer report',
    body: z.object({
      id: chargeId.describe('of a charge or a refund of any property'),
      outcome: z
        .enum(['Accepted', 'Declined', 'Failed'])
        .describe('`Accepted`: it was carried out'),
      gatewayReference: gatewayId
        .regex(ACQUIRER_ID)
        .optional()
        .describe("the gateway's id of it; required for `Accepted` outside the sandbox"),
      reason: description.min(1).describe('kept in the audit trail'),
    }),
    answer: { id: z.int(), status: z.string().describe('what it is from now on') },
    problems: ['transaction_not_found', 'invalid_state'],
    handle: async ({ c, body }) => {
      const found = await findBookingOf(c.get('database'), body.id);
      if (!found) return err(transactionNotFound());
      const { clientId } = c.get('caller');
      const context = { ...found, requestId: c.get('requestId'), actor: clientId };
      const from = { env: c.env, trace: c.get('trace') };
      return callBooking(from, context, 'resolveManually', body);
    },
  });
}
