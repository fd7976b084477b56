import { mayTry } from '../../../desk/actions.ts';
import type { BookingFile } from '../../../desk/bookingFile.ts';
import { cardCopy, statusCopy, words } from '../../../desk/words.ts';
import { cursorAfter, shownPart } from '../../../http/listFields.ts';
import { type Page, pageOf } from '../../../platform/db/page.ts';
import type { RefundRow, TransactionRow } from '../../../schema/moneyTables.ts';
import { LinkLine } from '../../web/page.tsx';
import { type Column, CsvLink, TableSection } from '../../web/table.tsx';
import { PaymentActions, ResolveManually } from '../actions/followUps.tsx';
import { amountColumn, currencyColumn, timeColumn } from '../lists/columns.tsx';
import { bookingPath } from '../paths.ts';
import { useFile, useViewed } from '../site.tsx';

const names = words.columns;

const SHOWN = 8;

/** The two tables of money on a booking's page. */
export type MoneyTable = 'payments' | 'refunds';

/** Where the tables of a page begin: cursors of the pages before. */
export type MoneyCursors = Readonly<Record<MoneyTable, string | undefined>>;

interface Shown {
  readonly cursor: string | undefined;
}

/** The payments of a booking, the latest first, with what can be done about each. */
export function Payments({ cursor }: Shown) {
  const file = useFile();
  const actions: Column<TransactionRow> = {
    name: names.actions,
    cell: (row) => <PaymentActions row={row} />,
  };
  return (
    <MoneySection
      table="payments"
      page={latest(file.transactions, 'payments', cursor)}
      cursor={cursor}
      columns={[
        ...paymentColumns(file),
        ...(mayTry(useViewed().person, 'charge') ? [actions] : []),
      ]}
    />
  );
}

/** Where the refunds of a booking are; nothing if there are none. */
export function Refunds({ cursor }: Shown) {
  const file = useFile();
  if (file.refunds.length === 0) return null;
  const page = latest(file.refunds, 'refunds', cursor);
  const actions: Column<RefundRow> = {
    name: names.actions,
    cell: (row) => <ResolveManually row={row} />,
  };
  const isOpen = page.rows.some(({ status }) => status === 'Processing');
  return (
    <MoneySection
      table="refunds"
      page={page}
      cursor={cursor}
      columns={[...refundColumns(file), ...(isOpen ? [actions] : [])]}
    />
  );
}

/** The latest rows after a cursor, the latest first. */
function latest<Row extends { readonly id: number }>(
  rows: readonly Row[],
  table: MoneyTable,
  cursor: string | undefined,
): Page<Row> {
  const { after } = shownPart(table, table, { limit: SHOWN, cursor });
  const before = Number(after?.[0] ?? Number.MAX_SAFE_INTEGER);
  return pageOf(rows.filter(({ id }) => id < before).toReversed(), SHOWN, ({ id }) => [id]);
}

/** A table of money with the links to what it does not show. */
function MoneySection<Row>({
  table,
  page,
  cursor,
  columns,
}: Shown & {
  readonly table: MoneyTable;
  readonly page: Page<Row>;
  readonly columns: readonly Column<Row>[];
}) {
  const copy = words.booking[table];
  const { booking, property } = useFile().state;
  const home = bookingPath(property.id, booking.reference);
  const next = cursorAfter(table, table, page);
  return (
    <TableSection id={table} {...copy} columns={columns} rows={page.rows}>
      {page.rows.length > 0 && <CsvLink path={`${home}&table=${table}`} of={copy.file} />}
      {cursor !== undefined && <LinkLine href={`${home}#${table}`} text={copy.back} />}
      {next !== null && (
        <LinkLine href={`${home}&${table}Before=${next}#${table}`} text={copy.earlier} />
      )}
    </TableSection>
  );
}

/** The columns of a booking's payments, on its page and in a file. */
export function paymentColumns({ cards, state }: BookingFile): Column<TransactionRow>[] {
  return [
    timeColumn(names.time, timeOf, state.property),
    { name: names.what, text: ({ kind, purpose }) => `${words.kinds[kind]}, ${purpose}` },
    { name: names.status, text: statusCopy },
    amountColumn(names.amount, ({ amountMinor }) => amountMinor),
    amountColumn(names.feesInIt, (row) => row.cardFeeMinor + row.transactionFeeMinor),
    currencyColumn,
    {
      name: names.card,
      text: ({ cardToken }) => cardCopy(cards.find(({ token }) => token === cardToken) ?? NO_CARD),
    },
    { name: names.id, isNumber: true, text: ({ id }) => id },
  ];
}

/** The columns of a booking's refunds, on its page and in a file. */
export function refundColumns({ state }: BookingFile): Column<RefundRow>[] {
  const copy = words.booking.refunds;
  return [
    timeColumn(names.time, ({ createdAtMs }) => createdAtMs, state.property),
    { name: names.status, text: ({ status }) => words.refundStates[status] },
    amountColumn(names.amount, ({ amountMinor }) => amountMinor),
    currencyColumn,
    { name: names.ofPayment, isNumber: true, text: ({ transactionId }) => transactionId },
    { name: names.description, isForFiles: true, text: ({ description }) => description },
    {
      name: copy.madeBy,
      fileName: copy.madeAtAcquirer,
      text: ({ origin }) => (origin === 'gateway' ? copy.yes : copy.no),
      cell: ({ origin }) => (origin === 'gateway' ? copy.atAcquirer : copy.here),
    },
    {
      name: copy.acquirersId,
      fileName: copy.acquirersIdInFile,
      text: ({ gatewayReference }) => gatewayReference,
      cell: ({ gatewayReference }) => gatewayReference ?? '–',
    },
    { name: names.id, isNumber: true, text: ({ id }) => id },
  ];
}

/** A schedule counts at its time, anything else when it was made. */
function timeOf({ createdAtMs, scheduledAtMs, status }: TransactionRow): number {
  return status === 'Pending' ? (scheduledAtMs ?? createdAtMs) : createdAtMs;
}

/** Which card that will be is seen when the time comes. */
const NO_CARD = { brand: null, last4: null };
