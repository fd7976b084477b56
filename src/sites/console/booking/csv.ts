import { plainMoney } from '../../../core/format.ts';
import { type BookingFile, readBookingFile } from '../../../desk/bookingFile.ts';
import type { TimelineView } from '../../../desk/timelineStore.ts';
import { words } from '../../../desk/words.ts';
import { csvAnswer } from '../../web/csvTable.ts';
import type { Column } from '../../web/table.tsx';
import { timeColumn } from '../lists/columns.tsx';
import type { PropertyRequest } from '../propertyRequest.ts';
import { notFoundPage } from '../site.tsx';
import { paymentColumns, refundColumns } from './payments.tsx';
import { type TimelineEntry, timelineOf } from './timeline.ts';

const names = words.columns;

/** How many pages of a timeline a file has at most. */
const MOST_PAGES = 25;

/** A table of a booking's page as CSV: its payments, its refunds, or the timeline with all of its pages. */
export async function bookingCsv(
  { c, property, reference }: PropertyRequest,
  view: TimelineView,
): Promise<Response> {
  const read = (next: TimelineView) =>
    readBookingFile(c.get('database'), property.id, reference, next);
  const file = await read(view);
  if (file === null) return notFoundPage(c);
  const table = c.req.query('table');
  if (table === 'payments') {
    const rows = file.transactions.toReversed();
    return csvAnswer(c, `payments-${reference}`, paymentColumns(file), rows);
  }
  if (table === 'refunds') {
    return csvAnswer(c, `refunds-${reference}`, refundColumns(file), file.refunds.toReversed());
  }
  const entries = await wholeTimeline(file, read);
  return csvAnswer(c, `timeline-${reference}`, timelineColumns(file), entries);
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
    part = next === null ? null : await read({ ...file.view, after: next });
  }
  return entries;
}

function timelineColumns({ state: { booking, property } }: BookingFile): Column<TimelineEntry>[] {
  const { currency } = booking;
  return [
    timeColumn(names.time, ({ atMs }) => atMs, property),
    { name: names.what, text: ({ what }) => what },
    {
      name: names.amount,
      text: ({ amountMinor }) => (amountMinor === null ? null : plainMoney(amountMinor, currency)),
    },
    {
      name: names.currency,
      text: ({ amountMinor }) => (amountMinor === null ? null : currency),
    },
    { name: words.timeline.endingIn, text: ({ last4 }) => last4 },
    { name: names.by, text: ({ by }) => by },
    { name: names.detail, text: ({ detail }) => detail },
    { name: names.id, text: ({ moneyId }) => moneyId },
  ];
}
