import { money } from '../../../core/format.ts';
import { mayTry } from '../../../desk/actions.ts';
import type { Person } from '../../../records/staff/rules.ts';
import type { RefundRow, TransactionRow } from '../../../schema/moneyTables.ts';
import { CsvLink } from '../../web/csvLink.tsx';
import { EmptyNote, Instant, Records } from '../../web/table.tsx';
import { PaymentActions, Settle } from '../actions/followUps.tsx';
import { bookingPath } from '../paths.ts';
import { cardCopy, kindCopy, refundStatusCopy, statusCopy } from '../words.ts';
import type { BookingFile } from './read.ts';

/** How many payments, and how many refunds, a page shows. */
const SHOWN = 8;

interface MoneyOf {
  readonly person: Person;
  readonly file: BookingFile;
  /** Only what was made before the one with this id; null for the latest. */
  readonly before: number | null;
}

/** The latest rows before one, the latest first. */
function latest<Row extends { readonly id: number }>(
  rows: readonly Row[],
  before: number | null,
): readonly Row[] {
  return rows
    .filter(({ id }) => before === null || id < before)
    .toReversed()
    .slice(0, SHOWN);
}

/** Links to the rows that are not shown. `name` is the part of the page, and `<name>Before` its field of the query. */
function OtherRows({
  file: { state },
  before,
  name,
  all,
  shown,
}: Pick<MoneyOf, 'file' | 'before'> & {
  readonly name: 'payments' | 'refunds';
  readonly all: readonly { readonly id: number }[];
  readonly shown: readonly { readonly id: number }[];
}) {
  const home = bookingPath(state.property.id, state.booking.reference);
  const last = shown.at(-1)?.id;
  return (
    <>
      {before !== null && (
        <p>
          <a href={`${home}#${name}`}>Back to the latest {name}</a>
        </p>
      )}
      {last !== undefined && last !== all[0]?.id && (
        <p>
          <a href={`${home}&${name}Before=${last}#${name}`}>Earlier {name}</a>
        </p>
      )}
    </>
  );
}

/** The payments of a booking, the latest first, with what can be done about each. */
export function Payments({ person, file, before }: MoneyOf) {
  const { timeZone } = file.state.property;
  const rows = latest(file.transactions, before);
  return (
    <section aria-labelledby="payments">
      <h2 id="payments">Payments</h2>
      {file.transactions.length === 0 ? (
        <EmptyNote text="There are no payments." />
      ) : (
        <Records<TransactionRow>
          caption="Payments, the latest first"
          rows={rows}
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
      <OtherRows file={file} before={before} name="payments" all={file.transactions} shown={rows} />
    </section>
  );
}

/** Where the refunds of a booking are; nothing if there are none. */
export function Refunds({ person, file, before }: MoneyOf) {
  const { timeZone } = file.state.property;
  if (file.refunds.length === 0) return null;
  const rows = latest(file.refunds, before);
  const isOpen = rows.some(({ status }) => status === 'Processing');
  return (
    <section aria-labelledby="refunds">
      <h2 id="refunds">Refunds</h2>
      <Records<RefundRow>
        caption="Refunds, the latest first"
        rows={rows}
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
      <OtherRows file={file} before={before} name="refunds" all={file.refunds} shown={rows} />
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
