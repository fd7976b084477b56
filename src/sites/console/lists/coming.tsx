import { instant, money, plainMoney } from '../../../core/format.ts';
import { localTimestamp } from '../../../core/time.ts';
import type { CsvColumns } from '../../web/csvTable.ts';
import { Instant } from '../../web/table.tsx';
import { cardCopy, kindCopy } from '../words.ts';
import { BookingCell, guestOf, type ListOf, ListPage, ListSection } from './listPage.tsx';
import type { Listed } from './pages.ts';
import type { ComingPayment } from './store.ts';

/** How far ahead the list of coming payments looks. */
export const COMING_DAYS = 30;

/** What will be charged, and which holds end, the next first. */
export function ComingPage({
  person,
  property,
  listed,
}: ListOf & { readonly listed: Listed<ComingPayment> }) {
  const { timeZone } = property;
  return (
    <ListPage
      person={person}
      property={property}
      here="coming"
      title="Coming payments"
      intro={`What will be charged in the next ${COMING_DAYS} days, and which holds end.`}
    >
      <ListSection
        property={property}
        here="coming"
        heading="Coming"
        caption="Charges to come and holds that end, the next first"
        listed={listed}
        empty="Nothing is scheduled or held."
        columns={[
          { name: 'Due', cell: ({ atMs }) => <Instant atMs={atMs} timeZone={timeZone} /> },
          { name: 'Booking', cell: (row) => <BookingCell property={property} row={row} /> },
          { name: 'What', cell: whatComes },
          { name: 'Amount', isNumber: true, cell: (row) => money(row.amountMinor, row.currency) },
          { name: 'Card', cell: cardCopy },
          { name: 'Note', cell: (row) => noteOf(row, timeZone) },
        ]}
      />
    </ListPage>
  );
}

/** The same as CSV. */
export function comingCsv(timeZone: string): CsvColumns<ComingPayment> {
  return {
    [`Due in ${timeZone}`]: ({ atMs }) => localTimestamp(atMs, timeZone),
    Booking: ({ bookingReference }) => bookingReference,
    Guest: guestOf,
    What: whatComes,
    Amount: ({ amountMinor, currency }) => plainMoney(amountMinor, currency),
    Currency: ({ currency }) => currency,
    Card: cardCopy,
    Note: (row) => noteOf(row, timeZone),
    Id: ({ id }) => id,
  };
}

function whatComes({ kind, status }: ComingPayment): string {
  return status === 'Authorized' ? 'Hold ends: capture it before' : kindCopy[kind];
}

/** What people should know before the time comes. */
function noteOf(row: ComingPayment, timeZone: string): string {
  const { attempts, cause, deadlineAtMs, endedAs } = row;
  const asked = row.asked ?? 0;
  const isOpen = cause !== null && (endedAs === null || endedAs === 'unanswered');
  const notes = [
    attempts > 0 && row.status === 'Pending' && 'Declined before; tried again then.',
    isOpen && cause === 'expiring' && 'The card will have expired.',
    isOpen && asked > 0 && 'The guest was asked for another card.',
    isOpen && deadlineAtMs !== null && `Answer until ${instant(deadlineAtMs, timeZone)}.`,
    isOpen && asked === 0 && 'Ask the guest for another card.',
  ];
  return notes.filter(Boolean).join(' ');
}
