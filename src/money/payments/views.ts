import { z } from '@hono/zod-openapi';
import { failure } from '../../core/failure.ts';
import { storedDecimal } from '../../core/money.ts';
import { assertNever, err, ok, type Result, refuse } from '../../core/result.ts';
import { instantOf, localTimestamp, offsetTimestamp, SECOND_MS } from '../../core/time.ts';
import type { Outcome } from '../../gateways/gateway.ts';
import { rejection } from '../../gateways/rules/outcome.ts';
import { shownTime } from '../../platform/views.ts';
import { type CardSummary, cardDetailsSchema, cardDetailsView } from '../../records/cards/views.ts';
import { type Kept, snapshotOf } from '../../records/history/rules/snapshots.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import { type TransactionRow, transactions } from '../../schema/moneyTables.ts';
import { cardExpired } from './rules.ts';
import type { shownColumns } from './store.ts';

export type ShownTransaction = Pick<TransactionRow, keyof typeof shownColumns>;

/** Why what was quoted is not allowed now (interface: Quotes). */
export const refusalsSchema = z
  .array(
    z.object({
      code: z.string().describe('a code of a problem'),
      detail: z.string().describe('the same, for people'),
    }),
  )
  .describe('why not');

/** The fields that every view of a transaction has (interface: The transaction object). */
export const transactionFieldsSchema = z.object({
  id: z.int().describe('the `chargeId` of other operations'),
  amount: z
    .number()
    .openapi({ example: 154.64 })
    .describe('what the card is charged, fees included'),
  creditCardFee: z.number().openapi({ example: 4.64 }).describe('see Fees'),
  transactionFee: z.number().openapi({ example: 0 }).describe('see Fees'),
  bookingReference: z.string(),
  type: z
    .string()
    .openapi({ example: 'PaymentManual' })
    .describe('`PaymentDeposit`, `PaymentBalance`, `PaymentBond` or `PaymentManual`'),
  timeStamp: z
    .string()
    .describe('when it was made; local time in answers to a charge, else with offset'),
  cardDetails: cardDetailsSchema,
  replaces: z
    .int()
    .optional()
    .describe('the declined charge that it was made in place of: see Recovery'),
  planId: z.string().optional().describe('of the charge of a part: see Payment plans'),
  partId: z.string().optional().describe('the part that it charges'),
});

export const transactionStatusSchema = z.enum(transactions.status.enumValues);

export const scheduledTimeSchema = z
  .string()
  .nullable()
  .optional()
  .describe('of a schedule, as the client sent it');

export const holdFields = {
  preAuth: z.literal(true).optional().describe('of a pre-authorization'),
  expiryTime: z
    .string()
    .nullable()
    .optional()
    .describe('of a pre-authorization, as the client sent it'),
  holdUntil: shownTime
    .nullable()
    .optional()
    .describe('of a pre-authorization: when the hold truly ends, as the gateway says'),
};

/** A transaction as its own operation answers it. The optional fields depend on its kind. */
const transactionSchema = transactionFieldsSchema
  .extend({
    reference: z
      .string()
      .optional()
      .describe("the transaction's own; not in answers about a schedule"),
    status: transactionStatusSchema.optional().describe('not in the `200` of a charge'),
    scheduledTime: scheduledTimeSchema,
    ...holdFields,
  })
  .openapi('Transaction');

export type TransactionView = z.infer<typeof transactionSchema>;

/** A transaction as a problem shows it: with its status, for every kind. */
type RecordedTransaction = TransactionView & Pick<TransactionRow, 'status'>;

export const transactionAnswerSchema = z.object({
  transaction: transactionSchema,
  warnings: z.array(z.string()).optional().describe('what the caller should know'),
});

export type TransactionAnswer = z.infer<typeof transactionAnswerSchema>;

export const cancelledSchedulesSchema = z.object({
  cancelled: z.array(transactionSchema).describe('what was cancelled now'),
  skipped: z
    .array(
      z.object({
        id: z.int().describe('the `chargeId` of other operations'),
        status: transactionStatusSchema,
        warnings: z
          .array(z.string())
          .optional()
          .describe('`may_have_been_taken`: see What may have been taken'),
      }),
    )
    .describe('what had begun or ended before, without cancelled ones'),
  warnings: z.array(z.string()).optional().describe('what the caller should know'),
});

export type CancelledSchedules = z.infer<typeof cancelledSchedulesSchema>;

/**
 * A transaction as its own operation answers it. A charge has local time without offset, and no status. A schedule has
 * its status and `scheduledTime`, but no reference. A pre-authorization has its status, `preAuth` and `expiryTime`.
 * Schedules and pre-authorizations have time with offset.
 */
export function transactionView(
  row: ShownTransaction,
  card: CardSummary | null,
  timeZone: string,
): TransactionView {
  const { reference, status, expiryTime } = row;
  switch (row.kind) {
    case 'charge':
      return {
        ...fieldsWithOffset(row, card, timeZone),
        timeStamp: localTimestamp(row.createdAtMs, timeZone),
        reference,
      };
    case 'schedule':
      return scheduleView(row, card, timeZone);
    case 'authorization':
      return {
        ...fieldsWithOffset(row, card, timeZone),
        reference,
        status,
        preAuth: true,
        expiryTime,
        holdUntil: holdUntilOf(row, timeZone),
      };
    default:
      return assertNever(row.kind);
  }
}

function scheduleView(
  row: ShownTransaction,
  card: CardSummary | null,
  timeZone: string,
): TransactionView {
  const { scheduledTime, status } = row;
  return { ...fieldsWithOffset(row, card, timeZone), status, scheduledTime };
}

/** When a hold ends: as was asked, or earlier if the gateway says so. */
export function holdUntilOf(
  { expiresAtMs }: Pick<ShownTransaction, 'expiresAtMs'>,
  timeZone: string,
): string | null {
  return expiresAtMs === null ? null : offsetTimestamp(expiresAtMs, timeZone);
}

export function problemTransaction(
  row: TransactionRow,
  card: CardRow | null,
  timeZone: string,
): RecordedTransaction {
  return { ...transactionView(row, card, timeZone), status: row.status };
}

/** The answer to an operation, from the gateway's outcome (interface: Create a charge). */
export function outcomeAnswer(
  row: TransactionRow,
  outcome: Outcome,
  card: CardRow | null,
  timeZone: string,
): Result<TransactionAnswer> {
  const transaction = problemTransaction(row, card, timeZone);
  switch (outcome.kind) {
    case 'approved':
      return ok(accepted(row, card, timeZone));
    case 'declined': {
      const { declineCode, retryable } = outcome;
      const detail = declineCode === 'authentication_required' ? NEEDS_CARDHOLDER : DECLINED;
      return refuse('card_declined', detail, { declineCode, retryable, transaction });
    }
    case 'rejected': {
      const { retryAfterMs } = outcome;
      const detail = 'The gateway rejected the request. Nothing was charged.';
      const failed = failure('gateway_error', detail, { transaction });
      const retryAfterSeconds = Math.ceil((retryAfterMs ?? 0) / SECOND_MS);
      return err(retryAfterMs === null ? failed : { ...failed, retryAfterSeconds });
    }
    case 'unknown':
      return refuse(
        'outcome_unknown',
        'The gateway did not answer. The service is checking the outcome and does not charge the card twice.',
        { transaction },
      );
    default:
      return assertNever(outcome);
  }
}

const acceptanceSchema = z.object({
  transaction: transactionFieldsSchema.extend({ reference: z.string() }),
});

/** The answer to an accepted charge, from the event of its acceptance: with local time without offset, and no status. */
export function acceptedAnswer(kept: Kept & Pick<TransactionRow, 'warnings'>): TransactionAnswer {
  const { warnings, ...event } = kept;
  const { transaction } = acceptanceSchema.parse(snapshotOf(event));
  const timeStamp = transaction.timeStamp.slice(0, 'YYYY-MM-DD hh:mm:ss'.length).replace('T', ' ');
  return withWarnings({ ...transaction, timeStamp }, [...warnings]);
}

/** The answer to an operation, from the transaction's current record alone. */
export function recordedAnswer(
  row: TransactionRow,
  card: CardRow | null,
  timeZone: string,
): Result<TransactionAnswer> {
  switch (row.status) {
    case 'Declined': {
      const { declineCode, declineRetryable } = row;
      const [code, retryable] = [declineCode ?? '', declineRetryable ?? false];
      const outcome = { kind: 'declined', declineCode: code, retryable } as const;
      return outcomeAnswer(row, outcome, card, timeZone);
    }
    case 'Failed':
      return outcomeAnswer(row, rejection(''), card, timeZone);
    case 'Processing':
      return outcomeAnswer(row, { kind: 'unknown', reason: '' }, card, timeZone);
    default:
      return ok(accepted(row, card, timeZone));
  }
}

/** What is not known to have ended may have been taken: the acquirer may have got the request. */
export const MAY_HAVE_BEEN_TAKEN = 'may_have_been_taken';

/**
 * The answer to a caller who asked for the end of what may have been taken, from its current record: its status, with a
 * warning unless it has ended as asked.
 */
export function calledOffAnswer(
  row: TransactionRow,
  card: CardRow | null,
  timeZone: string,
): Result<TransactionAnswer> {
  if (row.unwantedSinceMs === null) return recordedAnswer(row, card, timeZone);
  const hasEnded = row.status === 'Cancelled' || row.status === 'Released';
  const transaction = transactionView(row, card, timeZone);
  return ok(hasEnded ? { transaction } : { transaction, warnings: [MAY_HAVE_BEEN_TAKEN] });
}

function accepted(row: TransactionRow, card: CardRow | null, timeZone: string): TransactionAnswer {
  if (row.status === 'Pending') return scheduledAnswer(row, card, timeZone);
  const transaction = transactionView(row, card, timeZone);
  if (row.status === 'Cancelled' || row.status === 'Released') return { transaction };
  return withWarnings(transaction, [...row.warnings, ...warningsOfHold(row)]);
}

/** The answer to a schedule that was recorded. Warns if its card expires before it is charged. */
export function scheduledAnswer(
  row: TransactionRow,
  card: CardRow | null,
  timeZone: string,
): TransactionAnswer {
  const { scheduledAtMs } = row;
  const expires =
    card !== null && scheduledAtMs !== null && cardExpired(card, timeZone, scheduledAtMs);
  const warnings = expires ? ['card_expires_before_scheduled_time'] : [];
  return withWarnings(scheduleView(row, card, timeZone), [...row.warnings, ...warnings]);
}

function withWarnings(transaction: TransactionView, warnings: string[]): TransactionAnswer {
  return warnings.length > 0 ? { transaction, warnings } : { transaction };
}

/** Warns of a hold that the gateway ends earlier than requested. */
function warningsOfHold({ expiresAtMs, expiryTime, status }: TransactionRow): string[] {
  const askedAtMs = expiryTime === null ? null : instantOf(expiryTime);
  const lapses =
    status === 'Authorized' && askedAtMs !== null && (expiresAtMs ?? askedAtMs) < askedAtMs;
  return lapses ? ['authorization_lapses_before_expiry'] : [];
}

/** What a caller is told of a declined card: if the bank requires authentication, only the cardholder can pay. */
const DECLINED = 'The card was declined. Nothing was charged.';
const NEEDS_CARDHOLDER = `${DECLINED} The bank requires the cardholder to authenticate: send the guest to the booking's payment page.`;

/** The fields of every view, with time with offset. */
export function fieldsWithOffset(
  row: ShownTransaction,
  card: CardSummary | null,
  timeZone: string,
): z.infer<typeof transactionFieldsSchema> {
  return {
    id: row.id,
    amount: storedDecimal(row.amountMinor, row.currency),
    creditCardFee: storedDecimal(row.cardFeeMinor, row.currency),
    transactionFee: storedDecimal(row.transactionFeeMinor, row.currency),
    bookingReference: row.bookingReference,
    type: `Payment${row.purpose}`,
    timeStamp: offsetTimestamp(row.createdAtMs, timeZone),
    cardDetails: cardDetailsView(card, { currency: row.currency, timeZone }),
    ...(row.replacesCharge !== null && { replaces: row.replacesCharge }),
    ...(row.planId !== null && { planId: row.planId }),
    ...(row.partId !== null && { partId: row.partId }),
  };
}
