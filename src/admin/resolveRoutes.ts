import { z } from '@hono/zod-openapi';
import { callBooking } from '../bookings/stub.ts';
import { err } from '../core/result.ts';
import { chargeId, description } from '../http/fields.ts';
import { type Api, adminOperation } from '../http/operation.ts';
import { succeeded } from '../http/succeeded.ts';
import { transactionNotFound } from '../payments/rules.ts';
import { findPlace } from './places.ts';

/** `POST /admin/v1/operation/resolve`: settles by hand what no gateway can tell any more. */
export function registerOperationResolve(api: Api): void {
  adminOperation(
    api,
    {
      path: '/admin/v1/operation/resolve',
      summary: 'Settle an operation whose outcome no gateway can tell any more',
      body: () =>
        z.object({
          id: chargeId,
          outcome: z.enum(['Accepted', 'Declined', 'Failed']),
          reason: description.min(1),
        }),
      answer: z.object({ success: z.literal(true), id: z.int(), status: z.string() }),
      problems: ['transaction_not_found', 'invalid_state'],
    },
    async ({ c, body }) => {
      const place = await findPlace(c.get('database'), body.id);
      if (!place) return err(transactionNotFound());
      const { clientId } = c.get('caller');
      const address = { ...place, requestId: c.get('requestId'), actor: clientId };
      return succeeded(
        await callBooking(c.env, c.get('crossings'), address, (it) =>
          it.resolveByHand(address, body),
        ),
      );
    },
  );
}
