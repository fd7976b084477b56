import { type Failure, failure } from '../core/failure.ts';
import { exponentOf, toDecimal } from '../core/money.ts';
import { err, ok, type Result } from '../core/result.ts';
import { localTimestamp, offsetTimestamp } from '../core/time.ts';
import type { CardRow, RefundRow, TransactionRow } from '../db/schema.ts';

/** The parts of a card that transactions show (interface: 2.3). */
export type CardFace = Pick<CardRow, 'token' | 'brand' | 'last4'>;

/** `cardDetails` of interface 2.3. */
export interface CardDetailsView {
  cardNumber: string;
  cardType: string;
  currency: string;
  token: string;
}

/** A payment transaction as create answers show it (interface: 2.1 and 4.1). */
export interface TransactionView {
  id: number;
  amount: number;
  creditCardFee: number;
  transactionFee: number;
  reference: string;
  bookingReference: string;
  type: string;
  timeStamp: string;
  cardDetails: CardDetailsView | null;
}

/** A refund record as lists show it (interface: 2.2). */
export interface RefundView extends TransactionView {
  status: RefundRow['status'];
}

/** A payment transaction as lists show it (interface: 2.1 and 4.4). */
export interface ListedTransactionView extends TransactionView {
  status: TransactionRow['status'];
  refunds: RefundView[];
}

/** What a create answer shows: no status, local time without offset. */
export function createdView(
  row: TransactionRow,
  card: CardFace | null,
  timeZone: string,
): TransactionView {
  return transactionView(row, card, localTimestamp(row.createdAtMs, timeZone));
}

/** What lists show: status, refunds, time with offset. */
export function listedView(
  row: TransactionRow,
  card: CardFace | null,
  refunds: RefundRow[],
  timeZone: string,
): ListedTransactionView {
  return {
    ...transactionView(row, card, offsetTimestamp(row.createdAtMs, timeZone)),
    status: row.status,
    refunds: refunds.map((refund) => listedRefund(refund, card, timeZone)),
  };
}

/** A charge's answer, from what is recorded of it: 200, 402, 502 or 504 by its status (decisions: section 3). */
export function chargeAnswer(
  row: TransactionRow,
  card: CardFace | null,
  timeZone: string,
): Result<TransactionView, Failure> {
  const transaction = createdView(row, card, timeZone);
  const recorded = { transaction: { ...transaction, status: row.status } };
  switch (row.status) {
    case 'Declined':
      return err(
        failure('card_declined', 'The card was declined. Nothing was charged.', {
          declineCode: row.declineCode,
          retryable: row.declineRetryable,
          ...recorded,
        }),
      );
    case 'Failed':
      return err(
        failure(
          'gateway_error',
          'The gateway did not take the request. Nothing was charged.',
          recorded,
        ),
      );
    case 'Processing':
      return err(
        failure(
          'outcome_unknown',
          'The gateway did not answer. The outcome is being found out; the card is not charged again meanwhile.',
          recorded,
        ),
      );
    default:
      return ok(transaction);
  }
}

function transactionView(
  row: TransactionRow,
  card: CardFace | null,
  timeStamp: string,
): TransactionView {
  const exponent = currencyExponent(row.currency);
  return {
    id: row.id,
    amount: toDecimal(row.amountMinor, exponent),
    creditCardFee: toDecimal(row.cardFeeMinor, exponent),
    transactionFee: toDecimal(row.transactionFeeMinor, exponent),
    reference: row.reference,
    bookingReference: row.bookingReference,
    type: `Payment${row.purpose}`,
    timeStamp,
    cardDetails: cardDetails(card, row.currency),
  };
}

function listedRefund(row: RefundRow, card: CardFace | null, timeZone: string): RefundView {
  return {
    id: row.id,
    status: row.status,
    amount: toDecimal(row.amountMinor, currencyExponent(row.currency)),
    creditCardFee: 0,
    transactionFee: 0,
    reference: row.reference,
    bookingReference: row.bookingReference,
    type: 'RefundManual',
    timeStamp: offsetTimestamp(row.createdAtMs, timeZone),
    cardDetails: cardDetails(card, row.currency),
  };
}

function cardDetails(card: CardFace | null, currency: string): CardDetailsView | null {
  if (card === null) return null;
  return { cardNumber: card.last4, cardType: card.brand, currency, token: card.token };
}

/** The exponent of a currency that a property was set up with, and which is therefore known. */
function currencyExponent(currency: string): number {
  const exponent = exponentOf(currency);
  if (exponent === null) throw new Error('a stored currency is not in ISO 4217');
  return exponent;
}
