import { z } from '@hono/zod-openapi';
import { ok } from '../../core/result.ts';
import { instant } from '../../http/fields.ts';
import { boundsInOrder, cursorAfter, nextPage, pageFields, partOf } from '../../http/listFields.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import { listedTransactionSchema } from '../../money/folio/listedView.ts';
import { listOfProperty } from '../../money/folio/propertyList.ts';
import { transactionStatusSchema } from '../../money/payments/views.ts';
import { propertyNow } from '../../platform/propertyNow.ts';

/** The types of transactions, as their records name them, and their purposes. */
const purposeOf = {
  PaymentDeposit: 'Deposit',
  PaymentBalance: 'Balance',
  PaymentBond: 'Bond',
  PaymentManual: 'Manual',
} as const;

const listBody = z
  .object({
    from: instant.optional().describe('of the creation'),
    to: instant.optional().describe('of the creation, exclusive'),
    status: transactionStatusSchema.optional(),
    type: z.enum(['PaymentDeposit', 'PaymentBalance', 'PaymentBond', 'PaymentManual']).optional(),
    changedSince: instant
      .optional()
      .describe('made or changed at this time or later, also by a refund or a dispute'),
    ...pageFields,
  })
  .check(boundsInOrder('from', 'to'));

const listAnswer = z.object({
  success: z.literal(true),
  transactions: z.array(listedTransactionSchema),
  nextCursor: nextPage,
});

/** The operation that lists a property's transactions (interface: List a property's transactions). */
export function registerTransactionList(api: Api): void {
  propertyOperation(
    api,
    {
      path: '/payment/v1/list',
      summary: "List the property's payment transactions, newest first",
      scope: 'payments:read',
      body: () => listBody,
      answer: listAnswer,
    },
    async ({ c, body, property }) => {
      const { from: fromMs, to: beforeMs, type, changedSince: changedSinceMs } = body;
      const part = partOf('transactions', property.id, body);
      if (!part.ok) return part;
      const purpose = type && purposeOf[type];
      const filter = { fromMs, beforeMs, status: body.status, purpose, changedSinceMs };
      const at = { ...part.value, nowMs: propertyNow(property) };
      const listed = await listOfProperty(c.get('database'), property, filter, at);
      return ok({
        success: true,
        transactions: listed.transactions,
        nextCursor: cursorAfter('transactions', property.id, listed),
      });
    },
  );
}
