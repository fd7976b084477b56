import { z } from '@hono/zod-openapi';
import { callBooking } from '../bookings/stub.ts';
import { addressOf } from '../http/caller.ts';
import { amount, chargeId, description, reference } from '../http/fields.ts';
import { type Api, propertyOperation } from '../http/operation.ts';
import { succeeded } from '../http/succeeded.ts';
import { newReference } from '../payments/commands.ts';
import { cardDetails } from '../payments/schemas.ts';

const refundsAnswer = z.object({
  success: z.literal(true),
  refunds: z.array(
    z
      .object({
        id: z.int(),
        amount: z.number(),
        creditCardFee: z.literal(0),
        transactionFee: z.literal(0),
        reference: z.string(),
        bookingReference: z.string(),
        type: z.literal('RefundManual'),
        timeStamp: z.string(),
        cardDetails,
      })
      .openapi('Refund'),
  ),
});

/** The refund operation (interface: 4.3; decisions: section 5). */
export function registerRefunds(api: Api): void {
  propertyOperation(
    api,
    {
      path: '/refund/v1/create',
      summary: 'Refund a charge, or an amount over any of a booking’s charges',
      scope: 'payments',
      body: ({ exponent }) =>
        z.object({
          reference,
          amount: amount(exponent),
          chargeId: chargeId.optional(),
          description: description.optional(),
        }),
      answer: refundsAnswer,
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
        'outcome_unknown',
      ],
    },
    async ({ c, body, property, callerKey }) => {
      const address = addressOf(c, property, body.reference);
      const command = {
        amountMinor: body.amount,
        currency: property.currency,
        chargeId: body.chargeId ?? null,
        description: body.description ?? null,
        commandReference: newReference(),
        caller: callerKey,
      };
      return succeeded(
        await callBooking(c.env, c.get('crossings'), address, (it) => it.refund(address, command)),
      );
    },
  );
}
