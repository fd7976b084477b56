import { instant, money, plainMoney } from '../../../core/format.ts';
import { localTimestamp } from '../../../core/time.ts';
import { propertyNow } from '../../../platform/propertyNow.ts';
import type { CsvColumns } from '../../web/csvTable.ts';
import { Instant } from '../../web/table.tsx';
import { BookingCell, guestOf, type ListOf, ListPage, ListSection } from './listPage.tsx';
import type { Listed } from './pages.ts';
import type { OpenDispute } from './store.ts';

/** The open disputes of a property, those that need an answer first, the soonest deadline first. */
export function DisputesPage({
  person,
  property,
  listed,
}: ListOf & { readonly listed: Listed<OpenDispute> }) {
  const { timeZone } = property;
  const nowMs = propertyNow(property);
  return (
    <ListPage
      person={person}
      property={property}
      here="disputes"
      title="Disputes"
      intro="Payments that guests dispute at their bank. Evidence is given at the acquirer."
    >
      <ListSection
        property={property}
        here="disputes"
        heading="Open disputes"
        caption="Open disputes, the soonest deadline first"
        listed={listed}
        empty="There are no open disputes."
        columns={[
          {
            name: 'Evidence due',
            cell: ({ respondByMs, status }) =>
              status === 'under_review' ? 'given' : deadlineCopy(respondByMs, nowMs, timeZone),
          },
          { name: 'Booking', cell: (row) => <BookingCell property={property} row={row} /> },
          { name: 'Amount', isNumber: true, cell: (row) => money(row.amountMinor, row.currency) },
          { name: 'Fee', isNumber: true, cell: (row) => money(row.feeMinor, row.currency) },
          { name: 'Reason', cell: reasonCopy },
          { name: 'Stage', cell: stageCopy },
          { name: 'State', cell: stateCopy },
          {
            name: 'Opened',
            cell: ({ openedAtMs }) => <Instant atMs={openedAtMs} timeZone={timeZone} />,
          },
          { name: 'Of payment', isNumber: true, cell: ({ transactionId }) => transactionId },
          { name: 'Dispute', cell: ({ id }) => id },
        ]}
      />
    </ListPage>
  );
}

/** The same as CSV. */
export function disputesCsv(timeZone: string): CsvColumns<OpenDispute> {
  return {
    [`Evidence due in ${timeZone}`]: ({ respondByMs, status }) =>
      status === 'under_review' || respondByMs === null
        ? null
        : localTimestamp(respondByMs, timeZone),
    Booking: ({ bookingReference }) => bookingReference,
    Guest: guestOf,
    Amount: ({ amountMinor, currency }) => plainMoney(amountMinor, currency),
    Fee: ({ currency, feeMinor }) => plainMoney(feeMinor, currency),
    Currency: ({ currency }) => currency,
    Reason: reasonCopy,
    Stage: stageCopy,
    State: stateCopy,
    Opened: ({ openedAtMs }) => localTimestamp(openedAtMs, timeZone),
    'Of payment': ({ transactionId }) => transactionId,
    Dispute: ({ id }) => id,
  };
}

function reasonCopy({ reason }: OpenDispute): string {
  return reason.replaceAll('_', ' ');
}

function stageCopy({ stage }: OpenDispute): string {
  return stage === 'inquiry' ? 'Inquiry: nothing was withdrawn' : 'Chargeback';
}

function stateCopy({ status }: OpenDispute): string {
  return status === 'under_review' ? 'The bank looks at it' : 'Needs an answer';
}

function deadlineCopy(respondByMs: number | null, nowMs: number, timeZone: string): string {
  if (respondByMs === null) return 'no deadline named';
  const time = instant(respondByMs, timeZone);
  return respondByMs < nowMs ? `${time}: too late` : time;
}
