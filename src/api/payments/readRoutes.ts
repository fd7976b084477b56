import { z } from '@hono/zod-openapi';
import { andThen, ok } from '../../core/result.ts';
import { instant, pastInstant, reference } from '../../http/fields.ts';
import { propertyList } from '../../http/listOperation.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import { readBalance } from '../../money/balance/readBalance.ts';
import { balanceSchema, balanceView } from '../../money/balance/views.ts';
import { getTransaction, listOfProperty, listTransactions } from '../../money/folio/list.ts';
import { listedTransactionSchema } from '../../money/folio/listedView.ts';
import { transactionStatusSchema } from '../../money/payments/views.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { listArchivedPayments } from '../../retention/archivedLists.ts';
import { referenceBody } from '../bookings/schemas.ts';
import { archived, archiveWork } from '../calls.ts';
import { transactionBody } from './schemas.ts';

/** The operations that show a booking's payments and its balance (interface: Get the balance). */
export function registerReads(api: Api): void {
  propertyOperation(api, {
    path: '/payment/v1/transaction',
    summary: 'Get all payment transactions of a booking',
    scope: 'payments:read',
    body: referenceBody,
    answer: {
      success: z.literal(1).describe('the integer, in this answer only'),
      transactions: z.array(listedTransactionSchema).describe('of the booking, the oldest first'),
    },
    problems: ['booking_not_found'],
    handle: async ({ c, body, property }) => {
      const listed = await listTransactions(c.get('database'), property.id, body.reference);
      return andThen(listed, (found) => ok({ success: 1, transactions: found }));
    },
  });

  propertyOperation(api, {
    path: '/payment/v1/get-transaction',
    summary: 'Get one payment transaction',
    scope: 'payments:read',
    body: transactionBody,
    answer: { transaction: listedTransactionSchema },
    problems: ['booking_not_found', 'transaction_not_found'],
    handle: async ({ c, body, property }) => {
      const { reference, chargeId } = body;
      const found = await getTransaction(c.get('database'), property.id, reference, chargeId);
      return andThen(found, (transaction) => ok({ transaction }));
    },
  });

  propertyOperation(api, {
    path: '/payment/v1/balance',
    summary: 'Get what is paid, due and open of a booking, now or as of an instant',
    scope: 'payments:read',
    // An instant ahead is refused: nobody knows what will be open then.
    body: ({ times }) =>
      z.object({
        reference,
        asOf: pastInstant(times)
          .optional()
          .describe('the balance as this service knew it at that instant, not ahead'),
      }),
    answer: { balance: balanceSchema },
    problems: ['booking_not_found'],
    handle: async ({ c, body, property }) => {
      const { asOf, reference: ofBooking } = body;
      const name = { propertyId: property.id, reference: ofBooking };
      const read = await readBalance(c.get('database'), name, asOf ?? null);
      const atMs = asOf ?? propertyNow(property);
      return andThen(read, (balance) =>
        ok({ balance: balanceView(ofBooking, balance, atMs, property.timeZone) }),
      );
    },
  });
}

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
      archived,
    },
    inOrder: ['from', 'to'],
    member: 'transactions',
    entries: z.array(listedTransactionSchema),
    read: ({ c, body, property }, part) => {
      const { from: fromMs, to: beforeMs, type, changedSince: changedSinceMs, status } = body;
      const filter = { fromMs, beforeMs, status, purpose: type && purposeOf[type], changedSinceMs };
      if (body.archived) return listArchivedPayments(archiveWork(c), property.id, filter, part);
      const at = { ...part, nowMs: propertyNow(property) };
      return listOfProperty(c.get('database'), property, filter, at);
    },
  });
}
