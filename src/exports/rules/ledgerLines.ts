import { decimalText } from '../../core/money.ts';
import { localDate, utcTimestamp } from '../../core/time.ts';
import {
  type MovedInTurn,
  type Posting,
  postingsOfMoved,
  postingsOfPaidOut,
} from '../../records/history/rules/postings.ts';
import type { HistoryRow, Movement } from '../../schema/historyTables.ts';
import { kept } from '../columns.ts';

/** One line of the ledger file (exports: Ledger file). */
export const ledgerColumns = [
  kept('postingId', 'STRING'),
  kept('entryId', 'STRING'),
  kept('property', 'STRING'),
  kept('date', 'DATE'),
  kept('time', 'TIMESTAMP'),
  kept('account', 'STRING'),
  kept('side', 'STRING'),
  kept('amount', 'NUMERIC'),
  kept('currency', 'STRING'),
  kept('bookingReference', 'STRING'),
  kept('chargeId', 'INTEGER'),
  kept('refundId', 'INTEGER'),
  kept('disputeId', 'STRING'),
  kept('disbursementId', 'STRING'),
  kept('description', 'STRING'),
] as const;

/** What the books read of an entry of the history that moves money, and what of its charge went before it. */
export interface BookedEntry
  extends Pick<
      HistoryRow,
      'propertyId' | 'bookingReference' | 'sequence' | 'atMs' | 'subjectKind' | 'subjectId'
    >,
    Pick<MovedInTurn, 'before'> {
  readonly timeZone: string;
  /** When it was recorded, in real time. */
  readonly recordedAtMs: number;
  readonly kind: Movement | 'payout';
  readonly currency: string;
  readonly amountMinor: number;
  readonly feeMinor: number;
  readonly chargeId: number | null;
  /** Null for a payout. */
  readonly purpose: MovedInTurn['purpose'] | null;
}

/**
 * The lines of an entry, with amounts as decimal strings: its debits equal its credits. None for a correction that moves
 * nothing.
 */
export function linesOf(entry: BookedEntry) {
  const { atMs, bookingReference, chargeId, currency, kind, propertyId, subjectId } = entry;
  const ofSubject = (wanted: HistoryRow['subjectKind']) =>
    entry.subjectKind === wanted ? subjectId : null;
  const refundId = ofSubject('refund');
  // A restored database uses numbers of entries again, at another time.
  const entryId = `${propertyId}/${bookingReference}/${entry.sequence}/${entry.recordedAtMs}`;
  return postingsOfEntry(entry).map(({ account, amountMinor, side }, index) => ({
    postingId: `${entryId}/${index + 1}`,
    entryId,
    property: propertyId,
    date: localDate(atMs, entry.timeZone),
    time: utcTimestamp(atMs),
    account,
    side,
    amount: decimalText(amountMinor, currency),
    currency,
    bookingReference: bookingReference || null,
    chargeId,
    refundId: refundId === null ? null : Number(refundId),
    disputeId: ofSubject('dispute'),
    disbursementId: ofSubject('disbursement'),
    description: MEANINGS[kind],
  }));
}

function postingsOfEntry({ amountMinor, before, feeMinor, kind, purpose }: BookedEntry): Posting[] {
  if (kind === 'payout') return postingsOfPaidOut({ netMinor: amountMinor, feeMinor });
  if (purpose === null) throw new Error('a movement has no charge');
  return postingsOfMoved({ before, purpose, moved: { kind, amountMinor, feeMinor } });
}

/** What happened, in the words of the messages to PMSs. */
const MEANINGS: Readonly<Record<BookedEntry['kind'], string>> = {
  charge: 'Charge',
  capture: 'Captured hold',
  correction: 'Correction of a charge',
  refund: 'Refund',
  reversal: 'Reversal of failed refund',
  chargeback: 'Chargeback',
  chargeback_reversal: 'Chargeback reversed',
  payout: 'Payout',
};
