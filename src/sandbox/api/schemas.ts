import { z } from '@hono/zod-openapi';
import { exponentOf, toDecimal } from '../../core/money.ts';
import { DAY_MS, SECOND_MS, utcTimestamp } from '../../core/time.ts';
import { chargeId, gatewayId, identifier, rawAmount, reference } from '../../http/fields.ts';
import { typedFields } from '../../http/typedCard.ts';
import type { LedgerEntry } from '../acquirer/operations.ts';

/** One record of the sandbox acquirer (interface: Read the sandbox ledger). */
const operationSchema = z
  .object({
    kind: z.enum([
      'charge',
      'authorization',
      'capture',
      'release',
      'refund',
      'inquiry',
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

const { cardNumber, cardExpiry } = typedFields(() => Date.now());

/** The body of `vault`. */
export const vaultBody = z.object({
  cardNumber,
  cardExpiry,
  property: identifier
    .optional()
    .describe("The property whose account keeps the card; left out: the platform's."),
});

/** The answer of `vault`. */
export const vaultAnswer = z.object({
  success: z.literal(true),
  gatewayToken: z.string().openapi({ example: 'vault_0af5f4f6a5a1b1c3d4e5f607' }),
});

const ACTIONS = [
  'capture',
  'release',
  'refund',
  'charge',
  'inquiry',
  'dispute',
  'winDispute',
  'loseDispute',
  'failRefund',
  'renewCard',
  'outage',
  'resume',
] as const;

/** Which members an act needs besides the property: what it is about, how much, until when, or what is answered. */
const NEEDED: Record<(typeof ACTIONS)[number], readonly string[]> = {
  capture: ['reference', 'chargeId'],
  release: ['reference', 'chargeId'],
  refund: ['reference', 'chargeId'],
  charge: ['reference', 'amount'],
  inquiry: ['reference', 'chargeId'],
  dispute: ['reference', 'chargeId'],
  winDispute: ['reference', 'chargeId'],
  loseDispute: ['reference', 'chargeId'],
  failRefund: ['reference', 'refundId'],
  renewCard: ['reference', 'cardExpiry'],
  outage: ['status'],
  resume: [],
};

const CONDITIONAL = [
  'reference',
  'chargeId',
  'refundId',
  'amount',
  'cardExpiry',
  'status',
] as const;

/** The body of `act` (interface: Act at the sandbox's desk). The amount is in the booking's currency. */
export const actBody = CONDITIONAL.reduce(
  (schema, field) =>
    schema.refine((body) => body[field] !== undefined || !NEEDED[body.action].includes(field), {
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
    reference: reference.optional(),
    chargeId: chargeId.optional(),
    refundId: chargeId.optional().describe('The id of a refund, for failRefund.'),
    disputeId: gatewayId
      .optional()
      .describe(
        'For dispute, winDispute and loseDispute, where the charge has several that are open.',
      ),
    amount: rawAmount.optional(),
    cardExpiry: z
      .string()
      .regex(/^(0[1-9]|1[0-2])\/20\d{2}$/, 'Use MM/YYYY.')
      .optional()
      .describe("For renewCard: the new expiry of the booking's card in use."),
    status: z
      .int()
      .min(400)
      .max(599)
      .optional()
      .describe('For outage: the HTTP status that the acquirer answers.'),
    retryAfter: z
      .int()
      .min(0)
      .max(DAY_MS / SECOND_MS)
      .optional()
      .describe('For outage: how many seconds the acquirer asks to wait.'),
    lookUps: z
      .boolean()
      .optional()
      .describe('For outage: whether what the acquirer is only asked fails too.'),
    notify: z
      .boolean()
      .optional()
      .describe('False: the acquirer does not tell of it, so that only reconciliation finds it.'),
  }),
);

/** A validated body of `act`. */
export type ActBody = z.infer<typeof actBody>;

/** An act of a booking: the schema requires its reference. */
export type BookingAct = Omit<ActBody, 'action' | 'reference'> & {
  readonly action: Exclude<ActBody['action'], 'outage' | 'resume'>;
  readonly reference: string;
};

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
