import { z } from '@hono/zod-openapi';
import { exponentOf, toDecimal } from '../../core/money.ts';
import { utcTimestamp } from '../../core/time.ts';
import type { LedgerEntry } from '../../gateways/sandbox/operations.ts';
import { chargeId, gatewayId, identifier, rawAmount, reference } from '../../http/fields.ts';

/** One record of the sandbox acquirer (interface: Read the sandbox ledger). */
const operationSchema = z
  .object({
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
    idempotencyKey: z
      .string()
      .nullable()
      .describe("Null for what was done at the acquirer's desk."),
    property: z.string(),
    bookingReference: z.string().nullable(),
    amount: z.number(),
    currency: z.string(),
    status: z.enum(['succeeded', 'declined', 'failed', 'pending']),
    time: z.string(),
  })
  .openapi('SandboxOperation');

/** The body of `ledger`. */
export const ledgerBody = z.object({ reference: reference.optional() });

/** The answer of `ledger`. */
export const ledgerAnswer = z.object({
  success: z.literal(true),
  operations: z.array(operationSchema),
});

const ACTIONS = [
  'capture',
  'release',
  'refund',
  'charge',
  'dispute',
  'winDispute',
  'loseDispute',
  'failRefund',
  'renewCard',
] as const;

/** Which member an act needs besides the booking: what it is about, how much, or until when. */
const NEEDED = {
  capture: 'chargeId',
  release: 'chargeId',
  refund: 'chargeId',
  charge: 'amount',
  dispute: 'chargeId',
  winDispute: 'chargeId',
  loseDispute: 'chargeId',
  failRefund: 'refundId',
  renewCard: 'cardExpiry',
} as const satisfies Record<(typeof ACTIONS)[number], string>;

/** The body of `act` (interface: Act at the sandbox's desk). The amount is in the booking's currency. */
export const actBody = (['chargeId', 'refundId', 'amount', 'cardExpiry'] as const).reduce(
  (schema, field) =>
    schema.refine((body) => body[field] !== undefined || NEEDED[body.action] !== field, {
      path: [field],
      params: { code: 'required' },
      message: 'This field is required.',
      // Check this even if fields other than these two are invalid, so that the answer lists all issues at once.
      when: ({ value, issues }) =>
        value !== null &&
        typeof value === 'object' &&
        !issues.some(({ path }) => path?.[0] === field || path?.[0] === 'action'),
    }),
  z.object({
    action: z.enum(ACTIONS),
    property: identifier,
    reference,
    chargeId: chargeId.optional(),
    refundId: chargeId.optional().describe('The id of a refund, for failRefund.'),
    disputeId: gatewayId
      .optional()
      .describe('For winDispute and loseDispute, where the charge has several disputes.'),
    amount: rawAmount.optional(),
    cardExpiry: z
      .string()
      .regex(/^(0[1-9]|1[0-2])\/20\d{2}$/, 'Use MM/YYYY.')
      .optional()
      .describe("For renewCard: the new expiry of the booking's card in use."),
    notify: z
      .boolean()
      .optional()
      .describe('False: the acquirer does not tell of it, so that only reconciliation finds it.'),
  }),
);

/** A validated body of `act`. */
export type ActBody = z.infer<typeof actBody>;

/** The answer of `act`: without an operation where no money moved. */
export const actAnswer = z.object({
  success: z.literal(true),
  operation: operationSchema.optional(),
});

/** A record of the acquirer as answers show it. */
export function operationView({
  amountMinor,
  atMs,
  ...entry
}: LedgerEntry): z.infer<typeof operationSchema> {
  return {
    ...entry,
    amount: toDecimal(amountMinor, exponentOf(entry.currency) ?? 2),
    time: utcTimestamp(atMs),
  };
}
