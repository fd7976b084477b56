import { z } from '@hono/zod-openapi';
import { amount, chargeId, description, reference, text } from '../http/fields.ts';

const cardDetails = z
  .object({
    cardNumber: z.string().openapi({ example: '4242', description: 'The last four digits' }),
    cardType: z.string().openapi({ example: 'visa' }),
    currency: z.string().openapi({ example: 'AUD' }),
    token: z.string(),
  })
  .nullable()
  .openapi('CardDetails');

const face = {
  id: z.int(),
  amount: z.number().openapi({ example: 154.64 }),
  creditCardFee: z.number().openapi({ example: 4.64 }),
  transactionFee: z.number().openapi({ example: 0 }),
  reference: z.string(),
  bookingReference: z.string(),
  type: z.string().openapi({ example: 'PaymentManual' }),
  timeStamp: z.string(),
  cardDetails,
};

const transaction = z.object(face).openapi('Transaction');

const listedTransaction = z
  .object({
    ...face,
    status: z.enum(['Processing', 'Accepted', 'Declined', 'Failed']),
    refunds: z.array(
      z.object({ ...face, status: z.enum(['Processing', 'Refunded', 'Failed']) }).openapi('Refund'),
    ),
  })
  .openapi('ListedTransaction');

/** The body of create (interface: 4.1). */
export function chargeBody(exponent: number) {
  return z.object({
    reference,
    amount: amount(exponent),
    isVirtualCard: z.boolean().optional(),
    description: description.optional(),
    transactionType: z.enum(['Deposit', 'Balance', 'Bond', 'Manual']).optional(),
    token: text(64)
      .optional()
      .describe('A card token; when absent, the booking’s card is charged.'),
    preAuth: z.literal(false).optional(),
  });
}

/** What create answers. */
export const chargeAnswerSchema = z.object({ success: z.literal(true), transaction });

/** What the list answers: `success` is the integer 1. */
export const listAnswerSchema = z.object({
  success: z.literal(1),
  transactions: z.array(listedTransaction),
});

/** The body of an operation on one transaction of a booking. */
export const transactionBody = z.object({ reference, chargeId });

/** What get-transaction answers. */
export const transactionAnswerSchema = z.object({
  success: z.literal(true),
  transaction: listedTransaction,
});
