import { type CardDetailsView, type CardFace, cardDetailsView } from '../cards/views.ts';
import { type Failure, failure } from '../core/failure.ts';
import { storedDecimal } from '../core/money.ts';
import { assertNever, err, ok, type Result } from '../core/result.ts';
import { instantOf, localTimestamp, offsetTimestamp } from '../core/time.ts';
import type { CardRow } from '../db/cardTables.ts';
import type { TransactionRow } from '../db/moneyTables.ts';
import type { Dispute, Outcome } from '../gateways/gateway.ts';
import { listedRefundView, type RefundStatusView, type ShownRefund } from '../refunds/views.ts';
import { cardExpired } from './rules.ts';

/** The parts of a transaction that are shown. */
export type ShownTransaction = Pick<
  TransactionRow,
  | 'id'
  | 'bookingReference'
  | 'reference'
  | 'kind'
  | 'purpose'
  | 'status'
  | 'currency'
  | 'amountMinor'
  | 'cardFeeMinor'
  | 'transactionFeeMinor'
  | 'scheduledTime'
  | 'expiryTime'
  | 'attempts'
  | 'dispute'
  | 'createdAtMs'
>;

/** What every view of a transaction shows (interface: 2.1). */
interface TransactionFace {
  id: number;
  amount: number;
  creditCardFee: number;
  transactionFee: number;
  bookingReference: string;
  type: string;
  timeStamp: string;
  cardDetails: CardDetailsView | null;
}

/** A payment transaction as its own operation answers it; which of the optional members it has depends on its kind. */
export interface TransactionView extends TransactionFace {
  reference?: string;
  status?: TransactionRow['status'];
  scheduledTime?: string | null;
  preAuth?: true;
  expiryTime?: string | null;
}

/** A payment transaction as lists show it (interface: 2.1 and 4.4). */
export interface ListedTransactionView extends TransactionView {
  reference: string;
  status: TransactionRow['status'];
  attempts?: number;
  dispute?: DisputeView;
  refunds: RefundStatusView[];
}

/** What the cardholder's bank disputes (decisions: section 12). */
export interface DisputeView {
  disputeId: string;
  /** The acquirer's word, such as `needs_response`, `won` or `lost`. */
  status: string;
  reason: string;
  amount: number;
  openedOn: string;
}

/** A transaction with what its caller should know besides. */
export interface TransactionAnswer {
  transaction: TransactionView;
  warnings?: string[];
}

/**
 * A transaction as its own operation answers it. A charge has no status, and local time without offset; a
 * schedule has status and `scheduledTime` but no reference; a pre-authorization has `preAuth`, `expiryTime`
 * and status; both of these have time with offset.
 */
export function transactionView(
  row: ShownTransaction,
  card: CardFace | null,
  timeZone: string,
): TransactionView {
  const { reference, status, scheduledTime, expiryTime } = row;
  switch (row.kind) {
    case 'charge':
      return { ...face(row, card, localTimestamp(row.createdAtMs, timeZone)), reference };
    case 'schedule':
      return { ...offsetFace(row, card, timeZone), status, scheduledTime };
    case 'authorization':
      return { ...offsetFace(row, card, timeZone), reference, status, preAuth: true, expiryTime };
    default:
      return assertNever(row.kind);
  }
}

/** A transaction as lists show it: status, refunds, time with offset, and what its kind adds. */
export function listedView(
  row: ShownTransaction,
  card: CardFace | null,
  refunds: readonly ShownRefund[],
  timeZone: string,
): ListedTransactionView {
  const { scheduledTime, expiryTime, attempts } = row;
  return {
    ...offsetFace(row, card, timeZone),
    reference: row.reference,
    status: row.status,
    ...(row.kind === 'schedule' && { scheduledTime, attempts }),
    ...(row.kind === 'authorization' && { preAuth: true as const, expiryTime }),
    ...(row.dispute && { dispute: disputeView(row.dispute, row.currency, timeZone) }),
    refunds: refunds.map((refund) => listedRefundView(refund, card, timeZone)),
  };
}

function disputeView(dispute: Dispute, currency: string, timeZone: string): DisputeView {
  return {
    disputeId: dispute.id,
    status: dispute.status,
    reason: dispute.reason,
    amount: storedDecimal(dispute.amountMinor, currency),
    openedOn: offsetTimestamp(dispute.openedAtMs, timeZone),
  };
}

/** What a caller is told of an operation whose outcome is as the gateway says (decisions: section 3). */
export function outcomeAnswer(
  row: TransactionRow,
  outcome: Outcome,
  card: CardRow | null,
  timeZone: string,
): Result<TransactionAnswer, Failure> {
  const transaction = { ...transactionView(row, card, timeZone), status: row.status };
  switch (outcome.kind) {
    case 'approved':
      return ok(accepted(row, card, timeZone));
    case 'declined':
      return err(declined(outcome.declineCode, outcome.retryable, transaction));
    case 'refused':
      return err(
        failure('gateway_error', 'The gateway did not do it. Nothing was charged.', {
          transaction,
        }),
      );
    case 'unknown':
      return err(unknown(transaction));
    default:
      return assertNever(outcome);
  }
}

/** What a caller is told of a transaction from its record alone: the state that it is in now. */
export function recordedAnswer(
  row: TransactionRow,
  card: CardRow | null,
  timeZone: string,
): Result<TransactionAnswer, Failure> {
  switch (row.status) {
    case 'Declined': {
      const { declineCode, declineRetryable: retryable } = row;
      const declinedOutcome = {
        kind: 'declined',
        declineCode: declineCode ?? '',
        retryable: retryable ?? false,
      } as const;
      return outcomeAnswer(row, declinedOutcome, card, timeZone);
    }
    case 'Failed':
      return outcomeAnswer(row, { kind: 'refused', reason: '' }, card, timeZone);
    case 'Processing':
      return outcomeAnswer(row, { kind: 'unknown', reason: '' }, card, timeZone);
    default:
      return ok(accepted(row, card, timeZone));
  }
}

/** A transaction with what its caller should know besides. */
function accepted(row: TransactionRow, card: CardRow | null, timeZone: string): TransactionAnswer {
  const transaction = transactionView(row, card, timeZone);
  const warnings = warningsOf(row, card, timeZone);
  return warnings.length > 0 ? { transaction, warnings } : { transaction };
}

/** A hold that the gateway ends earlier than asked for, or a schedule whose card will have expired. */
function warningsOf(row: TransactionRow, card: CardRow | null, timeZone: string): string[] {
  const askedAtMs = row.expiryTime === null ? null : instantOf(row.expiryTime);
  if (
    row.status === 'Authorized' &&
    askedAtMs !== null &&
    (row.expiresAtMs ?? askedAtMs) < askedAtMs
  ) {
    return ['authorization_lapses_before_expiry'];
  }
  const { scheduledAtMs } = row;
  return row.status === 'Pending' &&
    card !== null &&
    scheduledAtMs !== null &&
    cardExpired(card, timeZone, scheduledAtMs)
    ? ['card_expires_before_scheduled_time']
    : [];
}

function declined(declineCode: string, retryable: boolean, transaction: TransactionView): Failure {
  return failure('card_declined', declineDetail(declineCode), {
    declineCode,
    retryable,
    transaction,
  });
}

/** Nobody but the cardholder can help where the bank wants to see them. */
function declineDetail(declineCode: string): string {
  const declinedWords = 'The card was declined. Nothing was charged.';
  return declineCode === 'authentication_required'
    ? `${declinedWords} The bank wants to see the cardholder: send the guest to the payment page, the booking's url.`
    : declinedWords;
}

function unknown(transaction: TransactionView): Failure {
  return failure(
    'outcome_unknown',
    'The gateway did not answer. The outcome is being found out; the card is not charged again meanwhile.',
    { transaction },
  );
}

function offsetFace(
  row: ShownTransaction,
  card: CardFace | null,
  timeZone: string,
): TransactionFace {
  return face(row, card, offsetTimestamp(row.createdAtMs, timeZone));
}

function face(row: ShownTransaction, card: CardFace | null, timeStamp: string): TransactionFace {
  return {
    id: row.id,
    amount: storedDecimal(row.amountMinor, row.currency),
    creditCardFee: storedDecimal(row.cardFeeMinor, row.currency),
    transactionFee: storedDecimal(row.transactionFeeMinor, row.currency),
    bookingReference: row.bookingReference,
    type: `Payment${row.purpose}`,
    timeStamp,
    cardDetails: cardDetailsView(card, row.currency),
  };
}
