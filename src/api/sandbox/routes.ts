import { z } from '@hono/zod-openapi';
import { failure } from '../../core/failure.ts';
import { exponentOf, toDecimal } from '../../core/money.ts';
import { err, ok } from '../../core/result.ts';
import { utcTimestamp } from '../../core/time.ts';
import { sandboxAcquirer } from '../../gateways/sandbox/gateway.ts';
import { reference } from '../../http/fields.ts';
import { type Api, adminOperation } from '../../http/operation.ts';

const ledgerAnswer = z.object({
  success: z.literal(true),
  operations: z.array(
    z.object({
      kind: z.enum([
        'charge',
        'authorization',
        'capture',
        'release',
        'refund',
        'dispute',
        'dispute_reversal',
        'refund_failure',
      ]),
      idempotencyKey: z.string().nullable(),
      property: z.string(),
      bookingReference: z.string().nullable(),
      amount: z.number(),
      currency: z.string(),
      status: z.enum(['succeeded', 'declined', 'failed']),
      time: z.string(),
    }),
  ),
});

/** `POST /sandbox/v1/ledger`: the sandbox acquirer's own records (interface: Read the sandbox ledger). */
export function registerSandbox(api: Api): void {
  adminOperation(
    api,
    {
      path: '/sandbox/v1/ledger',
      summary: 'List the records of the sandbox acquirer, one for each gateway key',
      body: () => z.object({ reference: reference.optional() }),
      answer: ledgerAnswer,
      problems: ['not_found'],
    },
    async ({ c, body }) => {
      if (c.get('config').gateway !== 'sandbox') {
        return err(failure('not_found', 'This deployment does not use the sandbox gateway.'));
      }
      const entries = await c
        .get('trace')
        .span('object.sandbox', () => sandboxAcquirer(c.env).ledger(body.reference ?? null));
      const operations = entries.map(({ amountMinor, atMs, ...entry }) => ({
        ...entry,
        amount: toDecimal(amountMinor, exponentOf(entry.currency) ?? 2),
        time: utcTimestamp(atMs),
      }));
      return ok({ success: true, operations });
    },
  );
}
