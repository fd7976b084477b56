import { z } from '@hono/zod-openapi';
import { andThen, ok } from '../../core/result.ts';
import { cost, description, name, pastInstant, reference } from '../../http/fields.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import type { SchemaParameters } from '../../http/readRequest.ts';
import { quoteWork } from '../../money/payments/quote.ts';
import {
  cancellationSchema,
  cancellationView,
  quoteCancellation,
} from '../../money/settlements/quote.ts';
import { readSettlement } from '../../money/settlements/read.ts';
import { settlementSchema } from '../../money/settlements/views.ts';
import { savedBookingSchema } from '../../records/bookings/views.ts';
import { referenceBody } from './schemas.ts';

function quoteBody({ exponent, times }: SchemaParameters) {
  return z.object({
    reference,
    reason: z
      .enum(['guest', 'property', 'noShow'])
      .describe('who cancels: the guest, the property, or the guest by not coming'),
    at: pastInstant(times)
      .optional()
      .describe('the moment that the policy is judged by, not ahead; now when left out'),
    keep: z
      .object({
        amount: cost(exponent).describe('what is kept, whatever the policy says'),
        why: description
          .min(1)
          .openapi({ example: 'Agreed by phone' })
          .describe('for the audit trail'),
      })
      .optional()
      .describe('goes before the policy'),
  });
}

/** The operations that cancel a booking with a settlement (interface: Cancellation). */
export function registerCancellation(api: Api): void {
  propertyOperation(api, {
    path: '/booking/v1/cancellation/quote',
    summary: 'Say what cancelling a booking would keep, charge and give back',
    scope: 'bookings:read',
    body: quoteBody,
    answer: { cancellation: cancellationSchema },
    problems: ['booking_not_found', 'no_policy', 'amount_precision', 'amount_out_of_range'],
    handle: async ({ c, body, property }) => {
      const work = quoteWork({ ...c.var, env: c.env }, property, body.reference);
      const { at: atMs = work.nowMs, keep, reason } = body;
      const override = keep ? { amountMinor: keep.amount, why: keep.why } : null;
      const quoted = await quoteCancellation(work, { reason, atMs, keep: override });
      return andThen(quoted, (quote) => ok({ cancellation: cancellationView(quote, property) }));
    },
  });

  propertyOperation(api, {
    path: '/booking/v1/cancellation/apply',
    summary: 'Cancel a booking exactly as it was quoted',
    scope: 'bookings',
    body: z.object({
      reference,
      cancellationQuoteId: name(8_000).describe('of the quote; it is applied once'),
    }),
    answer: { booking: savedBookingSchema, settlement: settlementSchema },
    problems: ['booking_not_found', 'invalid_state', 'quote_stale', 'quote_invalid'],
    idempotent: 'apply-cancellation',
    handle: ({ body, callerKey: caller, perform }) =>
      perform(body.reference, 'cancelBooking', { quoteId: body.cancellationQuoteId, caller }),
  });

  propertyOperation(api, {
    path: '/booking/v1/cancellation/get',
    summary: 'Get the settlement of a cancelled booking',
    scope: 'bookings:read',
    body: referenceBody,
    answer: { settlement: settlementSchema },
    problems: ['booking_not_found', 'settlement_not_found'],
    handle: async ({ c, body, property }) => {
      const of = { propertyId: property.id, reference: body.reference };
      const read = await readSettlement(c.get('database'), of, property.currency);
      return andThen(read, (settlement) => ok({ settlement }));
    },
  });
}
