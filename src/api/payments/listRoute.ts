import { z } from '@hono/zod-openapi';
import { instant } from '../../http/fields.ts';
import { propertyList } from '../../http/listOperation.ts';
import type { Api } from '../../http/operation.ts';
import { listOfProperty } from '../../money/folio/list.ts';
import { listedTransactionSchema } from '../../money/folio/listedView.ts';
import { transactionStatusSchema } from '../../money/payments/views.ts';
import { propertyNow } from '../../platform/propertyNow.ts';

/** The types of transactions, as their records name them, and their purposes. */
const purposeOf = {
  PaymentDeposit: 'Deposit',
  PaymentBalance: 'Balance',
  PaymentBond: 'Bond',
  PaymentManual: 'Manual',
} as const;

const typeNames = Object.keys(purposeOf) as (keyof typeof purposeOf)[];

/** The operation that lists a property's transactions (interface: List a property's transactions). */
export function registerTransactionList(api: Api): void {
  propertyList(api, {
    path: '/payment/v1/list',
    summary: "List the property's payment transactions, newest first",
    scope: 'payments:read',
    list: 'transactions',
    filter: {
      from: instant.optional().describe('of the creation'),
      to: instant.optional().describe('of the creation, exclusive'),
      status: transactionStatusSchema.optional(),
      type: z.enum(typeNames).optional(),
      changedSince: instant
        .optional()
        .describe('made or changed at this time or later, also by a refund or a dispute'),
    },
    inOrder: ['from', 'to'],
    member: 'transactions',
    entries: z.array(listedTransactionSchema),
    read: async ({ c, body, property }, part) => {
      const { from: fromMs, to: beforeMs, type, changedSince: changedSinceMs, status } = body;
      const filter = { fromMs, beforeMs, status, purpose: type && purposeOf[type], changedSinceMs };
      const at = { ...part, nowMs: propertyNow(property) };
      const listed = await listOfProperty(c.get('database'), property, filter, at);
      return { rows: listed.transactions, next: listed.next };
    },
  });
}
