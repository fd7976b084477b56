import { type CardDetailsView, type CardFace, cardDetailsView } from '../cards/views.ts';
import { storedDecimal } from '../core/money.ts';
import { localTimestamp, offsetTimestamp } from '../core/time.ts';
import type { RefundRow } from '../db/moneyTables.ts';

/** A refund record as create answers show it (interface: 2.2): without `status`. */
export interface RefundView {
  id: number;
  amount: number;
  creditCardFee: 0;
  transactionFee: 0;
  reference: string;
  bookingReference: string;
  type: 'RefundManual';
  timeStamp: string;
  cardDetails: CardDetailsView | null;
}

/** A refund record with its status: in lists, and in answers of refunds that were not wholly made. */
export interface RefundStatusView extends RefundView {
  status: RefundRow['status'];
}

/** The parts of a refund that are shown. */
export type ShownRefund = Pick<
  RefundRow,
  'id' | 'amountMinor' | 'currency' | 'reference' | 'bookingReference' | 'createdAtMs' | 'status'
>;

/** What a create answer shows: local time without offset. */
export function createdRefundView(
  row: ShownRefund,
  card: CardFace | null,
  timeZone: string,
): RefundView {
  return refundView(row, card, localTimestamp(row.createdAtMs, timeZone));
}

/** What lists show: status, and time with offset. */
export function listedRefundView(
  row: ShownRefund,
  card: CardFace | null,
  timeZone: string,
): RefundStatusView {
  return {
    ...refundView(row, card, offsetTimestamp(row.createdAtMs, timeZone)),
    status: row.status,
  };
}

function refundView(row: ShownRefund, card: CardFace | null, timeStamp: string): RefundView {
  return {
    id: row.id,
    amount: storedDecimal(row.amountMinor, row.currency),
    creditCardFee: 0,
    transactionFee: 0,
    reference: row.reference,
    bookingReference: row.bookingReference,
    type: 'RefundManual',
    timeStamp,
    cardDetails: cardDetailsView(card, row.currency),
  };
}
