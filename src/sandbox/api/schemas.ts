import { z } from '@hono/zod-openapi';
import { fieldIssue } from '../../core/failure.ts';
import { exponentOf, toDecimal } from '../../core/money.ts';
import { DAY_MS, SECOND_MS, utcTimestamp } from '../../core/time.ts';
import { bodyCheck } from '../../http/bodyCheck.ts';
import { chargeId, flag, gatewayId, identifier, rawCost, reference } from '../../http/fields.ts';
import { typedFields } from '../../http/typedCard.ts';
import { named, shownTime } from '../../platform/views.ts';
import { LEDGER_KINDS, type LedgerEntry } from '../acquirer/operations.ts';

/** One record of the sandbox acquirer (interface: Read the sandbox ledger). */
const operationSchema = named('SandboxOperation', {
  kind: z.enum(LEDGER_KINDS),
  idempotencyKey: z
    .string()
    .nullable()
    .describe('the gateway key; null for what was done at the desk or by a bank'),
  property: z.string(),
  bookingReference: z.string().nullable().describe('null for a charge that was made at the desk'),
  amount: z.number().describe('of this movement'),
  currency: z.string().describe('ISO 4217 code'),
  status: z
    .enum(['succeeded', 'declined', 'failed', 'pending'])
    .describe("`pending` while a guest's bank asks"),
  time: shownTime.describe('in UTC'),
});

export const ledgerBody = z.object({
  reference: reference.optional().describe("only this booking's"),
});

export const ledgerAnswer = {
  operations: z.array(operationSchema).describe('one for each gateway key'),
};

const { cardNumber, cardExpiry } = typedFields(() => Date.now());

export const vaultBody = z.object({
  cardNumber: cardNumber.describe('a test card: see Test cards'),
  cardExpiry: cardExpiry.describe('`MM/YYYY`'),
  property: identifier
    .optional()
    .describe("whose account keeps the card; left out: the platform's"),
});

export const vaultAnswer = {
  gatewayToken: z
    .string()
    .openapi({ example: 'vault_0af5f4f6a5a1b1c3d4e5f607' })
    .describe('for tokenizing the card'),
};

const OF_A_CHARGE = ['reference', 'chargeId'] as const;

/** Which members each action needs besides the property: what it is about, how much, until when, or what is answered. */
const NEEDED = {
  capture: OF_A_CHARGE,
  release: OF_A_CHARGE,
  refund: OF_A_CHARGE,
  charge: ['reference', 'amount'],
  inquiry: OF_A_CHARGE,
  dispute: OF_A_CHARGE,
  winDispute: OF_A_CHARGE,
  loseDispute: OF_A_CHARGE,
  failRefund: ['reference', 'refundId'],
  renewCard: ['reference', 'cardExpiry'],
  outage: ['status'],
  resume: [],
} as const;

type Action = keyof typeof NEEDED;

/** The body of `act` (interface: Act at the sandbox's desk). The amount is in the booking's currency. */
export const actBody = z
  .object({
    action: z.enum(Object.keys(NEEDED) as Action[]).describe('what is done'),
    property: identifier.describe('whose payments'),
    reference: reference.optional().describe('required but for `outage` and `resume`: the booking'),
    chargeId: chargeId.optional().describe('required for most actions: the hold or charge'),
    refundId: chargeId.optional().describe('for `failRefund`'),
    disputeId: gatewayId
      .optional()
      .describe('which dispute or inquiry, where a charge has several open ones'),
    amount: rawCost
      .optional()
      .describe('required for `charge`; otherwise all that is left when omitted'),
    cardExpiry: z
      .string()
      .regex(/^(0[1-9]|1[0-2])\/20\d{2}$/, 'Use MM/YYYY.')
      .optional()
      .describe('`MM/YYYY`, for `renewCard`'),
    status: z
      .int()
      .min(400)
      .max(599)
      .optional()
      .describe('for `outage`: the HTTP status that the acquirer answers'),
    retryAfter: z
      .int()
      .min(0)
      .max(DAY_MS / SECOND_MS)
      .optional()
      .describe('for `outage`: how many seconds the acquirer asks to wait'),
    lookUps: flag('for `outage`: whether what the acquirer is only asked fails too'),
    notify: flag('`false` keeps the acquirer from telling of it'),
  })
  .check(
    bodyCheck(
      (body) =>
        NEEDED[body['action'] as Action]
          .filter((field) => body[field] === undefined)
          .map((field) => fieldIssue(field, 'required', 'This field is required.')),
      ['action'],
    ),
  );

export type ActBody = z.infer<typeof actBody>;

/** An act of a booking: the schema requires its reference. */
export type BookingAct = Omit<ActBody, 'action' | 'reference'> & {
  readonly action: Exclude<ActBody['action'], 'outage' | 'resume'>;
  readonly reference: string;
};

export const actAnswer = {
  operation: operationSchema
    .optional()
    .describe('the entry of the ledger; none where no money moved'),
};

/** A record of the acquirer as answers show it. */
export function operationView(entry: LedgerEntry): z.infer<typeof operationSchema> {
  const { amountMinor, atMs, ...shown } = entry;
  return {
    ...shown,
    amount: toDecimal(amountMinor, exponentOf(entry.currency) ?? 2),
    time: utcTimestamp(atMs),
  };
}
