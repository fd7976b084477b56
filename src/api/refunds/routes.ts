import { z } from '@hono/zod-openapi';
import { amount, chargeId, description, flag, reference } from '../../http/fields.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import { refundsAnswerSchema } from '../../money/refunds/views.ts';
import { newReference } from '../../platform/ids.ts';

/** The refund operation (interface: Refunds). */
export function registerRefunds(api: Api): void {
  propertyOperation(api, {
    path: '/refund/v1/create',
    summary: 'Refund a charge, or an amount across all charges of a booking',
    scope: 'payments',
    body: ({ exponent }) =>
      z.object({
        reference,
        amount: amount(exponent).describe('what the guest gets back'),
        chargeId: chargeId.optional().describe('refunds this charge only'),
        description: description.optional().describe('goes to the PMS'),
        waive: flag('the stay costs less by it: what it gives back is not due again'),
      }),
    answer: refundsAnswerSchema.shape,
    idempotent: 'refund',
    problems: [
      'booking_not_found',
      'transaction_not_found',
      'invalid_state',
      'amount_precision',
      'amount_out_of_range',
      'refund_exceeds_charge',
      'idempotency_key_reused',
      'card_declined',
      'gateway_error',
    ],
    handle: ({ body, callerKey, perform, property }) => {
      const command = {
        amountMinor: body.amount,
        currency: property.currency,
        chargeId: body.chargeId ?? null,
        description: body.description ?? null,
        waive: body.waive ?? false,
        commandReference: newReference(),
        dailyLimitMinor: null,
        caller: callerKey,
      };
      return perform(body.reference, 'refund', command);
    },
  });
}
