/** The parts of the service's answers that the chaos run reads. */
import { z } from 'zod';

const listedRefund = z.object({
  id: z.int(),
  amount: z.number(),
  reference: z.string(),
  status: z.enum(['Processing', 'Refunded', 'Failed']),
});

/** The states of a transaction. */
export const transactionStates = [
  'Pending',
  'Processing',
  'Authorized',
  'Accepted',
  'Declined',
  'Failed',
  'Cancelled',
  'Released',
  'Expired',
] as const;

const listedTransaction = z.object({
  id: z.int(),
  amount: z.number(),
  reference: z.string(),
  status: z.enum(transactionStates),
  scheduledTime: z.string().optional(),
  attempts: z.int().optional(),
  cardDetails: z.object({ cardNumber: z.string() }).optional(),
  preAuth: z.literal(true).optional(),
  expiryTime: z.string().optional(),
  refunds: z.array(listedRefund),
});

/** A transaction as the list shows it. */
export type Listed = z.infer<typeof listedTransaction>;

/** A refund as the list shows it. */
export type ListedRefund = z.infer<typeof listedRefund>;

/** The answer of the list. */
export const list = z.object({ transactions: z.array(listedTransaction) });

const ledgerEntry = z.object({
  kind: z.enum(['charge', 'authorization', 'capture', 'release', 'refund']),
  idempotencyKey: z.string(),
  bookingReference: z.string(),
  amount: z.number(),
  status: z.enum(['succeeded', 'declined', 'failed']),
});

/** One operation as the acquirer recorded it. */
export type LedgerEntry = z.infer<typeof ledgerEntry>;

/** The answer of the acquirer's ledger. */
export const ledger = z.object({ operations: z.array(ledgerEntry) });

/** The answer of an access token. */
export const accessToken = z.object({ access_token: z.string() });

/** The answer of a card. */
export const tokenized = z.object({ card: z.object({ token: z.string() }) });

/** The answer of booking details. */
export const details = z.object({ booking: z.object({ status: z.enum(['booked', 'cancelled']) }) });

/** The transaction in an answer of an operation on one, or in the problem that it ended in. */
export const paid = z.object({
  transaction: z.object({
    id: z.int(),
    amount: z.number(),
    reference: z.string().optional(),
  }),
});

/** The refunds in an answer of a refund, or in the problem that it ended in. */
export const refunded = z.object({
  refunds: z.array(z.object({ id: z.int(), amount: z.number(), reference: z.string() })),
});

/** An answer that says what may have been taken: it tells more once that is known. */
export const uncertain = z.object({ warnings: z.array(z.literal('may_have_been_taken')).min(1) });

/** A problem; `errors` names faulty fields. */
export const problem = z.object({ errors: z.array(z.unknown()).optional() });

/** The schedules that one request cancelled. */
export const cancelledSchedules = z.object({ cancelled: z.array(z.object({ id: z.int() })) });
