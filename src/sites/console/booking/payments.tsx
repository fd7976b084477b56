import { mayTry } from '../../../desk/actions.ts';
import type { BookingFile } from '../../../desk/bookingFile.ts';
import { paymentStateCopy, stateOfPayment } from '../../../desk/moneyState.ts';
import { cardCopy, whatCopy, words } from '../../../desk/words.ts';
import type { Gateway } from '../../../gateways/gateway.ts';
import { cursorAfter, shownPart } from '../../../http/listFields.ts';
import { cardTokenNow, dueTimeOf } from '../../../money/payments/rules.ts';
import { type Page, pageOf } from '../../../platform/db/page.ts';
import type { RefundRow, TransactionRow } from '../../../schema/moneyTables.ts';
import { StateBadge } from '../../web/badge.tsx';
import { LinkLine } from '../../web/page.tsx';
import { type Column, CsvLink, TableSection } from '../../web/table.tsx';
import { FollowUps } from '../actions/followUps.tsx';
import {
  amountColumn,
  currencyColumn,
  Described,
  moneyColumns,
  more,
  timeColumn,
} from '../lists/columns.tsx';
import { bookingPath } from '../paths.ts';
import { useFile, useViewed } from '../site.tsx';

const names = words.columns;

/** How many payments or refunds one page shows. */
const SHOWN = 15;

/** The two tables of money on a booking's page. */
export type MoneyTable = 'payments' | 'refunds';

/** Where the tables of a page begin: cursors of the pages before. */
export type MoneyCursors = Readonly<Record<MoneyTable, string | undefined>>;

interface Shown {
  readonly cursor: string | undefined;
}

/** The payments of a booking, the latest first, with what can be done about each, here and at the acquirer. */
export function Payments({ cursor, gateway }: Shown & { readonly gateway: Gateway }) {
  const file = useFile();
  const pageOf = ({ cardToken, gatewayReference: id }: TransactionRow) => {
    const card = id === null ? undefined : file.cards.find(({ token }) => token === cardToken);
    return card === undefined ? null : gateway.pageOfPayment(id ?? '', card.gatewayToken);
  };
  const atAcquirer: Column<TransactionRow> = {
    name: words.booking.payments.atAcquirer,
    isMore: true,
    cell: (row) => {
      const href = pageOf(row);
      return (
        href && (
          <a href={href} rel="noreferrer">
            {words.disputes.open}
            <span class="unseen"> {row.id}</span>
          </a>
        )
      );
    },
  };
  const actions: Column<TransactionRow> = {
    name: names.actions,
    cell: (row) => <FollowUps row={row} />,
  };
  return (
    <MoneySection
      table="payments"
      page={latest(file.transactions, timeOf, 'payments', cursor)}
      cursor={cursor}
      columns={[
        ...paymentColumns(file),
        ...(file.transactions.some((row) => pageOf(row) !== null) ? [atAcquirer] : []),
        ...(mayTry(useViewed().person, 'charge') ? [actions] : []),
      ]}
    />
  );
}

/** Where the refunds of a booking are; nothing if there are none. */
export function Refunds({ cursor }: Shown) {
  const file = useFile();
  if (file.refunds.length === 0) return null;
  const page = latest(file.refunds, ({ createdAtMs }) => createdAtMs, 'refunds', cursor);
  const actions: Column<RefundRow> = {
    name: names.actions,
    cell: (row) => <FollowUps row={row} />,
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
  atMsOf: (row: Row) => number,
  table: MoneyTable,
  cursor: string | undefined,
): Page<Row> {
  const { after } = shownPart(table, table, { limit: SHOWN, cursor });
  const [beforeMs, beforeId] = after?.map(Number) ?? [];
  const ordered = rows.toSorted((one, two) => atMsOf(two) - atMsOf(one) || two.id - one.id);
  const isAfter = (row: Row) =>
    beforeMs === undefined ||
    beforeId === undefined ||
    atMsOf(row) < beforeMs ||
    (atMsOf(row) === beforeMs && row.id < beforeId);
  return pageOf(ordered.filter(isAfter), SHOWN, (row) => [atMsOf(row), row.id]);
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

export function paymentColumns(file: BookingFile): Column<TransactionRow>[] {
  const { booking, property } = file.state;
  const cardOf = (row: TransactionRow) => {
    const now = cardTokenNow(row, booking);
    return cardCopy(file.cards.find(({ token }) => token === now) ?? NO_CARD);
  };
  return [
    more(timeColumn(names.time, timeOf, property)),
    {
      name: names.what,
      text: whatCopy,
      cell: (row) => <Described what={whatCopy(row)} description={row.description} />,
    },
    {
      name: names.status,
      text: (row) => paymentStateCopy(row, file),
      cell: (row) => (
        <StateBadge state={stateOfPayment(row, file.disputes)} text={paymentStateCopy(row, file)} />
      ),
    },
    amountColumn(names.amount, ({ amountMinor }) => amountMinor),
    more(
      amountColumn<TransactionRow>(
        names.feesInIt,
        (row) => row.cardFeeMinor + row.transactionFeeMinor,
      ),
    ),
    currencyColumn,
    { name: names.card, isMore: true, text: cardOf },
    { name: names.id, isMore: true, isNumber: true, text: ({ id }) => id },
    { name: names.description, isForFiles: true, text: ({ description }) => description },
  ];
}

export function refundColumns({ cards, state, transactions }: BookingFile): Column<RefundRow>[] {
  const copy = words.booking.refunds;
  const cardOf = ({ transactionId }: RefundRow) => {
    const charge = transactions.find(({ id }) => id === transactionId);
    const card = cards.find(({ token }) => token === charge?.cardToken);
    return card ? cardCopy(card) : '–';
  };
  return [
    timeColumn(names.time, ({ createdAtMs }) => createdAtMs, state.property),
    {
      name: names.status,
      text: ({ status }) => words.refundStates[status],
      cell: ({ description, status }) => (
        <Described
          what={<StateBadge state={REFUND_LOOKS[status]} text={words.refundStates[status]} />}
          description={description}
        />
      ),
    },
    ...moneyColumns(),
    { name: names.card, isMore: true, cell: cardOf },
    {
      name: names.ofPayment,
      isMore: true,
      isNumber: true,
      text: ({ transactionId }) => transactionId,
    },
    { name: names.description, isForFiles: true, text: ({ description }) => description },
    {
      name: copy.madeBy,
      isMore: true,
      fileName: copy.madeAtAcquirer,
      text: ({ origin }) => (origin === 'gateway' ? copy.yes : copy.no),
      cell: ({ origin }) => (origin === 'gateway' ? copy.atAcquirer : copy.here),
    },
    {
      name: copy.acquirersId,
      isMore: true,
      fileName: copy.acquirersIdInFile,
      text: ({ gatewayReference }) => gatewayReference,
      cell: ({ gatewayReference }) => <bdi>{gatewayReference ?? '–'}</bdi>,
    },
    { name: names.id, isMore: true, isNumber: true, text: ({ id }) => id },
  ];
}

/** How refunds stand, as badges show it. */
export const REFUND_LOOKS = {
  Processing: 'unknown',
  Refunded: 'refunded',
  Failed: 'failed',
} as const;

/** When a payment happened: at its outcome, or, before that, when it will or was asked for. */
export function timeOf(row: TransactionRow): number {
  return row.status === 'Pending' ? dueTimeOf(row) : (row.completedAtMs ?? row.createdAtMs);
}

/** Which card that will be is seen when the time comes. */
const NO_CARD = { brand: null, last4: null };
