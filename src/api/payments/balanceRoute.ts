import { z } from '@hono/zod-openapi';
import { andThen, ok } from '../../core/result.ts';
import { instant, reference } from '../../http/fields.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import type { SchemaParameters } from '../../http/readRequest.ts';
import { readBalance } from '../../money/balance/readBalance.ts';
import { balanceSchema, balanceView } from '../../money/balance/views.ts';
import { propertyNow } from '../../platform/propertyNow.ts';

/** The body of `balance`. An instant ahead is refused: nobody knows what will be open then. */
function balanceBody({ times }: SchemaParameters) {
  return z.object({
    reference,
    asOf: instant
      .refine((atMs) => atMs <= times.now(), {
        params: { code: 'time_in_future' },
        message: 'Use a time that has passed.',
      })
      .optional()
      .describe('the balance as this service knew it at that instant, not ahead'),
  });
}

/** The operation that gets a booking's balance (interface: Get the balance). */
export function registerBalance(api: Api): void {
  propertyOperation(api, {
    path: '/payment/v1/balance',
    summary: 'Get what is paid, due and open of a booking, now or as of an instant',
    scope: 'payments:read',
    body: balanceBody,
    answer: { balance: balanceSchema },
    problems: ['booking_not_found'],
    handle: async ({ c, body, property }) => {
      const { asOf, reference: ofBooking } = body;
      const name = { propertyId: property.id, reference: ofBooking };
      const read = await readBalance(c.get('database'), name, asOf ?? null);
      const atMs = asOf ?? propertyNow(property);
      return andThen(read, (balance) =>
        ok({
          balance: balanceView(ofBooking, balance, atMs, property.timeZone),
        }),
      );
    },
  });
}
