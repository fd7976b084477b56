import { plainMoney } from '../../../core/format.ts';
import { localTimestamp } from '../../../core/time.ts';
import type { RefundRow, TransactionRow } from '../../../schema/moneyTables.ts';
import { type CsvColumns, csvAnswer } from '../../web/csvTable.ts';
import type { PropertyRequest } from '../propertyRequest.ts';
import { notFoundPage } from '../site.tsx';
import { cardCopy, kindCopy, refundStatusCopy, statusCopy } from '../words.ts';
import { timeOf } from './payments.tsx';
import { type BookingFile, readBookingFile } from './read.ts';
import { type TimelineEntry, timelineOf } from './timeline.ts';
import { type TimelineView, timelineViewOf } from './timelineView.ts';

/** How many pages of a timeline a file has at most. */
const MOST_PAGES = 25;

/** A table of a booking's page as CSV: its payments, its refunds, or the timeline with all of its pages. */
export async function bookingCsv(
  { c, property, reference }: PropertyRequest,
  view: TimelineView,
): Promise<Response> {
  const file = await readBookingFile(c.get('database'), property.id, reference, view);
  if (file === null) return notFoundPage(c);
  const table = c.req.query('table');
  const { timeZone } = property;
  if (table === 'payments') {
    const columns = paymentColumns(file, timeZone);
    return csvAnswer(c, `payments-${reference}`, columns, file.transactions.toReversed());
  }
  if (table === 'refunds') {
    return csvAnswer(c, `refunds-${reference}`, refundColumns(timeZone), file.refunds.toReversed());
  }
  const read = (next: TimelineView) =>
    readBookingFile(c.get('database'), property.id, reference, next);
  const entries = await wholeTimeline(file, read);
  const columns = timelineColumns(file.state.booking.currency, timeZone);
  return csvAnswer(c, `timeline-${reference}`, columns, entries);
}

/** The entries of a timeline from a file on. One round trip for each further page. */
async function wholeTimeline(
  file: BookingFile,
  read: (view: TimelineView) => Promise<BookingFile | null>,
): Promise<TimelineEntry[]> {
  const entries: TimelineEntry[] = [];
  for (let part: BookingFile | null = file, pages = 0; part !== null && pages < MOST_PAGES; ) {
    const { entries: shown, next } = timelineOf(part);
    entries.push(...shown);
    pages += 1;
    part = next === null ? null : await read(timelineViewOf(file.view.kind ?? '', next));
  }
  return entries;
}

function paymentColumns(file: BookingFile, timeZone: string): CsvColumns<TransactionRow> {
  const none = { brand: null, last4: null };
  return {
    [`Time in ${timeZone}`]: (row) => localTimestamp(timeOf(row), timeZone),
    What: ({ kind, purpose }) => `${kindCopy[kind]}, ${purpose}`,
    Status: statusCopy,
    Amount: ({ amountMinor, currency }) => plainMoney(amountMinor, currency),
    'Fees in it': ({ cardFeeMinor, currency, transactionFeeMinor }) =>
      plainMoney(cardFeeMinor + transactionFeeMinor, currency),
    Currency: ({ currency }) => currency,
    Card: ({ cardToken }) => cardCopy(file.cards.find(({ token }) => token === cardToken) ?? none),
    Id: ({ id }) => id,
  };
}

function refundColumns(timeZone: string): CsvColumns<RefundRow> {
  return {
    [`Time in ${timeZone}`]: ({ createdAtMs }) => localTimestamp(createdAtMs, timeZone),
    Status: ({ status }) => refundStatusCopy[status],
    Amount: ({ amountMinor, currency }) => plainMoney(amountMinor, currency),
    Currency: ({ currency }) => currency,
    'Of payment': ({ transactionId }) => transactionId,
    Description: ({ description }) => description,
    'Made at the acquirer': ({ origin }) => (origin === 'gateway' ? 'yes' : 'no'),
    "Acquirer's id": ({ gatewayReference }) => gatewayReference,
    Id: ({ id }) => id,
  };
}

function timelineColumns(currency: string, timeZone: string): CsvColumns<TimelineEntry> {
  return {
    [`Time in ${timeZone}`]: ({ atMs }) => localTimestamp(atMs, timeZone),
    What: ({ what }) => what,
    Amount: ({ amountMinor }) => (amountMinor === null ? null : plainMoney(amountMinor, currency)),
    Currency: ({ amountMinor }) => (amountMinor === null ? null : currency),
    'Card ending in': ({ last4 }) => last4,
    By: ({ by }) => by,
    Detail: ({ detail }) => detail,
    Id: ({ moneyId }) => moneyId,
  };
}
