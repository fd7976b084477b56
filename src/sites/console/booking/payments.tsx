import { money } from '../../../core/format.ts';
import { mayTry } from '../../../desk/actions.ts';
import type { RefundRow, TransactionRow } from '../../../platform/db/moneyTables.ts';
import type { Person } from '../../../records/staff/rules.ts';
import { CsvLink } from '../../web/csvLink.tsx';
import { EmptyNote, Instant, Records } from '../../web/table.tsx';
import { PaymentActions, Settle } from '../actions/followUps.tsx';
import { bookingPath } from '../paths.ts';
import { cardCopy, kindCopy, refundStatusCopy, statusCopy } from '../words.ts';
import type { BookingFile } from './read.ts';

interface MoneyOf {
  readonly person: Person;
  readonly file: BookingFile;
}

/** The payments of a booking, the latest first, with what can be done about each. */
export function Payments({ person, file }: MoneyOf) {
  const { timeZone } = file.state.property;
  return (
    <section aria-labelledby="payments">
      <h2 id="payments">Payments</h2>
      {file.transactions.length === 0 ? (
        <EmptyNote text="There are no payments." />
      ) : (
        <Records<TransactionRow>
          caption="Payments, the latest first"
          rows={file.transactions.toReversed()}
          columns={[
            {
              name: 'Time',
              cell: (row) => <Instant atMs={timeOf(row)} timeZone={timeZone} />,
            },
            { name: 'What', cell: (row) => `${kindCopy[row.kind]}, ${row.purpose}` },
            { name: 'Status', cell: statusCopy },
            { name: 'Amount', isNumber: true, cell: (row) => money(row.amountMinor, row.currency) },
            {
              name: 'Fees in it',
              isNumber: true,
              cell: (row) => money(row.cardFeeMinor + row.transactionFeeMinor, row.currency),
            },
            {
              name: 'Card',
              cell: (row) =>
                cardCopy(file.cards.find(({ token }) => token === row.cardToken) ?? NO_CARD),
            },
            { name: 'Id', isNumber: true, cell: (row) => row.id },
            ...(mayTry(person, 'charge')
              ? [
                  {
                    name: 'Actions',
                    cell: (row: TransactionRow) => (
                      <PaymentActions person={person} file={file} row={row} />
                    ),
                  },
                ]
              : []),
          ]}
        />
      )}
      {file.transactions.length > 0 && <FileLink file={file} table="payments" />}
    </section>
  );
}

/** Where the refunds of a booking are; nothing if there are none. */
export function Refunds({ person, file }: MoneyOf) {
  const { timeZone } = file.state.property;
  if (file.refunds.length === 0) return null;
  const isOpen = file.refunds.some(({ status }) => status === 'Processing');
  return (
    <section aria-labelledby="refunds">
      <h2 id="refunds">Refunds</h2>
      <Records<RefundRow>
        caption="Refunds, the latest first"
        rows={file.refunds.toReversed()}
        columns={[
          {
            name: 'Time',
            cell: (row) => <Instant atMs={row.createdAtMs} timeZone={timeZone} />,
          },
          { name: 'Status', cell: (row) => refundStatusCopy[row.status] },
          { name: 'Amount', isNumber: true, cell: (row) => money(row.amountMinor, row.currency) },
          { name: 'Of payment', isNumber: true, cell: (row) => row.transactionId },
          {
            name: 'Made by',
            cell: (row) => (row.origin === 'gateway' ? 'someone at the acquirer' : 'this service'),
          },
          { name: 'Acquirer’s id', cell: (row) => row.gatewayReference ?? '–' },
          { name: 'Id', isNumber: true, cell: (row) => row.id },
          ...(isOpen
            ? [
                {
                  name: 'Actions',
                  cell: (row: RefundRow) => <Settle person={person} file={file} row={row} />,
                },
              ]
            : []),
        ]}
      />
      <FileLink file={file} table="refunds" />
    </section>
  );
}

function FileLink({
  file: { state },
  table,
}: {
  readonly file: BookingFile;
  readonly table: 'payments' | 'refunds';
}) {
  const home = bookingPath(state.property.id, state.booking.reference);
  return <CsvLink path={`${home}&table=${table}`} of={`the ${table}`} />;
}

/** A schedule counts at its time, anything else when it was made. */
export function timeOf({ createdAtMs, scheduledAtMs, status }: TransactionRow): number {
  return status === 'Pending' ? (scheduledAtMs ?? createdAtMs) : createdAtMs;
}

/** Which card that will be is seen when the time comes. */
const NO_CARD = { brand: null, last4: null };
